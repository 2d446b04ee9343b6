import type { Search } from '@shoal/aggregations';
import type { RequestOptions } from '@shoal/doors';
import { type SearchOptions, type shard as messages } from '@shoal/protocol';
import type { MergedHit } from './merge-hits.js';
import type { SearchFailure } from '../search-failure.js';
import type { TargetShard } from '../targets/search-targets.js';

/** What goes to all shards of a query phase. */
export interface QueryPhaseRequest {
  readonly targets: readonly TargetShard[];
  readonly body: Uint8Array;
  /** What the body was parsed to: shards of this thread get it instead of the bytes. */
  readonly search: Search;
  readonly options: SearchOptions;
  readonly nowMs: number;
  /** Hits are rendered along with the query: for a single shard, or by several each its share of a small page. */
  readonly fetch: boolean;
  readonly keepContext: boolean;
  readonly keepAliveMs: number;
  /** Shards that a node may search at once for this request. */
  readonly maxConcurrentPerNode: number;
  readonly signal: AbortSignal;
  readonly taskId: string | undefined;
  /** Counts of all shards to score with; null for each shard's own. */
  readonly statistics: Uint8Array | null;
}

/** Answer of one shard and the node that gave it. */
export interface ShardAnswer {
  readonly result: messages.ShardQueryResult;
  readonly nodeId: string;
}

export interface QueryPhaseResult {
  /** Beside the targets; null where all copies failed. */
  readonly answers: readonly (ShardAnswer | null)[];
  readonly failures: readonly SearchFailure[];
  /** Shards that were not asked because they cannot add anything; they count as successful. */
  readonly skipped: number;
  /** Hits of the page, where they were merged already. */
  readonly merged?: readonly MergedHit[];
}

/** Options of the messages of a search. */
export function messageOptions({ signal, taskId }: QueryPhaseRequest): RequestOptions {
  return taskId === undefined ? { signal } : { signal, parentTask: taskId };
}

/** A shard as messages name it. */
export function shardTarget(target: TargetShard): messages.ShardTarget {
  return {
    shard: { indexUuid: target.indexUuid, shard: target.shard },
    indexName: target.indexName,
    filter: target.filter,
    boost: target.boost,
    context: target.reader ?? undefined,
    access: target.access,
    owner: target.owner,
  };
}
