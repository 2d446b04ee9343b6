import type { FieldType } from '@shoal/mapping';
import { INPUT_SEPARATOR } from '../execute/dictionary/find-inputs.js';
import { hasSeparators } from '../full-text/completion-plan.js';
import type { FieldText } from './field-text.js';

/** Returns the token of a value of a completion field: all of it, as terms of its inputs begin. */
export function inputToken(type: FieldType): (value: string) => string {
  const separator = hasSeparators(type) ? ' ' : '';
  return (value) => {
    const tokens = type.indexAnalyzer!.analyze(value);
    return tokens.terms.slice(0, tokens.count).join(separator) + INPUT_SEPARATOR;
  };
}

/** Finds the places of inputs by whole terms, which go on with weight and input, and by words of other fields. */
class PlacesOfInputs extends Map<string, readonly number[]> {
  override get(term: string): readonly number[] | undefined {
    const end = term.indexOf(INPUT_SEPARATOR);
    return super.get(end < 0 ? term + INPUT_SEPARATOR : term.slice(0, end + 1));
  }
}

/** Returns the text of a completion field with tokens that are found by the terms of its index. */
export const completionText = (text: FieldText): FieldText => ({
  ...text,
  tokens: { ...text.tokens, byTerm: new PlacesOfInputs(text.tokens.byTerm) },
});
