import { compareTerms, radixSort } from '@shoal/codec';

const KEY_CHARACTERS = 8;
/** Key byte of every character from U+00FF on, and of all characters behind one. */
const WIDE = 255;
/** Fewer terms are sorted by comparison: computing their keys would cost more. */
const RADIX_TERMS_MIN = 24;
/**
 * Terms that share more characters are sorted by comparison. Without the limit, terms that each begin with the one
 * before would recurse once for every eight characters.
 */
const RADIX_DEPTH_MAX = 512;

type Compare = (a: string, b: string) => number;

/** Writes the sort key of a term: its eight characters from `depth` on. */
function writeKey(term: string, depth: number, index: number, high: Int32Array, low: Int32Array): void {
  let isWide = false;
  let key = 0;
  for (let i = 0; i < KEY_CHARACTERS; i++) {
    const unit = depth + i < term.length ? term.charCodeAt(depth + i) : 0;
    isWide ||= unit >= WIDE;
    key = (key << 8) | (isWide ? WIDE : unit);
    if (i === 3) high[index] = key;
  }
  low[index] = key;
}

const compareUnits: Compare = (a, b) => (a === b ? 0 : a < b ? -1 : 1);

/** Returns how many characters all terms share at the beginning; at least `depth`. */
function sharedLength(terms: readonly string[], order: Int32Array, depth: number): number {
  const first = terms[order[0]!]!;
  let shared = first.length;
  for (let i = 1; i < order.length && shared > depth; i++) {
    const term = terms[order[i]!]!;
    if (term.length < shared) shared = term.length;
    let at = depth;
    while (at < shared && term.charCodeAt(at) === first.charCodeAt(at)) at++;
    shared = at;
  }
  return shared;
}

function insertionSort(terms: readonly string[], order: Int32Array, compare: Compare): void {
  for (let i = 1; i < order.length; i++) {
    const item = order[i]!;
    const term = terms[item]!;
    let at = i;
    while (at > 0 && compare(terms[order[at - 1]!]!, term) > 0) {
      order[at] = order[at - 1]!;
      at--;
    }
    order[at] = item;
  }
}

/**
 * Sorts terms whose keys at `depth` are equal: they share eight more characters, or have a wide character among them.
 */
function sortTies(terms: readonly string[], order: Int32Array, depth: number, compare: Compare): void {
  if (order.length < RADIX_TERMS_MIN) return insertionSort(terms, order, compare);
  const shared = sharedLength(terms, order, depth);
  // The keys may be equal because of wide characters, without a longer shared prefix.
  if (shared <= depth || shared > RADIX_DEPTH_MAX) order.sort((a, b) => compare(terms[a]!, terms[b]!));
  else sortFrom(terms, order, shared, compare);
}

/**
 * Sorts the term numbers in `order`, whose terms agree up to `depth`: by the next eight characters, then the ties
 * recursively.
 */
function sortFrom(terms: readonly string[], order: Int32Array, depth: number, compare: Compare): void {
  const count = order.length;
  const high = new Int32Array(count);
  const low = new Int32Array(count);
  const places = new Int32Array(count);
  for (let i = 0; i < count; i++) {
    writeKey(terms[order[i]!]!, depth, i, high, low);
    places[i] = i;
  }
  const sorted = radixSort(high, low, places, count);
  const before = order.slice();
  for (let i = 0; i < count; i++) order[i] = before[sorted[i]!]!;
  for (let from = 0; from < count; ) {
    let to = from + 1;
    while (to < count && high[sorted[to]!] === high[sorted[from]!] && low[sorted[to]!] === low[sorted[from]!]) to++;
    if (to - from > 1) sortTies(terms, order.subarray(from, to), depth, compare);
    from = to;
  }
}

/**
 * Returns the numbers from … to - 1 in code-point order of their terms. A radix sort by eight characters at a time; it
 * skips prefixes that all terms share, as URLs do.
 */
export function sortTerms(terms: readonly string[], from: number, to: number, hasSurrogates: boolean): Int32Array {
  const order = new Int32Array(to - from);
  for (let i = 0; i < order.length; i++) order[i] = from + i;
  sortFrom(terms, order, 0, hasSurrogates ? compareTerms : compareUnits);
  return order;
}
