import type { Compression } from './calls/compression.js';
import type { CacheBudgets } from './engine/cache-budget.js';
import type { IndexSort } from './engine/index-sort.js';
import type { Clock, Files, KeyValueStores, Log, Random } from '@shoal/doors';
import type { ApiError } from '@shoal/errors';
import type { Mapping, MappingOptions } from '@shoal/mapping';
import type { shard } from '@shoal/protocol';
import type { Searcher } from '@shoal/query';
import type { Ballast, BlockCache, Commit, UnassignedStores, ShardStore, WantedIdentity } from '@shoal/store';

/** Settings and mapping of the index, parsed once for all its shards on a thread. */
export interface ShardMetadata {
  /** Of the index metadata: settings are flat, `index.` prefix included, values as strings (lists as arrays). */
  readonly metadata: {
    readonly name: string;
    readonly uuid: string;
    readonly settings: Readonly<Record<string, string | readonly string[] | null>>;
  };
  readonly mapping: Mapping;
  readonly mappingOptions: MappingOptions;
}

/** A merge of sealed segments, in words that cross threads. */
export interface MergeTask {
  /** Location of the key-value store that holds the inputs and takes the output. */
  readonly location: string;
  readonly inputs: readonly MergeInput[];
  readonly output: number;
  readonly sort: IndexSort | null;
}

export interface MergeInput {
  readonly segment: number;
  readonly maxDoc: number;
  /** Words of the live documents at the start of the merge; null when none is deleted. */
  readonly live: Int32Array | null;
}

export interface MergeResult {
  readonly maxDoc: number;
  /** New document number by old one for each input, -1 for documents that are gone. */
  readonly docMaps: readonly Int32Array[];
  readonly byteSize: number;
  readonly rootHash: Uint8Array;
}

/** Runs merges on a worker (`runMergeTask` there), or `inPlace`, on the shard's own thread with pauses. */
export interface MergeRunner {
  /** Rejects soon after `signal` is aborted; when it settles the store is in use no more. */
  run(task: MergeTask, inPlace: () => Promise<MergeResult>, signal: AbortSignal): Promise<MergeResult>;
}

export interface OpenShardOptions {
  readonly shard: number;
  readonly primaryTerm: number;
  readonly metadata: ShardMetadata;
  /** Folder of this copy. */
  readonly path: string;
  readonly stores: KeyValueStores;
  readonly files: Files;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly blockCache: BlockCache;
  /** At this size the in-memory buffer becomes a segment. */
  readonly bufferBytesMax: number;
  /** Shared with the other shards of the thread. */
  readonly cacheBudgets: CacheBudgets;
  readonly mergeRunner?: MergeRunner;
  /** Of snapshots; gzip when absent. */
  readonly compression?: Compression;
  readonly ballast?: Ballast;
  /** The assignment of the copy, in a cluster. */
  readonly identity?: WantedIdentity;
  /** No other copy is in sync; true when absent. */
  readonly isAlone?: boolean;
  /** Called once, when the shard ends because of an error: it answers nothing but that error from then on. */
  readonly onFailure?: (error: ApiError) => void;
  /** Stores that are open already because somebody looked into them. */
  readonly unassignedStores?: UnassignedStores;
}

/** What stands between a write in the log and its answer when there are other copies. */
export interface WriteGate {
  /** More operations are in the log: told often while a bulk runs, so that copies take them beside it. */
  appended(): void;
  /**
   * Resolves when everything up to an operation may be answered for. Rejects when this copy is no longer the one to
   * answer.
   */
  acknowledged(seqNo: number): Promise<void>;
  /** Refreshes the other copies, or waits (`wait`) for their next refresh. */
  refreshed(policy: 'now' | 'wait'): Promise<void>;
}

/** The ordered log of a copy, as replication works on it. Calls are made one after the other by one owner. */
export interface ShardLog {
  readonly store: ShardStore;
  /** Highest operation of the engine, synced or not. */
  readonly maxSeqNo: number;
  /** For the copy that assigns numbers; null answers writes as soon as they are durable here. */
  gate: WriteGate | null;
  /**
   * Takes over records of the primary that follow `maxSeqNo`. Throws retry_on_replica_exception before one whose fields
   * the mapping lacks.
   */
  receive(firstSeqNo: number, records: readonly Uint8Array[]): Promise<void>;
  /** Cuts the log above an operation, with all that came of it. Ends the shard when it fails. */
  rollBack(maxSeqNo: number): Promise<void>;
  setGlobalCheckpoint(seqNo: number): void;
  /** With an error: own writes are refused with it, those of running bulks too. Null allows them. */
  refuseWrites(error: ApiError | null): void;
  /** Resolves when no bulk runs any more. */
  drained(): Promise<void>;
  /** The newest safe commit; null when there is none yet. */
  pin(): PinnedCommit | null;
  /** Every operation from this one on is in the log. */
  readonly historyFloor: number;
  /** Copies that operations are kept for. `version` is what their primary counts; one more than before when absent. */
  setLeases(leases: ShardLeases, version?: number): void;
  readonly leases: ShardLeases;
  /** How often the leases were changed. Not kept over a restart: a term begins then. */
  readonly leasesVersion: number;
}

/** A commit whose segments and operations stay until `release`. */
export interface PinnedCommit {
  readonly commit: Commit;
  release(): void;
}

export type ShardLeases = readonly { readonly id: string; readonly retainedSeqNo: number; readonly atMs: number }[];

/** What bulk needs of the master. */
export interface MappingMaster {
  /**
   * Resolves once the fields are in the committed mapping and `applyMetadata` was called with it. Rejects with the
   * reason for refusing them.
   */
  updateMapping(mapping: Record<string, unknown>): Promise<void>;
}

/** Answers of searches without hits, kept while the segments they were made from stay as they are. */
export interface RequestCache {
  /** Whether `index.requests.cache.enable` has it used unless a request says otherwise. */
  readonly isEnabled: boolean;
  /** The result kept under a key, counted as a hit when there is one. */
  get(key: string): shard.ShardQueryResult | undefined;
  /** Counts a search that may be kept and was not found. */
  countMiss(): void;
  put(key: string, result: shard.ShardQueryResult): void;
}

/** A searcher that is held: its segments and sources stay until `release`. */
export interface SearcherLease {
  readonly searcher: Searcher;
  /** The searcher leaves documents out by a query that depends on the time: no answer of it is kept. */
  readonly dependsOnTime?: boolean;
  readonly requestCache: RequestCache;
  /** Counts a finished phase for the shard's stats, also when the shard is closed by then. */
  readonly countSearch: CountSearch;
  release(): void;
}

export interface ForceMergeRequest {
  /** Null: what the merge policy would do by itself. */
  readonly maxNumSegments: number | null;
  readonly onlyExpungeDeletes: boolean;
  readonly flush?: boolean;
}

/**
 * Sections of `GET _stats` for one shard, in the order and with the names of Elasticsearch 8.12; sums over shards are
 * sums of the numbers.
 */
export type ShardStats = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** How the shard came to be, for the recovery API. */
export interface OpenReport {
  readonly type: 'EMPTY_STORE' | 'EXISTING_STORE';
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly replayedOperations: number;
  readonly segments: number;
  readonly bytes: number;
}

/** One segment for the segments API. */
export interface SegmentInfo {
  readonly name: string;
  readonly generation: number;
  readonly num_docs: number;
  readonly deleted_docs: number;
  readonly size_in_bytes: number;
  readonly committed: boolean;
  readonly search: boolean;
  readonly version: string;
  readonly compound: boolean;
  readonly attributes: Readonly<Record<string, string>>;
}

/** Phases that `_stats` counts. */
export type SearchPhase = 'query' | 'fetch' | 'scroll' | 'suggest';

/** Hits that a shard counted for a search. */
export interface TotalHits {
  readonly value: number;
  readonly isLowerBound: boolean;
}

/** What a slow phase of a search is logged with. */
export interface AskedSearch {
  readonly body: Uint8Array;
  /** JSON SearchOptions. */
  readonly options: Uint8Array;
  readonly caller: string | undefined;
  /** Shards of the whole search; undefined where the node that asks does not tell. */
  readonly totalShards: number | undefined;
  /** Null where the query phase was answered elsewhere and did not tell. */
  readonly total: TotalHits | null;
}

/**
 * Counts a finished phase of a search for the stats, also for each of the groups that its body names in `stats`; slow
 * ones are logged with what was asked.
 */
export type CountSearch = (
  phase: SearchPhase,
  elapsedMs: number,
  groups?: readonly string[],
  asked?: AskedSearch,
) => void;

/** The engine of one shard copy. Calls come from one thread; writes are applied in the order they arrive. */
/** Bytes of one field by what they are for. */
export interface FieldUsage {
  inverted_index: number;
  stored_fields: number;
  doc_values: number;
  points: number;
  norms: number;
}

/** Bytes of a shard's store, and of each field in it. */
export interface DiskUsage {
  readonly store: number;
  readonly fields: readonly (readonly [name: string, usage: FieldUsage])[];
}

export interface Shard {
  readonly index: string;
  readonly indexUuid: string;
  readonly id: number;
  applyMetadata(metadata: ShardMetadata): void;
  setPrimaryTerm(term: number): void;
  /**
   * Applies operations in order; one that fails fails alone. Resolves when the log holds them as durably as the index
   * asks.
   */
  bulk(request: shard.BulkShardRequest, master: MappingMaster): Promise<shard.BulkShardResponse>;
  get(request: shard.GetRequest): Promise<shard.GetResponse>;
  /** The newest view that the refresh interval allows. */
  acquire(): SearcherLease;
  refresh(): void;
  flush(): Promise<void>;
  /** A flush, unless all is committed by now. */
  flushChanges(): Promise<void>;
  forceMerge(request: ForceMergeRequest): Promise<void>;
  stats(): Promise<ShardStats>;
  segmentsInfo(): readonly SegmentInfo[];
  /** What is sealed: flush first. */
  diskUsage(): Promise<DiskUsage>;
  /** Small and rare calls by name: refresh, flush, force_merge, stats, segments, clear_cache, recovery, terms_enum. */
  call(action: string, body: unknown, access?: Uint8Array): Promise<unknown>;
  /** Bytes of documents that are neither in a segment nor being written into one. */
  bufferBytes(): number;
  /** Forgets what searches keep to be faster. */
  clearCaches(): void;
  readonly report: OpenReport;
  readonly log: ShardLog;
  /** Resolves at the next refresh, as a write with `refresh=wait_for` does. */
  nextRefresh(): Promise<void>;
  /** Files of the node, for snapshots. */
  readonly files: Files;
  readonly compression: Compression;
  /** Flushes and closes. */
  close(): Promise<void>;
}
