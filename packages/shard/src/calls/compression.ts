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

/** gzip on the runtime's worker threads, at its fastest level. */
export const gzipCompression: Compression = {
  pack: (bytes) => gzipAsync(bytes, { level: 1 }),
  unpack: (bytes) => gunzipAsync(bytes, { maxOutputLength: UNPACKED_BYTES_MAX }),
};
