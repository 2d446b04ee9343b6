import type { CorsSettings } from './cors.js';

/** Settings of the HTTP server, in the units of their names. */
export interface HttpSettings {
  /** `http.max_content_length`. */
  readonly contentBytesMax: number;
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
  /** Milliseconds that a client may take for its headers. */
  readonly headersTimeoutMs: number;
  /** Milliseconds that a client may take for a whole request. */
  readonly requestTimeoutMs: number;
  /** Bytes a second that a body has to bring; 0 takes any. */
  readonly bodyRateMin: number;
  /** Connections at once. */
  readonly connectionsMax: number;
  /** `http.pipelining.max_events`: requests without an answer that a connection may have. */
  readonly pipelinedMax: number;
  /** Milliseconds that an idle connection is kept. */
  readonly keepAliveMs: number;
  /** Null unless `http.cors.enabled`. */
  readonly cors: CorsSettings | null;
}

/** Elasticsearch's defaults; time limits for slow clients are ours. */
export const DEFAULT_HTTP_SETTINGS: HttpSettings = {
  contentBytesMax: 100 * 1024 * 1024,
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
};
