import type { IncomingMessage } from 'node:http';
import { errors } from '@shoal/errors';
import { decompress, readBody } from './body-reader.js';
import { plainError } from '../format/error-answer.js';
import { type BodyFormat, type Negotiated, parseMediaType } from '../format/media-types.js';
import { unrecognizedError } from '../routing/params.js';
import { isReading } from '../routing/reading-route.js';
import type { RestResponse, Route } from '../routing/route.js';
import type { AdmittedRequest, HttpAppContext } from './http-app-context.js';

/** A request body, decompressed. */
export interface Body {
  readonly bytes: Uint8Array;
  readonly format: BodyFormat;
}

/** Body of a request without one. */
export const NO_BODY: Body = { bytes: new Uint8Array(0), format: 'json' };

/** How many bytes a body may have, and who counts them as they arrive. */
export interface BodyRoom {
  readonly bytesMax: number;
  readonly charge: (bytes: number) => void;
}

/** Reads the body. Returns the answer that refuses it instead, or null if the client closed the connection. */
export async function receiveBody<S>(
  app: HttpAppContext<S>,
  route: Route<S>,
  incoming: AdmittedRequest,
  negotiated: Negotiated,
  { bytesMax, charge }: BodyRoom,
): Promise<Body | RestResponse | null> {
  const { message } = incoming;
  const raw = await readBody(message, { bytesMax, charge, slow: app.slowBodies, turns: app.bodyTurns });
  if (raw === 'aborted') return null;
  if (raw === 'too-large') return tooLargeBody(app, message, bytesMax);
  if (raw === 'too-slow') return refusedBody(app, message, 408);
  app.stats.bytesIn += raw.length;
  if (raw.length === 0) return sourceParameter(route, incoming) ?? NO_BODY;
  const format = negotiated.body?.format;
  if (format === undefined || format === 'text') return notSupported(message.headers['content-type']);
  if (message.headers['content-encoding'] !== 'gzip') return { bytes: raw, format };
  const bytes = await decompress(raw, bytesMax, charge);
  if (bytes === null) return tooLargeBody(app, message, bytesMax);
  return { bytes, format };
}

/** The answer to a body of more than `bytesMax` bytes; it names a limit that Elasticsearch does not have. */
export function tooLargeBody<S>(app: HttpAppContext<S>, message: IncomingMessage, bytesMax: number): RestResponse {
  const { status, headers } = refusedBody(app, message, 413);
  const { contentBytesMax, bodyBytesMax } = app.settings;
  if (bytesMax === contentBytesMax) return { status, headers, empty: true };
  const limit =
    bytesMax === bodyBytesMax
      ? 'limit [shoal.http.max_body_length] for bodies that are no documents'
      : 'limit of this call';
  return plainError(status, `the body of the request is larger than [${bytesMax}] bytes, the ${limit}`, headers);
}

/** An answer without a body. */
interface RefusedBody {
  readonly status: number;
  readonly empty: true;
  readonly headers: { readonly connection: 'close' };
}

/**
 * The answer to a request whose body is not read to its end. The rest of the body still arrives, so the connection
 * cannot serve another request: it is closed a second after the answer.
 */
function refusedBody<S>(app: HttpAppContext<S>, message: IncomingMessage, status: 413 | 408): RefusedBody {
  message.resume();
  app.clock.after(1000, () => void message.socket.destroy());
  return { status, empty: true, headers: { connection: 'close' } };
}

/** Charges bytes for one request, which are released together. */
export function chargeFor<S>(app: HttpAppContext<S>): { add(bytes: number): void; release(): void } {
  const releases: (() => void)[] = [];
  return {
    add: (bytes) => void (bytes > 0 && releases.push(app.inFlight.charge(bytes, '<http_request>'))),
    release: () => releases.forEach((release) => release()),
  };
}

/**
 * The body in the parameters `source` and `source_content_type`; null if absent. Only calls that read take it, as in
 * 8.12: a web page may send any URL, but not a body of a type that changes something.
 */
export function sourceParameter<S>(
  route: Route<S>,
  { query, path }: Pick<AdmittedRequest, 'query' | 'path'>,
): Body | null {
  const source = query.get('source');
  if (source === undefined) return null;
  if (!isReading(route)) {
    if (route.body === 'required') return null;
    throw unrecognizedError(
      path,
      ['source', 'source_content_type'].filter((name) => query.has(name)),
      route.parameters ?? [],
      'parameter',
    );
  }
  const type = query.get('source_content_type');
  if (type === undefined) throw errors.refusedState('source and source_content_type parameters are required');
  const media = parseMediaType(type);
  if (!media || media.format === 'text')
    throw errors.refusedState('Unknown value for source_content_type [' + type + ']');
  return { bytes: Buffer.from(source), format: media.format };
}

function notSupported(contentType: string | undefined): RestResponse {
  return plainError(406, `Content-Type header [${contentType ?? ''}] is not supported`);
}
