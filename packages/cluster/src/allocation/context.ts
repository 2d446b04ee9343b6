import type { FlatSettings } from '@shoal/state';

/** The store of one shard on the disk of one node. */
export interface ShardStoreInfo {
  readonly nodeId: string;
  /** Allocation id of the assignment that the store was last opened for; null if unknown. */
  readonly allocationId: string | null;
  /**
   * Allocation id of the previous assignment, while the store still has all data acknowledged under it; otherwise null.
   */
  readonly prevAllocationId: string | null;
  /** Whether the store lost or corrupted acknowledged operations. Only an operator can make it primary. */
  readonly damaged: boolean;
  readonly term: number;
  readonly maxSeqNo: number;
  readonly globalCheckpoint: number;
  /** Number of sealed segments. */
  readonly segmentHashes: number;
  /** Id of the history that its log belongs to; absent if unknown. */
  readonly historyUuid?: string;
}

/** Size and free space of the disk of a node. */
export interface DiskUsage {
  readonly totalBytes: number;
  readonly freeBytes: number;
}

/**
 * What allocation needs besides the state. Optional members may be missing: then stores, disks or loads are unknown.
 */
export interface AllocationContext {
  readonly nowMs: number;
  newUuid(): string;
  /** Flat settings of the configuration file of the node. */
  readonly nodeSettings: FlatSettings;
  /**
   * Returns the stores of a shard on all nodes; `unknown` if the master has not received them yet, so that the shard
   * waits. Absent: a primary is assigned without knowledge of stores.
   */
  readonly stores?: (indexUuid: string, shard: number) => readonly ShardStoreInfo[] | 'unknown';
  /** Disk usage of a node; null if unknown. */
  readonly disk?: (nodeId: string) => DiskUsage | null;
  readonly shardBytes?: (indexUuid: string, shard: number) => number;
  /** Average number of threads that write to the shard. */
  readonly writeLoad?: (indexUuid: string, shard: number) => number;
  /** Whether a snapshot reads the primary now. */
  readonly isSnapshotting?: (indexUuid: string, shard: number) => boolean;
}
