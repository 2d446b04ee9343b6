import type { IndexAccess } from '@shoal/state';
import type { Subject } from '@shoal/security';

/** HTTP method of a route; HEAD is served by GET routes unless declared, OPTIONS by the router. */
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD';

/** A request after routing; parameters are still text. */
export interface RestRequest {
  readonly method: Method;
  /** Path as sent, without query string. */
  readonly path: string;
  /** Values of `{name}` segments, percent-decoded. */
  readonly pathParams: Readonly<Record<string, string>>;
  /** Typed access to query (and path) parameters; what a handler never asks for is refused as unrecognized. */
  readonly params: Params;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Decompressed bytes; empty when there is no body. `?source=` counts as a body. */
  readonly rawBody: Uint8Array;
  readonly hasBody: boolean;
  /**
   * The body as JSON values whatever its media type; `undefined` when empty. Throws parse errors. Numbers beyond 2^53
   * are bigint.
   */
  json(): unknown;
  /** The body as JSON bytes, converted when it came in another format. */
  jsonBody(): Uint8Array;
  /** Whether the URI has a query string. */
  readonly hasQuery: boolean;
  /** Bodies of `compatible-with=7` requests get `_type` in their answers. */
  readonly compatibleWith7: boolean;
  /** Aborts when the client hangs up. */
  readonly signal: AbortSignal;
  readonly opaqueId: string | null;
  /** The task that the request is, `node:id`. */
  readonly taskId: string;
  /** Milliseconds that it has waited for its turn. */
  readonly waitedMs: number;
  /** Who makes the request. */
  readonly subject: Subject;
  /** What the caller may name for the action that the route is. */
  readonly access: IndexAccess;
}

/** Parameters of a call. Each getter marks the name as known; errors have Elasticsearch's wording. */
export interface Params {
  has(name: string): boolean;
  text(name: string): string | null;
  text(name: string, fallback: string): string;
  boolean(name: string, fallback: boolean): boolean;
  optionalBoolean(name: string): boolean | null;
  integer(name: string, fallback: number): number;
  /** A 64-bit integer; null when absent. */
  long(name: string): number | null;
  /** Milliseconds. */
  time(name: string, fallbackMs: number): number;
  /** Comma-separated list; null when absent. */
  list(name: string): readonly string[] | null;
  /** Marks names as known without reading them. */
  accept(...names: readonly string[]): void;
}

/** An answer. `json` is rendered by the media type asked for; `bytes` are ready JSON; `text` is text/plain (`_cat`). */
export type RestResponse = {
  readonly status: number;
  /** A list becomes several headers of one name. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
} & (
  | { readonly json: unknown }
  | { readonly bytes: Uint8Array | readonly Uint8Array[] }
  | { readonly text: string }
  | { readonly empty: true }
);

export interface Route<Services> {
  readonly methods: readonly Method[];
  /** `/{index}/_doc/{id}`. */
  readonly path: string;
  /**
   * The call's name in Elasticsearch's specification (`indices.create`), for metrics, tasks and the API table of the
   * docs.
   */
  readonly name: string;
  /** Whether a body is refused (`does not support having a body`). */
  readonly body: 'none' | 'optional' | 'required';
  /**
   * Action that the caller must be granted: `cluster:monitor/health`, `indices:data/read/search` … Names in the request
   * are checked for it.
   */
  readonly privilege: string;
  /** Further actions that the caller must be granted: calls that put several answers together. */
  readonly also?: readonly string[];
  /**
   * Names of the query parameters that the call takes, besides the common ones (`pretty`, `human`, `error_trace`,
   * `filter_path`, `format`, `source` …). They are checked before the handler runs; without the list, unread parameters
   * are refused only after it ran, so calls that change something declare it.
   */
  readonly parameters?: readonly string[];
  readonly handle: (request: RestRequest, services: Services) => Promise<RestResponse> | RestResponse;
}
