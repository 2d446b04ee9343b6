/**
 * Extra fields of an error as they appear in the answer: `index`, `index_uuid`, `shard`, `line`, `col`, `resource.id` …
 */
export type ErrorMeta = Readonly<Record<string, unknown>>;

/**
 * Where in a parsed request body an error is: `container` is the object or array of the parsed body, `key` the entry in
 * it. Positions are not kept while parsing; `json.locate` finds line and column when an error is rendered.
 */
export interface ErrorLocation {
  readonly container: object;
  readonly key?: string | number;
  /** Whether the position is that of the key, of the value (default) or of the end of the value. */
  readonly at?: 'key' | 'value' | 'end';
}

export interface ErrorOptions {
  readonly meta?: ErrorMeta;
  readonly cause?: ApiError;
  readonly location?: ErrorLocation;
  /** Overrides the status of the catalogue. */
  readonly status?: number;
  /** Overrides the computed `root_cause` list. */
  readonly rootCauses?: readonly ApiError[];
  readonly suppressed?: readonly ApiError[];
  /** What the client sends back is not what it was given: audited, not answered. */
  readonly isTampered?: true;
}

/** An error of the API: wire type, HTTP status, reason. Made by `errors.*` only. */
export class ApiError extends Error {
  readonly type: string;
  readonly status: number;
  readonly reason: string | null;
  /**
   * False for types that are plain Java exceptions in Elasticsearch: they never count as root cause below another
   * error.
   */
  readonly isElastic: boolean;
  meta: ErrorMeta;
  causedBy: ApiError | undefined;
  location: ErrorLocation | undefined;
  rootCauses: readonly ApiError[] | undefined;
  suppressed: readonly ApiError[] | undefined;
  /** Whether the client sent back something else than it was given; told to the audit trail only. */
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
    this.isTampered = options.isTampered === true;
  }
}

export function isApiError(value: unknown): value is ApiError {
  return value instanceof ApiError;
}

/**
 * V8's complaint when a client's object with a key `toString` is to become a text. Only values of clients have such
 * keys.
 */
const NO_TEXT = 'Cannot convert object to primitive value';

/** Any thrown value as an ApiError: what is not one is an internal error, answered with 500 and its message. */
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
