import type { CorsSettings } from './cors.js';

/** Settings of the HTTP server, in the units of their names. */
export interface HttpSettings {
  /** `http.max_content_length`. */
  readonly contentBytesMax: number;
  /** `shoal.http.max_body_length`, for bodies of routes without `largeBody`. */
  readonly bodyBytesMax: number;
  /** `http.max_header_size`. */
  readonly headerBytesMax: number;
  /** `http.max_initial_line_length`. */
  readonly initialLineBytesMax: number;
  /** `http.compression`. */
  readonly compression: boolean;
  /** `http.compression_level`. */
  readonly compressionLevel: number;
  /** `http.detailed_errors.enabled`. */
  readonly detailedErrors: boolean;
  /** Time limit for the headers of a request. */
  readonly headersTimeoutMs: number;
  /** Time limit for a whole request. */
  readonly requestTimeoutMs: number;
  /** Least rate of a body in bytes a second; 0: no limit. */
  readonly bodyRateMin: number;
  /** Most connections at a time. */
  readonly connectionsMax: number;
  /** `http.pipelining.max_events`: most unanswered requests of a connection. */
  readonly pipelinedMax: number;
  /** Time after which an idle connection is closed. */
  readonly keepAliveMs: number;
  /** Null if `http.cors.enabled` is false. */
  readonly cors: CorsSettings | null;
  /**
   * `shoal.http.allowed_hosts` and the node's own names, see `createHostCheck`; null: requests for any host are
   * answered, because callers show who they are.
   */
  readonly allowedHosts: readonly string[] | null;
}

/** Elasticsearch's defaults; the limits for slow clients are our own. */
export const DEFAULT_HTTP_SETTINGS: HttpSettings = {
  contentBytesMax: 100 * 1024 * 1024,
  bodyBytesMax: 10 * 1024 * 1024,
  headerBytesMax: 16 * 1024,
  initialLineBytesMax: 4096,
  compression: true,
  compressionLevel: 3,
  detailedErrors: true,
  headersTimeoutMs: 20_000,
  requestTimeoutMs: 600_000,
  bodyRateMin: 1024,
  connectionsMax: 10_000,
  pipelinedMax: 10_000,
  keepAliveMs: 120_000,
  cors: null,
  allowedHosts: null,
};
