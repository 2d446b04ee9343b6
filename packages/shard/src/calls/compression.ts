import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

const gzipAsync = promisify(gzip);
const gunzipAsync = promisify(gunzip);

/** Compresses the files of snapshots, beside the thread's other work. */
export interface Compression {
  compress(text: string): Promise<Uint8Array>;
  /** Rejects for bytes that `compress` did not make. */
  decompress(bytes: Uint8Array): Promise<string>;
}

/** gzip on threads of the runtime. */
export const gzipCompression: Compression = {
  compress: (text) => gzipAsync(text),
  decompress: async (bytes) => (await gunzipAsync(bytes)).toString('utf8'),
};
