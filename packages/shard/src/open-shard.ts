import type { Clock, Files } from '@shoal/doors';
import { type ApiError, errors } from '@shoal/errors';
import type { AccessLimits } from '@shoal/mapping';
import type { shard } from '@shoal/protocol';
import { type MountedFiles, openShardStore } from '@shoal/store';
import { parseLimits, restrictLease } from './read/restrict-lease.js';
import { shardCalls } from './calls/catalogue.js';
import { Commits } from './engine/commits.js';
import { Engine } from './engine/engine.js';
import { Flushes } from './engine/flushes.js';
import type { SealedPart } from './engine/part.js';
import { receiveOperations } from './engine/receive.js';
import { Refreshes } from './engine/refreshes.js';
import { committedParts, mountedParts, replayLog } from './engine/replay.js';
import { rollBack } from './engine/rollback.js';
import { type BoundedCache, createBoundedCache } from './engine/searcher-cache.js';
import { Searchers } from './engine/searchers.js';
import { Merges } from './merge/merges.js';
import { getItem } from './read/get.js';
import { type BoundedRequestCache, createRequestCache } from './search/request-cache.js';
import type {
  ForceMergeRequest,
  MappingMaster,
  OpenReport,
  OpenShardOptions,
  PinnedCommit,
  SearcherLease,
  SearchPhase,
  SegmentInfo,
  Shard,
  ShardLeases,
  ShardLog,
  ShardStats,
  WriteGate,
} from './shard-api.js';
import type { ShardMetadata } from './shard-metadata.js';
import type { AskedSearch, DiskUsage } from './shard-api.js';
import { noteAtRest, type ShardAtRest } from './stats/at-rest.js';
import { createCounters, type SearchCounters, searchCounters } from './stats/counters.js';
import { type Compression, fileCompression } from './calls/compression.js';
import { diskUsage } from './stats/disk-usage.js';
import { FieldUsage, type FieldUsageStats } from './stats/field-usage.js';
import { logSlowSearch } from './stats/slow-log.js';
import { segmentsInfo } from './stats/segments-info.js';
import { shardStats } from './stats/shard-stats.js';
import { applyBulk } from './write/bulk.js';
import type { ShardIdentity } from './write/version-check.js';
import { isWritten } from './write/write-result.js';

/** Numbers of `BulkShardRequest.refresh`. */
const REFRESH = { none: 0, now: 1, wait: 2 } as const;

class OpenedShard implements Shard, ShardLog {
  readonly id: number;
  readonly report: OpenReport;
  readonly clock: Clock;
  readonly repositoryFiles: Files;
  readonly compression: Compression;
  readonly mounted: MountedFiles | null;
  readonly #engine: Engine;
  readonly #fieldUsage: FieldUsage;
  readonly #searchers: Searchers;
  readonly #refreshes: Refreshes;
  /** Time of the last search, or of the open; on the monotonic clock, milliseconds. */
  #searchedAtMs: number;
  readonly #flushes: Flushes;
  readonly #merges: Merges;
  readonly #commits: Commits;
  readonly #cache: BoundedCache;
  readonly #requestCache: BoundedRequestCache;
  readonly #otherHandles: OpenShardOptions['otherHandles'];
  gate: WriteGate | null = null;
  #runningBulks = 0;
  #drainers: (() => void)[] = [];
  #isClosed = false;

  constructor(engine: Engine, options: OpenShardOptions, report: OpenReport) {
    this.id = options.shard;
    this.report = report;
    this.clock = options.clock;
    this.repositoryFiles = options.repositoryFiles ?? options.files;
    this.compression = options.compression ?? fileCompression;
    this.mounted = options.mounted ?? null;
    this.#otherHandles = options.otherHandles;
    this.#engine = engine;
    this.#cache = createBoundedCache(options.cacheBudgets.searchers, options.cacheBudgets.vectorRows);
    this.#requestCache = createRequestCache(options.cacheBudgets.requests, () => this.mounted?.lacked ?? 0);
    this.#requestCache.isEnabled = engine.settings.isRequestCacheEnabled;
    const trackingId = Buffer.from(options.random.bytes(16)).toString('base64url');
    this.#fieldUsage = new FieldUsage(trackingId, options.clock.now());
    this.#searchers = new Searchers(
      engine,
      options.shard,
      this.#cache,
      this.#requestCache,
      (part) => this.#drop(part),
      (...counted) => this.#countSearch(...counted),
      this.#fieldUsage,
    );
    if (options.mounted !== undefined) this.#searchers.stayHere();
    const commits = new Commits(engine, this.#searchers, (segment) => this.#dropSegment(segment));
    this.#commits = commits;
    this.#refreshes = new Refreshes(engine, this.#searchers);
    this.#searchedAtMs = engine.doors.clock.monotonic();
    this.#merges = new Merges(engine, this.#searchers, commits, options);
    this.#flushes = new Flushes(engine, commits, this.#refreshes, this.#merges, options.bufferBytesMax);
    if (report.replayedOperations > 0) this.#flushes.makeRoom();
  }

  get index(): string {
    return this.#engine.metadata.metadata.name;
  }

  get indexUuid(): string {
    return this.#engine.metadata.metadata.uuid;
  }

  get #identity(): ShardIdentity {
    return { index: this.index, indexUuid: this.indexUuid, shard: this.id };
  }

  #drop(part: SealedPart): void {
    part.release();
    if (this.#engine.segments.release(part.segment)) this.#dropSegment(part.segment);
  }

  #dropSegment(segment: number): void {
    if (!this.#isClosed) void this.#engine.store.dropSegment(segment);
  }

  get log(): ShardLog {
    return this;
  }

  get store(): ShardLog['store'] {
    return this.#engine.store;
  }

  get maxSeqNo(): number {
    return this.#engine.maxSeqNo;
  }

  get leases(): ShardLeases {
    return this.#engine.leases;
  }

  get leasesVersion(): number {
    return this.#engine.leasesVersion;
  }

  setLeases(leases: ShardLeases, version = this.#engine.leasesVersion + 1): void {
    this.#engine.leases = leases;
    this.#engine.leasesVersion = version;
    this.#engine.leasesTerm = Math.max(this.#engine.primaryTerm, this.store.currentTerm);
  }

  get historyFloor(): number {
    return this.#engine.historyFloor;
  }

  pin(): PinnedCommit | null {
    return this.#commits.pin();
  }

  async receive(firstSeqNo: number, records: readonly Uint8Array[]): Promise<void> {
    this.#check();
    await receiveOperations(this.#engine, firstSeqNo, records, () => this.#flushes.makeRoom());
    this.#flushes.makeRoom();
  }

  async rollBack(maxSeqNo: number): Promise<void> {
    this.#check();
    await this.#flushes.exclusive(() =>
      this.#commits.exclusive(() => rollBack(this.#engine, this.#searchers, maxSeqNo)),
    );
    this.clearCaches();
  }

  setGlobalCheckpoint(seqNo: number): void {
    if (this.#engine.store.setGlobalCheckpoint(seqNo)) this.#commits.settle();
  }

  refuseWrites(error: ApiError | null): void {
    this.#engine.refusal = error;
  }

  async drained(): Promise<void> {
    if (this.#runningBulks > 0) await new Promise<void>((resolve) => this.#drainers.push(resolve));
  }

  async nextRefresh(): Promise<void> {
    await this.#refreshes.next();
  }

  #check(): void {
    if (this.#isClosed) throw errors.noShardAvailable(null);
    if (this.#engine.store.failure) throw this.#engine.store.failure;
  }

  applyMetadata(metadata: ShardMetadata): void {
    const before = this.#engine.settings.refreshIntervalMs;
    this.#engine.applyMetadata(metadata);
    // A new mapping may answer the same request differently.
    this.#requestCache.answers.clear();
    this.#requestCache.isEnabled = this.#engine.settings.isRequestCacheEnabled;
    if (this.#engine.settings.refreshIntervalMs !== before) this.#refreshes.reschedule();
  }

  setPrimaryTerm(term: number): void {
    this.#engine.primaryTerm = term;
  }

  async bulk(request: shard.BulkShardRequest, master: MappingMaster): Promise<shard.BulkShardResponse> {
    this.#check();
    if (this.#engine.refusal) throw this.#engine.refusal;
    this.#runningBulks++;
    try {
      return await this.#bulk(request, master);
    } finally {
      this.#runningBulks--;
      if (this.#runningBulks === 0) for (const drainer of this.#drainers.splice(0)) drainer();
    }
  }

  async #bulk(request: shard.BulkShardRequest, master: MappingMaster): Promise<shard.BulkShardResponse> {
    const { clock } = this.#engine.doors;
    const { bulks, indexing } = this.#engine.counters;
    const started = clock.monotonic();
    const context = { engine: this.#engine, identity: this.#identity, makeRoom: () => this.#makeRoom() };
    const items = await applyBulk(context, request, master);
    const applied = this.#refreshes.count;
    indexing.total += items.filter((item) => item.outcome < 2).length;
    indexing.timeMs += clock.monotonic() - started;
    await this.answerable(this.#engine.maxSeqNo);
    bulks.total++;
    bulks.timeMs += clock.monotonic() - started;
    bulks.bytes += request.sources.length;
    this.#flushes.makeRoom();
    return { items, forcedRefresh: await this.#refreshFor(request.refresh, items.some(isWritten) ? applied : null) };
  }

  /**
   * Waits until the operation may be acknowledged. Another copy may become in sync while the log is synced: `gate` is
   * set by then, and that copy must have the operation too.
   */
  async answerable(seqNo: number): Promise<void> {
    if (this.gate === null) await this.#engine.store.acknowledged();
    if (this.gate !== null) await this.gate.acknowledged(seqNo);
  }

  #makeRoom(): Promise<void> | null {
    this.gate?.appended();
    return this.#flushes.makeRoom();
  }

  /**
   * Refreshes or waits as a bulk asks to. `applied` is the count of refreshes when it was applied; null if it wrote
   * nothing, so that there is nothing to wait for.
   */
  async #refreshFor(policy: number, applied: number | null): Promise<boolean> {
    if (policy === REFRESH.none || (policy === REFRESH.wait && applied === null)) return false;
    const copies = this.gate?.refreshed(policy === REFRESH.wait ? 'wait' : 'now');
    let isForced = policy === REFRESH.now;
    if (isForced) this.#refreshes.now();
    else if (this.#refreshes.count === applied) isForced = await this.#refreshes.next();
    await copies;
    return isForced;
  }

  async get(request: shard.GetRequest): Promise<shard.GetResponse> {
    this.#check();
    // A half-replayed log is older than what readers have seen: a document may be missing that was never deleted.
    while (this.#engine.resetting !== null) await this.#engine.resetting;
    this.#check();
    const limits = parseLimits(request.access);
    // Document-level security is checked by a search, so the document has to be in the refreshed view.
    const isSearched = limits !== null && limits.queries.length > 0;
    if (request.refresh || (isSearched && request.realtime)) this.#refreshes.now();
    const lease = request.realtime && !isSearched ? null : this.acquire();
    try {
      const shown = lease === null ? null : restrictLease(lease, request.access);
      return { items: request.items.map((item) => this.#getOne(item, shown, limits)) };
    } finally {
      lease?.release();
    }
  }

  #getOne(item: shard.GetItem, lease: SearcherLease | null, limits: AccessLimits | null): shard.GetResult {
    const { clock } = this.#engine.doors;
    const { gets } = this.#engine.counters;
    const started = clock.monotonic();
    const result = getItem(this.#engine, lease?.searcher ?? null, item, this.#identity, limits);
    const elapsedMs = clock.monotonic() - started;
    gets.total++;
    gets.timeMs += elapsedMs;
    if (result.found) {
      gets.exists++;
      gets.existsTimeMs += elapsedMs;
    } else {
      gets.missing++;
      gets.missingTimeMs += elapsedMs;
    }
    return result;
  }

  acquire(): SearcherLease {
    this.#check();
    this.#searchedAtMs = this.#engine.doors.clock.monotonic();
    return this.#refreshes.acquire();
  }

  refresh(): void {
    this.#check();
    this.#refreshes.now();
  }

  async flush(): Promise<void> {
    this.#check();
    await this.#flushes.flush();
  }

  async flushChanges(): Promise<void> {
    this.#check();
    await this.#flushes.flushChanges();
  }

  async forceMerge(request: ForceMergeRequest): Promise<void> {
    this.#check();
    // All its segments are in a snapshot, which is not changed.
    if (this.mounted) return;
    await this.#flushes.flush();
    await this.#merges.force(request);
    this.#engine.isDirty = true;
    this.#refreshes.afterSeal();
    await this.#engine.store.compact();
  }

  async stats(): Promise<ShardStats> {
    this.#check();
    this.#refreshes.ifDue();
    return shardStats(this.#engine, {
      storeBytes: await this.#engine.store.sizeInBytes(),
      openContexts: this.#searchers.openCount,
      refreshListeners: this.#refreshes.listenerCount,
      searchIdleMs: this.#engine.doors.clock.monotonic() - this.#searchedAtMs,
      visibleDocs: this.#searchers.current.liveDocCount,
      cache: this.#cache,
      requestCache: this.#requestCache,
      readers: this.#searchers.current.segments.map((view) => view.reader),
    });
  }

  segmentsInfo(): readonly SegmentInfo[] {
    this.#refreshes.ifDue();
    return segmentsInfo(this.#engine, this.#searchers.current.segments);
  }

  async diskUsage(): Promise<DiskUsage> {
    return diskUsage(
      this.#engine.sealed.map((part) => part.reader),
      await this.#engine.store.sizeInBytes(),
    );
  }

  fieldUsageStats(): FieldUsageStats {
    return this.#fieldUsage.stats();
  }

  clearCaches(): void {
    this.#cache.values.clear();
    this.#cache.vectorRows?.clear();
    this.#requestCache.answers.clear();
    this.#otherHandles?.clear(this.#engine.store.location);
  }

  async call(action: string, body: unknown, access?: Uint8Array, signal?: AbortSignal): Promise<unknown> {
    this.#check();
    const handler = Object.hasOwn(shardCalls, action) ? shardCalls[action] : undefined;
    if (!handler) throw errors.illegalArgument(`unknown shard action [${action}]`);
    return handler(this, body, access, signal);
  }

  #countSearch(
    phase: SearchPhase,
    elapsedMs: number,
    groups: readonly string[] = [],
    asked: AskedSearch | null = null,
  ): void {
    const { counters, settings, doors } = this.#engine;
    if (settings.slowLog && asked && (phase === 'query' || phase === 'fetch'))
      logSlowSearch(
        doors.log,
        settings.slowLog,
        { index: this.index, shard: this.id },
        { phase, tookMs: elapsedMs, groups, ...asked },
      );
    countPhase(counters, phase, elapsedMs);
    for (const group of groups) {
      if (!counters.groups.has(group) && counters.groups.size < SEARCH_GROUPS_MAX)
        counters.groups.set(group, searchCounters());
      const own = counters.groups.get(group);
      if (own) countPhase(own, phase, elapsedMs);
    }
  }

  bufferBytes(): number {
    return this.#engine.current.memoryBytes;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#refreshes.close();
    await this.#merges.close();
    const note = await this.#flushes
      .close()
      .then(() => this.#noteAtRest())
      .catch((error) => this.#logClose(error));
    this.#isClosed = true;
    this.#cache.values.close();
    this.#requestCache.answers.close();
    this.#searchers.stayHere();
    await this.#otherHandles?.ended(this.#engine.store.location);
    await this.#engine.store.close(note);
  }

  #logClose(error: unknown): null {
    this.#engine.doors.log.write('error', 'flush at close failed', {
      path: this.#engine.store.path,
      'error.message': String(error),
    });
    return null;
  }

  /**
   * Returns the statistics to show while the store is closed, as the next open would find them; null for a failed
   * shard.
   */
  async #noteAtRest(): Promise<ShardAtRest | null> {
    // What a mounted copy would tell may be in files that are not here.
    if (this.#engine.store.failure || this.mounted) return null;
    this.clearCaches();
    this.#refreshes.now();
    this.#engine.counters = createCounters();
    return noteAtRest(this);
  }
}

/** Limit on the search groups that a shard counts separately; further groups count in the totals only. */
const SEARCH_GROUPS_MAX = 1000;

function countPhase(counters: SearchCounters, phase: SearchPhase, elapsedMs: number): void {
  const counter = {
    query: counters.queries,
    fetch: counters.fetches,
    scroll: counters.scrolls,
    suggest: counters.suggests,
  }[phase];
  counter.total++;
  counter.timeMs += elapsedMs;
}

/**
 * Opens the engine of one shard copy: verifies its store, opens the committed segments and replays the log above them.
 * Throws corrupt_index_exception for a damaged or incomplete store.
 */
export async function openShard(options: OpenShardOptions): Promise<Shard> {
  const { clock, log, metadata, primaryTerm } = options;
  const startedAtMs = clock.now();
  const store = await openShardStore({ ...options, cache: options.blockCache });
  try {
    const engine = new Engine(store, { clock, log }, metadata, primaryTerm);
    engine.applyMetadata(metadata);
    store.setDurability({ mode: engine.settings.durability, syncIntervalMs: engine.settings.syncIntervalMs });
    engine.sealed = options.mounted ? await mountedParts(engine, options.mounted) : committedParts(engine);
    const segments = engine.sealed.length;
    const isNew = store.commit === null && store.recoveredSeqNo < 0;
    const replayedOperations = await replayLog(engine);
    const bytes = engine.sealed.reduce((sum, part) => sum + part.byteSize, 0);
    const report: OpenReport = {
      type: isNew ? 'EMPTY_STORE' : 'EXISTING_STORE',
      startedAtMs,
      endedAtMs: clock.now(),
      replayedOperations,
      segments,
      bytes,
    };
    return new OpenedShard(engine, options, report);
  } catch (error) {
    store.fail(error);
    await store.close();
    throw error;
  }
}
