import type { Value } from '@shoal/codec';
import { type ApiError, errors, isApiError } from '@shoal/errors';
import { multiNumbers, type MultiNumbers, type NumberColumn } from '@shoal/segments';
import { nanosOf } from '../nanoseconds.js';
import type { SegmentView } from '../searcher.js';
import { childrenOf, type NestedDocs } from './nested-docs.js';
import type { SegmentKeys, SortKey } from './sort-key.js';
import type { SortMode } from './sort-spec.js';

/** Options of a sort by the numbers of a field. */
export interface NumberSort {
  readonly field: string;
  /** Column of nanoseconds of a field whose own column has milliseconds; keys are nanoseconds then, and wide. */
  readonly nanosField: string | null;
  readonly isDescending: boolean;
  readonly mode: SortMode;
  /**
   * The key of documents without a value. ±Infinity sorts them last or first; a finite key sorts them among the
   * documents with that value.
   */
  readonly missing: number;
  /** The sort value that answers show for documents without a value. */
  readonly missingValue: Value;
  readonly isFloating: boolean;
  /** Nested documents to take values from; null for the document's own values. */
  readonly nested: NestedDocs | null;
  /** Whether some value of the shard is beyond 2^53. Then a key is a pair of numbers of 32 bits each. */
  readonly isWide: boolean;
  /** Throws for a value of a document that cannot be sorted by, also one that the mode leaves out; null for none. */
  readonly check: ((value: number) => void) | null;
  render(value: number | bigint): Value;
  parse(value: unknown): number | bigint;
}

const WORD = 2 ** 32;
/** The greatest double below 1. Multiplying a number by it moves the number one step towards 0. */
const BELOW_ONE = 1 - 2 ** -53;

/** Returns the sort key of a field of numbers, dates or booleans. */
export function numberKey(sort: NumberSort): SortKey {
  return {
    slots: sort.isWide ? 2 : 1,
    needsScores: false,
    direction: sort.isDescending ? -1 : 1,
    isSegmental: false,
    segment: (view) => new NumberKeys(sort, view),
    parseAfter: (value) => parseAfter(sort, value),
  };
}

function parseAfter(sort: NumberSort, value: unknown): Value {
  if (value === null) throw cannotParse(sort);
  try {
    return sort.parse(value);
  } catch (error) {
    if (isApiError(error) && error.type === 'number_format_exception') throw cannotParse(sort, error);
    throw error;
  }
}

function cannotParse(sort: NumberSort, cause?: ApiError): Error {
  const reason = `Failed to parse search_after value for field [${sort.field}].`;
  return errors.illegalArgument(reason, cause === undefined ? {} : { cause });
}

class NumberKeys implements SegmentKeys {
  readonly #sort: NumberSort;
  readonly #sign: number;
  readonly #column: NumberColumn | null;
  readonly #nanos: NumberColumn | null;
  /** Whether decimals sort as whole numbers, each cut before values of a document become one. */
  readonly #truncates: boolean;
  readonly #view: SegmentView;
  #all: MultiNumbers | null = null;
  readonly #oneDoc = new Int32Array(1);
  readonly #one = new Float64Array(1);

  constructor(sort: NumberSort, view: SegmentView) {
    this.#sort = sort;
    this.#sign = sort.isDescending ? -1 : 1;
    this.#view = view;
    this.#column = view.reader.numbers(sort.field);
    this.#truncates = !sort.isFloating && this.#column?.kind === 'double';
    this.#nanos = sort.nanosField === null ? null : view.reader.numbers(sort.nanosField);
  }

  read(slot: number, docs: Int32Array, count: number, _scores: Float64Array | null, out: Float64Array): void {
    if (this.#sort.check !== null && this.#column !== null)
      this.#checkValues(this.#column, docs, count, this.#sort.check);
    if (this.#sort.isWide) this.#readWide(slot, docs, count, out);
    else if (this.#column === null) out.fill(this.#sort.missing, 0, count);
    else {
      this.#readValues(this.#column, docs, count, out);
      toKeys(out, count, this.#sign, this.#sort.missing);
    }
  }

  #checkValues(column: NumberColumn, docs: Int32Array, count: number, check: (value: number) => void): void {
    this.#all ??= multiNumbers();
    column.readAll(docs, count, this.#all);
    const { starts, values } = this.#all;
    for (let i = 0; i < starts[count]!; i++) check(values[i]!);
  }

  #readValues(column: NumberColumn, docs: Int32Array, count: number, out: Float64Array): void {
    if (this.#sort.nested !== null) for (let i = 0; i < count; i++) out[i] = this.#nestedValue(docs[i]!);
    else if (column.isSingleValued || this.#sort.mode === 'min') column.read(docs, count, out);
    else this.#readMode(column, docs, count, out);
    if (this.#truncates) for (let i = 0; i < count; i++) out[i] = Math.trunc(out[i]!);
  }

  #readMode(column: NumberColumn, docs: Int32Array, count: number, out: Float64Array): void {
    this.#all ??= multiNumbers();
    column.readAll(docs, count, this.#all);
    const { starts, values } = this.#all;
    if (this.#truncates) truncate(values, starts[count]!);
    for (let i = 0; i < count; i++)
      out[i] = pick(values, starts[i]!, starts[i + 1]!, this.#sort.mode, this.#sort.isFloating);
  }

  #nestedValue(doc: number): number {
    const column = this.#column!;
    const all = (this.#all ??= multiNumbers());
    const hasValue = (child: number): boolean => {
      column.readAll(Int32Array.of(child), 1, all);
      return all.starts[1]! > 0;
    };
    const children = childrenOf(this.#sort.nested!, this.#view, doc, hasValue);
    column.readAll(children, children.length, all);
    const { starts, values } = all;
    if (this.#truncates) truncate(values, starts[children.length]!);
    const sorted = values.slice(0, starts[children.length]!).sort();
    return pick(sorted, 0, sorted.length, this.#sort.mode, this.#sort.isFloating);
  }

  #readWide(slot: number, docs: Int32Array, count: number, out: Float64Array): void {
    for (let i = 0; i < count; i++) {
      const value = this.#big(docs[i]!);
      out[i] = value === null ? this.#wideMissing(slot) : this.#wideKey(slot, value);
    }
  }

  #big(doc: number): bigint | null {
    const { nested, mode } = this.#sort;
    const column = this.#column;
    if (column === null) return null;
    if (nested === null) return pickBig(this.#bigs(column, doc), mode);
    const children = childrenOf(nested, this.#view, doc, (child) => this.#bigs(column, child).length > 0);
    return pickBig(
      Array.from(children, (child) => this.#bigs(column, child))
        .flat()
        .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)),
      mode,
    );
  }

  #bigs(column: NumberColumn, doc: number): readonly bigint[] {
    return this.#sort.nanosField === null ? column.bigs(doc) : nanosOf(column, this.#nanos, doc);
  }

  #wideKey(slot: number, value: bigint): number {
    const big = value * BigInt(this.#sign);
    return slot === 0 ? Number(big >> 32n) : Number(big & BigInt(WORD - 1));
  }

  #wideMissing(slot: number): number {
    const { missing, missingValue } = this.#sort;
    if (!Number.isFinite(missing)) return slot === 0 ? missing : 0;
    return this.#wideKey(
      slot,
      typeof missingValue === 'bigint' ? missingValue : BigInt(Math.trunc(Number(missingValue))),
    );
  }

  /**
   * Returns the bounds of the values in a block if they are bounds of the keys too; undefined otherwise, null if the
   * block has no value.
   */
  #bounds(doc: number): { readonly min: number; readonly max: number } | null | undefined {
    const { isWide, nested, mode } = this.#sort;
    if (this.#column === null || isWide || nested !== null || this.#truncates) return undefined;
    return this.#column.isSingleValued || mode === 'min' || mode === 'max' ? this.#column.blockBounds(doc) : undefined;
  }

  blockBest(doc: number): number {
    if (this.#column === null) return this.#sort.missing;
    const bounds = this.#bounds(doc);
    if (bounds === undefined) return -Infinity;
    const best = bounds === null ? Infinity : this.#sign > 0 ? bounds.min : -bounds.max;
    return this.#hasGaps() ? Math.min(best, this.#sort.missing) : best;
  }

  blockWorst(doc: number): number {
    if (this.#column === null) return this.#sort.missing;
    const bounds = this.#bounds(doc);
    if (bounds === undefined) return Infinity;
    const worst = bounds === null ? -Infinity : this.#sign > 0 ? bounds.max : -bounds.min;
    return this.#hasGaps() ? Math.max(worst, this.#sort.missing) : worst;
  }

  #hasGaps(): boolean {
    return this.#column!.docsWithField < this.#view.maxDoc;
  }

  value(doc: number): Value {
    const raw = this.#rawValue(doc);
    return raw === null ? this.#sort.missingValue : this.#sort.render(raw);
  }

  #rawValue(doc: number): number | bigint | null {
    if (this.#column === null) return null;
    if (this.#sort.isWide) return this.#big(doc);
    this.#oneDoc[0] = doc;
    this.#readValues(this.#column, this.#oneDoc, 1, this.#one);
    return Number.isNaN(this.#one[0]) ? null : this.#one[0]!;
  }

  keyOf(slot: number, value: Value): number {
    if (value === null || value === undefined || this.#isMissing(value))
      return this.#sort.isWide ? this.#wideMissing(slot) : this.#sort.missing;
    if (!this.#sort.isWide) return this.#narrowKey(Number(value));
    return this.#wideKey(slot, typeof value === 'bigint' ? value : BigInt(Math.trunc(Number(value))));
  }

  /**
   * Returns the key of a value, possibly of another shard. A value next to the one that stands for missing values must
   * not round to the same double.
   */
  #narrowKey(value: number): number {
    const key = this.#sign * value;
    return key === this.#sort.missing && !Number.isSafeInteger(value) && !this.#sort.isFloating ? key * BELOW_ONE : key;
  }

  /** Returns whether a value of `search_after` is the one that answers show for documents without a value. */
  #isMissing(value: Value): boolean {
    const { missing, missingValue } = this.#sort;
    if (typeof value === 'bigint' && typeof missingValue === 'bigint') return value === missingValue;
    return !Number.isFinite(missing) && Number(value) === Number(missingValue);
  }

  termOf(): null {
    return null;
  }
}

/** Cuts the fractions of numbers, in place. */
function truncate(values: Float64Array, count: number): void {
  for (let i = 0; i < count; i++) values[i] = Math.trunc(values[i]!);
}

/** Replaces values by keys, in place. */
function toKeys(values: Float64Array, count: number, sign: number, missing: number): void {
  for (let i = 0; i < count; i++) {
    const value = values[i]!;
    values[i] = Number.isNaN(value) ? missing : sign * value;
  }
}

/**
 * Reduces the ascending values [from, to) to one by the mode; NaN for none. Averages of whole numbers are rounded, as
 * Elasticsearch does with longs.
 */
/** Reduces ascending values of a range to one by the mode; NaN for none. */
export function pick(values: Float64Array, from: number, to: number, mode: SortMode, isFloating: boolean): number {
  if (from === to) return Number.NaN;
  if (mode === 'min') return values[from]!;
  if (mode === 'max') return values[to - 1]!;
  if (mode === 'median') return median(values, from, to, isFloating);
  let sum = 0;
  for (let i = from; i < to; i++) sum += values[i]!;
  if (mode === 'sum') return sum;
  return isFloating ? sum / (to - from) : Math.round(sum / (to - from));
}

/** Reduces ascending 64-bit values to one by the mode; null for none. Averages are rounded. */
function pickBig(values: readonly bigint[], mode: SortMode): bigint | null {
  const count = values.length;
  if (count === 0) return null;
  if (mode === 'min') return values[0]!;
  if (mode === 'max') return values[count - 1]!;
  const middle = count >>> 1;
  if (mode === 'median' && count % 2 === 1) return values[middle]!;
  if (mode === 'median') return roundedMean(values[middle - 1]! + values[middle]!, 2);
  const sum = values.reduce((total, value) => total + value, 0n);
  return mode === 'sum' ? sum : roundedMean(sum, count);
}

/** Returns the mean as a whole number, halves rounded up. */
function roundedMean(sum: bigint, count: number): bigint {
  const twice = BigInt(2 * count);
  const shifted = 2n * sum + BigInt(count);
  const floor = shifted / twice;
  return shifted < 0n && floor * twice !== shifted ? floor - 1n : floor;
}

function median(values: Float64Array, from: number, to: number, isFloating: boolean): number {
  const middle = from + ((to - from) >>> 1);
  if ((to - from) % 2 === 1) return values[middle]!;
  const mean = (values[middle - 1]! + values[middle]!) / 2;
  return isFloating ? mean : Math.round(mean);
}
