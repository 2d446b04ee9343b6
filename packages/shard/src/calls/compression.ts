import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

const gzipAsync = promisify(gzip);
const gunzipAsync = promisify(gunzip);

/** Most bytes of one file of a snapshot before it was packed: what claims to be more is refused. */
const UNPACKED_BYTES_MAX = 1 << 30;

/** Compression of snapshot files, off the calling thread. */
export interface Compression {
  pack(bytes: Uint8Array): Promise<Uint8Array>;
  /** Rejects for bytes that are not a result of `pack`. */
  unpack(bytes: Uint8Array): Promise<Uint8Array>;
}

/** Limits of the buffer for a result, in bytes: a larger result comes in several pieces. */
const PIECE_BYTES_MIN = 16 << 10;
const PIECE_BYTES_MAX = 16 << 20;
/** A buffer that is filled to its end makes zlib ask for another one. */
const PIECE_ROOM = 64;

const pieceBytes = (expected: number): number =>
  Math.max(PIECE_BYTES_MIN, Math.min(PIECE_BYTES_MAX, expected + PIECE_ROOM));

/** Length before packing, from the end of a gzip file (RFC 1952, ISIZE); what a damaged file claims is no promise. */
function claimedBytes(packed: Uint8Array): number {
  if (packed.length < 4) return 0;
  return new DataView(packed.buffer, packed.byteOffset, packed.byteLength).getUint32(packed.length - 4, true);
}

/**
 * gzip on the runtime's worker threads, at its fastest level. By default zlib returns to the calling thread after each
 * 16 KiB: for a file of 4 MiB 256 times, and the pieces are joined by a copy. With a buffer of the size of the result
 * it returns once.
 */
export const gzipCompression: Compression = {
  pack: (bytes) => gzipAsync(bytes, { level: 1, chunkSize: pieceBytes(bytes.length >>> 1) }),
  unpack: (bytes) =>
    gunzipAsync(bytes, { maxOutputLength: UNPACKED_BYTES_MAX, chunkSize: pieceBytes(claimedBytes(bytes)) }),
};
