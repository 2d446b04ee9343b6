import type { GlobalOrdinals, Searcher } from '@shoal/query';
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

/** Codes of the terms that the write buffer alone has. */
interface BufferCodes {
  /** Terms in order. */
  readonly terms: readonly string[];
  /** Code of each, by global ordinal after those of sealed segments. */
  readonly codes: Float64Array;
  readonly byCode: ReadonlyMap<number, string>;
}

const NO_BUFFER: BufferCodes = { terms: [], codes: new Float64Array(0), byCode: new Map() };

/** Estimated memory of the text and the code of one term. */
const TERM_BYTES = 120;

function codesOfBuffer(ordinals: GlobalOrdinals): BufferCodes {
  const { sortedCount } = ordinals;
  const extra = Array.from({ length: ordinals.count - sortedCount }, (_, i) => ({
    ordinal: sortedCount + i,
    term: ordinals.term(sortedCount + i),
  }));
  extra.sort((a, b) => compareTerms(a.term, b.term));
  const codes = new Float64Array(extra.length);
  const byCode = new Map<number, string>();
  extra.forEach(({ ordinal, term }, i) => {
    const code = lowerBound(ordinals, term) - 1 + (i + 1) / (extra.length + 1);
    codes[ordinal - sortedCount] = code;
    byCode.set(code, term);
  });
  return { terms: extra.map(({ term }) => term), codes, byCode };
}

/** Sorts the terms of the write buffer once for each of its versions. */
function bufferCodes(searcher: Searcher, field: string, ordinals: GlobalOrdinals): BufferCodes {
  if (ordinals.count === ordinals.sortedCount) return NO_BUFFER;
  const versions = searcher.segments.map(({ reader, version }) => `${reader.id}:${version}`);
  return searcher.cache.get(`codes/${field}/${versions.join(',')}`, () => {
    const value = codesOfBuffer(ordinals);
    return { value, bytes: value.terms.length * TERM_BYTES };
  });
}

/**
 * Makes codes: a term of a sealed segment has its global ordinal, a term of the write buffer alone a fraction between
 * two ordinals.
 */
export function termCodes(searcher: Searcher, field: string, ordinals: GlobalOrdinals): TermCodes {
  const { sortedCount } = ordinals;
  const { terms, codes, byCode } = bufferCodes(searcher, field, ordinals);
  return {
    code: (ordinal) => (ordinal < sortedCount ? ordinal : codes[ordinal - sortedCount]!),
    term: (code) => byCode.get(code) ?? ordinals.term(code),
    codeOf(term) {
      const known = ordinals.lookup(term);
      if (known >= 0) return known < sortedCount ? known : codes[known - sortedCount]!;
      const below = terms.filter((one) => compareTerms(one, term) < 0).length;
      return lowerBound(ordinals, term) - 1 + (below + 0.5) / (terms.length + 1);
    },
  };
}
