import { JsonText } from '@shoal/json';
import type { FieldType, Mapping, RuntimeValues } from '@shoal/mapping';
import {
  boxDouble,
  boxLong,
  BytesValue,
  type FieldKind,
  type FieldSource,
  FieldValues,
  floatArray,
  GeoPointValue,
  HostMap,
  illegalArgument,
  UtcDate,
} from '@shoal/script';
import { multiNumbers, type MultiOrdinals, type VectorColumn, vectorsOf } from '@shoal/segments';
import { noColumn } from '../require-column.js';
import type { Searcher, SegmentView } from '../searcher.js';
import { NanosSource } from './nanos-source.js';
import { readVector } from './script-vectors.js';

/** Documents of a segment at one of which a script stands: those of a window. */
interface Window {
  docs: Int32Array;
  count: number;
  /** Counts windows, so that columns know what they have read. */
  serial: number;
  /** Place of the document among those of the window. */
  at: number;
}

/** Reads a field of all documents of a window at once, when a script first asks for it. */
abstract class ColumnSource implements FieldSource {
  abstract readonly kind: FieldKind;
  protected readonly window: Window;
  #serial = -1;

  constructor(window: Window) {
    this.window = window;
  }

  protected abstract read(docs: Int32Array, count: number): void;
  protected abstract starts(): Int32Array;
  protected abstract boxed(place: number): unknown;

  #load(): void {
    if (this.#serial === this.window.serial) return;
    this.#serial = this.window.serial;
    this.read(this.window.docs, this.window.count);
  }

  get count(): number {
    this.#load();
    const starts = this.starts();
    return starts[this.window.at + 1]! - starts[this.window.at]!;
  }

  value(index: number): unknown {
    this.#load();
    return this.boxed(this.starts()[this.window.at]! + index);
  }
}

function boxedNumber(kind: FieldKind, value: number | bigint): unknown {
  switch (kind) {
    case 'double':
      return boxDouble(Number(value));
    case 'boolean':
      return Number(value) !== 0;
    case 'date':
      return new UtcDate(Number(value));
    default:
      return boxLong(value);
  }
}

type NumberReader = NonNullable<ReturnType<SegmentView['reader']['numbers']>>;

class NumberSource extends ColumnSource {
  readonly kind: FieldKind;
  readonly #column: NumberReader;
  readonly #values = multiNumbers();

  constructor(window: Window, kind: FieldKind, column: NumberReader) {
    super(window);
    this.kind = kind;
    this.#column = column;
  }

  protected read(docs: Int32Array, count: number): void {
    this.#column.readAll(docs, count, this.#values);
  }

  protected starts(): Int32Array {
    return this.#values.starts;
  }

  protected boxed(place: number): unknown {
    const value = this.#values.values[place]!;
    return boxedNumber(this.kind, this.#column.isExact || this.kind === 'double' ? value : this.#wide(place));
  }

  /** A long beyond 2^53, exactly. */
  #wide(place: number): number | bigint {
    const { docs, at } = this.window;
    const value = this.#column.bigs(docs[at]!)[place - this.#values.starts[at]!]!;
    const number = Number(value);
    return Math.abs(number) < 2 ** 53 ? number : value;
  }
}

type OrdinalReader = NonNullable<ReturnType<SegmentView['reader']['ordinals']>>;

/** Terms of a field that are kept printed, by the remainder of their ordinals: a power of two. */
const TERMS_MAX = 4096;

class TermSource extends ColumnSource {
  readonly kind: FieldKind;
  readonly #ordinals = new Int32Array(TERMS_MAX).fill(-1);
  readonly #terms: unknown[] = [];
  readonly #column: OrdinalReader;
  readonly #print: (term: string) => unknown;
  readonly #values: MultiOrdinals = { starts: new Int32Array(0), values: new Int32Array(0) };

  constructor(window: Window, kind: FieldKind, column: OrdinalReader, print: (term: string) => unknown) {
    super(window);
    this.kind = kind;
    this.#column = column;
    this.#print = print;
  }

  protected read(docs: Int32Array, count: number): void {
    this.#column.readAll(docs, count, this.#values);
  }

  protected starts(): Int32Array {
    return this.#values.starts;
  }

  protected boxed(place: number): unknown {
    const ordinal = this.#values.values[place]!;
    const kept = ordinal & (TERMS_MAX - 1);
    if (this.#ordinals[kept] === ordinal) return this.#terms[kept];
    this.#ordinals[kept] = ordinal;
    return (this.#terms[kept] = this.#print(this.#column.term(ordinal)));
  }
}

type GeoReader = NonNullable<ReturnType<SegmentView['reader']['geo']>>;

class GeoSource extends ColumnSource {
  readonly kind = 'geo';
  readonly #column: GeoReader;
  readonly #lats = multiNumbers();
  readonly #lons = multiNumbers();

  constructor(window: Window, column: GeoReader) {
    super(window);
    this.#column = column;
  }

  protected read(docs: Int32Array, count: number): void {
    this.#column.readAll(docs, count, this.#lats, this.#lons);
  }

  protected starts(): Int32Array {
    return this.#lats.starts;
  }

  protected boxed(place: number): unknown {
    return new GeoPointValue(this.#lats.values[place]!, this.#lons.values[place]!);
  }
}

type BinaryReader = NonNullable<ReturnType<SegmentView['reader']['binary']>>;

/** The bytes of a `binary` field, of the one document at which a script stands. */
class BinarySource implements FieldSource {
  readonly kind = 'binary';
  readonly #window: Window;
  readonly #column: BinaryReader;

  constructor(window: Window, column: BinaryReader) {
    this.#window = window;
    this.#column = column;
  }

  #bytes(): Uint8Array | null {
    return this.#column.get(this.#window.docs[this.#window.at]!);
  }

  get count(): number {
    return this.#bytes() === null ? 0 : 1;
  }

  value(): unknown {
    return new BytesValue(this.#bytes()!);
  }
}

/** The vector of the one document at which a script stands. */
class VectorSource implements FieldSource {
  readonly kind = 'vector';
  readonly #window: Window;
  readonly #column: VectorColumn | null;

  constructor(window: Window, column: VectorColumn | null) {
    this.#window = window;
    this.#column = column;
  }

  get count(): number {
    const { docs, at } = this.#window;
    return (this.#column?.rowOf(docs[at]!) ?? -1) < 0 ? 0 : 1;
  }

  value(): unknown {
    const { docs, at } = this.#window;
    return floatArray([...readVector(this.#column, docs[at]!)!.values]);
  }
}

/** Values of a runtime field of the one document at which a script stands. */
class RuntimeValueSource implements FieldSource {
  readonly kind: FieldKind;
  readonly #window: Window;
  readonly #read: (doc: number) => RuntimeValues;
  readonly #print: (term: string) => unknown;
  #values: RuntimeValues = [];
  #serial = -1;
  #at = -1;

  constructor(window: Window, kind: FieldKind, read: (doc: number) => RuntimeValues, print: (term: string) => unknown) {
    this.#window = window;
    this.kind = kind;
    this.#read = read;
    this.#print = print;
  }

  #load(): RuntimeValues {
    const { serial, at, docs } = this.#window;
    if (this.#serial === serial && this.#at === at) return this.#values;
    this.#values = this.#read(docs[at]!);
    this.#serial = serial;
    this.#at = at;
    return this.#values;
  }

  get count(): number {
    return this.kind === 'geo' ? this.#load().length / 2 : this.#load().length;
  }

  value(index: number): unknown {
    const values = this.#load();
    if (this.kind === 'geo') return new GeoPointValue(Number(values[2 * index]), Number(values[2 * index + 1]));
    const value = values[index]!;
    return typeof value === 'string' ? this.#print(value) : boxedNumber(this.kind, value);
  }
}

const oneText = (text: string): FieldSource => ({ kind: 'keyword', count: 1, value: () => text });

const NO_IDS =
  'Fielddata access on the _id field is disallowed, you can re-enable it by updating the dynamic cluster setting: ' +
  'indices.id_field_data.enabled';

const NO_VALUES = (kind: FieldKind): FieldSource => ({ kind, count: 0, value: () => null });

function kindOf(type: FieldType): FieldKind {
  switch (type.valueKind) {
    case 'long':
    case 'double':
    case 'date':
    case 'boolean':
    case 'ip':
    case 'geo':
      return type.valueKind;
    case 'unsigned':
      return 'long';
    default:
      return 'keyword';
  }
}

/** Returns the values of a field in a segment as scripts see them. */
function sourceOf(type: FieldType, { runtime }: Searcher, segment: SegmentView, window: Window): FieldSource {
  const { reader } = segment;
  const kind = kindOf(type);
  if (type.runtime !== undefined && runtime !== undefined) {
    const format = type.format(null, null);
    const read = (doc: number): RuntimeValues => runtime.values(type, segment, doc);
    return new RuntimeValueSource(window, kind, read, (term) => textOf(format.toJson(term)));
  }
  const numbers = reader.numbers(type.name);
  if (numbers && type.nanosField !== undefined)
    return new NanosSource(window, numbers, reader.numbers(type.nanosField));
  if (numbers) return new NumberSource(window, kind, numbers);
  const ordinals = reader.ordinals(type.name);
  if (ordinals) {
    const format = type.format(null, null);
    return new TermSource(window, kind, ordinals, (term) => textOf(format.toJson(term)));
  }
  const points = reader.geo(type.name);
  if (points) return new GeoSource(window, points);
  if (type.layout?.vectors !== undefined) return new VectorSource(window, vectorsOf(reader, type.layout));
  const binary = reader.binary(type.name);
  return binary ? new BinarySource(window, binary) : NO_VALUES(kind);
}

const textOf = (value: unknown): unknown => (value instanceof JsonText ? value.text : value);

/** `doc` of scripts: the fields of the document at which the host stands, by their names. */
export class ScriptDoc extends HostMap {
  readonly #mapping: Mapping;
  readonly #searcher: Searcher;
  readonly #segment: SegmentView;
  readonly #window: Window = { docs: new Int32Array(0), count: 0, serial: 0, at: 0 };
  readonly #fields = new Map<unknown, FieldValues>();

  constructor(searcher: Searcher, segment: SegmentView) {
    super();
    this.#mapping = searcher.mapping;
    this.#searcher = searcher;
    this.#segment = segment;
  }

  /** Puts the scripts' documents under the caller's: `count` ascending ones of the segment. They are not copied. */
  setWindow(docs: Int32Array, count: number): void {
    this.#window.docs = docs;
    this.#window.count = count;
    this.#window.serial++;
  }

  /** Moves to a document by its place in the window. */
  moveTo(at: number): void {
    this.#window.at = at;
  }

  get(key: unknown): FieldValues {
    const known = this.#fields.get(key);
    if (known) return known;
    const values = this.#open(String(key));
    this.#fields.set(key, values);
    return values;
  }

  has(key: unknown): boolean {
    return typeof key === 'string' && (key === '_index' || this.#mapping.field(key) !== null);
  }

  #open(name: string): FieldValues {
    if (name === '_index') return new FieldValues(oneText(this.#searcher.index), name);
    if (name === '_id') throw illegalArgument(NO_IDS);
    const type = this.#mapping.field(name);
    if (type === null) throw illegalArgument(`No field found for [${name}] in mapping`);
    if (type.layout === null || type.layout.column === null) throw noColumn(type, this.#searcher);
    return new FieldValues(sourceOf(type, this.#searcher, this.#segment, this.#window), type.typeName);
  }
}
