import { crc32 } from 'node:zlib';
import { errors } from '@shoal/errors';
import { crcOf, crcTables, POLYNOMIAL } from './crc.kernel.js';

/** Bytes of a checksum, at the end of a value. */
export const CHECKSUM_BYTES = 4;

const TABLES = crcTables(POLYNOMIAL.crc32);
/** Up to this length the own function is faster than the view and the call for zlib. */
const OWN_BYTES_MAX = 256;

/** CRC-32 over key and content, so that a value under a wrong key does not verify. */
export function checksumOf(key: Uint8Array, content: Uint8Array): number {
  const ofKey = crcOf(TABLES, key, 0, key.length);
  return content.length <= OWN_BYTES_MAX ? crcOf(TABLES, content, 0, content.length, ofKey) : crc32(content, ofKey);
}

/** As `checksumOf`, for key and content that are adjacent in bytes[from … to - 1]. */
export const checksumOfJoined = (bytes: Uint8Array, from: number, to: number): number =>
  to - from <= OWN_BYTES_MAX ? crcOf(TABLES, bytes, from, to) : crc32(bytes.subarray(from, to));

/** Writes a checksum as four little-endian bytes. */
export function writeChecksum(into: Uint8Array, at: number, checksum: number): void {
  into[at] = checksum;
  into[at + 1] = checksum >>> 8;
  into[at + 2] = checksum >>> 16;
  into[at + 3] = checksum >>> 24;
}

/** Reads a checksum of `writeChecksum`. */
export function readChecksum(bytes: Uint8Array, at: number): number {
  return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
}

/** Returns a copy of `content` followed by its checksum. */
export function appendChecksum(key: Uint8Array, content: Uint8Array): Uint8Array {
  const value = Buffer.allocUnsafe(content.length + CHECKSUM_BYTES);
  value.set(content);
  writeChecksum(value, content.length, checksumOf(key, content));
  return value;
}

/**
 * Verifies the checksum of a value of `appendChecksum` and returns the content, a view. Throws corrupt_index_exception,
 * which names `what`, if the value is undefined or damaged.
 */
export function verifyRecord(key: Uint8Array, value: Uint8Array | undefined, what: string): Uint8Array {
  if (value === undefined) throw errors.corruption(`${what} is missing`);
  const length = value.length - CHECKSUM_BYTES;
  if (length < 0) throw errors.corruption(`${what} is cut short`);
  const content = value.subarray(0, length);
  if (checksumOf(key, content) !== readChecksum(value, length))
    throw errors.corruption(`checksum of ${what} does not match`);
  return content;
}
