import { compareTerms } from '@shoal/codec';
import type { FieldType, RuntimeValues } from '@shoal/mapping';
import {
  type GeoColumn,
  latDegrees,
  lonDegrees,
  type MultiNumbers,
  type MultiOrdinals,
  NO_MORE_DOCS,
  type NumberColumn,
  type OrdinalColumn,
  quantiseLat,
  quantiseLon,
  reserveNumbers,
  reserveOrdinals,
  reserveStarts,
  WINDOW_DOCS,
} from '@shoal/segments';
import type { RuntimeColumns, RuntimeReader } from '../searcher.js';

const EMPTY: RuntimeColumns = { numbers: null, ordinals: null, geo: null, bytes: 64 };
const TERM_OVERHEAD_BYTES = 24;
/** Documents with values for which there is room at first. */
const FIRST_ROWS = 64;

/** Gives each distinct term a number: columns then hold numbers while they are gathered, and each term once. */
class TermIds {
  readonly #ids = new Map<string, number>();
  /** Memory of the terms, in bytes. */
  bytes = 0;

  idOf(term: string): number {
    const known = this.#ids.get(term);
    if (known !== undefined) return known;
    this.bytes += 2 * term.length + TERM_OVERHEAD_BYTES;
    this.#ids.set(term, this.#ids.size);
    return this.#ids.size - 1;
  }

  /** Returns the terms in their order, and the ordinal of each id. */
  sorted(): { readonly terms: readonly string[]; readonly ordinals: Int32Array } {
    const terms = [...this.#ids.keys()].sort(compareTerms);
    const ordinals = new Int32Array(terms.length);
    for (const [ordinal, term] of terms.entries()) ordinals[this.#ids.get(term)!] = ordinal;
    return { terms, ordinals };
  }
}

/** Gathers values of documents, which come in ascending order, and makes a column of them. */
export class RuntimeColumnBuilder {
  readonly #field: FieldType;
  readonly #reader: RuntimeReader;
  #rows = 0;
  #docs = new Int32Array(FIRST_ROWS);
  #starts = new Int32Array(FIRST_ROWS + 1);
  /** Numbers; of terms their ids in `#terms`. */
  readonly #values: (number | bigint)[] = [];
  readonly #terms: TermIds | null;
  readonly #failed: number[] = [];
  #error: unknown = null;

  constructor(field: FieldType, reader: RuntimeReader) {
    this.#field = field;
    this.#reader = reader;
    this.#terms = field.layout?.column === 'ordinals' ? new TermIds() : null;
  }

  /** Adds the values of a document. */
  read(doc: number, score: number): void {
    try {
      this.#add(doc, this.#reader(doc, score));
    } catch (error) {
      // A filter may keep the document from the aggregation whose script fails for it.
      if (this.#field.runtime!.returned === undefined) throw error;
      this.#failed.push(doc);
      this.#error ??= error;
    }
  }

  #add(doc: number, values: RuntimeValues): void {
    if (values.length === 0) return;
    if (this.#rows === this.#docs.length) this.#grow();
    this.#docs[this.#rows] = doc;
    const terms = this.#terms;
    for (let i = 0; i < values.length; i++)
      this.#values.push(terms === null ? (values[i] as number | bigint) : terms.idOf(values[i] as string));
    this.#starts[++this.#rows] = this.#values.length;
  }

  #grow(): void {
    const docs = new Int32Array(this.#rows * 2);
    docs.set(this.#docs);
    this.#docs = docs;
    const starts = new Int32Array(this.#rows * 2 + 1);
    starts.set(this.#starts);
    this.#starts = starts;
  }

  /** Memory of what was gathered, in bytes. */
  get bytes(): number {
    return 8 * this.#docs.length + 16 * this.#values.length + 8 * this.#failed.length + (this.#terms?.bytes ?? 0);
  }

  build(): RuntimeColumns {
    if (this.#rows === 0 && this.#failed.length === 0) return EMPTY;
    const rows: ColumnRows = {
      docs: this.#docs.slice(0, this.#rows),
      starts: this.#starts.slice(0, this.#rows + 1),
      failures: this.#failed.length === 0 ? null : { docs: Int32Array.from(this.#failed), error: this.#error },
    };
    if (this.#terms !== null) return ordinalsOf(rows, this.#terms, this.#values as number[]);
    return this.#field.layout?.column === 'geo'
      ? geoOf(rows, this.#values as number[])
      : numbersOf(this.#field, rows, this.#values);
  }
}

/** Documents whose values could not be computed, ascending, and why the first could not. */
interface Failures {
  readonly docs: Int32Array;
  readonly error: unknown;
}

/** Documents with values: row i has the values [starts[i], starts[i + 1]). */
interface ColumnRows {
  readonly docs: Int32Array;
  readonly starts: Int32Array;
  readonly failures: Failures | null;
}

/** Returns the first place, not before `from`, of a number >= target in an ascending array. */
function placeFrom(docs: Int32Array, target: number, from: number): number {
  let low = from;
  let high = docs.length;
  // The next document asked for is mostly near the one before.
  for (let step = 1; low + step < high; step *= 2) {
    if (docs[low + step]! >= target) {
      high = low + step + 1;
      break;
    }
    low += step;
  }
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (docs[middle]! < target) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What all kinds of columns share. */
class Rows {
  readonly docs: Int32Array;
  readonly starts: Int32Array;
  readonly #failures: Failures | null;
  /** Whether row i is document i. */
  readonly #isDense: boolean;

  constructor({ docs, starts, failures }: ColumnRows) {
    this.#isDense = docs.length > 0 && docs[docs.length - 1] === docs.length - 1;
    this.docs = docs;
    this.starts = starts;
    this.#failures = failures;
  }

  get isSingleValued(): boolean {
    return this.starts[this.docs.length] === this.docs.length;
  }

  get docsWithField(): number {
    return this.docs.length;
  }

  /** Infinite where some values could not be computed: nobody then reads the whole column ahead. */
  get valueCount(): number {
    return this.#failures === null ? this.starts[this.docs.length]! : Infinity;
  }

  nextDocWithField(target: number): number {
    const row = this.rowFrom(target, 0);
    return row < this.docs.length ? this.docs[row]! : NO_MORE_DOCS;
  }

  /** Returns the first row, not before `from`, of a document >= target. */
  rowFrom(target: number, from: number): number {
    return this.#isDense ? Math.max(from, Math.min(target, this.docs.length)) : placeFrom(this.docs, target, from);
  }

  /** Returns the row of each document, in ascending order, or -1. */
  rows(docs: Int32Array, count: number): Int32Array {
    if (this.#failures !== null) this.#checkFailures(this.#failures, docs, count);
    const rows = new Int32Array(count);
    for (let i = 0, row = 0; i < count; i++) {
      row = this.rowFrom(docs[i]!, row);
      rows[i] = row < this.docs.length && this.docs[row] === docs[i] ? row : -1;
    }
    return rows;
  }

  #checkFailures({ docs: failed, error }: Failures, docs: Int32Array, count: number): void {
    for (let i = 0, at = 0; i < count; i++) {
      at = placeFrom(failed, docs[i]!, at);
      if (failed[at] === docs[i]) throw error;
    }
  }

  /** Throws if values of a document of a range could not be computed. */
  protected checkRange(from: number, to: number): void {
    if (this.#failures === null) return;
    const { docs, error } = this.#failures;
    if (docs[placeFrom(docs, from, 0)]! < to) throw error;
  }

  /** Fills the starts of documents for `readAll`, and returns their rows. */
  fillStarts(docs: Int32Array, count: number, out: { starts: Int32Array }): Int32Array {
    const rows = this.rows(docs, count);
    const starts = reserveStarts(out, count);
    starts[0] = 0;
    for (let i = 0; i < count; i++) starts[i + 1] = starts[i]! + this.#length(rows[i]!);
    return rows;
  }

  #length(row: number): number {
    return row < 0 ? 0 : this.starts[row + 1]! - this.starts[row]!;
  }

  /** Copies the values of rows to an array whose `starts` are filled. */
  copy<A extends Int32Array | Float64Array>(rows: Int32Array, starts: Int32Array, from: A, to: A): void {
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i]!;
      if (row >= 0) to.set(from.subarray(this.starts[row], this.starts[row + 1]), starts[i]);
    }
  }
}

const bytesOf = ({ docs, failures }: ColumnRows): number => 8 * docs.length + 4 * (failures?.docs.length ?? 0);

/** `Float64Array.from` takes several times as long. */
function doublesOf(values: readonly (number | bigint)[]): Float64Array {
  const doubles = new Float64Array(values.length);
  for (let i = 0; i < values.length; i++) doubles[i] = Number(values[i]);
  return doubles;
}

class RuntimeNumbers extends Rows implements NumberColumn {
  readonly kind: 'long' | 'double';
  readonly min: number;
  readonly max: number;
  /** The values where doubles do not hold them all; else null. */
  readonly #exact: readonly (number | bigint)[] | null;
  readonly #values: Float64Array;

  constructor(kind: 'long' | 'double', rows: ColumnRows, values: readonly (number | bigint)[]) {
    super(rows);
    this.kind = kind;
    this.#values = doublesOf(values);
    this.#exact = values.some((value) => typeof value === 'bigint') ? values : null;
    const { min, max } = this.#bounds(0, rows.docs.length);
    this.min = min;
    this.max = max;
  }

  get isExact(): boolean {
    return this.#exact === null;
  }

  read(docs: Int32Array, count: number, out: Float64Array): void {
    const rows = this.rows(docs, count);
    for (let i = 0; i < count; i++) out[i] = rows[i]! < 0 ? Number.NaN : this.#values[this.starts[rows[i]!]!]!;
  }

  readRange(from: number, to: number, out: Float64Array): void {
    this.checkRange(from, to);
    out.fill(Number.NaN, 0, to - from);
    for (let row = this.rowFrom(from, 0); row < this.docs.length && this.docs[row]! < to; row++)
      out[this.docs[row]! - from] = this.#values[this.starts[row]!]!;
  }

  readAll(docs: Int32Array, count: number, out: MultiNumbers): void {
    const rows = this.fillStarts(docs, count, out);
    this.copy(rows, out.starts, this.#values, reserveNumbers(out, out.starts[count]!));
  }

  bigs(doc: number): readonly bigint[] {
    const row = this.rows(Int32Array.of(doc), 1)[0]!;
    if (row < 0) return [];
    const [from, to] = [this.starts[row]!, this.starts[row + 1]!];
    return Array.from({ length: to - from }, (_, i) => BigInt(this.#exact?.[from + i] ?? this.#values[from + i]!));
  }

  blockBounds(doc: number): { readonly min: number; readonly max: number } | null {
    const first = doc - (doc % WINDOW_DOCS);
    const from = this.rowFrom(first, 0);
    const to = this.rowFrom(first + WINDOW_DOCS, from);
    return from === to ? null : this.#bounds(from, to);
  }

  /** Bounds of rows; the values of a row ascend. */
  #bounds(from: number, to: number): { readonly min: number; readonly max: number } {
    let min = Infinity;
    let max = -Infinity;
    for (let row = from; row < to; row++) {
      min = Math.min(min, this.#values[this.starts[row]!]!);
      max = Math.max(max, this.#values[this.starts[row + 1]! - 1]!);
    }
    return { min, max };
  }
}

function numbersOf(field: FieldType, rows: ColumnRows, values: readonly (number | bigint)[]): RuntimeColumns {
  const kind = field.layout?.column === 'double' ? 'double' : 'long';
  const bytes = bytesOf(rows) + 16 * values.length;
  return { ...EMPTY, numbers: new RuntimeNumbers(kind, rows, values), bytes };
}

class RuntimeOrdinals extends Rows implements OrdinalColumn {
  readonly #terms: readonly string[];
  readonly #ordinals: Int32Array;

  constructor(rows: ColumnRows, terms: readonly string[], ordinals: Int32Array) {
    super(rows);
    this.#terms = terms;
    this.#ordinals = ordinals;
  }

  get ordinalCount(): number {
    return this.#terms.length;
  }

  read(docs: Int32Array, count: number, out: Int32Array): void {
    const rows = this.rows(docs, count);
    for (let i = 0; i < count; i++) out[i] = rows[i]! < 0 ? -1 : this.#ordinals[this.starts[rows[i]!]!]!;
  }

  readRange(from: number, to: number, out: Int32Array): void {
    this.checkRange(from, to);
    out.fill(-1, 0, to - from);
    for (let row = this.rowFrom(from, 0); row < this.docs.length && this.docs[row]! < to; row++)
      out[this.docs[row]! - from] = this.#ordinals[this.starts[row]!]!;
  }

  readAll(docs: Int32Array, count: number, out: MultiOrdinals): void {
    const rows = this.fillStarts(docs, count, out);
    this.copy(rows, out.starts, this.#ordinals, reserveOrdinals(out, out.starts[count]!));
  }

  term(ordinal: number): string {
    return this.#terms[ordinal]!;
  }

  lookup(term: string): number {
    let low = 0;
    let high = this.#terms.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareTerms(this.#terms[middle]!, term) < 0) low = middle + 1;
      else high = middle;
    }
    return this.#terms[low] === term ? low : -1;
  }

  ranks(): null {
    return null;
  }
}

function ordinalsOf(rows: ColumnRows, ids: TermIds, values: readonly number[]): RuntimeColumns {
  const { docs, starts } = rows;
  const { terms, ordinals: ordinalOf } = ids.sorted();
  const ordinals = new Int32Array(values.length);
  const distinct = new Int32Array(starts.length);
  let count = 0;
  for (let row = 0; row < docs.length; row++) {
    // The terms of a row ascend, so that equal ones are neighbours.
    for (let i = starts[row]!; i < starts[row + 1]!; i++)
      if (i === starts[row] || values[i] !== values[i - 1]) ordinals[count++] = ordinalOf[values[i]!]!;
    distinct[row + 1] = count;
  }
  const column = new RuntimeOrdinals({ ...rows, starts: distinct }, terms, ordinals.subarray(0, count));
  return { ...EMPTY, ordinals: column, bytes: ids.bytes + bytesOf(rows) + 4 * values.length };
}

class RuntimePoints extends Rows implements GeoColumn {
  readonly #lats: Float64Array;
  readonly #lons: Float64Array;

  constructor(rows: ColumnRows, lats: Float64Array, lons: Float64Array) {
    super(rows);
    this.#lats = lats;
    this.#lons = lons;
  }

  read(docs: Int32Array, count: number, lats: Float64Array, lons: Float64Array): void {
    const rows = this.rows(docs, count);
    for (let i = 0; i < count; i++) {
      const at = rows[i]! < 0 ? -1 : this.starts[rows[i]!]!;
      lats[i] = at < 0 ? Number.NaN : this.#lats[at]!;
      lons[i] = at < 0 ? Number.NaN : this.#lons[at]!;
    }
  }

  readAll(docs: Int32Array, count: number, lats: MultiNumbers, lons: MultiNumbers): void {
    const rows = this.fillStarts(docs, count, lats);
    const total = lats.starts[count]!;
    reserveStarts(lons, count).set(lats.starts.subarray(0, count + 1));
    this.copy(rows, lats.starts, this.#lats, reserveNumbers(lats, total));
    this.copy(rows, lats.starts, this.#lons, reserveNumbers(lons, total));
  }
}

function geoOf(rows: ColumnRows, values: readonly number[]): RuntimeColumns {
  const count = values.length / 2;
  const lats = Float64Array.from({ length: count }, (_, i) => latDegrees(quantiseLat(values[2 * i]!)));
  const lons = Float64Array.from({ length: count }, (_, i) => lonDegrees(quantiseLon(values[2 * i + 1]!)));
  const halves = rows.starts.map((start) => start / 2);
  const column = new RuntimePoints({ ...rows, starts: halves }, lats, lons);
  return { ...EMPTY, geo: column, bytes: bytesOf(rows) + 16 * count };
}
