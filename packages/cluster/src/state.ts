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
  /** For a restored index: where from, and the bytes read for each shard. */
  readonly restoredFrom?: { readonly repository: string; readonly snapshot: string; readonly index: string; readonly bytes: readonly number[] };
  readonly rolloverInfo?: Readonly<Record<string, unknown>>;
}

export type SettingValue = string | readonly string[] | null;

export interface ShardRouting {
  readonly indexUuid: string;
  readonly shard: number;
  readonly primary: boolean;
  readonly state: 'UNASSIGNED' | 'INITIALIZING' | 'STARTED' | 'RELOCATING';
  readonly nodeId: string | null;
  readonly relocatingNodeId: string | null;
  readonly allocationId: string | null;
  readonly recoverySource: 'EMPTY_STORE' | 'EXISTING_STORE' | 'PEER' | 'LOCAL_SHARDS' | 'SNAPSHOT' | null;
  readonly unassigned: { readonly reason: string; readonly atMs: number; readonly details: string | null; readonly failedAttempts: number } | null;
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
  readonly nodes: ReadonlyMap<string, NodeInfo>;
  readonly blocks: readonly ClusterBlock[];
  /** By uuid. */
  readonly indices: ReadonlyMap<string, IndexMetadata>;
  /** By index uuid, then shard: all copies, primary first. */
  readonly routing: ReadonlyMap<string, readonly (readonly ShardRouting[])[]>;
  readonly persistentSettings: Readonly<Record<string, SettingValue>>;
  readonly transientSettings: Readonly<Record<string, SettingValue>>;
  /** Named sections that are plain JSON: indexTemplates, componentTemplates, legacyTemplates, dataStreams, pipelines, storedScripts, repositories, votingExclusions, tombstones. */
  readonly customs: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
}
