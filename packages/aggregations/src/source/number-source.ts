import { errors } from '@shoal/errors';
import type { AggregateMetric, FieldType } from '@shoal/mapping';
import { type MultiNumbers, type NumberColumn, WINDOW_DOCS } from '@shoal/segments';
import { columnOf, type Scratch, type SegmentView } from '@shoal/query';
import { type DateFormat, dateFormat } from '@shoal/values';
import { fillMissing, fillMissingMany, isContiguous } from './read.kernel.js';
import { numberOf } from '../parse/body-fields.js';
import { roomForDoubles } from '../collect/growable.js';
import { datePattern } from './format.js';

/**
 * Reads the numbers of one field over the segments of a shard. Returned arrays belong to the source and are valid until
 * the next call.
 */
export interface NumberSource {
  segment(view: SegmentView): void;
  /** Whether no document of the segment has more than one value. */
  readonly isSingle: boolean;
  /** Whether the segment has no value at all, not even by `missing`. */
  readonly isEmpty: boolean;
  readonly column: NumberColumn | null;
  /**
   * Greatest distance from 0 of the values of the segment and of `missing`, if all are whole numbers that doubles hold
   * exactly; otherwise Infinity.
   */
  readonly wholeBound: number;
  /**
   * Bounds of the values of ascending documents, if each has exactly one value; null if this is not known without
   * reading them.
   */
  bounds(docs: Int32Array, count: number): { readonly min: number; readonly max: number } | null;
  /** First value of each document, NaN for none. */
  read(docs: Int32Array, count: number): Float64Array;
  /**
   * As `read`, but callers must not write to the array: it may be shared with another aggregation of the request that
   * read the same documents.
   */
  peek(docs: Int32Array, count: number): Float64Array;
  readAll(docs: Int32Array, count: number): MultiNumbers;
}

function missingNumber(missing: unknown): number {
  if (typeof missing === 'number' || typeof missing === 'bigint') return Number(missing);
  return numberOf(String(missing));
}

function missingDate(missing: unknown, format: DateFormat, now: () => number): number {
  return typeof missing === 'number' ? missing : format.parseRounded(String(missing), { roundUp: false, now });
}

/** Reads `true` or `false`, or a number as it is. */
export function missingBoolean(missing: unknown): number {
  if (typeof missing === 'number') return missing;
  const text = String(missing);
  if (text !== 'true' && text !== 'false')
    throw errors.illegalArgument(`Cannot parse boolean [${text}], expected either [true] or [false]`);
  return text === 'true' ? 1 : 0;
}

/** Returns `missing` as a value of the column; NaN for none. */
export function missingValue(
  missing: unknown,
  field: FieldType | null,
  format: string | null,
  now: () => number,
): number {
  if (missing === null || missing === undefined) return Number.NaN;
  if (field?.valueKind === 'date') return missingDate(missing, dateFormat(format ?? datePattern(field)), now);
  return field?.valueKind === 'boolean' ? missingBoolean(missing) : missingNumber(missing);
}

function wholeBound(column: NumberColumn | null, missing: number): number {
  const own = Number.isNaN(missing) ? 0 : Number.isInteger(missing) ? Math.abs(missing) : Number.POSITIVE_INFINITY;
  if (column === null || column.valueCount === 0) return own;
  return column.kind === 'long' && column.isExact
    ? Math.max(own, Math.abs(column.min), Math.abs(column.max))
    : Number.POSITIVE_INFINITY;
}

/**
 * Numbers of a column. A class, as V8 keeps the closures of getters in an object literal, and with them the request,
 * alive until a major garbage collection.
 */
class ColumnNumbers implements NumberSource {
  readonly #field: string | null;
  readonly #missing: number;
  readonly #hasMissing: boolean;
  readonly #scratch: Scratch | undefined;
  readonly #multi: MultiNumbers = { starts: new Int32Array(1), values: new Float64Array(0) };
  #single: Float64Array<ArrayBuffer> = NO_NUMBERS;
  #isFull = false;
  column: NumberColumn | null = null;
  wholeBound = Number.POSITIVE_INFINITY;
  isSingle = true;
  isEmpty: boolean;

  constructor(field: string | null, missing: number, scratch: Scratch | undefined) {
    this.#field = field;
    this.#missing = missing;
    this.#hasMissing = !Number.isNaN(missing);
    this.#scratch = scratch;
    this.isEmpty = !this.#hasMissing;
  }

  segment(view: SegmentView): void {
    const column = this.#field === null ? null : columnOf(view.reader, this.#field, this.#scratch);
    this.column = column;
    this.#isFull = column !== null && column.isSingleValued && column.isExact && column.docsWithField === view.maxDoc;
    this.wholeBound = wholeBound(column, this.#missing);
    this.isSingle = column === null || column.isSingleValued;
    this.isEmpty = column === null && !this.#hasMissing;
  }

  bounds(docs: Int32Array, count: number): { readonly min: number; readonly max: number } | null {
    return this.#isFull && (docs[0]! ^ docs[count - 1]!) < WINDOW_DOCS ? this.column!.blockBounds(docs[0]!) : null;
  }

  read(docs: Int32Array, count: number): Float64Array {
    const { column } = this;
    const single = (this.#single = roomForDoubles(this.#single, count, this.#scratch));
    if (!column) single.fill(this.#missing, 0, count);
    else if (isContiguous(docs, count)) column.readRange(docs[0]!, docs[0]! + count, single);
    else column.read(docs, count, single);
    if (column && this.#hasMissing) fillMissing(single, count, this.#missing);
    return single;
  }

  peek(docs: Int32Array, count: number): Float64Array {
    const shared =
      this.column === null || this.#hasMissing ? undefined : this.#scratch?.batch.of(this.column, docs, count);
    return shared ?? this.read(docs, count);
  }

  readAll(docs: Int32Array, count: number): MultiNumbers {
    const { column } = this;
    const multi = this.#multi;
    if (column) column.readAll(docs, count, multi);
    if (this.#hasMissing)
      return column ? fillMissingMany(multi, count, this.#missing) : missingOnly(count, this.#missing);
    if (!column) multi.starts = new Int32Array(count + 1);
    return multi;
  }
}

const NO_NUMBERS = new Float64Array(0);

/** Makes the source of `field` (null: unmapped). Documents without a value get `missing` (NaN: none). */
export function numberSource(field: FieldType | null, missing: number, scratch: Scratch | undefined): NumberSource {
  return new ColumnNumbers(field?.name ?? null, missing, scratch);
}

/**
 * Makes the source of one metric of an `aggregate_metric_double` field. It has no values if the field lacks the metric.
 */
export function metricSource(field: FieldType, metric: AggregateMetric, scratch: Scratch | undefined): NumberSource {
  return new ColumnNumbers(field.metricColumns?.get(metric) ?? null, Number.NaN, scratch);
}

function missingOnly(count: number, missing: number): MultiNumbers {
  return { starts: Int32Array.from({ length: count + 1 }, (_, i) => i), values: new Float64Array(count).fill(missing) };
}
