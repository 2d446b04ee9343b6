import { bitSet, multiOrdinals, NO_MORE_DOCS, type OrdinalColumn, WINDOW_DOCS } from '@shoal/segments';
import { compareTerms } from '@shoal/codec';
import type { Matcher } from '../../matcher.js';
import { keepOrdinals, ordinalsToDocs } from '../window.kernel.js';
import { BitSetMatcher } from './bit-set-matcher.js';

/** Returns the first ordinal of a sorted column whose term is >= `term` (> with `after`). */
export function lowerOrdinal(column: OrdinalColumn, term: string, after: boolean): number {
  let low = 0;
  let high = column.ordinalCount;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const order = compareTerms(column.term(middle), term);
    if (order < 0 || (after && order === 0)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns documents with an ordinal that `wanted` accepts, found by reading the column. */
export function scanOrdinals(column: OrdinalColumn, maxDoc: number, wanted: (ordinal: number) => boolean): Matcher {
  const bits = bitSet(maxDoc);
  const values = multiOrdinals();
  const doc = new Int32Array(1);
  for (let at = column.nextDocWithField(0); at < maxDoc; at = column.nextDocWithField(at + 1)) {
    doc[0] = at;
    column.readAll(doc, 1, values);
    for (let i = 0; i < values.starts[1]!; i++) if (wanted(values.values[i]!)) bits.set(at);
  }
  return new BitSetMatcher(bits, 0);
}

/** Documents whose single ordinal lies in [first, last]. */
export class OrdinalRangeMatcher implements Matcher {
  readonly cost: number;
  readonly #column: OrdinalColumn;
  readonly #first: number;
  readonly #last: number;
  readonly #maxDoc: number;
  readonly #values = new Int32Array(WINDOW_DOCS);

  constructor(column: OrdinalColumn, first: number, last: number, maxDoc: number) {
    this.#column = column;
    this.#first = first;
    this.#last = last;
    this.#maxDoc = maxDoc;
    this.cost = Math.ceil((column.docsWithField * (last - first + 1)) / column.ordinalCount);
  }

  window(from: number, to: number, docs: Int32Array, _scores: Float64Array | null): number {
    this.#column.readRange(from, to, this.#values);
    return ordinalsToDocs(this.#values, from, to, this.#first, this.#last, docs);
  }

  filter(docs: Int32Array, count: number, scores: Float64Array | null): number {
    this.#column.read(docs, count, this.#values);
    return keepOrdinals(docs, count, this.#values, this.#first, this.#last, scores);
  }

  next(target: number): number {
    return target < this.#maxDoc ? this.#column.nextDocWithField(target) : NO_MORE_DOCS;
  }

  maxScore(): number {
    return 0;
  }
}
