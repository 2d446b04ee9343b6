import type { FieldType } from '@shoal/mapping';
import type { Plan } from '../plan.js';
import { prefixPlan } from '../queries/prefix.js';
import type { TextPosition } from './text-positions.js';

/** Ends the analysed input in a term of a completion field; its weight and the input as given follow. */
const SEPARATOR = '\u001f';

/** Whether a field holds inputs for completion: the tokens of an input are one term. */
export function isCompletion(type: FieldType): boolean {
  return type.typeName === 'completion';
}

/** Returns the plan of a text in a completion field: it matches inputs that are analysed to the same tokens. */
export function completionPlan(type: FieldType, positions: readonly TextPosition[]): Plan {
  const separator = type.toJson(true)['preserve_separators'] === false ? '' : ' ';
  const analysed = positions.map(({ terms }) => terms[0]).join(separator);
  return prefixPlan(type.name, analysed + SEPARATOR);
}
