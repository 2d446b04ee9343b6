import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Refusal, refusalBody } from './guard/refusal.js';
import { BodyError, parseBody } from './guard/strict-json.js';
import { SavedObjectError } from './saved-objects/object-types.js';

/** Sends a JSON answer. */
export function sendJson(
  answer: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  const bytes = Buffer.from(JSON.stringify(body));
  answer.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': bytes.length,
    'cache-control': 'no-store',
    ...headers,
  });
  answer.end(bytes);
}

/** Sends a refusal in Kibana's shape. */
export function sendRefusal(answer: ServerResponse, refusal: Refusal): void {
  sendJson(answer, refusal.status, refusalBody(refusal), { ...refusal.headers });
}

/** Sends a page that is never kept by caches. */
export function sendHtml(answer: ServerResponse, status: number, html: string, headers: Record<string, string>): void {
  const bytes = Buffer.from(html);
  answer.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': bytes.length,
    'cache-control': 'no-store',
    ...headers,
  });
  answer.end(bytes);
}

/** Thrown for a body over the limit. */
export class TooLargeError extends Error {
  override readonly name = 'TooLargeError';
}

/** Reads the JSON body of an own call. Throws TooLargeError or BodyError. */
export const readJson = async (incoming: IncomingMessage, bytesMax: number): Promise<unknown> =>
  parseBody((await readBytes(incoming, bytesMax)).toString('utf8'));

/** Reads the body of an own call. Throws TooLargeError. */
export async function readBytes(incoming: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    size += (chunk as Buffer).length;
    if (size > bytesMax) throw new TooLargeError(`The body has more than ${bytesMax} bytes.`);
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

/** The answer to an error of a handler: 4xx for what the caller did; null for a defect. */
export function refusalOf(error: unknown): Refusal | null {
  if (error instanceof BodyError) return { status: 400, message: error.message };
  if (error instanceof TooLargeError) return { status: 413, message: error.message };
  if (error instanceof SavedObjectError) return { status: error.status, message: error.message };
  const status = (error as { status?: unknown } | null)?.status;
  if (typeof status === 'number' && status >= 400 && status < 500)
    return { status, message: (error as Error).message || 'The request is refused.' };
  return null;
}
