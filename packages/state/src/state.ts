/** A node as the cluster state knows it. */
export interface NodeInfo {
  readonly id: string;
  readonly ephemeralId: string;
  readonly name: string;
  readonly host: string;
  readonly ip: string;
  /** `127.0.0.1:9300`. */
  readonly transportAddress: string;
  readonly httpAddress: string | null;
  readonly roles: readonly string[];
  readonly attributes: Readonly<Record<string, string>>;
  /** Of the program, `8.12.0`: shards only go to nodes of the same or a newer one. */
  readonly version: string;
  /** `127.0.0.1:9400`: where other nodes reach its shards; null while it takes no links. */
  readonly dataAddress: string | null;
}

export interface AliasMetadata {
  readonly filter?: Readonly<Record<string, unknown>>;
  readonly indexRouting?: string;
  readonly searchRouting?: string;
  readonly isWriteIndex?: boolean;
  readonly isHidden?: boolean;
}

export interface IndexMetadata {
  readonly name: string;
  readonly uuid: string;
  readonly state: 'open' | 'close';
  /** Flat, `index.` prefix included, values as strings (lists as arrays): `{"index.number_of_shards": "1"}`. */
  readonly settings: Readonly<Record<string, SettingValue>>;
  /** As `GET _mapping` shows it. */
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
  /** Allocation ids by shard. */
  readonly inSync: readonly (readonly string[])[];
  /** For shrink, split, clone: where the new index's shards come from. */
  readonly resizeSource?: { readonly uuid: string; readonly name: string; readonly kind: 'shrink' | 'split' | 'clone' };
  /** For a restored index: where from, and by shard the files in `folder` that it is filled with and their bytes. */
  readonly restoredFrom?: {
    readonly repository: string;
    readonly snapshot: string;
    readonly index: string;
    readonly folder: string;
    readonly files: readonly (readonly string[])[];
    readonly bytes: readonly number[];
  };
  readonly rolloverInfo?: Readonly<Record<string, unknown>>;
}

export type SettingValue = string | readonly string[] | null;

/** Why allocation left a copy without a node the last time it looked. */
export type AllocationStatus =
  | 'no_attempt'
  | 'fetching_shard_data'
  | 'no_valid_shard_copy'
  | 'deciders_no'
  | 'deciders_throttled'
  | 'delayed_allocation';

/** Why a copy has no node, or had none before it came to the one where it initializes. */
export interface UnassignedInfo {
  /** `NODE_LEFT`, `INDEX_CREATED` …, the words of Elasticsearch. */
  readonly reason: string;
  readonly atMs: number;
  readonly details: string | null;
  readonly failedAttempts: number;
  /** Until then its node may come back before another one gets a copy. */
  readonly delayedUntilMs?: number;
  /** Until then it rests after a failure. */
  readonly retryAtMs?: number;
  /** Where it was, or where it last failed to start. */
  readonly lastNodeId?: string;
  /** Nodes where it failed to start since it last ran. */
  readonly failedNodeIds?: readonly string[];
  readonly status?: AllocationStatus;
}

/**
 * One copy of a shard. A relocation is two of them: the source, RELOCATING, and the target, INITIALIZING, each with the
 * other's node in `relocatingNodeId`; both have the same `primary`, the source comes first.
 */
export interface ShardRouting {
  readonly indexUuid: string;
  readonly shard: number;
  readonly primary: boolean;
  readonly state: 'UNASSIGNED' | 'INITIALIZING' | 'STARTED' | 'RELOCATING';
  readonly nodeId: string | null;
  readonly relocatingNodeId: string | null;
  /**
   * Of this copy on this node for this assignment; a primary that starts from a store which is in sync keeps the
   * store's.
   */
  readonly allocationId: string | null;
  readonly recoverySource: 'EMPTY_STORE' | 'EXISTING_STORE' | 'PEER' | 'LOCAL_SHARDS' | 'SNAPSHOT' | null;
  /**
   * A primary that an operator chose and may lose data by: it begins a new history, cut to what its store can prove.
   */
  readonly isForced?: true;
  /** Moves of this copy that failed in a row. */
  readonly relocationFailures?: number;
  readonly unassigned: UnassignedInfo | null;
}

export interface ClusterBlock {
  readonly id: number;
  readonly description: string;
  readonly retryable: boolean;
  readonly levels: readonly ('read' | 'write' | 'metadata_read' | 'metadata_write')[];
  /** Null for a block of the whole cluster. */
  readonly indexUuid: string | null;
}

/** Immutable; parts that a task does not change keep their identity, so that comparing states is comparing pointers. */
export interface ClusterState {
  readonly clusterName: string;
  readonly clusterUuid: string;
  readonly stateUuid: string;
  readonly term: number;
  readonly version: number;
  readonly masterNodeId: string | null;
  /**
   * Ids of the nodes whose majority elects a master and commits states; placeholders for those that a new cluster has
   * not seen yet.
   */
  readonly votingConfiguration: readonly string[];
  readonly nodes: ReadonlyMap<string, NodeInfo>;
  readonly blocks: readonly ClusterBlock[];
  /** By uuid. */
  readonly indices: ReadonlyMap<string, IndexMetadata>;
  /** By index uuid, then shard: all copies, primary first. */
  readonly routing: ReadonlyMap<string, readonly (readonly ShardRouting[])[]>;
  readonly persistentSettings: Readonly<Record<string, SettingValue>>;
  readonly transientSettings: Readonly<Record<string, SettingValue>>;
  /**
   * Named sections that are plain JSON: indexTemplates, componentTemplates, legacyTemplates, dataStreams, pipelines,
   * storedScripts, repositories, votingExclusions, tombstones, draining, shutdowns.
   */
  readonly customs: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
}
