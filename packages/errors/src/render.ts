import { ApiError, type ErrorMeta, toApiError } from './api-error.js';

/** An error as it crosses threads and nodes. */
export interface WireError {
  readonly type: string;
  readonly status: number;
  readonly reason: string | null;
  readonly elastic: boolean;
  readonly meta: ErrorMeta;
  readonly cause?: WireError;
  readonly roots?: readonly WireError[];
  readonly suppressed?: readonly WireError[];
}

export function encodeError(thrown: unknown): WireError {
  const error = toApiError(thrown);
  return {
    type: error.type,
    status: error.status,
    reason: error.reason,
    elastic: error.isElastic,
    meta: error.meta,
    ...(error.causedBy ? { cause: encodeError(error.causedBy) } : {}),
    ...(error.rootCauses ? { roots: error.rootCauses.map(encodeError) } : {}),
    ...(error.suppressed ? { suppressed: error.suppressed.map(encodeError) } : {}),
  };
}

export function decodeError(wire: WireError): ApiError {
  return new ApiError(wire.type, wire.status, wire.elastic, wire.reason, {
    meta: wire.meta,
    ...(wire.cause ? { cause: decodeError(wire.cause) } : {}),
    ...(wire.roots ? { rootCauses: wire.roots.map(decodeError) } : {}),
    ...(wire.suppressed ? { suppressed: wire.suppressed.map(decodeError) } : {}),
  });
}

export function statusOf(thrown: unknown): number {
  return toApiError(thrown).status;
}

/** `{type, reason, …meta, caused_by}` as in bulk items, shard failures and `caused_by`. */
export function renderCause(thrown: unknown): Record<string, unknown> {
  const error = toApiError(thrown);
  return {
    type: error.type,
    reason: error.reason,
    ...error.meta,
    ...(error.causedBy ? { caused_by: renderCause(error.causedBy) } : {}),
    ...(error.suppressed ? { suppressed: error.suppressed.map(renderCause) } : {}),
  };
}

/**
 * The cause that a root cause is looked for in, or null: Elasticsearch's own exceptions and those of the body's parser
 * are looked into.
 */
function innerRoot(error: ApiError): ApiError | null {
  const cause = error.causedBy;
  if (!cause) return null;
  if (error.isElastic) return cause.isElastic ? cause : null;
  return error.type === 'x_content_parse_exception' && (cause.isElastic || cause.type === error.type) ? cause : null;
}

/**
 * Descends as `ElasticsearchException.guessRootCauses` does; a plain Java exception at the top is its own root cause.
 */
function rootCausesOf(error: ApiError): readonly ApiError[] {
  if (error.rootCauses) return error.rootCauses;
  let root = error;
  for (let inner = innerRoot(root); inner; inner = innerRoot(root)) root = inner;
  return [root];
}

/** The body of an error answer: `{"error":{"root_cause":[…],…},"status":N}`. */
export function toErrorBody(thrown: unknown): Record<string, unknown> {
  const error = toApiError(thrown);
  const roots = rootCausesOf(error).map((root) => ({ type: root.type, reason: root.reason, ...root.meta }));
  return { error: { root_cause: roots, ...renderCause(error) }, status: error.status };
}
