import type { IncomingMessage } from 'node:http';

/** Whether a request announces a body. */
export function announcesBody(request: IncomingMessage): boolean {
  const length = request.headers['content-length'];
  return request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** Announced length in bytes; NaN when chunked. */
export function announcedLength(request: IncomingMessage): number {
  return Number(request.headers['content-length'] ?? Number.NaN);
}

/** Smaller bodies are read as they come: they are in the socket at once. */
const SMALL_BYTES = 64 * 1024;

/** Whether a body comes in more than a few pieces, or may do so. */
export const isLargeBody = (request: IncomingMessage): boolean =>
  announcesBody(request) && !(announcedLength(request) <= SMALL_BYTES);
