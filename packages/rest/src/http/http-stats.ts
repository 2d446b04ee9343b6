import { type HttpClients, newHttpClients } from './http-clients.js';
import type { PathStats } from './path-stats.js';
import type { RouteStats } from './route-stats.js';

/** Counters of the HTTP server. */
export interface HttpStats {
  connectionsOpen: number;
  connectionsTotal: number;
  requestsTotal: number;
  requestsCurrent: number;
  /** Number of answers by status class: `[0, 1xx, 2xx, 3xx, 4xx, 5xx]`. */
  readonly answers: number[];
  bytesIn: number;
  bytesOut: number;
  /** Connections that were closed on arrival, because there were too many. */
  connectionsRefused: number;
  /** By name of the call. */
  readonly routes: Map<string, RouteStats>;
  /** By path of the route, `/{index}/_search`. */
  readonly paths: Map<string, PathStats>;
  readonly clients: HttpClients;
}

/** Creates counters at zero. */
export function createHttpStats(): HttpStats {
  return {
    connectionsOpen: 0,
    connectionsTotal: 0,
    requestsTotal: 0,
    requestsCurrent: 0,
    answers: [0, 0, 0, 0, 0, 0],
    bytesIn: 0,
    bytesOut: 0,
    connectionsRefused: 0,
    routes: new Map(),
    paths: new Map(),
    clients: newHttpClients(),
  };
}
