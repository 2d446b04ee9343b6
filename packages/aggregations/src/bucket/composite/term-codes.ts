import { type GlobalOrdinals } from '@shoal/query';
import { compareTerms } from '@shoal/codec';

/** Numbers for the terms of a field that have the order of the terms, terms of the write buffer included. */
export interface TermCodes {
  /** Code of a global ordinal. */
  code(ordinal: number): number;
  term(code: number): string;
  /** The code of any term; between those of its neighbours if no document has the term. */
  codeOf(term: string): number;
}

/** Counts the terms of sealed segments that are below `term`. */
function lowerBound(ordinals: GlobalOrdinals, term: string): number {
  let [low, high] = [0, ordinals.sortedCount];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareTerms(ordinals.term(middle), term) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Makes codes: a term of a sealed segment has its global ordinal, a term of the write buffer alone a fraction between
 * two ordinals.
 */
export function termCodes(ordinals: GlobalOrdinals): TermCodes {
  const extra = Array.from({ length: ordinals.count - ordinals.sortedCount }, (_, i) => ({
    ordinal: ordinals.sortedCount + i,
    term: ordinals.term(ordinals.sortedCount + i),
  }));
  extra.sort((a, b) => compareTerms(a.term, b.term));
  const codes = new Float64Array(extra.length);
  const byCode = new Map<number, string>();
  extra.forEach(({ ordinal, term }, i) => {
    const code = lowerBound(ordinals, term) - 1 + (i + 1) / (extra.length + 1);
    codes[ordinal - ordinals.sortedCount] = code;
    byCode.set(code, term);
  });
  return {
    code: (ordinal) => (ordinal < ordinals.sortedCount ? ordinal : codes[ordinal - ordinals.sortedCount]!),
    term: (code) => byCode.get(code) ?? ordinals.term(code),
    codeOf(term) {
      const known = ordinals.lookup(term);
      if (known >= 0) return known < ordinals.sortedCount ? known : codes[known - ordinals.sortedCount]!;
      const below = extra.filter((one) => compareTerms(one.term, term) < 0).length;
      return lowerBound(ordinals, term) - 1 + (below + 0.5) / (extra.length + 1);
    },
  };
}
