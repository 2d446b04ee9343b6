import type { ShardRouting } from '@shoal/state';

/** A shard of a search, with the nodes of its copies, best first. */
export interface TargetShard {
  readonly indexName: string;
  readonly indexUuid: string;
  readonly shard: number;
  readonly filter: Uint8Array | undefined;
  readonly boost: number;
  readonly nodeIds: readonly string[];
  /** Id of the reader context of a scroll or point in time; null for none. */
  readonly reader: string | null;
  /** Number of shards of the index. */
  readonly shards: number;
  /** Encoded limits of the caller; undefined if the caller may see everything. */
  readonly access?: Uint8Array | undefined;
  /** Owner of the search; undefined if security is off. */
  readonly owner?: string | undefined;
  /** Position among the shards of a point in time, which `_shard_doc` orders by; undefined elsewhere. */
  readonly position?: number;
  /** How many of its nearest documents each `knn` clause keeps on the shard; undefined: as many as it asks for. */
  readonly nearest?: readonly number[];
}

/** A shard of a search, with its active copies. */
export interface FoundShard {
  readonly target: TargetShard;
  readonly copies: readonly ShardRouting[];
}
