import type { FlatSettings } from '@shoal/state';

/** What a node has on disk of one shard. */
export interface ShardStoreInfo {
  readonly nodeId: string;
  /** Of the assignment that the store was last opened for. */
  readonly allocationId: string | null;
  /** Of the assignment before, while the store still holds all that it was acknowledged for. */
  readonly prevAllocationId: string | null;
  /** It lost or spoiled something: never chosen without an operator. */
  readonly damaged: boolean;
  readonly term: number;
  readonly maxSeqNo: number;
  readonly globalCheckpoint: number;
  /** How many sealed segments it has. */
  readonly segmentHashes: number;
  /** Lineage of its log, when known. */
  readonly historyUuid?: string;
}

export interface DiskUsage {
  readonly totalBytes: number;
  readonly freeBytes: number;
}

/**
 * What allocation needs besides the state. Only `nowMs`, `newUuid` and `nodeSettings` must be there: without the others
 * it knows no stores, disks or loads.
 */
export interface AllocationContext {
  readonly nowMs: number;
  newUuid(): string;
  /** Settings of the node's configuration file, flat. */
  readonly nodeSettings: FlatSettings;
  /**
   * What all nodes have of a shard; `unknown`: not fetched yet, the shard waits. Absent: each primary is taken to be on
   * the node it gets.
   */
  readonly stores?: (indexUuid: string, shard: number) => readonly ShardStoreInfo[] | 'unknown';
  /** Null: not known of this node. */
  readonly disk?: (nodeId: string) => DiskUsage | null;
  readonly shardBytes?: (indexUuid: string, shard: number) => number;
  /** Threads that write to the shard, on average. */
  readonly writeLoad?: (indexUuid: string, shard: number) => number;
  /** Whether a snapshot reads the primary right now. */
  readonly isSnapshotting?: (indexUuid: string, shard: number) => boolean;
}
