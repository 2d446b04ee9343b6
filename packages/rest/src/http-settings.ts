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
  headersTimeoutMs: 60_000,
  requestTimeoutMs: 600_000,
  keepAliveMs: 120_000,
  cors: null,
};
