import { parseJson } from './parse-json.js';
import { stringify } from './stringify.js';

/** A run of digits that may be an integer beyond 2^53. Text without one can be parsed by `JSON.parse`. */
const LONG_INTEGER = /\d{16}/;

/**
 * Encodes a value as JSON in UTF-8, for messages and files. Bigints keep all digits; undefined becomes null.
 */
export function encodeJson(value: unknown): Uint8Array {
  return Buffer.from(stringify(value ?? null), 'utf8');
}

/**
 * Decodes the bytes of `encodeJson`. Integers beyond 2^53 become bigints; empty bytes are null. Throws if the bytes are
 * no JSON.
 */
export function decodeJson(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return null;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return LONG_INTEGER.test(text) ? parseJson(bytes) : (JSON.parse(text) as unknown);
}
