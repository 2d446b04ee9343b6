import type { SearchRequest } from '../search/parse/search-request.js';

/** A search to begin. */
export interface AsyncSubmit {
  readonly search: SearchRequest;
  /** Milliseconds after which the call is answered although the search runs. */
  readonly waitMs: number;
  readonly keepAliveMs: number;
  /** Whether the answer is kept although the search ended in time. */
  readonly keepsOnCompletion: boolean;
  /** Description and headers of the task. */
  readonly description: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A question about a search that was begun. */
export interface AsyncQuestion {
  readonly waitMs: number;
  /** New time to live from now on; null to leave it. */
  readonly keepAliveMs: number | null;
  /** Whether names of aggregations are to have their type; null as when the search was begun. */
  readonly typedKeys: boolean | null;
}

/** What a node asks another one about a search that may run there. */
export interface RunningQuestion {
  readonly docId: string;
  readonly owner: string | null;
  /** Whether the search may be another user's: its status is shown to those who monitor the cluster. */
  readonly isAnyOwner: boolean;
  readonly waitMs: number;
  readonly keepAliveMs: number | null;
  readonly isRemoved: boolean;
}
