import type { ShardRouting } from '@shoal/state';

/** A shard of a search with the nodes that can answer for it, best first. */
export interface TargetShard {
  readonly indexName: string;
  readonly indexUuid: string;
  readonly shard: number;
  readonly filter: Uint8Array | undefined;
  readonly boost: number;
  readonly nodeIds: readonly string[];
  /** Reader context to use (scroll, point in time). */
  readonly reader: string | null;
  /** Shards of the index. */
  readonly shards: number;
  /** JSON AccessLimits; undefined: the caller may see all. */
  readonly access?: Uint8Array | undefined;
  /** Who searches; undefined while everybody may do everything. */
  readonly owner?: string | undefined;
}

/** A shard of a search with the copies that may answer for it. */
export interface FoundShard {
  readonly target: TargetShard;
  readonly copies: readonly ShardRouting[];
}
