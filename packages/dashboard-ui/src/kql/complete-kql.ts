/** What can be at the end of a text. */
export type Completion =
  | { readonly kind: 'field' | 'operator' | 'conjunction'; readonly from: number; readonly texts: readonly string[] }
  /** Values of a field that begin with `prefix`, to be asked of the cluster. */
  | { readonly kind: 'value'; readonly from: number; readonly field: string; readonly prefix: string };

/** Completions shown at once. */
const SHOWN_MAX = 12;
const OPERATORS = [': ', ': * ', ' > ', ' >= ', ' < ', ' <= '];

/** Completions for the text before the caret; null within quotes, and where nothing helps. */
export function completeKql(before: string, fields: readonly string[]): Completion | null {
  const isInQuotes = before.replace(/\\./g, '').split('"').length % 2 === 0;
  if (isInQuotes) return null;
  const word = /[^\s():<>"{}]*$/.exec(before)![0];
  const from = before.length - word.length;
  const rest = before.slice(0, from);
  const compared = /([^\s():<>"{}]+)\s*(?::|[<>]=?)\s*$/.exec(rest);
  if (compared !== null) return { kind: 'value', from, field: compared[1]!, prefix: word };
  const isFieldPlace = rest.trim() === '' || /(?:\b(?:and|or|not)\s+|[({]\s*)$/i.test(rest);
  if (isFieldPlace && fields.includes(word))
    return { kind: 'operator', from: before.length, texts: OPERATORS.map((text) => text) };
  if (isFieldPlace) return { kind: 'field', from, texts: matchingFields(fields, word) };
  const texts = ['and ', 'or '].filter((text) => text.startsWith(word.toLowerCase()));
  return texts.length === 0 || !/\s$/.test(rest) ? null : { kind: 'conjunction', from, texts };
}

/** Fields that begin with a word, then those that contain it. */
function matchingFields(fields: readonly string[], word: string): readonly string[] {
  const lower = word.toLowerCase();
  const found = fields.filter((name) => name.toLowerCase().includes(lower));
  const isFirst = (name: string): number => (name.toLowerCase().startsWith(lower) ? 0 : 1);
  return found.toSorted((a, b) => isFirst(a) - isFirst(b)).slice(0, SHOWN_MAX);
}

/** A value as KQL has it: in quotes unless it is a plain word. */
export const kqlValue = (value: string): string =>
  /^[\p{L}\p{N}_.-]+$/u.test(value) && !/^(?:and|or|not)$/i.test(value)
    ? value
    : `"${value.replace(/["\\]/g, '\\$&')}"`;
