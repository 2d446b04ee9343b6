import type { ServerResponse } from 'node:http';
import { gzip } from 'node:zlib';
import type { HttpSettings } from './http-settings.js';

/** Smaller bodies are not compressed: compression would cost more than it saves. */
const COMPRESS_BYTES_MIN = 1024;
/** Up to this size headers and body are written in one piece. */
const JOINED_BYTES_MAX = 4096;
/** A connection is closed if the client reads nothing of its answer for this long. */
const STALLED_WRITE_MS = 60_000;
const EMPTY = new Uint8Array(0);

/** An answer with rendered body, ready to be written. */
export interface FinishedAnswer {
  readonly status: number;
  /** Alternating names and values, in addition to product and content headers. */
  readonly headers: readonly string[];
  readonly contentType: string;
  readonly body: Uint8Array | null;
  readonly close: boolean;
}

function compress(body: Uint8Array, level: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    gzip(body, { level }, (error, result) => (error ? reject(error) : resolve(result)));
  });
}

/** Closes the connection if the client stops reading while bytes are waiting. */
function watchStalledReader(response: ServerResponse): void {
  const socket = response.socket;
  if (!socket || response.writableLength === 0) return;
  const stalled = (): void => void socket.destroy();
  socket.setTimeout(STALLED_WRITE_MS, stalled);
  response.once('close', () => socket.setTimeout(0).removeListener('timeout', stalled));
}

/** Writes headers and a small body with one system call; `end` would make three pieces of them. */
function writeJoined(response: ServerResponse, body: Uint8Array): void {
  response.cork();
  response.write(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1'), 'latin1');
  response.uncork();
  response.end();
}

function write(response: ServerResponse, answer: FinishedAnswer, body: Uint8Array, encoding: readonly string[]): void {
  const headers = [
    'X-elastic-product',
    'Elasticsearch',
    'content-type',
    answer.contentType,
    'content-length',
    String(body.length),
  ];
  if (answer.headers.length > 0) headers.unshift(...answer.headers);
  if (encoding.length > 0) headers.splice(-2, 0, ...encoding);
  if (answer.close) headers.push('connection', 'close');
  response.sendDate = false;
  response.writeHead(answer.status, headers);
  if (body.length > 0 && body.length <= JOINED_BYTES_MAX) writeJoined(response, body);
  else response.end(body);
  watchStalledReader(response);
}

const GZIP = ['content-encoding', 'gzip'];
const NO_ENCODING: readonly string[] = [];

/** Writes an answer, compressed if the client accepts gzip. Returns the length of the body in bytes. */
export function writeAnswer(
  response: ServerResponse,
  answer: FinishedAnswer,
  acceptEncoding: string | undefined,
  settings: HttpSettings,
): number | Promise<number> {
  const body = answer.body ?? EMPTY;
  if (settings.compression && body.length >= COMPRESS_BYTES_MIN && acceptEncoding?.includes('gzip'))
    return writeCompressed(response, answer, body, settings);
  if (!response.destroyed) write(response, answer, body, NO_ENCODING);
  return body.length;
}

async function writeCompressed(
  response: ServerResponse,
  answer: FinishedAnswer,
  body: Uint8Array,
  settings: HttpSettings,
): Promise<number> {
  const compressed = await compress(body, settings.compressionLevel);
  if (!response.destroyed) write(response, answer, compressed, GZIP);
  return compressed.length;
}
