import { type ApiError, isApiError, toApiError } from '@shoal/errors';

/** Beginnings of messages about datafeeds; 8.12's words. */
export const FEED_STARTS = 'Datafeed started';
export const FEED_FAILS = 'Datafeed is encountering errors extracting data';

/** The error that a search failed for at the bottom: of a shard, if shards failed. */
function rootOf(error: ApiError): ApiError {
  let at = error;
  for (;;) {
    const below: ApiError | undefined = at.causedBy ?? at.rootCauses?.find((one) => one !== at);
    if (below === undefined) return at;
    at = below;
  }
}

/** Says in one sentence why a search of a datafeed failed, and in which index. */
export function failureText(error: unknown, indices: readonly string[]): string {
  const top = toApiError(error);
  const root = rootOf(top);
  const index = typeof root.meta['index'] === 'string' ? root.meta['index'] : null;
  if (root.type === 'index_closed_exception') return `index [${index ?? indices.join(',')}] is closed`;
  const lacksCopies = root === top && top.type === 'search_phase_execution_exception' && top.status >= 500;
  if (lacksCopies || root.type === 'no_shard_available_action_exception')
    return `no copy of some shards of [${indices.join(',')}] is available: see GET _cluster/allocation/explain`;
  const reason = root.reason === null || root.reason === '' ? root.type : root.reason;
  return index === null || reason.includes(index) ? reason : `${reason} (index [${index}])`;
}

/**
 * Whether a search is refused whatever becomes of the indices: its request is wrong. What shards refuse may go well
 * again once their mappings are others.
 */
function isWrongQuery(error: unknown): boolean {
  if (!isApiError(error)) return false;
  const { status, type } = error;
  if (OF_INDICES.has(type)) return false;
  return status === 400 || status === 403;
}

const RETRY_FIRST_MS = 1000;
const RETRY_MOST_MS = 60_000;
/** Times one after the other that shards refuse the searches of a datafeed with an end before it ends. */
const REFUSALS_MAX = 5;

/** Whether shards have refused a search, and not only for an index that is closed. */
function isRefused(error: unknown): boolean {
  return isApiError(error) && error.status === 400 && rootOf(error).type !== 'index_closed_exception';
}

/** How long a datafeed waits after searches that failed. */
export class FeedRetries {
  /** A datafeed with an end has nobody who looks after it for days: it ends where it is refused. */
  readonly #hasEnd: boolean;
  #waitMs = RETRY_FIRST_MS;
  #refusals = 0;

  constructor(hasEnd: boolean) {
    this.#hasEnd = hasEnd;
  }

  succeeded(): void {
    this.#waitMs = RETRY_FIRST_MS;
    this.#refusals = 0;
  }

  /** Returns milliseconds until the next search; null if there must be none. */
  failed(error: unknown): number | null {
    if (isWrongQuery(error)) return null;
    this.#refusals = isRefused(error) ? this.#refusals + 1 : 0;
    if (this.#hasEnd && this.#refusals >= REFUSALS_MAX) return null;
    const waitMs = this.#waitMs;
    this.#waitMs = Math.min(RETRY_MOST_MS, 2 * waitMs);
    return waitMs;
  }
}

const OF_INDICES: ReadonlySet<string> = new Set([
  ...['index_not_found_exception', 'index_closed_exception', 'search_phase_execution_exception', 'status_exception'],
]);
