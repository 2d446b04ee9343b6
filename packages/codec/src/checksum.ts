import { crc32 as zlibCrc32 } from 'node:zlib';

/** CRC-32 (IEEE 802.3) of bytes, unsigned. `start` is the CRC of the bytes before, to compute one in parts. */
export function crc32(bytes: Uint8Array, start = 0): number {
  return zlibCrc32(bytes, start);
}
