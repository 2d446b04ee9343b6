import type { GraphLimits } from '@shoal/segments';
import type { Compression } from './calls/compression.js';
import type { CacheBudgets } from './engine/cache-budget.js';
import type { IndexSort } from './engine/index-sort.js';
import type { Clock, Files, KeyValueStores, Log, Random } from '@shoal/doors';
import type { ApiError } from '@shoal/errors';
import type { FieldUsage as SearchedFields, FieldUsageStats } from './stats/field-usage.js';
import type { ShardMetadata } from './shard-metadata.js';
import type { SealedView } from './views/sealed-view.js';
import type { shard } from '@shoal/protocol';
import type { Searcher } from '@shoal/query';
import type {
  Ballast,
  BlockCache,
  Commit,
  MountedFiles,
  ShardStore,
  UnassignedStores,
  WantedIdentity,
} from '@shoal/store';

/** Handles of stores that other threads have opened to search views (`SearcherLease.sealed`). */
export interface OtherHandles {
  /** Ends what runs on the handles of a store, and resolves when they are closed. */
  ended(location: string): Promise<void>;
  /** Drops what other threads have cached of a store. */
  clear(location: string): void;
}

/** A merge of sealed segments, as a message to another thread. */
export interface MergeTask {
  /** Location of the key-value store that holds the inputs and takes the output. */
  readonly location: string;
  readonly inputs: readonly MergeInput[];
  readonly output: number;
  readonly sort: IndexSort | null;
  /** Limits of the graphs over vectors. */
  readonly graphs: GraphLimits;
}

/** One segment that a merge reads. */
export interface MergeInput {
  readonly segment: number;
  readonly maxDoc: number;
  /** Words of the bit set of live documents at the start of the merge; null when none is deleted. */
  readonly live: Int32Array | null;
}

/** The segment that a merge wrote. `byteSize` is 0 and nothing is written if no document is left. */
export interface MergeResult {
  readonly maxDoc: number;
  /** For each input, new document numbers by old ones; -1 for documents that were dropped. */
  readonly docMaps: readonly Int32Array[];
  readonly byteSize: number;
  readonly rootHash: Uint8Array;
}

/**
 * Runs merges on a worker, which calls `runMergeTask`, or calls `inPlace`, which merges on the shard's own thread with
 * pauses.
 */
export interface MergeRunner {
  /** Rejects soon after `signal` is aborted. Once the promise settles, the runner no longer uses the store. */
  run(task: MergeTask, inPlace: () => Promise<MergeResult>, signal: AbortSignal): Promise<MergeResult>;
}

/** Options of opening a shard copy. */
export interface OpenShardOptions {
  readonly shard: number;
  readonly primaryTerm: number;
  readonly metadata: ShardMetadata;
  /** Folder of this copy. */
  readonly path: string;
  readonly stores: KeyValueStores;
  readonly files: Files;
  /** Files of snapshot repositories; `files` when absent. */
  readonly repositoryFiles?: Files;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly blockCache: BlockCache;
  /** Size in bytes at which the in-memory buffer is sealed to a segment. */
  readonly bufferBytesMax: number;
  /** Budgets shared with the other shards of the thread. */
  readonly cacheBudgets: CacheBudgets;
  readonly mergeRunner?: MergeRunner;
  /** Handles of the store that searches on other threads have; absent if there are none. */
  readonly otherHandles?: OtherHandles | undefined;
  /** Limits of the graphs over vectors; for segments of 10,000 vectors on and 128 MB when absent. */
  readonly graphs?: Partial<GraphLimits>;
  /** Compression of snapshots; `fileCompression` when absent. */
  readonly compression?: Compression;
  readonly ballast?: Ballast;
  /** Assignment of the copy in a cluster, which the store must belong to. */
  readonly identity?: WantedIdentity;
  /** Whether no other copy is in sync; true when absent. */
  readonly isAlone?: boolean;
  /** Called once, when an error ends the shard. From then on every call fails with this error. */
  readonly onFailure?: (error: ApiError) => void;
  /** Files of the snapshot that the copy reads; only for a mounted copy, which takes no writes. */
  readonly mounted?: MountedFiles | undefined;
  /** Whether the store was filled by this process just now. */
  readonly isJustFilled?: boolean | undefined;
  /** Stores that were opened for an allocation decision and are still open. */
  readonly unassignedStores?: UnassignedStores;
}

/** Waits between a write's append to the log and its answer, while there are other copies. */
export interface WriteGate {
  /** Called often while a bulk runs, when the log has more operations, so that copies receive them in parallel. */
  appended(): void;
  /**
   * Resolves when all operations up to `seqNo` may be acknowledged. Rejects when this copy is no longer the primary.
   */
  acknowledged(seqNo: number): Promise<void>;
  /** Refreshes the other copies (`now`), or waits for their next refresh (`wait`). */
  refreshed(policy: 'now' | 'wait'): Promise<void>;
}

/** The ordered log of a copy, for replication. One owner calls it, one call after the other. */
export interface ShardLog {
  readonly store: ShardStore;
  /** Highest operation of the engine, synced or not; -1 for none. */
  readonly maxSeqNo: number;
  /**
   * Set on the copy that assigns sequence numbers while there are other copies. With null, writes are answered as soon
   * as they are durable here.
   */
  gate: WriteGate | null;
  /**
   * Resolves when all operations up to `seqNo` may be acknowledged. Rejects when the store has failed, or this copy is
   * no longer the primary.
   */
  answerable(seqNo: number): Promise<void>;
  /**
   * Applies records of the primary that follow `maxSeqNo`. Throws retry_on_replica_exception before a record whose
   * fields the mapping lacks.
   */
  receive(firstSeqNo: number, records: readonly Uint8Array[]): Promise<void>;
  /** Truncates the log above an operation and undoes the operations above it. A failure ends the shard. */
  rollBack(maxSeqNo: number): Promise<void>;
  setGlobalCheckpoint(seqNo: number): void;
  /** With an error, refuses own writes with it, also those of running bulks. Null allows writes again. */
  refuseWrites(error: ApiError | null): void;
  /** Resolves when no bulk is running. */
  drained(): Promise<void>;
  /** Pins the newest safe commit; null when there is none yet. */
  pin(): PinnedCommit | null;
  /** Every operation from this number on is in the log. */
  readonly historyFloor: number;
  /**
   * Sets the leases of copies for which operations are kept. `version` is the primary's count of changes; when absent,
   * the own count is raised by one.
   */
  setLeases(leases: ShardLeases, version?: number): void;
  readonly leases: ShardLeases;
  /** Number of changes of the leases. Not kept over a restart, which begins a new term. */
  readonly leasesVersion: number;
}

/** A commit whose segments and operations stay until `release`. */
export interface PinnedCommit {
  readonly commit: Commit;
  release(): void;
}

/**
 * Leases of copies: operations from `retainedSeqNo` on are kept. `atMs` is the time of the last renewal, UTC
 * milliseconds.
 */
export type ShardLeases = readonly { readonly id: string; readonly retainedSeqNo: number; readonly atMs: number }[];

/** The master, as bulk needs it. */
export interface MappingMaster {
  /**
   * Resolves once the fields are in the committed mapping and `applyMetadata` was called with it. Rejects with the
   * reason for refusing them.
   */
  updateMapping(mapping: Record<string, unknown>): Promise<void>;
}

/** Cache of results of searches without hits, valid while their segments do not change. */
export interface RequestCache {
  /** Setting `index.requests.cache.enable`, which a request may override. */
  readonly isEnabled: boolean;
  /** Returns the result under a key, and counts a hit if there is one. */
  get(key: string): shard.ShardQueryResult | undefined;
  /** Counts a search that was not found although it may be cached. */
  countMiss(): void;
  /** Number of reads so far that lacked a file of a snapshot: a result across which it grew is not kept. */
  lacked(): number;
  put(key: string, result: shard.ShardQueryResult): void;
}

/** A searcher whose segments and sources stay until `release`. */
export interface SearcherLease {
  readonly searcher: Searcher;
  /** Whether the searcher hides documents by a query that depends on the time: then no result is cached. */
  readonly dependsOnTime?: boolean;
  readonly requestCache: RequestCache;
  /** Counts a finished phase in the shard's stats; may be called after the shard was closed. */
  readonly countSearch: CountSearch;
  /** Counts what searches read of fields. */
  readonly fieldUsage: Pick<SearchedFields, 'count'>;
  /** Describes the view for a search on another thread; null, or absent, if some documents are in no segment. */
  readonly sealed?: () => SealedView | null;
  release(): void;
}

/** Options of a force merge. */
export interface ForceMergeRequest {
  /** Null: runs what the merge policy wants. */
  readonly maxNumSegments: number | null;
  readonly onlyExpungeDeletes: boolean;
  readonly flush?: boolean;
}

/**
 * Sections of `GET _stats` for one shard, in the order and with the names of Elasticsearch 8.12. Sections of several
 * shards are summed number by number.
 */
export type ShardStats = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** How the shard was opened, for the recovery API. */
export interface OpenReport {
  readonly type: 'EMPTY_STORE' | 'EXISTING_STORE';
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly replayedOperations: number;
  readonly segments: number;
  readonly bytes: number;
}

/** One segment, for the segments API. */
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

/** The search that a slow phase is logged with. */
export interface AskedSearch {
  readonly body: Uint8Array;
  /** Encoded `shard.SearchOptions`. */
  readonly options: Uint8Array;
  readonly caller: shard.Caller | undefined;
  /** Number of shards of the whole search; undefined if the coordinating node did not send it. */
  readonly totalShards: number | undefined;
  /** Null if the query phase ran elsewhere and its total was not sent. */
  readonly total: TotalHits | null;
}

/**
 * Counts a finished phase of a search in the stats, also under each group that its body names in `stats`. A slow phase
 * is logged with `asked`.
 */
export type CountSearch = (
  phase: SearchPhase,
  elapsedMs: number,
  groups?: readonly string[],
  asked?: AskedSearch,
) => void;

/** Estimated bytes of one field by purpose. */
export interface FieldUsage {
  inverted_index: number;
  stored_fields: number;
  doc_values: number;
  points: number;
  norms: number;
  knn_vectors: number;
}

/** Bytes of a shard's store, and of each field in it. */
export interface DiskUsage {
  readonly store: number;
  readonly fields: readonly (readonly [name: string, usage: FieldUsage])[];
}

/** The engine of one shard copy. All calls come from one thread; writes are applied in order of arrival. */
export interface Shard {
  readonly index: string;
  readonly indexUuid: string;
  readonly id: number;
  applyMetadata(metadata: ShardMetadata): void;
  setPrimaryTerm(term: number): void;
  /**
   * Applies operations in order; an operation that fails does not fail the others. Resolves when the log has them as
   * durably as the index asks.
   */
  bulk(request: shard.BulkShardRequest, master: MappingMaster): Promise<shard.BulkShardResponse>;
  get(request: shard.GetRequest): Promise<shard.GetResponse>;
  /** Returns a searcher of the newest view that the refresh interval allows. */
  acquire(): SearcherLease;
  refresh(): void;
  flush(): Promise<void>;
  /** Flushes unless everything is committed. */
  flushChanges(): Promise<void>;
  forceMerge(request: ForceMergeRequest): Promise<void>;
  stats(): Promise<ShardStats>;
  segmentsInfo(): readonly SegmentInfo[];
  /** Returns the disk usage of sealed segments; the caller flushes first. */
  diskUsage(): Promise<DiskUsage>;
  /** Returns what searches have read of which field since the copy was opened. */
  fieldUsageStats(): FieldUsageStats;
  /**
   * Runs one of the small and rare calls by name: refresh, flush, force_merge, stats, segments, clear_cache, recovery,
   * terms_enum.
   */
  call(action: string, body: unknown, access?: Uint8Array, signal?: AbortSignal): Promise<unknown>;
  /** Returns the memory of the buffer in bytes, without one that is being written to a segment. */
  bufferBytes(): number;
  /** Clears the caches of searches. */
  clearCaches(): void;
  readonly report: OpenReport;
  readonly log: ShardLog;
  /** Resolves at the next refresh, as a write with `refresh=wait_for` does. */
  nextRefresh(): Promise<void>;
  readonly clock: Clock;
  /** Files of snapshot repositories. */
  readonly repositoryFiles: Files;
  readonly compression: Compression;
  /** Files of the snapshot that the copy reads; null unless it is mounted. */
  readonly mounted: MountedFiles | null;
  /** Flushes and closes. */
  close(): Promise<void>;
}
