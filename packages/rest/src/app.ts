import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TaskRegistry, InFlightBytes } from '@shoal/coordinator';
import { NO_HEADERS, withPosition } from '@shoal/coordinator';
import type { Clock, Log } from '@shoal/doors';
import { errors, toApiError } from '@shoal/errors';
import { type Admit, type Arrival, EVERYBODY, mayCall, type Subject } from '@shoal/security';
import { announcedLength, announcesBody } from './http/announced-body.js';
import { createArrivals } from './http/arrivals.js';
import { writeAnswer } from './http/answer-writer.js';
import { type AuditedRequest, auditRequest, type HttpAudit } from './http/audit-request.js';
import { decompress, readBody } from './http/body-reader.js';
import { type BodyTurns, createBodyTurns } from './http/body-turns.js';
import { type Cors, createCors } from './http/cors.js';
import { createDeprecationLog, type DeprecationLog } from './http/deprecation-log.js';
import { createErrorAnswer, type ErrorAnswer, plainError } from './format/error-answer.js';
import { parseFilterPath } from './format/filter-path.js';
import { type HttpLimits, type WorkKind, workKind } from './http/http-limits.js';
import { HttpRequest } from './http/http-request.js';
import type { HttpSettings } from './http/http-settings.js';
import { type HttpClient, noteRequest } from './http/http-clients.js';
import type { HttpStats } from './http/http-stats.js';
import {
  type AnswerFormat,
  type BodyFormat,
  type Negotiated,
  answerFormat,
  type Negotiator,
  contentTypeOf,
  createNegotiator,
  parseMediaType,
} from './format/media-types.js';
import { COMMON_PARAMETERS, RequestParameters, parseBoolean } from './routing/params.js';
import { decodePathSegment, parseQueryString } from './http/percent-decoding.js';
import { renderBody } from './format/render.js';
import type { Method, RestResponse, Route } from './routing/route.js';
import { countExchange, newPathStats, type PathStats } from './http/path-stats.js';
import { countAnswer, newRouteStats, type RouteStats } from './http/route-stats.js';
import { type Router, createRouter, splitPath } from './routing/router.js';
import { createSlowBodies, type SlowBodies } from './http/slow-bodies.js';
import { traceIdOf } from './http/trace-parent.js';

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
  /** Who makes a request; null while security is off. */
  readonly admit: Admit | null;
  /** What is told of requests that are admitted or refused; null while auditing is off. */
  readonly audit: HttpAudit | null;
  /** Refuses what is too much; null takes everything. */
  readonly limits: HttpLimits | null;
}

/** A request listener for `node:http`. */
export interface HttpApp {
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** From now on every answer closes its connection. Resolves when no request is being worked on. */
  drain(): Promise<void>;
}

const ALL_METHODS = new Set(['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS']);
const NO_QUERY: ReadonlyMap<string, string> = new Map();
const NOTHING_NEGOTIATED: Negotiated = { body: null, accept: null, compatibleWith7: false };

/** A request before routing. */
interface Incoming {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  /** As sent, with the query string. */
  readonly uri: string;
  readonly path: string;
  readonly query: ReadonlyMap<string, string>;
  readonly subject: Subject;
}

interface Style {
  negotiated: Negotiated;
  query: ReadonlyMap<string, string>;
  audited: AuditedRequest | null;
  /** Of the route; null before there is one. */
  counted: RouteCounters | null;
  readonly client: HttpClient;
  /** Of the body as it is handled. */
  bytesIn: number;
  /** From the headers to the answer. */
  tookMs: number;
}

type DeclaredParameters<S> = ReadonlyMap<Route<S>, ReadonlySet<string>>;

/** An app's options with what is made of them once. */
interface Machinery<S> extends HttpAppOptions<S> {
  readonly router: Router<S>;
  readonly declared: DeclaredParameters<S>;
  readonly counters: ReadonlyMap<Route<S>, RouteCounters>;
  readonly slowBodies: SlowBodies;
  readonly bodyTurns: BodyTurns;
  readonly negotiate: Negotiator;
  readonly cors: Cors | null;
  readonly deprecations: DeprecationLog;
  readonly arrivalOf: (message: IncomingMessage) => Arrival;
  readonly errorAnswer: ErrorAnswer;
  readonly state: { draining: boolean; idle: (() => void) | null };
}

function declaredParameters<S>(routes: readonly Route<S>[]): DeclaredParameters<S> {
  return new Map(
    routes
      .filter((route) => route.parameters)
      .map((route) => [route, new Set([...route.parameters!, ...COMMON_PARAMETERS])]),
  );
}

/** What is known of a route besides how to handle it. */
interface RouteCounters {
  readonly stats: RouteStats;
  readonly path: PathStats;
  readonly kind: WorkKind;
}

/** Routes of one call are counted together. */
function routeCounters<S>(
  routes: readonly Route<S>[],
  { routes: byName, paths }: HttpStats,
): ReadonlyMap<Route<S>, RouteCounters> {
  for (const { name, path } of routes) {
    if (!byName.has(name)) byName.set(name, newRouteStats());
    if (!paths.has(path)) paths.set(path, newPathStats());
  }
  return new Map(
    routes.map((route) => [
      route,
      { stats: byName.get(route.name)!, path: paths.get(route.path)!, kind: workKind(route) },
    ]),
  );
}

/** Everything between `node:http` and the handlers: routing, parameters, bodies, media types, errors. */
export function createHttpApp<S>(options: HttpAppOptions<S>): HttpApp {
  const app: Machinery<S> = {
    ...options,
    router: createRouter(options.routes),
    declared: declaredParameters(options.routes),
    counters: routeCounters(options.routes, options.stats),
    negotiate: createNegotiator(),
    cors: options.settings.cors === null ? null : createCors(options.settings.cors),
    deprecations: createDeprecationLog(options.log),
    arrivalOf: createArrivals(),
    errorAnswer: createErrorAnswer(),
    slowBodies: createSlowBodies(options.clock, options.settings.bodyRateMin),
    bodyTurns: createBodyTurns(options.clock),
    state: { draining: false, idle: null },
  };
  return {
    handle: (request, response) => void exchange(app, request, response),
    drain() {
      app.state.draining = true;
      if (app.stats.requestsCurrent === 0) return Promise.resolve();
      return new Promise((resolve) => {
        app.state.idle = resolve;
      });
    },
  };
}

/** One request and its answer; never rejects. */
async function exchange<S>(app: Machinery<S>, message: IncomingMessage, response: ServerResponse): Promise<void> {
  const { stats } = app;
  stats.requestsTotal++;
  stats.requestsCurrent++;
  const startedMs = app.clock.monotonic();
  const style: Style = {
    negotiated: NOTHING_NEGOTIATED,
    query: NO_QUERY,
    audited: null,
    counted: null,
    client: noteRequest(stats.clients, message, app.clock),
    bytesIn: 0,
    tookMs: 0,
  };
  try {
    const answering = answerOrError(app, message, response, style);
    // What is refused at once costs no turn of the promises: it may be thousands of requests a second.
    const answer = answering instanceof Promise ? await answering : answering;
    style.tookMs = app.clock.monotonic() - startedMs;
    if (answer) app.bodyTurns.discard(message);
    if (answer && style.counted) countAnswer(style.counted.stats, answer.status, style.tookMs);
    const sending = answer ? send(app, message, response, answer, style) : undefined;
    if (sending !== undefined) await sending;
  } catch (error) {
    app.log.write('error', 'failed to answer an HTTP request', {
      'error.message': toApiError(error).message,
      'error.stack_trace': toApiError(error).stack,
    });
    response.destroy();
  } finally {
    stats.requestsCurrent--;
    if (stats.requestsCurrent === 0) app.state.idle?.();
  }
}

function answerOrError<S>(
  app: Machinery<S>,
  message: IncomingMessage,
  response: ServerResponse,
  style: Style,
): Promise<RestResponse | null> | RestResponse | null {
  try {
    const answer = answerOf(app, message, response, style);
    return answer instanceof Promise ? answerOrErrorLater(app, message, style, answer) : answer;
  } catch (error) {
    return errorOf(app, message, style, error);
  }
}

async function answerOrErrorLater<S>(
  app: Machinery<S>,
  message: IncomingMessage,
  style: Style,
  answer: Promise<RestResponse | null>,
): Promise<RestResponse | null> {
  try {
    return await answer;
  } catch (error) {
    return errorOf(app, message, style, error);
  }
}

function errorOf<S>(app: Machinery<S>, message: IncomingMessage, style: Style, error: unknown): RestResponse {
  if (style.query === NO_QUERY) style.query = queryOrNone(message.url!);
  const trace = style.query.has('error_trace') && style.query.get('error_trace') !== 'false';
  return app.errorAnswer(error, { trace, detailed: app.settings.detailedErrors });
}

/** The query string of a request that was refused before it was read; none when it is malformed. */
function queryOrNone(uri: string): ReadonlyMap<string, string> {
  const mark = uri.indexOf('?');
  try {
    return mark === -1 ? NO_QUERY : parseQueryString(uri.slice(mark + 1));
  } catch {
    return NO_QUERY;
  }
}

function answerOf<S>(
  app: Machinery<S>,
  message: IncomingMessage,
  response: ServerResponse,
  style: Style,
): Promise<RestResponse | null> | RestResponse | null {
  const uri = message.url!;
  if (uri.length > app.settings.initialLineBytesMax)
    return plainError(414, `An HTTP line is larger than ${app.settings.initialLineBytesMax} bytes.`);
  const forbidden = app.cors?.intercept(message.method!, message.headers);
  if (forbidden) return forbidden;
  const subject =
    app.admit === null || message.method === 'OPTIONS'
      ? EVERYBODY
      : app.audit === null
        ? app.admit(app.arrivalOf(message))
        : admitAudited(app.admit, app.audit, app.arrivalOf(message), message, style);
  if (subject instanceof Promise)
    return subject.then((admitted) => dispatched(app, message, response, style, admitted));
  return dispatched(app, message, response, style, subject);
}

/** Admits a request and tells the audit trail how that went. */
async function admitAudited(
  admit: Admit,
  audit: HttpAudit,
  arrival: Arrival,
  message: IncomingMessage,
  style: Style,
): Promise<Subject> {
  const audited = auditRequest(audit, message);
  style.audited = audited;
  try {
    const subject = await admit(arrival);
    audited.audit.authenticated(subject.authentication);
    return audited.audit.watch(subject);
  } catch (error) {
    audited.audit.refused(error);
    throw error;
  }
}

function dispatched<S>(
  app: Machinery<S>,
  message: IncomingMessage,
  response: ServerResponse,
  style: Style,
  subject: Subject,
): Promise<RestResponse | null> | RestResponse | null {
  const uri = message.url!;
  const mark = uri.indexOf('?');
  const path = mark === -1 ? uri : uri.slice(0, mark);
  if (mark !== -1) style.query = parseQueryString(uri.slice(mark + 1));
  const segments = splitPath(path);
  for (let i = 0; i < segments.length; i++) segments[i] = decodePathSegment(segments[i]!, path);
  const match = app.router.match(message.method!, segments);
  if (match.kind !== 'found') return unrouted(app, message, segments, match);
  authorize(match.route, subject);
  const incoming = { message, response, uri, path, query: style.query, subject };
  return routed(app, match.route, match.values, incoming, style);
}

/** Refuses what is not granted at all; which indices an action may touch is decided where their names are resolved. */
function authorize<S>({ privilege, also = [] }: Route<S>, subject: Subject): void {
  if (subject.authentication === null) return;
  const refused = [privilege, ...also].find((action) => !mayCall(subject, action));
  if (refused !== undefined) throw subject.denied(refused);
}

function allowedMethods<S>(router: Router<S>, segments: readonly string[]): readonly Method[] {
  const match = router.match('OPTIONS', segments);
  return match.kind === 'method' ? match.allowed : [];
}

function unrouted<S>(
  { router, negotiate }: Machinery<S>,
  message: IncomingMessage,
  segments: readonly string[],
  match: { kind: string; allowed?: readonly Method[] },
): RestResponse {
  const method = message.method!;
  const uri = message.url!;
  if (method === 'OPTIONS') {
    const allowed = allowedMethods(router, segments);
    return { status: 200, text: '', ...(allowed.length > 0 ? { headers: { Allow: allowed.join(',') } } : {}) };
  }
  const allowed = match.allowed ?? [];
  if (match.kind === 'none') {
    if (negotiate(message.headers.accept, message.headers['content-type'], announcesBody(message)).compatibleWith7)
      throw errors.illegalArgument(
        `paths with types of version 7 are not supported: no handler found for uri [${uri}] and method [${method}]`,
      );
    if (ALL_METHODS.has(method))
      return { status: 400, json: { error: `no handler found for uri [${uri}] and method [${method}]` } };
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
  if (type === undefined) throw errors.refusedState('source and source_content_type parameters are required');
  const media = parseMediaType(type);
  if (!media || media.format === 'text')
    throw errors.refusedState('Unknown value for source_content_type [' + type + ']');
  return { bytes: Buffer.from(source), format: media.format };
}

/** The body, or the answer that refuses it. Null: the client has gone. */
async function receiveBody<S>(
  app: Machinery<S>,
  incoming: Incoming,
  negotiated: Negotiated,
  charge: (bytes: number) => void,
): Promise<Body | RestResponse | null> {
  const { message } = incoming;
  const bytesMax = app.settings.contentBytesMax;
  const raw = await readBody(message, { bytesMax, charge, slow: app.slowBodies, turns: app.bodyTurns });
  if (raw === 'aborted') return null;
  if (raw === 'too-large') return refusedBody(app, message, 413);
  if (raw === 'too-slow') return refusedBody(app, message, 408);
  app.stats.bytesIn += raw.length;
  if (raw.length === 0) return sourceParameter(incoming.query) ?? NO_BODY;
  const format = negotiated.body?.format;
  if (format === undefined || format === 'text') return notSupported(message.headers['content-type']);
  if (message.headers['content-encoding'] !== 'gzip') return { bytes: raw, format };
  const bytes = await decompress(raw, bytesMax, charge);
  if (bytes === null) return refusedBody(app, message, 413);
  return { bytes, format };
}

/** Refuses a body that was not read: the connection is of no more use, and is cut soon after the answer. */
function refusedBody<S>(app: Machinery<S>, message: IncomingMessage, status: 413 | 408): RestResponse {
  message.resume();
  app.clock.after(1000, () => void message.socket.destroy());
  return { status, empty: true, headers: { connection: 'close' } };
}

/** Bytes charged for one request, given back together. */
function chargeFor<S>(app: Machinery<S>): { add(bytes: number): void; release(): void } {
  const releases: (() => void)[] = [];
  return {
    add: (bytes) => void (bytes > 0 && releases.push(app.inFlight.charge(bytes, '<http_request>'))),
    release: () => releases.forEach((release) => release()),
  };
}

function routed<S>(
  app: Machinery<S>,
  route: Route<S>,
  values: Readonly<Record<string, string>>,
  incoming: Incoming,
  style: Style,
): Promise<RestResponse | null> | RestResponse {
  const { headers } = incoming.message;
  const hasBody = announcesBody(incoming.message);
  const counters = app.counters.get(route)!;
  style.counted = counters;
  const refusal = app.limits?.admit(
    counters.kind,
    () => callerName(incoming),
    hasBody ? announcedLength(incoming.message) : 0,
  );
  if (refusal) return errorOf(app, incoming.message, style, refusal);
  style.negotiated = app.negotiate(headers.accept, headers['content-type'], hasBody);
  if (!hasBody) return handled(app, route, values, incoming, sourceParameter(incoming.query) ?? NO_BODY, style);
  return received(app, route, values, incoming, style);
}

/** Whose budget a request is charged to. */
function callerName({ subject, message }: Incoming): string {
  return subject.authentication?.user.username ?? message.socket.remoteAddress ?? '';
}

/**
 * Receives the body; its bytes are charged as they arrive, and while the request is worked on. What is announced has to
 * fit from the beginning.
 */
async function received<S>(
  app: Machinery<S>,
  route: Route<S>,
  values: Readonly<Record<string, string>>,
  incoming: Incoming,
  style: Style,
): Promise<RestResponse | null> {
  const length = announcedLength(incoming.message);
  if (length > app.settings.contentBytesMax) return refusedBody(app, incoming.message, 413);
  if (length > 0) app.inFlight.charge(length, '<http_request>')();
  const charge = chargeFor(app);
  try {
    const chargeArriving = (bytes: number): void => {
      app.limits?.recheck(style.counted!.kind, length);
      charge.add(bytes);
    };
    const body = await receiveBody(app, incoming, style.negotiated, chargeArriving);
    if (body === null || !('format' in body)) return body;
    return await handled(app, route, values, incoming, body, style);
  } finally {
    charge.release();
  }
}

function checkBody<S>(route: Route<S>, incoming: Incoming, body: Body): void {
  if (route.body === 'none' && body.bytes.length > 0) {
    throw errors.illegalArgument(
      `request [${incoming.message.method} ${incoming.path}] does not support having a body`,
    );
  }
  if (route.body === 'required' && body.bytes.length === 0) throw errors.parse('request body is required');
}

async function handled<S>(
  app: Machinery<S>,
  route: Route<S>,
  values: Readonly<Record<string, string>>,
  incoming: Incoming,
  body: Body,
  style: Style,
): Promise<RestResponse> {
  style.bytesIn = body.bytes.length;
  const declared = app.declared.get(route);
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
    subject: incoming.subject,
    privilege: route.privilege,
  });
  const task = app.tasks.start({
    action: route.privilege,
    description: `${incoming.message.method} ${incoming.uri}`,
    headers: callerHeaders(request),
    cancel: (reason) => request.cancel(reason),
  });
  request.taskId = task.globalId;
  let status = 500;
  if (style.audited) style.audited.body = body.bytes;
  try {
    const turn = app.limits?.begin(style.counted!.kind, () => !request.signal.aborted);
    if (turn) await begun(turn, request, app.clock);
    const answer = await route.handle(request, app.services);
    ({ status } = answer);
    if (!declared) params.checkAsked(incoming.path);
    return answer;
  } catch (error) {
    if (toApiError(error).isTampered) style.audited?.audit.tampered();
    style.audited?.audit.failed(error);
    throw request.hasBody ? withPosition(toApiError(error), request.rawBody, request.parsedBody) : error;
  } finally {
    task.end();
    style.audited?.audit.answered({ call: route.name, status, path: values, body: () => request.json() });
  }
}

/** Waits for a request's turn, if it is still wanted then. */
async function begun(turn: Promise<void>, request: HttpRequest, clock: Clock): Promise<void> {
  const sinceMs = clock.monotonic();
  await turn;
  request.waitedMs = clock.monotonic() - sinceMs;
  request.signal.throwIfAborted();
}

/** What tells a client's requests apart, as tasks show it. */
function callerHeaders({ opaqueId, traceId }: HttpRequest): Readonly<Record<string, string>> {
  if (opaqueId === null && traceId === null) return NO_HEADERS;
  return {
    ...(opaqueId === null ? {} : { 'X-Opaque-Id': opaqueId }),
    ...(traceId === null ? {} : { 'trace.id': traceId }),
  };
}

function headerList(headers: RestResponse['headers'], opaqueId: string | undefined): string[] {
  const list = opaqueId === undefined ? [] : ['X-Opaque-Id', opaqueId];
  if (headers)
    for (const [name, value] of Object.entries(headers))
      for (const one of typeof value === 'string' ? [value] : value) list.push(name, one);
  return list;
}

function send<S>(
  app: Machinery<S>,
  message: IncomingMessage,
  response: ServerResponse,
  answer: RestResponse,
  style: Style,
): Promise<void> | void {
  const { query, negotiated } = style;
  const isText = 'text' in answer || 'empty' in answer;
  const format = isText ? 'text' : jsonLike(answerFormat(query.get('format'), negotiated));
  const filterText = query.get('filter_path');
  const pretty = query.get('pretty');
  const body = renderBody(answer, {
    format,
    pretty: pretty !== undefined && pretty !== 'false',
    filter: filterText === undefined ? null : parseFilterPath(filterText),
  });
  const finished = {
    status: answer.status,
    headers: headerList(
      app.cors ? { ...app.cors.headers(message.headers), ...answer.headers } : answer.headers,
      message.headers['x-opaque-id'] as string | undefined,
    ),
    contentType: contentTypeOf(format, negotiated),
    body,
    close: app.state.draining,
  };
  const warning = answer.headers?.['Warning'];
  if (typeof warning === 'string') app.deprecations.write(warning, callerOf(message));
  app.stats.answers[Math.floor(answer.status / 100)]!++;
  const written = writeAnswer(
    response,
    finished,
    message.headers['accept-encoding'] as string | undefined,
    app.settings,
  );
  if (typeof written === 'number') return sent(app, response, style, written);
  return written.then((bytes) => sent(app, response, style, bytes));
}

/** Less than this may wait in a socket without being looked at. */
const UNSENT_BYTES = 64 * 1024;

/** Counts an answer; what the client has not taken of it yet counts as in flight until it has. */
function sent<S>(
  { stats, inFlight }: Machinery<S>,
  response: ServerResponse,
  { counted, client, bytesIn, tookMs }: Style,
  bytesOut: number,
): void {
  if (response.writableLength > UNSENT_BYTES) response.once('close', inFlight.hold(response.writableLength));
  stats.bytesOut += bytesOut;
  client.bytesIn += bytesIn;
  if (counted) countExchange(counted.path, bytesIn, bytesOut, tookMs);
}

function callerOf({ headers }: IncomingMessage): { opaqueId: string | null; traceId: string | null } {
  const traceparent = headers['traceparent'];
  return {
    opaqueId: (headers['x-opaque-id'] as string | undefined) ?? null,
    traceId: typeof traceparent === 'string' ? traceIdOf(traceparent) : null,
  };
}

/** Values cannot be shown as text: they stay JSON. */
function jsonLike(format: AnswerFormat): AnswerFormat {
  return format === 'text' ? 'json' : format;
}
