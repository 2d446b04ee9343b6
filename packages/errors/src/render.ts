import { ApiError, type ErrorMeta, toApiError } from './api-error.js';

/** Form of an `ApiError` that threads and nodes exchange, with its causes. Its location is not part of it. */
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

/** Converts any thrown value to its wire form. */
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

/** Reverse of `encodeError`. */
export function decodeError(wire: WireError): ApiError {
  // It was thrown elsewhere: where it is made again says nothing, and noting that takes most of the time.
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return decoded(wire);
  } finally {
    Error.stackTraceLimit = limit;
  }
}

function decoded(wire: WireError): ApiError {
  return new ApiError(wire.type, wire.status, wire.elastic, wire.reason, {
    meta: wire.meta,
    ...(wire.cause ? { cause: decoded(wire.cause) } : {}),
    ...(wire.roots ? { rootCauses: wire.roots.map(decoded) } : {}),
    ...(wire.suppressed ? { suppressed: wire.suppressed.map(decoded) } : {}),
  });
}

/** HTTP status of any thrown value. */
export function statusOf(thrown: unknown): number {
  return toApiError(thrown).status;
}

/** Renders `{type, reason, …meta, caused_by}`, the form in bulk items, shard failures and `caused_by`. */
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

const KINDS_OF_PARSE = new Set(['x_content_parse_exception', 'named_object_not_found_exception']);

/**
 * The cause one level closer to the root cause, or null if `error` is the root cause. Below an ElasticsearchException
 * only such an exception counts; below an `x_content_parse_exception` also another one of its type or a kind of it.
 */
function innerRoot(error: ApiError): ApiError | null {
  const cause = error.causedBy;
  if (!cause) return null;
  if (error.isElastic) return cause.isElastic ? cause : null;
  return error.type === 'x_content_parse_exception' && (cause.isElastic || KINDS_OF_PARSE.has(cause.type))
    ? cause
    : null;
}

/** Root causes as `ElasticsearchException.guessRootCauses` finds them; a plain Java exception at the top is its own. */
function rootCausesOf(error: ApiError): readonly ApiError[] {
  if (error.rootCauses) return error.rootCauses;
  let root = error;
  for (let inner = innerRoot(root); inner; inner = innerRoot(root)) root = inner;
  return [root];
}

/** Renders the body of an error answer: `{"error":{"root_cause":[…],…},"status":N}`. */
export function toErrorBody(thrown: unknown): Record<string, unknown> {
  const error = toApiError(thrown);
  const roots = rootCausesOf(error).map((root) => ({ type: root.type, reason: root.reason, ...root.meta }));
  return { error: { root_cause: roots, ...renderCause(error) }, status: error.status, ...error.beside };
}
