import { errors } from '@shoal/errors';
import { ByteReader } from './byte-reader.js';
import { ByteWriter } from './byte-writer.js';

/** Structured data that threads and nodes exchange: partial results, sort values, stored results of requests. */
export type Value =
  | null
  | undefined
  | boolean
  | number
  /** From -2^63 to 2^64 - 1. */
  | bigint
  | string
  | Uint8Array
  | Float64Array
  | Int32Array
  | readonly Value[]
  | { readonly [key: string]: Value };

const TAG = {
  null: 0,
  undefined: 1,
  false: 2,
  true: 3,
  int: 4,
  negative: 5,
  double: 6,
  bigint: 7,
  string: 8,
  bytes: 9,
  array: 10,
  object: 11,
  f64s: 12,
  i32s: 13,
  unsigned: 14,
};

const INT64_MAX = 2n ** 63n - 1n;

/** Limit of the nesting when reading; only corrupt or hostile bytes exceed it. */
const DEPTH_MAX = 200;

function writeNumber(out: ByteWriter, value: number): void {
  if (Number.isSafeInteger(value) && !Object.is(value, -0)) {
    out.u8(value >= 0 ? TAG.int : TAG.negative);
    out.varint(Math.abs(value));
  } else {
    out.u8(TAG.double);
    out.f64(value);
  }
}

function writeObject(out: ByteWriter, value: { readonly [key: string]: Value }): void {
  const keys = Object.keys(value);
  out.u8(TAG.object);
  out.varint(keys.length);
  for (const key of keys) {
    out.string(key);
    write(out, value[key]);
  }
}

function writeBinary(out: ByteWriter, tag: number, value: Uint8Array | Float64Array | Int32Array): void {
  out.u8(tag);
  out.bytes(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
}

function write(out: ByteWriter, value: Value): void {
  if (typeof value === 'number') writeNumber(out, value);
  else if (typeof value === 'string') {
    out.u8(TAG.string);
    out.string(value);
  } else if (value === null) out.u8(TAG.null);
  else if (value === undefined) out.u8(TAG.undefined);
  else if (typeof value === 'boolean') out.u8(value ? TAG.true : TAG.false);
  else if (typeof value === 'bigint') {
    out.u8(value > INT64_MAX ? TAG.unsigned : TAG.bigint);
    out.i64(value);
  } else if (Array.isArray(value)) {
    out.u8(TAG.array);
    out.varint(value.length);
    for (const item of value) write(out, item);
  } else if (value instanceof Uint8Array) writeBinary(out, TAG.bytes, value);
  else if (value instanceof Float64Array) writeBinary(out, TAG.f64s, value);
  else if (value instanceof Int32Array) writeBinary(out, TAG.i32s, value);
  else writeObject(out, value as { readonly [key: string]: Value });
}

/** A list or an object whose values are being written. */
interface OpenValue {
  readonly list: readonly Value[] | null;
  readonly object: { readonly [key: string]: Value };
  readonly keys: readonly string[];
  at: number;
}

const isPlain = (value: Value): value is { readonly [key: string]: Value } =>
  typeof value === 'object' &&
  value !== null &&
  !(value instanceof Uint8Array || value instanceof Float64Array || value instanceof Int32Array);

/** Encodes as `encodeValue`, some values in a step. */
export class ValueWriter {
  readonly #out: ByteWriter;
  readonly #open: OpenValue[] = [];

  /** `bytesExpected` is the initial size of the buffer. */
  constructor(value: Value, bytesExpected?: number) {
    this.#out = new ByteWriter(bytesExpected);
    this.#write(value);
  }

  /** Writes about so many more values; true when all are written. */
  advance(values: number): boolean {
    for (let i = 0; i < values; i++) {
      const top = this.#open.at(-1);
      if (top === undefined) return true;
      const { list, object, keys } = top;
      const place = top.at++;
      if (place === (list ?? keys).length) this.#open.pop();
      else if (list !== null) this.#write(list[place]);
      else {
        this.#out.string(keys[place]!);
        this.#write(object[keys[place]!]);
      }
    }
    return this.#open.length === 0;
  }

  /** The bytes, once `advance` has returned true. */
  bytes(): Uint8Array {
    return this.#out.finish();
  }

  #write(value: Value): void {
    if (Array.isArray(value)) {
      this.#out.u8(TAG.array);
      this.#out.varint(value.length);
      this.#open.push({ list: value, object: {}, keys: [], at: 0 });
    } else if (isPlain(value)) {
      const keys = Object.keys(value);
      this.#out.u8(TAG.object);
      this.#out.varint(keys.length);
      this.#open.push({ list: null, object: value, keys, at: 0 });
    } else write(this.#out, value);
  }
}

/**
 * Allocates exactly `count` slots: pushing onto an empty array allocates 17, and answers hold thousands of arrays of
 * one or two sort values.
 */
function readArray(input: ByteReader, depth: number): Value[] {
  const count = input.varint();
  if (count > input.remaining) throw errors.corruption(`array of ${count} values in ${input.remaining} bytes`);
  if (count === 0) return [];
  if (count === 1) return [read(input, depth)];
  const result = new Array<Value>(count);
  for (let i = 0; i < count; i++) result[i] = read(input, depth);
  return result;
}

function setMember(object: Record<string, Value>, key: string, value: Value): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else object[key] = value;
}

function readObject(input: ByteReader, depth: number): Value {
  const count = input.varint();
  const result: Record<string, Value> = {};
  for (let i = 0; i < count; i++) {
    const key = input.string();
    const value = read(input, depth);
    setMember(result, key, value);
  }
  return result;
}

/** Copies, so that the typed array is aligned and does not keep the whole message in memory. */
const copyAligned = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer as ArrayBuffer;

function read(input: ByteReader, depth: number): Value {
  if (depth > DEPTH_MAX) throw errors.corruption(`value nested deeper than ${DEPTH_MAX}`);
  const tag = input.u8();
  switch (tag) {
    case TAG.null:
      return null;
    case TAG.undefined:
      return undefined;
    case TAG.false:
      return false;
    case TAG.true:
      return true;
    case TAG.int:
      return input.varint();
    case TAG.negative:
      return -input.varint();
    case TAG.double:
      return input.f64();
    case TAG.bigint:
      return input.i64();
    case TAG.unsigned:
      return BigInt.asUintN(64, input.i64());
    case TAG.string:
      return input.string();
    case TAG.bytes:
      return input.bytes();
    case TAG.array:
      return readArray(input, depth + 1);
    case TAG.object:
      return readObject(input, depth + 1);
    case TAG.f64s:
      return new Float64Array(copyAligned(input.bytes()));
    case TAG.i32s:
      return new Int32Array(copyAligned(input.bytes()));
    default:
      throw errors.corruption(`unknown value tag ${tag}`);
  }
}

/**
 * Encodes plain data in a self-describing binary form. Numbers keep every bit; `undefined` and typed arrays keep their
 * kind. `bytesExpected` is the initial size of the buffer.
 */
export function encodeValue(value: Value, bytesExpected?: number): Uint8Array {
  const out = new ByteWriter(bytesExpected);
  write(out, value);
  return out.finish();
}

/**
 * Decodes the bytes of `encodeValue`. A `Uint8Array` in the result is a view of `bytes`. Throws
 * `corrupt_index_exception` if the bytes are malformed.
 */
export function decodeValue(bytes: Uint8Array): Value {
  return read(new ByteReader(bytes), 0);
}

/** A list or an object whose values are being read. */
interface OpenRead {
  readonly list: Value[] | null;
  readonly object: Record<string, Value>;
  left: number;
}

/** Decodes as `decodeValue`, some values in a step. */
export class ValueReader {
  readonly #input: ByteReader;
  readonly #open: OpenRead[] = [];
  readonly #value: Value;

  constructor(bytes: Uint8Array) {
    this.#input = new ByteReader(bytes);
    this.#value = this.#read();
  }

  /** Reads about so many more values; true when all are read. Throws as `decodeValue`. */
  advance(values: number): boolean {
    for (let i = 0; i < values; i++) {
      const top = this.#open.at(-1);
      if (top === undefined) return true;
      if (top.left-- === 0) this.#open.pop();
      else if (top.list !== null) top.list.push(this.#read());
      else setMember(top.object, this.#input.string(), this.#read());
    }
    return this.#open.length === 0;
  }

  /** The value, once `advance` has returned true. */
  get value(): Value {
    return this.#value;
  }

  /** Reads a value; one that holds others is filled later. */
  #read(): Value {
    const input = this.#input;
    if (this.#open.length > DEPTH_MAX) throw errors.corruption(`value nested deeper than ${DEPTH_MAX}`);
    const tag = input.peek();
    if (tag !== TAG.array && tag !== TAG.object) return read(input, 0);
    input.u8();
    const left = input.varint();
    if (left > input.remaining) throw errors.corruption(`array of ${left} values in ${input.remaining} bytes`);
    const list: Value[] | null = tag === TAG.array ? [] : null;
    const object: Record<string, Value> = {};
    this.#open.push({ list, object, left });
    return list ?? object;
  }
}
