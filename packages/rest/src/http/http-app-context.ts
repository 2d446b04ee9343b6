import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TaskRegistry, InFlightBytes } from '@shoal/coordinator';
import type { Clock, Log } from '@shoal/doors';
import type { Admit, Arrival, Subject } from '@shoal/security';
import type { AuditedRequest, HttpAudit } from './audit-request.js';
import type { BodyTurns } from './body-turns.js';
import type { HostCheck } from './allowed-hosts.js';
import type { Cors } from './cors.js';
import type { DeprecationLog } from './deprecation-log.js';
import type { ErrorAnswer } from '../format/error-answer.js';
import { type HttpLimits, type WorkKind, workKind } from './http-limits.js';
import type { HttpSettings } from './http-settings.js';
import type { HttpClient } from './http-clients.js';
import type { HttpStats } from './http-stats.js';
import type { FilterPath } from '../format/filter-path.js';
import type { Negotiated, Negotiator } from '../format/media-types.js';
import { COMMON_PARAMETERS } from '../routing/params.js';
import type { Route } from '../routing/route.js';
import { newPathStats, type PathStats } from './path-stats.js';
import { newRouteStats, type RouteStats } from './route-stats.js';
import type { Router } from '../routing/router.js';
import type { SlowBodies } from './slow-bodies.js';

/** Options of an HTTP application. */
export interface HttpAppOptions<S> {
  readonly routes: readonly Route<S>[];
  readonly services: S;
  readonly settings: HttpSettings;
  readonly stats: HttpStats;
  readonly tasks: TaskRegistry;
  /** Bytes of a body are charged here from their arrival to the answer. */
  readonly inFlight: InFlightBytes;
  readonly clock: Clock;
  readonly log: Log;
  /** Authenticates the caller of a request; null while security is off. */
  readonly admit: Admit | null;
  /** Audit trail; null while auditing is off. */
  readonly audit: HttpAudit | null;
  /** Refuses requests under overload; null: no limits. */
  readonly limits: HttpLimits | null;
}

/** Query parameters of a request without any. */
export const NO_QUERY: ReadonlyMap<string, string> = new Map();

/** An authenticated request, before it is routed. */
export interface AdmittedRequest {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  /** As sent, including the query string. */
  readonly uri: string;
  readonly path: string;
  readonly query: ReadonlyMap<string, string>;
  readonly subject: Subject;
}

/** State of one request while it is answered: what later steps, counters and the audit trail need. */
export interface Exchange {
  negotiated: Negotiated;
  query: ReadonlyMap<string, string>;
  /**
   * `filter_path` of a caller that is admitted; null for none, and for errors.
   */
  filter: FilterPath | null;
  audited: AuditedRequest | null;
  /** Counters of the route; null until the request is routed. */
  counted: RouteCounters | null;
  readonly client: HttpClient;
  /** Length of the decompressed body in bytes. */
  bytesIn: number;
  /** Time from the headers to the answer, in milliseconds. */
  tookMs: number;
}

/** Counters of a route, and its kind of work. */
interface RouteCounters {
  readonly stats: RouteStats;
  readonly path: PathStats;
  readonly kind: WorkKind;
}

type DeclaredParameters<S> = ReadonlyMap<Route<S>, ReadonlySet<string>>;

/** The options of an HTTP application, with the parts that are created from them once. */
export interface HttpAppContext<S> extends HttpAppOptions<S> {
  readonly router: Router<S>;
  readonly declared: DeclaredParameters<S>;
  readonly counters: ReadonlyMap<Route<S>, RouteCounters>;
  readonly slowBodies: SlowBodies;
  readonly bodyTurns: BodyTurns;
  readonly negotiate: Negotiator;
  readonly cors: Cors | null;
  /** Null: requests for any host are answered. */
  readonly answersHost: HostCheck | null;
  readonly deprecations: DeprecationLog;
  readonly arrivalOf: (message: IncomingMessage) => Arrival;
  readonly errorAnswer: ErrorAnswer;
  readonly state: { draining: boolean; idle: (() => void) | null };
}

/**
 * Parameter names of the routes that declare them. Other routes are checked for parameters that their handler did not
 * read.
 */
export function declaredParameters<S>(routes: readonly Route<S>[]): DeclaredParameters<S> {
  return new Map(
    routes
      .filter((route) => route.parameters)
      .map((route) => [route, new Set([...route.parameters!, ...COMMON_PARAMETERS])]),
  );
}

/** Counters of each route; routes of the same call share statistics. */
export function routeCounters<S>(
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
