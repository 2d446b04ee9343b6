import type { FieldDictionary } from './searchable-terms.js';
import type { TermFinder } from './term-finder.js';

/** Ends the analysed input in a term of a completion field; its weight and the input as given follow. */
export const INPUT_SEPARATOR = '\u001f';
/** The character after it: the terms of an input are those from the separator to this. */
const AFTER_SEPARATOR = ' ';

/**
 * Returns a finder for terms of a completion field whose inputs are analysed to any of some texts, which ascend. In a
 * sealed segment each takes two look-ups in the dictionary, and each term of a buffer takes one in a set.
 */
export function inputsFinder(analysed: readonly string[]): TermFinder {
  const wanted = new Set(analysed);
  const matches = (term: string): boolean => {
    const end = term.indexOf(INPUT_SEPARATOR);
    return end >= 0 && wanted.has(term.slice(0, end));
  };
  return {
    matches,
    find(_searcher, _segment, _field, terms) {
      const found: number[] = [];
      if (terms.isInMemory === true) {
        for (let i = 0; i < terms.termCount; i++) if (matches(terms.term(i))) found.push(i);
      } else for (const text of wanted) addRange(text, terms, found);
      return Int32Array.from(found);
    },
  };
}

/** Adds the ordinals of the terms of one input. */
function addRange(analysed: string, terms: FieldDictionary, into: number[]): void {
  const cursor = terms.cursor();
  const prefix = analysed + INPUT_SEPARATOR;
  if (!cursor.seek(prefix) || !cursor.term.startsWith(prefix)) return;
  const from = cursor.ordinal;
  const to = cursor.seek(analysed + AFTER_SEPARATOR) ? cursor.ordinal : terms.termCount;
  for (let ordinal = from; ordinal < to; ordinal++) into.push(ordinal);
}
