import { ApiError, isApiError } from '@shoal/errors';
import { locateError } from '@shoal/json';

/** What the JSON parser of 8.12 calls a body of a request. */
const STREAM = '(org.elasticsearch.common.io.stream.ByteBufferStreamInput)';

function withCause(
  error: ApiError,
  cause: ApiError | undefined,
  reason: string | null,
  meta: ApiError['meta'],
): ApiError {
  const positioned = new ApiError(error.type, error.status, error.isElastic, reason, {
    meta,
    ...(cause ? { cause } : {}),
    ...(error.rootCauses ? { rootCauses: rootCausesOf(error, cause) } : {}),
    ...(error.suppressed ? { suppressed: error.suppressed } : {}),
  });
  // Read only if the client asks for it: the first one reads the source map of the bundle, which takes 0.4 s.
  Object.defineProperty(positioned, 'stack', { get: () => error.stack, configurable: true });
  return positioned;
}

/** The root causes, of which one that is the cause gets the position of the cause. */
const rootCausesOf = ({ rootCauses, causedBy }: ApiError, cause: ApiError | undefined): readonly ApiError[] =>
  rootCauses!.map((root) => (cause && root === causedBy ? cause : root));

/**
 * Adds line and column in a request body to an error and its causes: as `line` and `col` of parsing exceptions, before
 * the reason of others. `root`: the parsed body.
 */
export function withPosition(error: ApiError, bytes: Uint8Array, root: unknown): ApiError {
  const cause = error.causedBy ? withPosition(error.causedBy, bytes, root) : undefined;
  const position = error.location ? locateError(bytes, root, error.location) : null;
  if (!position) return cause === error.causedBy ? error : withCause(error, cause, error.reason, error.meta);
  if (error.type === 'parsing_exception') {
    // An exception that only repeats its cause repeats the cause's position too.
    const reason = cause && error.reason === error.causedBy!.reason ? cause.reason : error.reason;
    return withCause(error, cause, reason, { line: position.line, col: position.col, ...error.meta });
  }
  return withCause(error, cause, positionedReason(error, position), error.meta);
}

function positionedReason({ reason, location }: ApiError, { line, col }: { line: number; col: number }): string {
  const place = `${line}:${col}`;
  const source = `${reason}\n at [Source: ${STREAM}; line: ${line}, column: ${col}]`;
  if (location?.isAppended === 'source') return source;
  if (location?.isAppended === 'both') return `[${place}] ${source}`;
  if (location?.isAppended === 'bare') return `${reason} at ${place}`;
  return location?.isAppended ? `${reason} at [${place}]` : `[${place}] ${reason}`;
}

/** Runs `parse` and adds positions to the errors that it throws. */
export function withPositions<T>(bytes: Uint8Array, root: unknown, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw isApiError(error) ? withPosition(error, bytes, root) : error;
  }
}
