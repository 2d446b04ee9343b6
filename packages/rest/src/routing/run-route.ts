import { decodePathSegment } from '../http/percent-decoding.js';
import { NO_HEADERS, withPosition } from '@shoal/coordinator';
import type { Clock } from '@shoal/doors';
import { errors, toApiError } from '@shoal/errors';
import { HttpRequest } from '../http/http-request.js';
import { kindOfRequest } from '../http/http-limits.js';
import { RequestParameters, parseBoolean } from './params.js';
import type { Method, RestResponse, Route } from './route.js';
import type { AdmittedRequest, Exchange, HttpAppContext } from '../http/http-app-context.js';
import type { Body } from '../http/receive-body.js';

/** Runs the handler of a route as a task that can be cancelled. The body must have arrived. Throws API errors. */
export async function runRoute<S>(
  app: HttpAppContext<S>,
  route: Route<S>,
  values: Readonly<Record<string, string>>,
  incoming: AdmittedRequest,
  body: Body,
  exchange: Exchange,
  charge: (bytes: number) => void = () => undefined,
): Promise<RestResponse> {
  exchange.bytesIn = body.bytes.length;
  const declared = app.declared.get(route);
  const params = new RequestParameters(incoming.query, values);
  if (incoming.query.size > 0) checkCommon(incoming.query);
  const refusal = declared
    ? params.undeclared(decodePathSegment(incoming.path, incoming.path), declared, route.unhinted)
    : null;
  if (refusal && !route.checkBody) throw refusal;
  if (declared) checkTimeouts(params, declared);
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
    negotiated: exchange.negotiated,
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
  if (exchange.audited) exchange.audited.body = body.bytes;
  try {
    const turn = app.limits?.begin(kindOfRequest(exchange.counted!.kind, body), () => !request.signal.aborted);
    if (turn) await awaitTurn(turn, request, app.clock);
    if (route.largeBody !== 'raw' && request.isLarge)
      await request.parseInTurns({ turn: () => app.clock.yield(), charge });
    if (refusal) {
      await route.checkBody?.(request, app.services);
      throw refusal;
    }
    exchange.audited?.audit.begins(route.name);
    const answer = await route.handle(request, app.services);
    ({ status } = answer);
    if (!declared) params.checkAsked(decodePathSegment(incoming.path, incoming.path));
    return answer;
  } catch (error) {
    if (toApiError(error).isTampered) exchange.audited?.audit.tampered();
    exchange.audited?.audit.failed(error);
    throw request.hasBody ? withPosition(toApiError(error), request.rawBody, request.parsedBody) : error;
  } finally {
    task.end();
    exchange.audited?.audit.answered({ call: route.name, status, path: values, body: () => request.json() });
  }
}

/** Throws for invalid values of the common parameters. */
function checkCommon(query: ReadonlyMap<string, string>): void {
  for (const name of ['pretty', 'human', 'error_trace']) {
    const text = query.get(name);
    if (text !== undefined) parseBoolean(text);
  }
}

/** Throws for invalid timeouts of calls to the master before their names are resolved, as 8.12 does. */
function checkTimeouts(params: RequestParameters, declared: ReadonlySet<string>): void {
  if (!declared.has('master_timeout')) return;
  for (const name of ['master_timeout', 'timeout']) if (declared.has(name)) params.time(name, 0);
}

function checkBody<S>(route: Route<S>, incoming: AdmittedRequest, body: Body): void {
  if (route.body === 'none' && body.bytes.length > 0) {
    throw errors.illegalArgument(
      `request [${incoming.message.method} ${incoming.path}] does not support having a body`,
    );
  }
  if (route.body === 'required' && body.bytes.length === 0) throw errors.parse('request body is required');
}

/** Waits for the turn of a request. Throws if the client has closed the connection meanwhile. */
async function awaitTurn(turn: Promise<void>, request: HttpRequest, clock: Clock): Promise<void> {
  const sinceMs = clock.monotonic();
  await turn;
  request.waitedMs = clock.monotonic() - sinceMs;
  request.signal.throwIfAborted();
}

/** Headers of the client that tasks contain (`X-Opaque-Id`, trace id). */
function callerHeaders({ opaqueId, traceId }: HttpRequest): Readonly<Record<string, string>> {
  if (opaqueId === null && traceId === null) return NO_HEADERS;
  return {
    ...(opaqueId === null ? {} : { 'X-Opaque-Id': opaqueId }),
    ...(traceId === null ? {} : { 'trace.id': traceId }),
  };
}
