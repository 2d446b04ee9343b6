import { parseFilterPath } from '../format/filter-path.js';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errors } from '@shoal/errors';
import { mayCall, type Subject } from '@shoal/security';
import { announcedLength, announcesBody } from '../http/announced-body.js';
import { refuseForeignChange } from '../http/foreign-origin.js';
import { plainError } from '../format/error-answer.js';
import { decodePathSegment, parseQueryString } from '../http/percent-decoding.js';
import type { Method, RestResponse, Route } from './route.js';
import { absentFeature } from './absent-features.js';
import { type Router, splitPath } from './router.js';
import type { AdmittedRequest, Exchange, HttpAppContext } from '../http/http-app-context.js';
import { answerToError } from '../http/answer-error.js';
import { NO_BODY, chargeFor, receiveBody, tooLargeBody, sourceParameter } from '../http/receive-body.js';
import { runRoute } from './run-route.js';

const ALL_METHODS = new Set(['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS']);

/** Routes a request of `subject` and answers it. Throws if the request is malformed or not permitted. */
export function dispatch<S>(
  app: HttpAppContext<S>,
  message: IncomingMessage,
  response: ServerResponse,
  exchange: Exchange,
  subject: Subject,
): Promise<RestResponse | null> | RestResponse | null {
  const uri = message.url!;
  const mark = uri.indexOf('?');
  const path = mark === -1 ? uri : uri.slice(0, mark);
  if (mark !== -1) exchange.query = parseQueryString(uri.slice(mark + 1));
  // Before anything is done: a request whose filter is refused must not have written.
  const filter = exchange.query.get('filter_path');
  if (filter !== undefined) exchange.filter = parseFilterPath(filter);
  if (asksForSmile(message, exchange)) return plainError(406, SMILE_REFUSED);
  const segments = splitPath(path);
  for (let i = 0; i < segments.length; i++) segments[i] = decodePathSegment(segments[i]!, path);
  const match = app.router.match(message.method!, segments);
  if (match.kind !== 'found' || isTakenForName(match.route, segments)) refuseAbsent(message, segments);
  if (match.kind !== 'found') return answerUnrouted(app, message, segments, match);
  if (app.cors === null) refuseForeignChange(match.route, message.headers);
  authorize(match.route, subject);
  const incoming = { message, response, uri, path, query: exchange.query, subject };
  return answerRoute(app, match.route, match.values, incoming, exchange);
}

const SMILE_REFUSED = 'answers in SMILE are not supported: json, yaml and cbor are';

/** Whether the client asks for an answer in SMILE, which it could not read if it were JSON. */
function asksForSmile({ headers }: IncomingMessage, { query }: Exchange): boolean {
  return query.get('format') === 'smile' || (query.get('format') === undefined && isSmile(headers.accept));
}

const isSmile = (accept: string | undefined): boolean =>
  accept !== undefined && /^application\/(vnd\.elasticsearch\+)?smile\b/i.test(accept);

/** Whether a route takes a part of the path that begins with `_` for the name of an index or of a type. */
function isTakenForName<S>({ path }: Route<S>, segments: readonly string[]): boolean {
  if (!path.startsWith('/{')) return false;
  return segments[0]!.startsWith('_') || (path.startsWith('/{index}/{') && segments[1]!.startsWith('_'));
}

function refuseAbsent(message: IncomingMessage, segments: readonly string[]): void {
  if (message.method === 'OPTIONS') return;
  const absent = absentFeature(message.method!, message.url!, segments);
  if (absent !== null) throw absent;
}

/**
 * Refuses an action that the caller may do on no index at all. Which indices it may use is checked when their names are
 * resolved.
 */
function authorize<S>({ privilege, also = [] }: Route<S>, subject: Subject): void {
  if (subject.authentication === null) return;
  const refused = [privilege, ...also].find((action) => !mayCall(subject, action));
  if (refused !== undefined) throw subject.denied(refused);
}

function answerUnrouted<S>(
  { router, negotiate }: HttpAppContext<S>,
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

function allowedMethods<S>(router: Router<S>, segments: readonly string[]): readonly Method[] {
  const match = router.match('OPTIONS', segments);
  return match.kind === 'method' ? match.allowed : [];
}

function answerRoute<S>(
  app: HttpAppContext<S>,
  route: Route<S>,
  values: Readonly<Record<string, string>>,
  incoming: AdmittedRequest,
  exchange: Exchange,
): Promise<RestResponse | null> | RestResponse {
  const { headers } = incoming.message;
  const hasBody = announcesBody(incoming.message);
  const counters = app.counters.get(route)!;
  exchange.counted = counters;
  const refusal = app.limits?.admit(
    counters.kind,
    () => callerName(incoming),
    hasBody ? announcedLength(incoming.message) : 0,
  );
  if (refusal) return answerToError(app, incoming.message, exchange, refusal);
  exchange.negotiated = app.negotiate(headers.accept, headers['content-type'], hasBody);
  if (!hasBody) return runRoute(app, route, values, incoming, sourceParameter(route, incoming) ?? NO_BODY, exchange);
  return receiveAndRun(app, route, values, incoming, exchange);
}

/** User or address to whose budget the request is charged. */
function callerName({ subject, message }: AdmittedRequest): string {
  return subject.authentication?.user.username ?? message.socket.remoteAddress ?? '';
}

/**
 * Receives the body and answers the request. Bytes of the body are charged from their arrival to the answer. If the
 * announced length exceeds a limit, the request is refused before the body is read.
 */
async function receiveAndRun<S>(
  app: HttpAppContext<S>,
  route: Route<S>,
  values: Readonly<Record<string, string>>,
  incoming: AdmittedRequest,
  exchange: Exchange,
): Promise<RestResponse | null> {
  const length = announcedLength(incoming.message);
  const { contentBytesMax, bodyBytesMax } = app.settings;
  const shortMax = Math.min(bodyBytesMax, contentBytesMax, route.bodyBytesMax ?? bodyBytesMax);
  const bytesMax = route.largeBody === undefined ? shortMax : contentBytesMax;
  if (length > bytesMax) return tooLargeBody(app, incoming.message, bytesMax);
  if (length > 0) app.inFlight.charge(length, '<http_request>')();
  const charge = chargeFor(app);
  try {
    const chargeArriving = (bytes: number): void => {
      app.limits?.recheck(exchange.counted!.kind, length);
      charge.add(bytes);
    };
    const room = { bytesMax, charge: chargeArriving };
    const body = await receiveBody(app, route, incoming, exchange.negotiated, room);
    if (body === null || !('format' in body)) return body;
    return await runRoute(app, route, values, incoming, body, exchange, charge.add);
  } finally {
    charge.release();
  }
}
