import type { IncomingMessage, ServerResponse } from 'node:http';
import { toApiError } from '@shoal/errors';
import { type Admit, type Arrival, EVERYBODY, type Subject } from '@shoal/security';
import { createArrivals } from './http/arrivals.js';
import { auditRequest, type HttpAudit } from './http/audit-request.js';
import { createBodyTurns } from './http/body-turns.js';
import { createCors } from './http/cors.js';
import { createHostCheck } from './http/allowed-hosts.js';
import { createDeprecationLog } from './http/deprecation-log.js';
import { createErrorAnswer, plainError } from './format/error-answer.js';
import { countRequest } from './http/http-clients.js';
import { type Negotiated, createNegotiator } from './format/media-types.js';
import type { RestResponse } from './routing/route.js';
import { countAnswer } from './http/route-stats.js';
import { createRouter } from './routing/router.js';
import { createSlowBodies } from './http/slow-bodies.js';
import {
  type HttpAppOptions,
  NO_QUERY,
  type Exchange,
  type HttpAppContext,
  declaredParameters,
  routeCounters,
} from './http/http-app-context.js';
import { answerToError } from './http/answer-error.js';
import { sendAnswer } from './http/send-answer.js';
import { dispatch } from './routing/dispatch.js';

/** Request listener of a `node:http` server. */
export interface HttpApp {
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** From now on each answer closes its connection. Resolves when no request is in progress. */
  drain(): Promise<void>;
}

const NOTHING_NEGOTIATED: Negotiated = { body: null, accept: null, compatibleWith7: false };

/**
 * Creates the HTTP application between `node:http` and the handlers: routing, parameters, bodies, media types, errors.
 */
export function createHttpApp<S>(options: HttpAppOptions<S>): HttpApp {
  const app: HttpAppContext<S> = {
    ...options,
    router: createRouter(options.routes),
    declared: declaredParameters(options.routes),
    counters: routeCounters(options.routes, options.stats),
    negotiate: createNegotiator(),
    cors: options.settings.cors === null ? null : createCors(options.settings.cors),
    answersHost: options.settings.allowedHosts === null ? null : createHostCheck(options.settings.allowedHosts),
    deprecations: createDeprecationLog(options.log),
    arrivalOf: createArrivals(),
    errorAnswer: createErrorAnswer(),
    slowBodies: createSlowBodies(options.clock, options.settings.bodyRateMin),
    bodyTurns: createBodyTurns(options.clock),
    state: { draining: false, idle: null },
  };
  return {
    handle: (request, response) => void serve(app, request, response),
    drain() {
      app.state.draining = true;
      if (app.stats.requestsCurrent === 0) return Promise.resolve();
      return new Promise((resolve) => {
        app.state.idle = resolve;
      });
    },
  };
}

/** Answers one request; never rejects. */
async function serve<S>(app: HttpAppContext<S>, message: IncomingMessage, response: ServerResponse): Promise<void> {
  const { stats } = app;
  stats.requestsTotal++;
  stats.requestsCurrent++;
  const startedMs = app.clock.monotonic();
  const exchange: Exchange = {
    negotiated: NOTHING_NEGOTIATED,
    query: NO_QUERY,
    filter: null,
    audited: null,
    counted: null,
    client: countRequest(stats.clients, message, app.clock),
    bytesIn: 0,
    tookMs: 0,
  };
  try {
    const answering = answerOrError(app, message, response, exchange);
    // An answer that exists at once is not awaited: under overload thousands of requests a second are refused here.
    const answer = answering instanceof Promise ? await answering : answering;
    exchange.tookMs = app.clock.monotonic() - startedMs;
    if (answer) app.bodyTurns.discard(message);
    if (answer && exchange.counted) countAnswer(exchange.counted.stats, answer.status, exchange.tookMs);
    const sending = answer ? sendAnswer(app, message, response, answer, exchange) : undefined;
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
  app: HttpAppContext<S>,
  message: IncomingMessage,
  response: ServerResponse,
  exchange: Exchange,
): Promise<RestResponse | null> | RestResponse | null {
  try {
    const answer = answerOf(app, message, response, exchange);
    return answer instanceof Promise ? answerOrErrorLater(app, message, exchange, answer) : answer;
  } catch (error) {
    return answerToError(app, message, exchange, error);
  }
}

async function answerOrErrorLater<S>(
  app: HttpAppContext<S>,
  message: IncomingMessage,
  exchange: Exchange,
  answer: Promise<RestResponse | null>,
): Promise<RestResponse | null> {
  try {
    return await answer;
  } catch (error) {
    return answerToError(app, message, exchange, error);
  }
}

function answerOf<S>(
  app: HttpAppContext<S>,
  message: IncomingMessage,
  response: ServerResponse,
  exchange: Exchange,
): Promise<RestResponse | null> | RestResponse | null {
  const uri = message.url!;
  if (uri.length > app.settings.initialLineBytesMax)
    return plainError(414, `An HTTP line is larger than ${app.settings.initialLineBytesMax} bytes.`);
  const { host } = message.headers;
  if (app.answersHost !== null && !app.answersHost(host))
    return plainError(403, `The host [${host}] is not one of this node; shoal.http.allowed_hosts names further ones.`);
  const forbidden = app.cors?.intercept(message.method!, message.headers);
  if (forbidden) return forbidden;
  const subject =
    app.admit === null || message.method === 'OPTIONS'
      ? EVERYBODY
      : app.audit === null
        ? app.admit(app.arrivalOf(message))
        : admitAudited(app.admit, app.audit, app.arrivalOf(message), message, exchange);
  if (subject instanceof Promise)
    return subject.then((admitted) => dispatch(app, message, response, exchange, admitted));
  return dispatch(app, message, response, exchange, subject);
}

/** Authenticates a request and records the result in the audit trail. */
async function admitAudited(
  admit: Admit,
  audit: HttpAudit,
  arrival: Arrival,
  message: IncomingMessage,
  exchange: Exchange,
): Promise<Subject> {
  const audited = auditRequest(audit, message);
  exchange.audited = audited;
  try {
    const subject = await admit(arrival);
    audited.audit.authenticated(subject.authentication);
    return audited.audit.watch(subject);
  } catch (error) {
    audited.audit.refused(error);
    throw error;
  }
}
