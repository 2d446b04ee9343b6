import type { Search } from '@shoal/aggregations';

/** A parsed search with the parameters of the request, and its bytes for shards on other threads and nodes. */
export interface SearchPlan extends Search {
  /** Body as JSON for the shards. */
  readonly body: Uint8Array;
  /** Whether the body has the text of stored scripts, which may change: the plan is not cached. */
  readonly hasStoredScripts: boolean;
}
