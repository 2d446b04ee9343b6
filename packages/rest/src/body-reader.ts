import type { IncomingMessage } from 'node:http';
import { gunzip } from 'node:zlib';
import { errors } from '@shoal/errors';

/** Why a body was not read: too large (413), or the client went away. */
export type BodyFailure = 'too-large' | 'aborted';

const EMPTY = new Uint8Array(0);

/** Whether a request announces a body. */
export function announcesBody(request: IncomingMessage): boolean {
  const length = request.headers['content-length'];
  return request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** Announced length in bytes; NaN when chunked. */
export function announcedLength(request: IncomingMessage): number {
  return Number(request.headers['content-length'] ?? Number.NaN);
}

/** The body's bytes, at most `bytesMax`; a failure instead of throwing, since the connection decides what follows. */
export function readBody(request: IncomingMessage, bytesMax: number): Promise<Uint8Array | BodyFailure> {
  if (!announcesBody(request)) return Promise.resolve(EMPTY);
  if (announcedLength(request) > bytesMax) return Promise.resolve('too-large');
  return Number.isFinite(announcedLength(request)) ? readAnnounced(request, announcedLength(request)) : readChunked(request, bytesMax);
}

/** A body of known length goes into one buffer as it arrives: gathering pieces would hold all of it twice. */
function readAnnounced(request: IncomingMessage, length: number): Promise<Uint8Array | BodyFailure> {
  return new Promise((resolve) => {
    let body: Buffer | null = null;
    let at = 0;
    request.on('data', (chunk: Buffer) => {
      if (at === 0 && chunk.length === length) body = chunk;
      else chunk.copy((body ??= Buffer.allocUnsafeSlow(length)), at);
      at += chunk.length;
    });
    request.on('end', () => resolve(body && at === length ? body : 'aborted'));
    request.on('error', () => resolve('aborted'));
    request.on('close', () => resolve('aborted'));
  });
}

function readChunked(request: IncomingMessage, bytesMax: number): Promise<Uint8Array | BodyFailure> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > bytesMax) resolve('too-large');
      else chunks.push(chunk);
    });
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length)));
    request.on('error', () => resolve('aborted'));
    request.on('close', () => resolve('aborted'));
  });
}

/** The bytes of a gzip-compressed body; null when they would exceed `bytesMax`. */
export function decompress(bytes: Uint8Array, bytesMax: number): Promise<Uint8Array | null> {
  return new Promise((resolve, reject) => {
    gunzip(bytes, { maxOutputLength: bytesMax }, (error, result) => {
      if (!error) resolve(result);
      else if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') resolve(null);
      else reject(errors.illegalArgument(`failed to decompress the request body: ${error.message}`));
    });
  });
}
