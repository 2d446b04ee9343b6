import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

const gzipAsync = promisify(gzip);
const gunzipAsync = promisify(gunzip);

/** Compression of snapshot files, off the calling thread. */
export interface Compression {
  compress(text: string): Promise<Uint8Array>;
  /** Rejects for bytes that are not a result of `compress`. */
  decompress(bytes: Uint8Array): Promise<string>;
}

/** gzip on the runtime's worker threads. */
export const gzipCompression: Compression = {
  compress: (text) => gzipAsync(text),
  decompress: async (bytes) => (await gunzipAsync(bytes)).toString('utf8'),
};
