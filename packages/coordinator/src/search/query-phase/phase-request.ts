import type { Search } from '@shoal/aggregations';
import type { RequestOptions } from '@shoal/doors';
import type { shard as messages } from '@shoal/protocol';
import type { MergedHit } from './merge-hits.js';
import type { SearchFailure } from '../search-failure.js';
import type { TargetShard } from '../targets/search-targets.js';

/** Request of a query phase: what all shards get. */
export interface QueryPhaseRequest {
  readonly targets: readonly TargetShard[];
  readonly body: Uint8Array;
  /** The parsed body, which shards on this thread get instead of the bytes. */
  readonly search: Search;
  readonly options: messages.SearchOptions;
  readonly nowMs: number;
  /**
   * Whether shards render hits along with the query: the hits of a single shard, or the shares of several shards of a
   * small page.
   */
  readonly fetch: boolean;
  readonly keepContext: boolean;
  readonly keepAliveMs: number;
  /** Limit for shards that a node searches at once for this request. */
  readonly maxConcurrentPerNode: number;
  readonly signal: AbortSignal;
  readonly taskId: string | undefined;
  /** Encoded statistics of all shards for scoring; null to use those of each shard. */
  readonly statistics: Uint8Array | null;
}

/** Answer of one shard, with the node that gave it. */
export interface ShardAnswer {
  readonly result: messages.ShardQueryResult;
  readonly nodeId: string;
}

/** Answers and failures of a query phase. */
export interface QueryPhaseResult {
  /** Answers by target; null if all copies failed. */
  readonly answers: readonly (ShardAnswer | null)[];
  readonly failures: readonly SearchFailure[];
  /** Number of skipped shards. They count as successful. */
  readonly skipped: number;
  /** Hits of the page if they are merged already. */
  readonly merged?: readonly MergedHit[];
}

/** Makes the options of the messages of a search. */
export function messageOptions({ signal, taskId }: QueryPhaseRequest): RequestOptions {
  return taskId === undefined ? { signal } : { signal, parentTask: taskId };
}

/** Converts a target to its form in messages. */
export function shardTarget(target: TargetShard): messages.ShardTarget {
  return {
    shard: { indexUuid: target.indexUuid, shard: target.shard },
    indexName: target.indexName,
    filter: target.filter,
    boost: target.boost,
    context: target.reader ?? undefined,
    access: target.access,
    owner: target.owner,
    position: target.position,
    nearest: target.nearest === undefined ? undefined : { counts: [...target.nearest] },
  };
}
