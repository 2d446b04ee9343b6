import type { LifecycleExecution } from './indices/lifecycle-execution.js';

/** A node in the cluster state. */
export interface NodeInfo {
  readonly id: string;
  readonly ephemeralId: string;
  readonly name: string;
  readonly host: string;
  readonly ip: string;
  /** Address for messages between nodes, such as `127.0.0.1:9300`. */
  readonly transportAddress: string;
  readonly httpAddress: string | null;
  readonly roles: readonly string[];
  readonly attributes: Readonly<Record<string, string>>;
  /**
   * Version of the program, such as `8.12.0`. Shards are only allocated to nodes of the same version or a newer one.
   */
  readonly version: string;
  /**
   * Address at which other nodes reach the shards of the node, such as `127.0.0.1:9400`; null while it accepts no
   * connections.
   */
  readonly dataAddress: string | null;
}

/** An alias of one index. Absent members were not given. */
export interface AliasMetadata {
  readonly filter?: Readonly<Record<string, unknown>>;
  readonly indexRouting?: string;
  readonly searchRouting?: string;
  readonly isWriteIndex?: boolean;
  readonly isHidden?: boolean;
}

/** Metadata of an index: settings, mapping, aliases, and of each shard the primary term and the in-sync copies. */
export interface IndexMetadata {
  readonly name: string;
  readonly uuid: string;
  readonly state: 'open' | 'close';
  /**
   * Flat settings with the prefix `index.`; values are strings or arrays of strings: `{"index.number_of_shards": "1"}`.
   */
  readonly settings: Readonly<Record<string, SettingValue>>;
  /** The mapping as `GET _mapping` shows it. */
  readonly mapping: Readonly<Record<string, unknown>>;
  readonly aliases: Readonly<Record<string, AliasMetadata>>;
  readonly version: number;
  readonly mappingVersion: number;
  readonly settingsVersion: number;
  readonly aliasesVersion: number;
  readonly numberOfShards: number;
  readonly numberOfRoutingShards: number;
  readonly routingPartitionSize: number;
  readonly numberOfReplicas: number;
  readonly primaryTerms: readonly number[];
  /** In-sync allocation ids, by shard. */
  readonly inSync: readonly (readonly string[])[];
  /** Source of the shards of an index made by shrink, split or clone. */
  readonly resizeSource?: { readonly uuid: string; readonly name: string; readonly kind: 'shrink' | 'split' | 'clone' };
  /**
   * Source of a restored index: repository and snapshot, and for each shard the files in `folder` that it is restored
   * from, with their sizes in bytes.
   */
  readonly restoredFrom?: {
    readonly repository: string;
    readonly snapshot: string;
    readonly index: string;
    readonly folder: string;
    readonly files: readonly (readonly string[])[];
    readonly bytes: readonly number[];
    /** `max_restore_bytes_per_sec` of the repository; absent: no limit but that of recoveries. */
    readonly bytesPerSecond?: number;
  };
  readonly rolloverInfo?: Readonly<Record<string, unknown>>;
  /** Where the index is in its lifecycle policy; absent before the master has looked at it. */
  readonly lifecycle?: LifecycleExecution;
}

/** Value of a setting: a string, an array of strings, or null for none. */
export type SettingValue = string | readonly string[] | null;

/** Why the last allocation left a copy unassigned. */
export type AllocationStatus =
  | 'no_attempt'
  | 'fetching_shard_data'
  | 'no_valid_shard_copy'
  | 'deciders_no'
  | 'deciders_throttled'
  | 'delayed_allocation';

/** Why a copy is unassigned. An initializing copy keeps the reason why it was unassigned before. */
export interface UnassignedInfo {
  /** Reason as Elasticsearch names it: `NODE_LEFT`, `INDEX_CREATED` … */
  readonly reason: string;
  readonly atMs: number;
  readonly details: string | null;
  readonly failedAttempts: number;
  /**
   * Time in milliseconds since 1970 until which the copy waits for the return of its node before another node gets it.
   * Absent: it does not wait.
   */
  readonly delayedUntilMs?: number;
  /** Time in milliseconds since 1970 until which the copy is not retried after a failure. Absent: it may be retried. */
  readonly retryAtMs?: number;
  /** Node that the copy was on, or where it last failed to start. */
  readonly lastNodeId?: string;
  /** Nodes where the copy failed to start since it was last active. */
  readonly failedNodeIds?: readonly string[];
  readonly status?: AllocationStatus;
}

/**
 * One copy of a shard. A relocation is two entries: the source, RELOCATING, and after it the target, INITIALIZING. Each
 * has the node of the other in `relocatingNodeId`; both have the same `primary`.
 */
export interface ShardRouting {
  readonly indexUuid: string;
  readonly shard: number;
  readonly primary: boolean;
  readonly state: 'UNASSIGNED' | 'INITIALIZING' | 'STARTED' | 'RELOCATING';
  readonly nodeId: string | null;
  readonly relocatingNodeId: string | null;
  /**
   * Id of this copy on this node for this assignment. A primary that starts from an in-sync store keeps the id of the
   * store. Null while unassigned.
   */
  readonly allocationId: string | null;
  readonly recoverySource: 'EMPTY_STORE' | 'EXISTING_STORE' | 'PEER' | 'LOCAL_SHARDS' | 'SNAPSHOT' | null;
  /**
   * True for a primary that an operator allocated with `accept_data_loss`. It starts a new history from the operations
   * that its store can verify.
   */
  readonly isForced?: true;
  /** Relocations of this copy that failed in a row; absent for 0. */
  readonly relocationFailures?: number;
  readonly unassigned: UnassignedInfo | null;
}

/** A block of an index or of the whole cluster: which levels of calls it refuses. */
export interface ClusterBlock {
  readonly id: number;
  readonly description: string;
  readonly retryable: boolean;
  readonly levels: readonly ('read' | 'write' | 'metadata_read' | 'metadata_write')[];
  /** Uuid of the blocked index; null for a block of the whole cluster. */
  readonly indexUuid: string | null;
}

/**
 * The cluster state. Immutable: a task that changes one part keeps the identity of the others, so that states are
 * compared by pointers.
 */
export interface ClusterState {
  readonly clusterName: string;
  readonly clusterUuid: string;
  readonly stateUuid: string;
  readonly term: number;
  readonly version: number;
  readonly masterNodeId: string | null;
  /**
   * Ids of the nodes of which a majority elects the master and commits states. A new cluster has placeholders for nodes
   * that have not joined yet.
   */
  readonly votingConfiguration: readonly string[];
  readonly nodes: ReadonlyMap<string, NodeInfo>;
  readonly blocks: readonly ClusterBlock[];
  /** Index metadata by uuid. */
  readonly indices: ReadonlyMap<string, IndexMetadata>;
  /** All copies by index uuid and shard number, the primary first. */
  readonly routing: ReadonlyMap<string, readonly (readonly ShardRouting[])[]>;
  readonly persistentSettings: Readonly<Record<string, SettingValue>>;
  readonly transientSettings: Readonly<Record<string, SettingValue>>;
  /**
   * Named sections of plain JSON: indexTemplates, componentTemplates, legacyTemplates, dataStreams, pipelines,
   * enrichPolicies, storedScripts, repositories, votingExclusions, tombstones, draining, shutdowns, persistentTasks,
   * transforms, lifecyclePolicies, operationModes, snapshotPolicies, snapshotRetention.
   */
  readonly customs: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
}
