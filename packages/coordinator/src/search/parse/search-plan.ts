import type { Search } from '@shoal/aggregations';

/** A search after parsing, parameters merged in, and the bytes that shards of other threads and nodes get. */
export interface SearchPlan extends Search {
  /** JSON of the body for the shards. */
  readonly body: Uint8Array;
}
