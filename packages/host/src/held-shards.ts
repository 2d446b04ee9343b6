import {
  changedKeys,
  type ClusterState,
  emptyState,
  type IndexMetadata,
  indexBlock,
  indexSetting,
  isActive,
  isPartiallyMounted,
  type ShardRouting,
} from '@shoal/state';
import { createRateLimit, createTurns, isSpaceError, type Channel, type Clock, type Log } from '@shoal/doors';
import { errors } from '@shoal/errors';
import type { shard } from '@shoal/protocol';
import { type RecoveryProgress, ShardCopy, type ShardFailed } from '@shoal/replication';
import {
  completeRestore,
  hasFiles,
  type MountedSnapshot,
  type MountOptions,
  mountSnapshot,
  placeFiles,
  type PlaceFilesOptions,
  placeMounted,
  type RestoreSource,
  type Shard,
  type ShardAtRest,
} from '@shoal/shard';
import {
  type KeptFiles,
  type MountedFiles,
  type ShardStore,
  storeInfo,
  type ShardStoreInfo,
  type StoreAtRest,
  type WantedIdentity,
} from '@shoal/store';
import { parseByteSize, parseTimeValue } from '@shoal/values';
import { type IndexContext, type IndexContexts, createIndexContexts } from './index-contexts.js';
import { copyDocuments } from './copy-documents.js';
import { copyViewOf } from './copy-view.js';
import { LostCopies } from './lost-copies.js';
import { nodeChannel } from './node-channel.js';
import { placeShard } from './place-shard.js';
import type { ReaderContexts } from './reader-contexts.js';

/** Opens a shard's engine over the node's doors; `identity` and `isAlone` as its store takes them. */
export type OpenShard = (
  index: IndexMetadata,
  routing: ShardRouting,
  context: IndexContext,
  onFailure: (error: unknown) => void,
  copy?: {
    readonly identity: WantedIdentity;
    readonly isAlone: boolean;
    readonly mounted?: MountedFiles | undefined;
    readonly isJustFilled?: boolean;
  },
) => Promise<Shard>;

/** Effects and callbacks of the shards of a thread. */
export interface HeldShardsOptions {
  /** Number of this thread, 0 … `threads` - 1. */
  readonly thread: number;
  readonly threads: number;
  readonly nodeId: string;
  /** Ephemeral id of this process of the node. */
  readonly session: string;
  /** How many threads of this process have held the shards of this number before, and ended. */
  readonly life: number;
  readonly clock: Clock;
  readonly log: Log;
  /** Opens a shard's engine over the node's doors. */
  readonly open: OpenShard;
  /** Opens the store of a copy without an engine. */
  readonly openStore: (
    indexUuid: string,
    shard: number,
    identity: WantedIdentity,
    keeps: KeptFiles | null,
  ) => Promise<ShardStore>;
  /** Files of snapshot repositories, and how they are packed. */
  readonly repository: Omit<PlaceFilesOptions, 'limit'>;
  /** Doors of a copy that reads the files of a snapshot. */
  readonly mount: (indexUuid: string, shard: number) => MountOptions;
  /** Reads the description of a cleanly closed store; null if the store must be opened and verified. */
  readonly atRest: (indexUuid: string, shard: number) => Promise<StoreAtRest | null>;
  /** Deletes the files of a deleted shard. */
  readonly destroy: (indexUuid: string, shard: number) => Promise<void>;
  /** Reports to the master that a shard has started, or has failed with `failure` (null if started). */
  readonly report: (routing: ShardRouting, failure: unknown, term: number) => void;
  /** Reports a failed copy; resolves when the master has committed it. */
  readonly shardFailed: (report: ShardFailed) => Promise<void>;
  /** Channel to all shards of the node. */
  readonly peers: Channel;
  /** Reader contexts of the shards of this thread. */
  readonly readers: Pick<ReaderContexts, 'freeShard' | 'gone'>;
}

interface HeldShard {
  /** Allocation id of the copy. For another allocation id the copy is closed and opened again. */
  readonly allocationId: string | null;
  /** Null until an earlier copy has released the store. */
  copy: ShardCopy | null;
  opened: Shard | null;
  /** Callers that wait for the engine. */
  waiting: { readonly resolve: (shard: Shard) => void; readonly reject: (error: unknown) => void }[];
}

const DEFAULT_RECOVERY_RATE = '40mb';

/** Milliseconds until a shard that found no disk space is opened again. */
const SPACE_RETRY_MS = 2_000;
const OPEN_POLL_MS = 50;
/**
 * Number of stores that are opened at the same time. The master may assign hundreds at once, most of which need no
 * opening.
 */
const OPENS_MAX = 32;

const LEASE_PERIOD = 'index.soft_deletes.retention_lease.period';

const SEARCH_IDLE_AFTER = 'index.search.idle.after';

/**
 * Returns a duration from an index's current settings, in milliseconds. For a deleted index it returns the default,
 * which nobody uses.
 */
function settingMs(state: ClusterState, indexUuid: string, name: string): number {
  return parseTimeValue(String(indexSetting(state.indices.get(indexUuid)?.settings ?? {}, name)), name);
}

/** Files of the snapshot that a shard is restored from. */
function sourceOf({ shard }: ShardRouting, { restoredFrom }: IndexMetadata): RestoreSource {
  return { folder: restoredFrom!.folder, files: restoredFrom!.files[shard] ?? [], shard };
}

const keyOf = (indexUuid: string, id: number): string => `${indexUuid}/${id}`;

/** Opens and closes the shards of one thread as the applied cluster state assigns them. */
export class HeldShards {
  readonly #options: HeldShardsOptions;
  readonly #held = new Map<string, HeldShard>();
  /** Shards whose store is still being closed, by name: the same copy must not be opened beside it. */
  readonly #closing = new Map<string, Promise<void>>();
  /**
   * Copies that are no longer assigned here, whose store is open for the contexts that read it. A scroll or a point in
   * time goes on while its shard moves to another node.
   */
  readonly #lingering = new Set<string>();
  /** Shards that failed without disk space: they are opened only after a pause. */
  readonly #withoutSpace = new Set<string>();
  readonly #contexts: IndexContexts = createIndexContexts();
  readonly #limit: (bytes: number) => Promise<void>;
  /** Limits of restores by name of the repository. */
  readonly #restoreLimits = new Map<string, { bytesPerSecond: number; limit: (bytes: number) => Promise<void> }>();
  #state: ClusterState = emptyState();
  readonly #opens = createTurns(OPENS_MAX);
  #isClosed = false;
  readonly #lost: LostCopies;

  constructor(options: HeldShardsOptions) {
    this.#options = options;
    this.#lost = new LostCopies(options.life);
    this.#limit = createRateLimit(options.clock, () => {
      const { transientSettings, persistentSettings } = this.#state;
      const key = 'indices.recovery.max_bytes_per_sec';
      const text = transientSettings[key] ?? persistentSettings[key];
      return parseByteSize(typeof text === 'string' ? text : DEFAULT_RECOVERY_RATE, key);
    });
  }

  get state(): ClusterState {
    return this.#state;
  }

  get opened(): readonly Shard[] {
    return [...this.#held.values()].flatMap(({ opened }) => opened ?? []);
  }

  /** Returns the engine of a shard, once it is open. Throws no_shard_available_action_exception. */
  async get(ref: shard.ShardRef | undefined): Promise<Shard> {
    const found = this.#find(ref);
    void found.copy?.openDeferred();
    return found.opened ?? new Promise((resolve, reject) => found.waiting.push({ resolve, reject }));
  }

  #find(ref: shard.ShardRef | undefined): HeldShard {
    const found = ref && this.#held.get(keyOf(ref.indexUuid, ref.shard));
    if (!found) throw errors.noShardAvailable(null);
    return found;
  }

  /** Returns the copy of a shard, once its store is free. Throws no_shard_available_action_exception. */
  async copy(ref: shard.ShardRef | undefined): Promise<ShardCopy> {
    const found = this.#find(ref);
    if (!found.copy) await this.get(ref);
    if (!found.copy) throw errors.noShardAvailable(null);
    return found.copy;
  }

  /**
   * `copy`, for a write of a client. Throws cluster_block_exception if the index refuses writes: the node that sent the
   * write may not have known of the block, and who has set it reads the index once the writes before it are done.
   */
  async copyToWrite(ref: shard.ShardRef | undefined): Promise<ShardCopy> {
    const copy = await this.copy(ref);
    const meta = ref && this.#state.indices.get(ref.indexUuid);
    const blocks = this.#state.blocks.filter(({ indexUuid }) => indexUuid === ref?.indexUuid);
    const block = meta ? indexBlock({ ...this.#state, blocks }, meta, 'write') : null;
    if (block !== null) throw block;
    return copy;
  }

  /** Returns the copy that is held now, for messages of other copies. Throws an error that makes them retry. */
  copyNow(indexUuid: string, id: number): ShardCopy {
    const copy = this.#held.get(keyOf(indexUuid, id))?.copy;
    if (!copy) throw errors.retryOnReplica('the node does not hold the copy yet');
    return copy;
  }

  /** Returns the description of a copy whose store has not been opened yet; null once it is open or being opened. */
  atRest(ref: shard.ShardRef | undefined): ShardAtRest | null {
    return (this.#find(ref).copy?.atRest?.note ?? null) as ShardAtRest | null;
  }

  /**
   * Returns for how many milliseconds a copy at rest was not searched, and whether it is idle by its index's settings.
   */
  searchIdle(ref: shard.ShardRef): { readonly isIdle: boolean; readonly ms: number } {
    const ms = Math.max(0, this.#options.clock.now() - this.recovery(ref).progress.startedAtMs);
    return { isIdle: ms >= settingMs(this.#state, ref.indexUuid, SEARCH_IDLE_AFTER), ms };
  }

  /** Opens the stores of copies at rest that a search is about to use. */
  openDeferred(refs: readonly (shard.ShardRef | undefined)[]): void {
    for (const ref of refs) if (ref) void this.#held.get(keyOf(ref.indexUuid, ref.shard))?.copy?.openDeferred();
  }

  /** Returns the progress of a copy's recovery, and the report of opening its store (null if not open yet). */
  recovery(ref: shard.ShardRef | undefined): {
    readonly progress: RecoveryProgress;
    readonly opened: Shard['report'] | null;
  } {
    const { copy, opened } = this.#find(ref);
    if (!copy) throw errors.noShardAvailable(null);
    const rest = copy.atRest?.note as ShardAtRest | undefined;
    const { startedAtMs, endedAtMs } = copy.progress;
    const resting = rest
      ? { type: 'EXISTING_STORE' as const, startedAtMs, endedAtMs, replayedOperations: 0, ...rest.report }
      : null;
    return { progress: copy.progress, opened: opened?.report ?? resting };
  }

  /**
   * Describes the store of a held copy; null if none is held. A recovering copy counts too: under its previous
   * assignment it may have had all acknowledged operations. Waits for a copy that is being opened or closed until
   * `until` (monotonic milliseconds).
   */
  async storeInfo(indexUuid: string, id: number, until: number): Promise<ShardStoreInfo | null> {
    const { clock } = this.#options;
    for (;;) {
      const held = this.#held.get(keyOf(indexUuid, id));
      if (held?.copy?.atRest) return held.copy.atRest.info;
      const shard = held?.copy?.shard;
      if (shard && !shard.log.store.failure) return storeInfo(shard.log.store);
      if (!held || clock.monotonic() >= until) return null;
      await new Promise<void>((resolve) => clock.after(OPEN_POLL_MS, resolve));
    }
  }

  /** Runs work on the folder of a shard that is not held; null if the folder is in use. */
  async whileClosed<T>(indexUuid: string, id: number, work: () => Promise<T>): Promise<T | null> {
    const name = keyOf(indexUuid, id);
    if (this.#held.has(name) || this.#lingering.has(name)) return null;
    const result = (this.#closing.get(name) ?? Promise.resolve()).then(() =>
      this.#held.get(name)?.copy ? null : work(),
    );
    const ended = result
      .then(
        () => undefined,
        () => undefined,
      )
      .then(() => {
        if (this.#closing.get(name) === ended) this.#closing.delete(name);
      });
    this.#closing.set(name, ended);
    return result;
  }

  /**
   * Applies a state. Mappings and settings take effect at once; shards are opened and closed in the background. Costs
   * only as much as has changed: indices with the same entries are skipped.
   */
  apply(state: ClusterState): void {
    // The node is shutting down: its copies are closed, not lost, and the next process opens them.
    if (this.#isClosed) return;
    const previous = this.#state;
    const knewThisProcess = this.#knowsThisProcess();
    this.#state = state;
    const isOther = knewThisProcess !== this.#knowsThisProcess();
    const tables = changedKeys(previous.routing, state.routing);
    const indices = changedKeys(previous.indices, state.indices);
    const changed = isOther ? state.routing.keys() : new Set([...tables, ...indices]);
    for (const uuid of tables)
      if (!state.routing.has(uuid)) this.#applyTable(uuid, previous.routing.get(uuid)?.length ?? 0);
    for (const uuid of changed) this.#applyChanged(uuid, previous, isOther);
    this.#contexts.drop([...indices].filter((uuid) => !state.indices.has(uuid)));
    for (const name of this.#lingering) if (!this.#mayLinger(name)) this.#freeReaders(name);
    this.#lost.applied();
  }

  #applyChanged(uuid: string, previous: ClusterState, isOther: boolean): void {
    const table = this.#state.routing.get(uuid);
    if (!table) return;
    const hasNewMetadata = previous.indices.get(uuid) !== this.#state.indices.get(uuid);
    if (!isOther && !hasNewMetadata && previous.routing.get(uuid) === table) return;
    this.#applyTable(uuid, table.length, hasNewMetadata);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const name of [...this.#held.keys(), ...this.#lingering]) this.#freeReaders(name);
    await Promise.all([...this.#closing.values(), ...[...this.#held].map(([name, entry]) => this.#close(name, entry))]);
  }

  /** Opens and closes the copies of one index as the state assigns them; closes unwanted ones first. */
  #applyTable(uuid: string, shards: number, hasNewMetadata = false): void {
    for (let shard = 0; shard < shards; shard++) {
      const name = keyOf(uuid, shard);
      const wanted = this.#wanted(uuid, shard);
      if (!wanted) this.#lost.forget(name);
      const held = this.#held.get(name);
      if (held && wanted?.allocationId !== held.allocationId) this.#closeLater(name, held);
      else if (hasNewMetadata && held?.copy?.shard) this.#update(held.copy.shard, uuid);
      if (wanted) this.#follow(name, wanted);
    }
  }

  #wanted(uuid: string, shard: number): ShardRouting | undefined {
    if (!this.#knowsThisProcess()) return undefined;
    return this.#state.routing.get(uuid)?.[shard]?.find((routing) => this.#isMine(routing));
  }

  /**
   * Whether the state knows this process of the node. Until the master has seen the restart, the routing is about the
   * earlier process, whose copies this process does not have.
   */
  #knowsThisProcess(): boolean {
    return this.#state.nodes.get(this.#options.nodeId)?.ephemeralId === this.#options.session;
  }

  #isMine({ nodeId, state, indexUuid, shard }: ShardRouting): boolean {
    const { thread, threads } = this.#options;
    return (
      nodeId === this.#options.nodeId && state !== 'UNASSIGNED' && placeShard(indexUuid, shard, threads) === thread
    );
  }

  #follow(name: string, routing: ShardRouting): void {
    const held = this.#held.get(name);
    if (held) return held.copy?.apply(copyViewOf(this.#state, routing));
    if (this.#lost.isReported(name, routing)) return;
    const entry: HeldShard = { allocationId: routing.allocationId, copy: null, opened: null, waiting: [] };
    this.#held.set(name, entry);
    const loss = this.#lost.reasonOf(name, routing);
    if (loss !== null) return this.#onFailed(name, entry, errors.illegalState(loss));
    const before = this.#closing.get(name) ?? Promise.resolve();
    void before.then(() => this.#open(name, entry));
  }

  /** Returns the newest routing of a held copy; null if it is no longer assigned here. */
  #routingOf(name: string, entry: HeldShard): ShardRouting | null {
    if (this.#held.get(name) !== entry) return null;
    const [indexUuid, id] = name.split('/') as [string, string];
    return (
      this.#state.routing.get(indexUuid)?.[Number(id)]?.find((copy) => copy.allocationId === entry.allocationId) ?? null
    );
  }

  #open(name: string, entry: HeldShard): void {
    const routing = this.#routingOf(name, entry);
    if (routing) entry.copy = this.#createCopy(name, entry, routing);
  }

  #createCopy(name: string, entry: HeldShard, routing: ShardRouting): ShardCopy {
    const { clock, log, nodeId, peers, openStore, destroy, atRest, shardFailed } = this.#options;
    const { indexUuid, shard } = routing;
    const index = (): IndexMetadata => {
      const found = this.#state.indices.get(indexUuid);
      if (!found) throw errors.noShardAvailable(null);
      return found;
    };
    return new ShardCopy(
      {
        clock,
        events: log,
        nodeId,
        open: (identity, isAlone, failed) =>
          this.#openWithSpace(name, routing, async () => {
            const mounted = await this.#mount(routing, index());
            const isJustFilled = await this.#placeFiles(routing, index(), identity, mounted);
            const copyOf = { identity, isAlone, mounted: mounted?.mounted, isJustFilled };
            return this.#options.open(index(), routing, this.#contexts.of(index()), failed, copyOf);
          }),
        opened: (opened) => this.#update(opened, indexUuid),
        openStore: (identity, keeps) => openStore(indexUuid, shard, identity, keeps),
        atRest: () => atRest(indexUuid, shard),
        destroy: () => destroy(indexUuid, shard),
        channel: (target, link) => nodeChannel(peers, target, link),
        shardFailed,
        leasePeriodMs: () => settingMs(this.#state, indexUuid, LEASE_PERIOD),
        mustSync: () => index().settings['index.translog.durability'] !== 'async',
        mappingVersion: () => index().mappingVersion,
        limit: this.#limit,
        prepare: (opened) => this.#prepare(opened, routing, index()),
        onShard: (opened) => this.#onShard(entry, opened),
        readersGone: () => this.#options.readers.gone(routing),
        // A caller asked for the shard before it was known that its opening is deferred.
        deferred: () => void (entry.waiting.length > 0 && entry.copy?.openDeferred()),
        started: (term) => this.#options.report(routing, null, term),
        failed: (error) => this.#onFailed(name, entry, error),
      },
      copyViewOf(this.#state, routing),
    );
  }

  async #prepare(opened: Shard, routing: ShardRouting, index: IndexMetadata): Promise<void> {
    if (routing.recoverySource === 'LOCAL_SHARDS') await this.#copyFromSource(index, opened);
    if (routing.recoverySource === 'SNAPSHOT') await completeRestore(opened, sourceOf(routing, index));
  }

  /** The snapshot whose files a copy reads; null if it has files of its own. */
  async #mount(routing: ShardRouting, index: IndexMetadata): Promise<MountedSnapshot | null> {
    if (!isPartiallyMounted(index)) return null;
    return mountSnapshot(sourceOf(routing, index), this.#options.mount(routing.indexUuid, routing.shard));
  }

  /** Files of a snapshot that the open copy of a shard reads; null if it has files of its own. */
  mountedOf(ref: shard.ShardRef | undefined): MountedFiles | null {
    return (ref && this.#held.get(keyOf(ref.indexUuid, ref.shard))?.opened?.mounted) ?? null;
  }

  /** Places the files of a snapshot for the engine that is opened next. Returns false for a shard that has its own. */
  async #placeFiles(
    routing: ShardRouting,
    index: IndexMetadata,
    identity: WantedIdentity,
    mounted: MountedSnapshot | null,
  ): Promise<boolean> {
    const isRestored = routing.recoverySource === 'SNAPSHOT' && routing.state === 'INITIALIZING' && routing.primary;
    if (!isRestored || !hasFiles(sourceOf(routing, index))) return false;
    const { indexUuid, shard } = routing;
    const { openStore, destroy, repository } = this.#options;
    // Nothing of an attempt before is kept.
    await destroy(indexUuid, shard);
    const store = await openStore(indexUuid, shard, identity, null);
    const from = sourceOf(routing, index);
    const limit = (bytes: number) => Promise.all([this.#limit(bytes), this.#restoreLimit(index)(bytes)]);
    if (mounted) await placeMounted(store, mounted, from, this.#options.mount(indexUuid, shard));
    else await placeFiles(store, from, { ...repository, limit });
    return true;
  }

  /** The limit of all restores from a repository on this thread. */
  #restoreLimit({ restoredFrom }: IndexMetadata): (bytes: number) => Promise<void> {
    const { repository, bytesPerSecond = 0 } = restoredFrom!;
    const known = this.#restoreLimits.get(repository);
    if (known?.bytesPerSecond === bytesPerSecond) return known.limit;
    const limit = createRateLimit(this.#options.clock, () => bytesPerSecond);
    this.#restoreLimits.set(repository, { bytesPerSecond, limit });
    return limit;
  }

  #onShard(entry: HeldShard, opened: Shard | null): void {
    entry.opened = opened;
    if (opened) for (const { resolve } of entry.waiting.splice(0)) resolve(opened);
  }

  /**
   * Applies the newest metadata: the state may have changed while the store was opened. The primary's next operations
   * already use the new mapping.
   */
  #update(opened: Shard, indexUuid: string): void {
    const index = this.#state.indices.get(indexUuid);
    if (index) opened.applyMetadata(this.#contexts.of(index));
  }

  /**
   * Opens a shard, and retries while the disk is full, unless the copy is no longer assigned here. A full disk is no
   * reason to fail the copy.
   */
  async #openWithSpace(name: string, { allocationId }: ShardRouting, open: () => Promise<Shard>): Promise<Shard> {
    for (;;) {
      if (this.#withoutSpace.delete(name))
        await new Promise<void>((resolve) => this.#options.clock.after(SPACE_RETRY_MS, resolve));
      try {
        return await this.#opens.run(() => {
          if (this.#held.get(name)?.allocationId !== allocationId) throw errors.noShardAvailable(null);
          return open();
        });
      } catch (error) {
        if (!isSpaceError(error)) throw error;
        this.#withoutSpace.add(name);
      }
    }
  }

  async #copyFromSource(index: IndexMetadata, opened: Shard): Promise<void> {
    const source = this.#state.indices.get(index.resizeSource?.uuid ?? '');
    if (!source) throw errors.illegalState(`the source of index [${index.name}] is gone`);
    await copyDocuments((shard) => this.#reach(source.uuid, shard), source, index, opened);
  }

  /** Returns the channel to an active copy of a shard, on this node if possible. */
  #reach(indexUuid: string, shard: number): Channel {
    const { nodeId, peers } = this.#options;
    const active = (this.#state.routing.get(indexUuid)?.[shard] ?? []).filter(isActive);
    const copy = active.find((one) => one.nodeId === nodeId) ?? active[0];
    return !copy?.nodeId || copy.nodeId === nodeId ? peers : nodeChannel(peers, copy.nodeId, 'data');
  }

  /** Closes a failed copy and reports it, so that searches use another copy or return the error. */
  #onFailed(name: string, entry: HeldShard, error: unknown): void {
    const routing = this.#routingOf(name, entry);
    // The copy is no longer assigned here, as its index was deleted or it was allocated anew: nobody needs the report.
    if (!routing) return;
    if (isSpaceError(error)) this.#withoutSpace.add(name);
    this.#options.log.write('error', 'a shard failed', { indexUuid: routing.indexUuid, shard: routing.shard, error });
    const { term } = copyViewOf(this.#state, routing);
    this.#closeLater(name, entry, false);
    this.#options.report(routing, error, term);
  }

  /**
   * Whether contexts may go on reading a copy that is closed: its index is there, and other nodes serve the shard. A
   * shard without an active copy needs this one. Story: n0 hangs, the others take it out of the cluster, and n0 comes
   * back with the only copy in sync. While contexts kept the folder of that copy in use, the shard stayed red.
   */
  #mayLinger(name: string): boolean {
    const [indexUuid, id] = name.split('/') as [string, string];
    const index = this.#state.indices.get(indexUuid);
    const copies = this.#state.routing.get(indexUuid)?.[Number(id)] ?? [];
    return (
      !this.#isClosed &&
      index?.state === 'open' &&
      copies.some(isActive) &&
      this.#wanted(indexUuid, Number(id)) === undefined
    );
  }

  #freeReaders(name: string): void {
    const [indexUuid, id] = name.split('/') as [string, string];
    this.#options.readers.freeShard({ indexUuid, shard: Number(id) });
  }

  #closeLater(name: string, entry: HeldShard, mayLinger = this.#mayLinger(name)): void {
    if (mayLinger) this.#lingering.add(name);
    else this.#freeReaders(name);
    this.#close(name, entry).catch((error: unknown) =>
      this.#options.log.write('warn', 'a shard did not close cleanly', { shard: name, error }),
    );
  }

  #close(name: string, entry: HeldShard): Promise<void> {
    this.#held.delete(name);
    const closing = this.#closeStore(name, entry, this.#closing.get(name));
    const ended = closing
      .catch(() => undefined)
      .then(() => {
        if (this.#closing.get(name) !== ended) return;
        this.#closing.delete(name);
        this.#lingering.delete(name);
      });
    this.#closing.set(name, ended);
    return closing;
  }

  /**
   * Closes the store of a copy. A copy that has not opened its store yet may still wait for an earlier copy to close
   * it, or for work on the folder. The next copy must then wait too.
   */
  async #closeStore(name: string, entry: HeldShard, before: Promise<void> | undefined): Promise<void> {
    const [indexUuid, id] = name.split('/') as [string, string];
    const gone = errors.noShardAvailable(null);
    for (const { reject } of entry.waiting.splice(0)) reject(gone);
    await entry.copy?.close();
    await before;
    entry.opened = null;
    if (this.#isDeleted(indexUuid)) await this.#options.destroy(indexUuid, Number(id));
  }

  /**
   * Whether an index is deleted. Data are deleted only if a committed state lacks the index, never because no state is
   * known yet.
   */
  #isDeleted(indexUuid: string): boolean {
    return this.#state.version > 0 && !this.#state.indices.has(indexUuid);
  }
}
