/** Extra fields of a rendered error: `index`, `index_uuid`, `shard`, `line`, `col`, `resource.id` … */
export type ErrorMeta = Readonly<Record<string, unknown>>;

/**
 * Place of an error in a parsed request body. Parsing keeps no positions: `locateError` of `json` scans the body again
 * for line and column when the error is rendered.
 */
export interface ErrorLocation {
  /** The object or array of the parsed body, found again by its identity. */
  readonly container: object;
  /** Key or index in the container; undefined for the container itself. */
  readonly key?: string | number;
  /**
   * Whether to report the position of the key, of the value (default), of the last token of the value, of what is
   * behind the value, or of the token that follows the first token of the value.
   */
  readonly at?: 'key' | 'value' | 'end' | 'after' | 'next';
  /**
   * Whether the reason ends with the position instead of beginning with it: in brackets (`… found at [1:11]`), or
   * `bare` (`Can't get text on a START_ARRAY at 1:36`), or as 8.12's JSON parser tells it (`source`); `both` begins
   * with it too.
   */
  readonly isAppended?: true | 'bare' | 'source' | 'both';
}

/** What an error carries besides kind and reason. */
export interface ErrorOptions {
  readonly meta?: ErrorMeta;
  readonly cause?: ApiError;
  readonly location?: ErrorLocation;
  /** Overrides the status of the catalogue. */
  readonly status?: number;
  /** Replaces the computed `root_cause` list. */
  readonly rootCauses?: readonly ApiError[];
  readonly suppressed?: readonly ApiError[];
  /** Members of an error answer beside `error` and `status`. */
  readonly beside?: ErrorMeta;
  /**
   * Whether the client sent back an id (of a scroll, of a point in time) that this cluster did not issue: for the
   * audit.
   */
  readonly isTampered?: true;
}

/** An error of the API: wire type, HTTP status, reason. Constructed by `errors.*` only. */
export class ApiError extends Error {
  readonly type: string;
  readonly status: number;
  readonly reason: string | null;
  /**
   * Whether the type extends `ElasticsearchException` in Elasticsearch. A plain Java exception below another error is
   * never reported as its root cause.
   */
  readonly isElastic: boolean;
  meta: ErrorMeta;
  causedBy: ApiError | undefined;
  location: ErrorLocation | undefined;
  /**
   * Where the parser stood when it threw the error, if the error has no location of its own: a declared field around it
   * reports this position (`[1:41] [bool] failed to parse field [must]`).
   */
  parserAt: ErrorLocation | undefined;
  /** Whether a query threw it while it was rewritten, or after its plan was made: it fails the shard as it is. */
  isOfRewriting = false;
  rootCauses: readonly ApiError[] | undefined;
  suppressed: readonly ApiError[] | undefined;
  /** Members of an error answer beside `error` and `status`. */
  readonly beside: ErrorMeta | undefined;
  /** As `ErrorOptions.isTampered`; written to the audit log only, never answered. */
  readonly isTampered: boolean;

  constructor(type: string, status: number, isElastic: boolean, reason: string | null, options: ErrorOptions = {}) {
    super(reason ?? type);
    this.name = 'ApiError';
    this.type = type;
    this.status = options.status ?? status;
    this.isElastic = isElastic;
    this.reason = reason;
    this.meta = options.meta ?? {};
    this.causedBy = options.cause;
    this.location = options.location;
    this.rootCauses = options.rootCauses;
    this.suppressed = options.suppressed;
    this.beside = options.beside;
    this.isTampered = options.isTampered === true;
  }
}

/** The error with more members in its answer, beside `error` and `status`. */
export function answeredWith(error: ApiError, beside: ErrorMeta): ApiError {
  const { type, status, isElastic, reason, meta, causedBy: cause, location, rootCauses, suppressed } = error;
  return new ApiError(type, status, isElastic, reason, {
    meta,
    status,
    beside,
    ...(cause ? { cause } : {}),
    ...(location ? { location } : {}),
    ...(rootCauses ? { rootCauses } : {}),
    ...(suppressed ? { suppressed } : {}),
  });
}

/** Whether a thrown value is an `ApiError`. */
export function isApiError(value: unknown): value is ApiError {
  return value instanceof ApiError;
}

/**
 * Message of V8's `TypeError` when an object whose own `toString` is no function is converted to a string. Only objects
 * parsed from a client's body have such a key, so it is the client's error.
 */
const NO_TEXT = 'Cannot convert object to primitive value';

/** Returns a thrown `ApiError` as it is; makes any other value an internal error with status 500 and its message. */
export function toApiError(value: unknown): ApiError {
  if (isApiError(value)) return value;
  if (value instanceof TypeError && value.message === NO_TEXT)
    return new ApiError(
      'illegal_argument_exception',
      400,
      false,
      'an object stands where a text, number or boolean is expected',
    );
  const message = value instanceof Error ? value.message : String(value);
  const error = new ApiError('exception', 500, true, message);
  if (value instanceof Error && value.stack) error.stack = value.stack;
  return error;
}
