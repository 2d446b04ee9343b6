import { compareTerms, radixSort } from '@shoal/codec';

const KEY_CHARACTERS = 8;
/** Stands for every wider character, and for all characters after one. */
const WIDE = 255;

function writeKey(term: string, index: number, high: Int32Array, low: Int32Array): void {
  let isWide = false;
  let key = 0;
  for (let i = 0; i < KEY_CHARACTERS; i++) {
    const unit = i < term.length ? term.charCodeAt(i) : 0;
    isWide ||= unit >= WIDE;
    key = (key << 8) | (isWide ? WIDE : unit);
    if (i === 3) high[index] = key;
  }
  low[index] = key;
}

const compareUnits = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

/** Keys that are equal leave the order to the comparison: their terms go on, or are wide from some character on. */
function sortTies(terms: readonly string[], order: Int32Array, high: Int32Array, low: Int32Array, compare: (a: string, b: string) => number): void {
  for (let from = 0; from < order.length; ) {
    let to = from + 1;
    while (to < order.length && high[order[to]!] === high[order[from]!] && low[order[to]!] === low[order[from]!]) to++;
    if (to - from > 1) order.subarray(from, to).sort((a, b) => compare(terms[a]!, terms[b]!));
    from = to;
  }
}

/** Numbers from … to - 1 in code-point order of their terms: a radix sort by the first eight characters, then comparisons among equals. */
export function sortTerms(terms: readonly string[], from: number, to: number, hasSurrogates: boolean): Int32Array {
  const part = from === 0 && to === terms.length ? terms : terms.slice(from, to);
  const count = part.length;
  const high = new Int32Array(count);
  const low = new Int32Array(count);
  const items = new Int32Array(count);
  for (let i = 0; i < count; i++) {
    writeKey(part[i]!, i, high, low);
    items[i] = i;
  }
  const order = radixSort(high, low, items, count);
  sortTies(part, order, high, low, hasSurrogates ? compareTerms : compareUnits);
  if (from > 0) for (let i = 0; i < count; i++) order[i]! += from;
  return order;
}
