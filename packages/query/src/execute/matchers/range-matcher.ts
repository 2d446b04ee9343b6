import {
  type BitSet,
  bitSet,
  NO_MORE_DOCS,
  type NumberColumn,
  type PointsReader,
  type SegmentReader,
  WINDOW_DOCS,
} from '@shoal/segments';
import type { Matcher } from '../../matcher.js';
import type { Scratch } from '../scratch.js';
import { bitsToDocs, countInRange, fillRange, keepBits, keepInRange, rangeToDocs } from '../window.kernel.js';

/**
 * A range proposes candidates from its points if it matches fewer than 1 / POINTS_SHARE of all documents; else the
 * column is scanned.
 */
const POINTS_SHARE = 12;

/**
 * Documents whose single number lies in bounds. There are two ways, chosen by use (Lucene's IndexOrDocValuesQuery). As
 * the leader of a conjunction it reads the points; as a filter of candidates it reads the column. Blocks of the column
 * that lie outside or inside the bounds are skipped or taken as a whole.
 */
export class RangeMatcher implements Matcher {
  readonly #column: NumberColumn;
  readonly #reader: SegmentReader;
  readonly #field: string;
  readonly #low: number;
  readonly #high: number;
  readonly #maxDoc: number;
  readonly #isDense: boolean;
  readonly #scratch: Scratch | undefined;
  #values: Float64Array | null = null;
  #bits: BitSet | null = null;
  /** Undefined until first used: a matcher that only filters candidates needs neither points nor cost. */
  #points: PointsReader | null | undefined = undefined;
  #cost = -1;

  constructor(
    column: NumberColumn,
    reader: SegmentReader,
    field: string,
    low: number,
    high: number,
    maxDoc: number,
    scratch?: Scratch,
  ) {
    this.#scratch = scratch;
    this.#column = column;
    this.#reader = reader;
    this.#field = field;
    this.#low = low;
    this.#high = high;
    this.#maxDoc = maxDoc;
    this.#isDense = column.docsWithField === maxDoc;
  }

  get cost(): number {
    if (this.#cost >= 0) return this.#cost;
    const points = this.#pointsOfField();
    return (this.#cost = points === null ? this.#column.docsWithField : points.estimate(this.#low, this.#high));
  }

  #pointsOfField(): PointsReader | null {
    if (this.#points === undefined) this.#points = this.#reader.points(this.#field);
    return this.#points;
  }

  #buffer(count: number): Float64Array {
    if (this.#values !== null && this.#values.length >= count) return this.#values;
    const length = Math.min(WINDOW_DOCS, Math.max(128, count * 2));
    return (this.#values = this.#scratch?.numbers(length) ?? new Float64Array(length));
  }

  /** Returns the matches as bits, collected from the points; null if the points are not worth collecting. */
  #collected(): BitSet | null {
    if (this.#bits !== null) return this.#bits;
    const points = this.#pointsOfField();
    if (points === null || this.cost > this.#maxDoc / POINTS_SHARE) return null;
    this.#bits = bitSet(this.#maxDoc);
    points.collect(this.#low, this.#high, this.#bits);
    return this.#bits;
  }

  /**
   * Relation of the block around a document to the bounds: 0 no document matches, 1 all documents with a value match, 2
   * each document has to be checked.
   */
  #relate(doc: number): number {
    const bounds = this.#column.blockBounds(doc);
    if (bounds === null || bounds.max < this.#low || bounds.min > this.#high) return 0;
    return bounds.min >= this.#low && bounds.max <= this.#high ? 1 : 2;
  }

  window(from: number, to: number, docs: Int32Array, _scores: Float64Array | null): number {
    const relation = this.#relate(from);
    if (relation === 0) return 0;
    if (relation === 1 && this.#isDense) return fillRange(docs, from, to);
    const bits = this.#collected();
    if (bits !== null) return bitsToDocs(bits.words, from, to, docs);
    const values = this.#buffer(to - from);
    this.#column.readRange(from, to, values);
    return rangeToDocs(values, from, to, this.#low, this.#high, docs);
  }

  filter(docs: Int32Array, count: number, scores: Float64Array | null): number {
    if (count === 0) return 0;
    if (this.#bits !== null) return keepBits(this.#bits.words, docs, count, scores, 1);
    if (sameBlock(docs[0]!, docs[count - 1]!)) {
      const relation = this.#relate(docs[0]!);
      if (relation === 0) return 0;
      if (relation === 1 && this.#isDense) return count;
    }
    const values = this.#buffer(count);
    this.#column.read(docs, count, values);
    return keepInRange(docs, count, values, this.#low, this.#high, scores);
  }

  countAmong(docs: Int32Array, count: number): number {
    const values = this.#bits === null ? (this.#scratch?.batch.of(this.#column, docs, count) ?? null) : null;
    return values === null ? -1 : countInRange(values, count, this.#low, this.#high);
  }

  next(target: number): number {
    if (this.#bits !== null) return this.#bits.next(target);
    let doc = target;
    while (doc < this.#maxDoc && this.#relate(doc) === 0) doc = doc - (doc % WINDOW_DOCS) + WINDOW_DOCS;
    return doc < this.#maxDoc ? doc : NO_MORE_DOCS;
  }

  maxScore(): number {
    return 0;
  }
}

function sameBlock(a: number, b: number): boolean {
  return Math.floor(a / WINDOW_DOCS) === Math.floor(b / WINDOW_DOCS);
}
