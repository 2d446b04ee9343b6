import { createHash } from 'node:crypto';
import { murmur3Both64 } from '@shoal/codec';
import { errors } from '@shoal/errors';
import type { IngestDocument } from '../document.js';
import { isObject, javaClass, toNumber } from '../java-values.js';
import type { ProcessorType } from '../processor-type.js';
import { resultInTurns } from '../steps-in-turns.js';

/** What takes in the bytes of values and tells their hash. */
interface Hasher {
  update(bytes: Uint8Array): void;
  digest(): Buffer;
}

const digestBy =
  (algorithm: string): (() => Hasher) =>
  () =>
    createHash(algorithm);

const METHODS: ReadonlyMap<string, () => Hasher> = new Map([
  ['MD5', digestBy('md5')],
  ['SHA-1', digestBy('sha1')],
  ['SHA-256', digestBy('sha256')],
  ['SHA-512', digestBy('sha512')],
  ['MurmurHash3', murmur3],
]);

/** The two halves of the hash one after the other, their highest bytes first. */
function murmur3(): Hasher {
  const parts: Uint8Array[] = [];
  return {
    update: (bytes) => void parts.push(bytes),
    digest: () => {
      const hash = Buffer.alloc(16);
      murmur3Both64(Buffer.concat(parts)).forEach((half, i) => hash.writeBigUInt64BE(half, i * 8));
      return hash;
    },
  };
}

/**
 * Puts a hash of the values of some fields into a field: the same that Elasticsearch gives. Names of the fields are not
 * in it; their order, and that of keys, is no matter. Without any value the field is not set.
 */
export const fingerprint: ProcessorType = {
  name: 'fingerprint',
  parse(config) {
    const fields = [...config.strings('fields')].sort();
    if (fields.length === 0) throw config.error('fields', 'must specify at least one field');
    const target = config.stringOr('target_field', 'fingerprint');
    const saltText = config.stringOr('salt', '');
    const salt = Buffer.from(saltText.trim() === '' ? '' : saltText);
    const method = config.stringOr('method', 'SHA-1');
    const ignoreMissing = config.boolean('ignore_missing', false);
    const hasher = METHODS.get(method);
    if (hasher === undefined)
      throw config.error(
        'method',
        `[${method}] must be one of the supported hash methods [${[...METHODS.keys()].join(',')}]`,
      );
    return (document, { pause }) => {
      const values = valuesOf(document, fields, ignoreMissing);
      if (values.length === 0) return;
      const hash = hasher();
      hash.update(salt);
      const parts = partsOf(values);
      const step = (): boolean => {
        const { done, value } = parts.next();
        if (done === true) return false;
        document.charge(value.length);
        hash.update(value);
        return true;
      };
      return resultInTurns(step, pause, () => document.set(target, hash.digest().toString('base64')));
    };
  },
};

/** The values of fields that have one. An error names the last field that has none. */
function valuesOf(document: IngestDocument, fields: readonly string[], ignoreMissing: boolean): readonly unknown[] {
  const values = fields.map((field) => document.get(field, true));
  const missing = values.findLastIndex((value) => value === null || value === undefined);
  if (missing >= 0 && !ignoreMissing)
    throw errors.illegalArgument(`missing field [${fields[missing]}] when calculating fingerprint`);
  return values.filter((value) => value !== null && value !== undefined);
}

/** Bytes of values, part by part: each key and each value that is no container has a zero byte before it. */
function* partsOf(values: readonly unknown[]): Generator<Uint8Array> {
  const left: Iterator<unknown>[] = [values[Symbol.iterator]()];
  while (left.length > 0) {
    const { done, value } = left.at(-1)!.next();
    if (done === true) left.pop();
    else if (Array.isArray(value)) left.push(value[Symbol.iterator]());
    else if (value instanceof Key) yield delimited(value.bytes);
    else if (isObject(value)) left.push(membersOf(value));
    else yield delimited(bytesOf(value));
  }
}

/** A key of an object among its values. */
class Key {
  readonly bytes: Buffer;

  constructor(key: string) {
    this.bytes = Buffer.from(key);
  }
}

function* membersOf(object: Readonly<Record<string, unknown>>): Generator<unknown> {
  for (const key of Object.keys(object).sort()) {
    yield new Key(key);
    yield object[key];
  }
}

const delimited = (bytes: Buffer): Buffer => Buffer.concat([Buffer.alloc(1), bytes]);

/** Bytes of a value: numbers lowest byte first in the length of their class of Java. */
function bytesOf(value: unknown): Buffer {
  if (typeof value === 'string') return Buffer.from(value);
  if (typeof value === 'boolean') return Buffer.from([value ? 1 : 2]);
  if (value === null || value === undefined) return Buffer.alloc(0);
  const type = javaClass(value);
  const bytes = Buffer.alloc(type === 'java.lang.Integer' ? 4 : 8);
  if (type === 'java.lang.Integer') bytes.writeInt32LE(Number(value));
  else if (type === 'java.lang.Long') bytes.writeBigInt64LE(BigInt(value as number | bigint));
  else if (type === 'java.lang.Double') bytes.writeDoubleLE(toNumber(value as number));
  else throw errors.illegalArgument(`cannot convert object of type [${type}] to bytes`);
  return bytes;
}
