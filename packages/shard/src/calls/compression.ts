import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants, gunzip } from 'node:zlib';

const brotliAsync = promisify(brotliCompress);
const unbrotliAsync = promisify(brotliDecompress);
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

/** Length before packing, at a place of a file; what a damaged file claims is no promise. */
const claimedBytes = (packed: Uint8Array, at: number): number =>
  at < 0 || packed.length < at + 4
    ? 0
    : new DataView(packed.buffer, packed.byteOffset, packed.byteLength).getUint32(at, true);

/** First byte of a file of brotli; then follows the length before packing (u32). gzip's first byte is 0x1f. */
const BROTLI = 0x42;
const HEADER_BYTES = 5;
/**
 * Of the segments and the log of 50,000 package descriptions (68 MB) gzip at its fastest level makes 23.9 MB in 0.97 s,
 * brotli at its second level 23.8 MB in 0.31 s, and at its first 24.6 MB in 0.25 s. Unpacking takes 0.26 to 0.28 s.
 */
const BROTLI_OPTIONS = { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 18 };

async function pack(bytes: Uint8Array): Promise<Uint8Array> {
  const params = { ...BROTLI_OPTIONS, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  const header = Buffer.alloc(HEADER_BYTES, BROTLI);
  header.writeUInt32LE(bytes.length, 1);
  return Buffer.concat([header, await brotliAsync(bytes, { params, chunkSize: pieceBytes(bytes.length >>> 1) })]);
}

async function unpackBrotli(bytes: Uint8Array): Promise<Uint8Array> {
  const claimed = claimedBytes(bytes, 1);
  const options = { maxOutputLength: UNPACKED_BYTES_MAX, chunkSize: pieceBytes(claimed) };
  const content = await unbrotliAsync(bytes.subarray(HEADER_BYTES), options);
  if (content.length === claimed) return content;
  throw new Error(`[${content.length}] bytes instead of [${claimed}]`);
}

/** Files of earlier builds are gzip, which ends with the length before packing (RFC 1952, ISIZE). */
function unpack(bytes: Uint8Array): Promise<Uint8Array> {
  if (bytes[0] === BROTLI) return unpackBrotli(bytes);
  const chunkSize = pieceBytes(claimedBytes(bytes, bytes.length - 4));
  return gunzipAsync(bytes, { maxOutputLength: UNPACKED_BYTES_MAX, chunkSize });
}

/**
 * Compression on the runtime's worker threads. By default zlib returns to the calling thread after each 16 KiB: for a
 * file of 4 MiB 256 times, and the pieces are joined by a copy. With a buffer of the size of the result it returns
 * once.
 */
export const fileCompression: Compression = { pack, unpack };
