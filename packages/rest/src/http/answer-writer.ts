import type { ServerResponse } from 'node:http';
import { gzip } from 'node:zlib';
import type { HttpSettings } from './http-settings.js';

/** Below this many bytes compression costs more than it saves. */
const COMPRESS_BYTES_MIN = 1024;
/** Bodies up to so many bytes are written in one piece with the headers. */
const JOINED_BYTES_MAX = 4096;
/** Milliseconds without progress after which a client that does not read its answer is cut off. */
const STALLED_WRITE_MS = 60_000;
const EMPTY = new Uint8Array(0);

/** An answer ready for the socket. */
export interface FinishedAnswer {
  readonly status: number;
  /** Names and values in turn, besides product and content headers. */
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

/** Cuts the connection when the peer stops reading while bytes are waiting for it. */
function watchStalledReader(response: ServerResponse): void {
  const socket = response.socket;
  if (!socket || response.writableLength === 0) return;
  const stalled = (): void => void socket.destroy();
  socket.setTimeout(STALLED_WRITE_MS, stalled);
  response.once('close', () => socket.setTimeout(0).removeListener('timeout', stalled));
}

/**
 * Headers and a small body as one string, which the system is given at once; `end` alone would give it three pieces.
 */
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

/** Writes an answer, compressed when the client takes gzip. Returns the bytes of the body. */
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
