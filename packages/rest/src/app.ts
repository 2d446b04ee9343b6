import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TaskRegistry, InFlightBytes } from '@shoal/coordinator';
import { withPosition } from '@shoal/coordinator';
import type { Clock, Log } from '@shoal/doors';
import { errors, toApiError } from '@shoal/errors';
import { writeAnswer } from './answer-writer.js';
import { announcedLength, announcesBody, decompress, readBody } from './body-reader.js';
import { errorAnswer, plainError } from './error-answer.js';
import { parseFilterPath } from './filter-path.js';
import { HttpRequest } from './http-request.js';
import type { HttpSettings } from './http-settings.js';
import type { HttpStats } from './http-stats.js';
import { type BodyFormat, type Negotiated, answerFormat, contentTypeOf, negotiate, parseMediaType } from './media-types.js';
import { COMMON_PARAMETERS, RequestParameters, parseBoolean } from './params.js';
import { decodePathSegment, parseQueryString } from './percent-decoding.js';
import { renderBody } from './render.js';
import type { Method, RestResponse, Route } from './route.js';
import { type Router, createRouter, splitPath } from './router.js';

/** What an app is made of. */
export interface HttpAppOptions<S> {
  readonly routes: readonly Route<S>[];
  readonly services: S;
  readonly settings: HttpSettings;
  readonly stats: HttpStats;
  readonly tasks: TaskRegistry;
  /** Bodies are charged here from arrival to answer. */
  readonly inFlight: InFlightBytes;
  readonly clock: Clock;
  readonly log: Log;
}

/** A request listener for `node:http`. */
export interface HttpApp {
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** From now on every answer closes its connection. Resolves when no request is being worked on. */
  drain(): Promise<void>;
}

const ALL_METHODS = new Set(['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS']);
const NOTHING_NEGOTIATED: Negotiated = { body: null, accept: null, compatibleWith7: false };

/** A request before routing. */
interface Incoming {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  /** As sent, with the query string. */
  readonly uri: string;
  readonly path: string;
  readonly query: ReadonlyMap<string, string>;
}

interface Style {
  negotiated: Negotiated;
  query: ReadonlyMap<string, string>;
}

/** Everything between `node:http` and the handlers: routing, parameters, bodies, media types, errors. */
export function createHttpApp<S>(options: HttpAppOptions<S>): HttpApp {
  const router = createRouter(options.routes);
  const declared = new Map(options.routes.filter((route) => route.parameters).map((route) => [route, new Set([...route.parameters!, ...COMMON_PARAMETERS])]));
  const state = { draining: false, idle: null as (() => void) | null };
  const finish = (): void => {
    options.stats.requestsCurrent--;
    if (options.stats.requestsCurrent === 0) state.idle?.();
  };
  return {
    handle(request, response) {
      options.stats.requestsTotal++;
      options.stats.requestsCurrent++;
      exchange(options, router, declared, request, response, state)
        .catch((error: unknown) => {
          options.log.write('error', 'failed to answer an HTTP request', { 'error.message': toApiError(error).message, 'error.stack_trace': toApiError(error).stack });
          response.destroy();
        })
        .finally(finish);
    },
    drain() {
      state.draining = true;
      if (options.stats.requestsCurrent === 0) return Promise.resolve();
      return new Promise((resolve) => {
        state.idle = resolve;
      });
    },
  };
}

type DeclaredParameters<S> = ReadonlyMap<Route<S>, ReadonlySet<string>>;

async function exchange<S>(
  options: HttpAppOptions<S>,
  router: Router<S>,
  declared: DeclaredParameters<S>,
  message: IncomingMessage,
  response: ServerResponse,
  state: { readonly draining: boolean },
): Promise<void> {
  const style: Style = { negotiated: NOTHING_NEGOTIATED, query: new Map() };
  let answer: RestResponse | null;
  try {
    answer = await answerOf(options, router, declared, message, response, style);
  } catch (error) {
    answer = errorAnswer(error, { trace: style.query.has('error_trace') && style.query.get('error_trace') !== 'false', detailed: options.settings.detailedErrors });
  }
  if (answer) await send(options, message, response, answer, style, state.draining);
}

async function answerOf<S>(
  options: HttpAppOptions<S>,
  router: Router<S>,
  declared: DeclaredParameters<S>,
  message: IncomingMessage,
  response: ServerResponse,
  style: Style,
): Promise<RestResponse | null> {
  const uri = message.url!;
  if (uri.length > options.settings.initialLineBytesMax) return plainError(414, `An HTTP line is larger than ${options.settings.initialLineBytesMax} bytes.`);
  const mark = uri.indexOf('?');
  const path = mark === -1 ? uri : uri.slice(0, mark);
  if (mark !== -1) style.query = parseQueryString(uri.slice(mark + 1));
  const segments = splitPath(path);
  for (let i = 0; i < segments.length; i++) segments[i] = decodePathSegment(segments[i]!, path);
  const match = router.match(message.method!, segments);
  if (match.kind !== 'found') return unrouted(router, message.method!, uri, segments, match);
  const incoming = { message, response, uri, path, query: style.query };
  return routed(options, declared.get(match.route) ?? null, match.route, match.values, incoming, style);
}

function allowedMethods<S>(router: Router<S>, segments: readonly string[]): readonly Method[] {
  const match = router.match('OPTIONS', segments);
  return match.kind === 'method' ? match.allowed : [];
}

function unrouted<S>(router: Router<S>, method: string, uri: string, segments: readonly string[], match: { kind: string; allowed?: readonly Method[] }): RestResponse {
  if (method === 'OPTIONS') {
    const allowed = allowedMethods(router, segments);
    return { status: 200, text: '', ...(allowed.length > 0 ? { headers: { Allow: allowed.join(',') } } : {}) };
  }
  const allowed = match.allowed ?? [];
  if (match.kind === 'none') {
    if (ALL_METHODS.has(method)) return { status: 400, json: { error: `no handler found for uri [${uri}] and method [${method}]` } };
    return plainError(405, `Unexpected HTTP method ${method}`);
  }
  const text = `Incorrect HTTP method for uri [${uri}] and method [${method}], allowed: [${allowed.join(', ')}]`;
  return plainError(405, text, { Allow: allowed.join(',') });
}

/** Validates the common parameters before anything is done. */
function checkCommon(query: ReadonlyMap<string, string>): void {
  for (const name of ['pretty', 'human', 'error_trace']) {
    const text = query.get(name);
    if (text !== undefined) parseBoolean(text);
  }
}

interface Body {
  readonly bytes: Uint8Array;
  readonly format: BodyFormat;
}

const NO_BODY: Body = { bytes: new Uint8Array(0), format: 'json' };

function notSupported(contentType: string | undefined): RestResponse {
  return plainError(406, `Content-Type header [${contentType ?? ''}] is not supported`);
}

/** `?source=` in place of a body. */
function sourceParameter(query: ReadonlyMap<string, string>): Body | null {
  const source = query.get('source');
  if (source === undefined) return null;
  const type = query.get('source_content_type');
  if (type === undefined) throw errors.illegalState('source and source_content_type parameters are required');
  const media = parseMediaType(type);
  if (!media || media.format === 'text') throw errors.illegalState('Unknown value for source_content_type [' + type + ']');
  return { bytes: Buffer.from(source), format: media.format };
}

/** The body, or the answer that refuses it. Null: the client has gone. */
async function receiveBody<S>(options: HttpAppOptions<S>, incoming: Incoming, negotiated: Negotiated): Promise<Body | RestResponse | null> {
  const { message } = incoming;
  const bytesMax = options.settings.contentBytesMax;
  if (!announcesBody(message)) return sourceParameter(incoming.query) ?? NO_BODY;
  const raw = await readBody(message, bytesMax);
  if (raw === 'aborted') return null;
  if (raw === 'too-large') return tooLarge(options, message);
  if (raw.length === 0) return sourceParameter(incoming.query) ?? NO_BODY;
  const format = negotiated.body?.format;
  if (format === undefined || format === 'text') return notSupported(message.headers['content-type']);
  const bytes = message.headers['content-encoding'] === 'gzip' ? await decompress(raw, bytesMax) : raw;
  return bytes ? { bytes, format } : tooLarge(options, message);
}

/** Refuses a body that was not read: the connection is of no more use, and is cut soon after the answer. */
function tooLarge<S>(options: HttpAppOptions<S>, message: IncomingMessage): RestResponse {
  message.resume();
  options.clock.after(1000, () => void message.socket.destroy());
  return { status: 413, empty: true, headers: { connection: 'close' } };
}

/** Charges the body's announced length while the request is worked on. */
async function routed<S>(
  options: HttpAppOptions<S>,
  declared: ReadonlySet<string> | null,
  route: Route<S>,
  values: Readonly<Record<string, string>>,
  incoming: Incoming,
  style: Style,
): Promise<RestResponse | null> {
  const hasBody = announcesBody(incoming.message);
  const length = hasBody ? announcedLength(incoming.message) : 0;
  if (length > options.settings.contentBytesMax) return tooLarge(options, incoming.message);
  style.negotiated = negotiate(incoming.message.headers.accept, incoming.message.headers['content-type'], hasBody);
  const release = length > 0 ? options.inFlight.charge(length, '<http_request>') : null;
  try {
    const body = await receiveBody(options, incoming, style.negotiated);
    if (body === null || !('bytes' in body) || 'status' in body) return body as RestResponse | null;
    return await handled(options, declared, route, values, incoming, body, style);
  } finally {
    release?.();
  }
}

function checkBody<S>(route: Route<S>, incoming: Incoming, body: Body): void {
  if (route.body === 'none' && body.bytes.length > 0) {
    throw errors.illegalArgument(`request [${incoming.message.method} ${incoming.path}] does not support having a body`);
  }
  if (route.body === 'required' && body.bytes.length === 0) throw errors.parse('request body is required');
}

async function handled<S>(
  options: HttpAppOptions<S>,
  declared: ReadonlySet<string> | null,
  route: Route<S>,
  values: Readonly<Record<string, string>>,
  incoming: Incoming,
  body: Body,
  style: Style,
): Promise<RestResponse> {
  const params = new RequestParameters(incoming.query, values);
  if (incoming.query.size > 0) checkCommon(incoming.query);
  if (declared) params.checkDeclared(incoming.path, declared);
  checkBody(route, incoming, body);
  const request = new HttpRequest({
    message: incoming.message,
    response: incoming.response,
    method: incoming.message.method as Method,
    path: incoming.path,
    pathParams: values,
    params,
    rawBody: body.bytes,
    bodyFormat: body.format,
    negotiated: style.negotiated,
  });
  const task = options.tasks.start({
    action: route.privilege,
    description: `${incoming.message.method} ${incoming.uri}`,
    headers: request.opaqueId === null ? {} : { 'X-Opaque-Id': request.opaqueId },
    cancel: (reason) => request.cancel(reason),
  });
  try {
    const answer = await route.handle(request, options.services);
    if (!declared) params.checkAsked(incoming.path);
    return answer;
  } catch (error) {
    throw request.hasBody ? withPosition(toApiError(error), request.rawBody, request.parsedBody) : error;
  } finally {
    task.end();
  }
}

function headerList(headers: Readonly<Record<string, string>> | undefined, opaqueId: string | undefined): string[] {
  const list = opaqueId === undefined ? [] : ['X-Opaque-Id', opaqueId];
  if (headers) for (const [name, value] of Object.entries(headers)) list.push(name, value);
  return list;
}

async function send<S>(
  options: HttpAppOptions<S>,
  message: IncomingMessage,
  response: ServerResponse,
  answer: RestResponse,
  style: Style,
  draining: boolean,
): Promise<void> {
  const { query, negotiated } = style;
  const format = 'text' in answer || 'empty' in answer ? 'text' : answerFormat(query.get('format'), negotiated);
  const filterText = query.get('filter_path');
  const pretty = query.get('pretty');
  const body = renderBody(answer, {
    format: format === 'text' ? 'json' : format,
    pretty: pretty !== undefined && pretty !== 'false',
    filter: filterText === undefined ? null : parseFilterPath(filterText),
  });
  const finished = {
    status: answer.status,
    headers: headerList(answer.headers, message.headers['x-opaque-id'] as string | undefined),
    contentType: contentTypeOf('text' in answer || 'empty' in answer ? 'text' : format === 'text' ? 'json' : format, negotiated),
    body,
    close: draining,
  };
  options.stats.answers[Math.floor(answer.status / 100)]!++;
  options.stats.bytesOut += await writeAnswer(response, finished, message.headers['accept-encoding'] as string | undefined, options.settings);
}
