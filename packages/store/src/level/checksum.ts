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

/** As `checksumOf` of the first `length` bytes of a value. */
function checksumOfPart(key: Uint8Array, value: Uint8Array, length: number): number {
  const ofKey = crcOf(TABLES, key, 0, key.length);
  return length <= OWN_BYTES_MAX ? crcOf(TABLES, value, 0, length, ofKey) : crc32(value.subarray(0, length), ofKey);
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
  if (!hasItsChecksum(key, value))
    throw errors.corruption(length < 0 ? `${what} is cut short` : `checksum of ${what} does not match`);
  return value.subarray(0, length);
}

/** Whether a value of `appendChecksum` is whole; as `verifyRecord`, without a view of the content. */
export function hasItsChecksum(key: Uint8Array, value: Uint8Array): boolean {
  const length = value.length - CHECKSUM_BYTES;
  return length >= 0 && checksumOfPart(key, value, length) === readChecksum(value, length);
}
