import type { IncomingMessage } from 'node:http';

/** Whether the headers of a request announce a body. */
export function announcesBody(request: IncomingMessage): boolean {
  const length = request.headers['content-length'];
  return request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** Announced length in bytes; NaN if chunked. */
export function announcedLength(request: IncomingMessage): number {
  return Number(request.headers['content-length'] ?? Number.NaN);
}

/** Smaller bodies are not paused: they are in the socket already. */
const SMALL_BYTES = 64 * 1024;

/** Whether a body may arrive in more than a few chunks. */
export const isLargeBody = (request: IncomingMessage): boolean =>
  announcesBody(request) && !(announcedLength(request) <= SMALL_BYTES);
