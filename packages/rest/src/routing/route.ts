import type { IndexAccess } from '@shoal/state';
import type { Subject } from '@shoal/security';

/** HTTP method of a route. Unless declared, HEAD is served by the GET route, and OPTIONS by the router. */
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD';

/** A routed request; parameters are unparsed text. */
export interface RestRequest {
  readonly method: Method;
  /** Path as sent, without the query string. */
  readonly path: string;
  /** Values of `{name}` segments, percent-decoded. */
  readonly pathParams: Readonly<Record<string, string>>;
  /** Typed access to query and path parameters. Parameters that a handler does not read are refused as unrecognized. */
  readonly params: Params;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Decompressed bytes; empty if there is no body. `?source=` counts as a body. */
  readonly rawBody: Uint8Array;
  readonly hasBody: boolean;
  /**
   * The body as JSON values, from any media type; `undefined` if empty. Throws parse errors. Integers beyond 2^53 are
   * bigint.
   */
  json(): unknown;
  /** What `json` returns if the body was parsed before the handler was called, as large ones are. */
  readonly parsedBody: unknown;
  /** The body as JSON bytes, converted from other media types. */
  jsonBody(): Uint8Array;
  /** Whether the URI has a query string. */
  readonly hasQuery: boolean;
  /** Whether the client asks for version 7 (`compatible-with=7`), whose answers contain `_type`. */
  readonly compatibleWith7: boolean;
  /** Aborts if the client closes the connection or the task is cancelled. */
  readonly signal: AbortSignal;
  readonly opaqueId: string | null;
  /** Id of the request's task, `node:id`. */
  readonly taskId: string;
  /** How long the request has waited for its turn, in milliseconds. */
  readonly waitedMs: number;
  /** The caller. */
  readonly subject: Subject;
  /** Names that the caller may use for the action of the route. */
  readonly access: IndexAccess;
}

/** Parameters of a request. Each getter marks its name as read; errors have Elasticsearch's texts. */
export interface Params {
  has(name: string): boolean;
  text(name: string): string | null;
  text(name: string, fallback: string): string;
  boolean(name: string, fallback: boolean): boolean;
  optionalBoolean(name: string): boolean | null;
  integer(name: string, fallback: number): number;
  /** A 64-bit integer; null if absent. */
  long(name: string): number | null;
  /** A duration in milliseconds. */
  time(name: string, fallbackMs: number): number;
  /** A comma-separated list; null if absent. */
  list(name: string): readonly string[] | null;
  /** Marks names as read. */
  accept(...names: readonly string[]): void;
}

/**
 * An answer. `json` is rendered in the requested media type; `bytes` is rendered JSON; `text` is text/plain (`_cat`).
 */
export type RestResponse = {
  readonly status: number;
  /** A list becomes several headers of the same name. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
} & (
  | { readonly json: unknown }
  | { readonly bytes: Uint8Array | readonly Uint8Array[] }
  | { readonly text: string }
  | { readonly empty: true }
);

/** A route of the HTTP API with its handler. */
export interface Route<Services> {
  readonly methods: readonly Method[];
  /** `/{index}/_doc/{id}`. */
  readonly path: string;
  /** Name of the call in Elasticsearch's specification (`indices.create`), for metrics, tasks and docs/api.md. */
  readonly name: string;
  /** Whether a body is refused (`does not support having a body`), optional or required. */
  readonly body: 'none' | 'optional' | 'required';
  /**
   * Bodies are as long as `http.max_content_length` allows; without it, as `shoal.http.max_body_length`. `raw`:
   * documents and lines, which the handler reads as bytes; `parsed`: a JSON value.
   */
  readonly largeBody?: 'raw' | 'parsed';
  /** Length of bodies of this call in bytes at most, where less than for others. */
  readonly bodyBytesMax?: number;
  /**
   * Action that the caller must be granted: `cluster:monitor/health`, `indices:data/read/search` … It is also checked
   * for each name in the request.
   */
  readonly privilege: string;
  /** Further actions that the caller must be granted, for calls that combine several answers. */
  readonly also?: readonly string[];
  /**
   * Query parameters of the call besides the common ones (`pretty`, `human`, `error_trace`, `filter_path`, `format`,
   * `source` …); checked before the handler runs. Without a list, parameters that were not read are refused after the
   * handler ran. So calls that change something must declare theirs.
   */
  readonly parameters?: readonly string[];
  /** Those of `parameters` that no hint names for a misspelt one: 8.12 knows of them only once they are given. */
  readonly unhinted?: readonly string[];
  /**
   * Throws for bodies that 8.12 refuses before it looks for unknown parameters. Called only if there are unknown
   * parameters; must not change anything.
   */
  readonly checkBody?: (request: RestRequest, services: Services) => void | Promise<void>;
  readonly handle: (request: RestRequest, services: Services) => Promise<RestResponse> | RestResponse;
}
