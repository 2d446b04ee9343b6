import { parseJson } from './parse-json.js';
import { stringify } from './stringify.js';

/** A text without so many digits in a row holds no integer that a double cannot. */
const LONG_INTEGER = /\d{16}/;

/** UTF-8 of a value's JSON, for another node, thread or start of this one. Integers beyond 2^53 keep their digits. */
export function encodeJson(value: unknown): Uint8Array {
  return Buffer.from(stringify(value ?? null), 'utf8');
}

/**
 * What `encodeJson` wrote; integers beyond 2^53 are bigint again. Empty bytes are null. Throws when the bytes are no
 * JSON.
 */
export function decodeJson(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return null;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return LONG_INTEGER.test(text) ? parseJson(bytes) : (JSON.parse(text) as unknown);
}
