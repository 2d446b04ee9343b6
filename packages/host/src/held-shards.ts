import {
  type ClusterState,
  emptyState,
  type IndexMetadata,
  indexSetting,
  isActive,
  type ShardRouting,
} from '@shoal/state';
import { createTurns, isSpaceError, type Channel, type Clock, type Log } from '@shoal/doors';
import { errors } from '@shoal/errors';
import type { shard } from '@shoal/protocol';
import { type RecoveryProgress, ShardCopy, type ShardFailed } from '@shoal/replication';
import { restoreShard, type Shard, type ShardAtRest } from '@shoal/shard';
import {
  type KeptFiles,
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
import { nodeChannel } from './node-channel.js';
import { createRateLimit } from './rate-limit.js';
import { placeShard } from './place-shard.js';

/** Opens a shard's engine over the node's doors; `identity` and `isAlone` as its store takes them. */
export type OpenShard = (
  index: IndexMetadata,
  routing: ShardRouting,
  context: IndexContext,
  onFailure: (error: unknown) => void,
  copy?: { readonly identity: WantedIdentity; readonly isAlone: boolean },
) => Promise<Shard>;

export interface HeldShardsOptions {
  /** This thread among `threads`. */
  readonly thread: number;
  readonly threads: number;
  readonly nodeId: string;
  /** Ephemeral id of this process of the node. */
  readonly session: string;
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
  /** What a copy on disk says of itself that was closed in order; null when it has to be opened. */
  readonly atRest: (indexUuid: string, shard: number) => Promise<StoreAtRest | null>;
  /** Removes what a deleted shard has on disk. */
  readonly destroy: (indexUuid: string, shard: number) => Promise<void>;
  /** A shard is up, or failed with `failure`: the master wants to know. */
  readonly report: (routing: ShardRouting, failure: unknown, term: number) => void;
  /** Resolves when the master's state has it. */
  readonly shardFailed: (report: ShardFailed) => Promise<void>;
  /** Reaches all shards of the node. */
  readonly peers: Channel;
  /** Before a shard of the index is closed. */
  readonly onClose: (indexUuid: string) => void;
}

interface Held {
  /** A copy with another allocation id is another life of the shard: it opens anew. */
  readonly allocationId: string | null;
  /** Null until the store is free. */
  copy: ShardCopy | null;
  opened: Shard | null;
  /** Who waits for the engine. */
  waiting: { readonly resolve: (shard: Shard) => void; readonly reject: (error: unknown) => void }[];
}

const DEFAULT_RECOVERY_RATE = '40mb';

/** A shard that had no space is opened again after so long. */
const SPACE_RETRY_MS = 2_000;
const OPEN_POLL_MS = 50;
/** Stores that are opened at a time: the master hands out hundreds, most of which need no opening. */
const OPENS_MAX = 32;

const LEASE_PERIOD = 'index.soft_deletes.retention_lease.period';

const SEARCH_IDLE_AFTER = 'index.search.idle.after';

/** A duration that an index is set to now. Of an index that is gone the answer does not matter. */
function settingMs(state: ClusterState, indexUuid: string, name: string): number {
  return parseTimeValue(String(indexSetting(state.indices.get(indexUuid)?.settings ?? {}, name)), name);
}

const keyOf = (indexUuid: string, id: number): string => `${indexUuid}/${id}`;

/** The shards of one thread as the applied cluster state wants them. */
export class HeldShards {
  readonly #options: HeldShardsOptions;
  readonly #held = new Map<string, Held>();
  /** Shards whose store is still in use: the same copy must not be opened a second time beside it. */
  readonly #closing = new Map<string, Promise<void>>();
  /** Shards that failed for want of space: there is no use in opening them at once. */
  readonly #withoutSpace = new Set<string>();
  readonly #contexts: IndexContexts = createIndexContexts();
  readonly #limit: (bytes: number) => Promise<void>;
  #state: ClusterState = emptyState();
  readonly #opens = createTurns(OPENS_MAX);
  #isClosed = false;

  constructor(options: HeldShardsOptions) {
    this.#options = options;
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
    return [...this.#held.values()].flatMap((entry) => (entry.opened ? [entry.opened] : []));
  }

  /** The shard, waiting for one that is being opened; throws no_shard_available_action_exception. */
  async get(ref: shard.ShardRef | undefined): Promise<Shard> {
    const found = this.#find(ref);
    void found.copy?.wake();
    return found.opened ?? new Promise((resolve, reject) => found.waiting.push({ resolve, reject }));
  }

  #find(ref: shard.ShardRef | undefined): Held {
    const found = ref && this.#held.get(keyOf(ref.indexUuid, ref.shard));
    if (!found) throw errors.noShardAvailable(null);
    return found;
  }

  /** The copy of a shard, for what concerns copies; throws no_shard_available_action_exception. */
  async copy(ref: shard.ShardRef | undefined): Promise<ShardCopy> {
    const found = this.#find(ref);
    if (!found.copy) await this.get(ref);
    if (!found.copy) throw errors.noShardAvailable(null);
    return found.copy;
  }

  /** The copy that is there now, for messages of other copies. */
  copyNow(indexUuid: string, id: number): ShardCopy {
    const copy = this.#held.get(keyOf(indexUuid, id))?.copy;
    if (!copy) throw errors.retryOnReplica('the node does not hold the copy yet');
    return copy;
  }

  /** What is told of a copy that nobody has needed yet; null of one whose store is open, or is being opened. */
  atRest(ref: shard.ShardRef | undefined): ShardAtRest | null {
    return (this.#find(ref).copy?.atRest?.note ?? null) as ShardAtRest | null;
  }

  /** How long nobody has searched a copy at rest, and whether that is long by its index's settings. */
  searchIdle(ref: shard.ShardRef): { readonly isIdle: boolean; readonly ms: number } {
    const ms = Math.max(0, this.#options.clock.now() - this.recovery(ref).progress.startedAtMs);
    return { isIdle: ms >= settingMs(this.#state, ref.indexUuid, SEARCH_IDLE_AFTER), ms };
  }

  /** Opens the stores of copies at rest that are about to be needed. */
  wake(refs: readonly (shard.ShardRef | undefined)[]): void {
    for (const ref of refs) if (ref) void this.#held.get(keyOf(ref.indexUuid, ref.shard))?.copy?.wake();
  }

  /** How a copy came to be, or how far it is, and what was found in its store when that was opened. */
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
   * What the held copy of a shard has on disk; null when none is held. One that recovers counts too: by the assignment
   * before it may have all that was acknowledged. One that is being opened, or given up, is waited for until `until`.
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

  /** Runs work on the folder of a shard that has none open; null when it is in use. */
  async whileClosed<T>(indexUuid: string, id: number, work: () => Promise<T>): Promise<T | null> {
    const name = keyOf(indexUuid, id);
    if (this.#held.has(name)) return null;
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
   * Mappings and settings count at once; shards are opened and closed in the background. Costs what changed: indices
   * whose entries are the same are passed over.
   */
  apply(state: ClusterState): void {
    // The node ends: what it closes now was not lost, and the next process opens it.
    if (this.#isClosed) return;
    const previous = this.#state;
    const knewThisProcess = this.#knowsThisProcess();
    this.#state = state;
    const isOther = knewThisProcess !== this.#knowsThisProcess();
    for (const [uuid, table] of previous.routing) if (!state.routing.has(uuid)) this.#applyTable(uuid, table.length);
    for (const [uuid, table] of state.routing) {
      const hasNewMetadata = previous.indices.get(uuid) !== state.indices.get(uuid);
      if (!isOther && !hasNewMetadata && previous.routing.get(uuid) === table) continue;
      this.#applyTable(uuid, table.length, hasNewMetadata);
    }
    if (previous.indices !== state.indices) this.#contexts.retain(state.indices);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#held].map(([name, entry]) => this.#close(name, entry)));
  }

  /** The shards of one index as the state wants them here: copies that are no longer wanted are closed first. */
  #applyTable(uuid: string, shards: number, hasNewMetadata = false): void {
    for (let shard = 0; shard < shards; shard++) {
      const name = keyOf(uuid, shard);
      const wanted = this.#wanted(uuid, shard);
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
   * Until the master has taken note of the restart, the routing is about an earlier process of the node: none of it is
   * this one's.
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
    const entry: Held = { allocationId: routing.allocationId, copy: null, opened: null, waiting: [] };
    this.#held.set(name, entry);
    // This process has not had the copy: what it assigned last as a primary may be lost, so the term must not go on.
    if (routing.state !== 'INITIALIZING')
      return this.#onFailed(
        name,
        entry,
        errors.illegalState('the state has the shard as started, but it was not opened'),
      );
    const before = this.#closing.get(name) ?? Promise.resolve();
    void before.then(() => this.#open(name, entry));
  }

  /** The newest routing of a held copy; null when it is no longer wanted. */
  #routingOf(name: string, entry: Held): ShardRouting | null {
    if (this.#held.get(name) !== entry) return null;
    const [indexUuid, id] = name.split('/') as [string, string];
    return (
      this.#state.routing.get(indexUuid)?.[Number(id)]?.find((copy) => copy.allocationId === entry.allocationId) ?? null
    );
  }

  #open(name: string, entry: Held): void {
    const routing = this.#routingOf(name, entry);
    if (routing) entry.copy = this.#createCopy(name, entry, routing);
  }

  #createCopy(name: string, entry: Held, routing: ShardRouting): ShardCopy {
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
          this.#openWithSpace(name, routing, () =>
            this.#options.open(index(), routing, this.#contexts.of(index()), failed, { identity, isAlone }),
          ),
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
        // Somebody asked while it was not known yet whether it has to be opened.
        rests: () => void (entry.waiting.length > 0 && entry.copy?.wake()),
        started: (term) => this.#options.report(routing, null, term),
        failed: (error) => this.#onFailed(name, entry, error),
      },
      copyViewOf(this.#state, routing),
    );
  }

  async #prepare(opened: Shard, routing: ShardRouting, index: IndexMetadata): Promise<void> {
    if (routing.recoverySource === 'LOCAL_SHARDS') await this.#copyFromSource(index, opened);
    if (routing.recoverySource === 'SNAPSHOT')
      await restoreShard(opened, index.restoredFrom!.folder, index.restoredFrom!.files[routing.shard] ?? []);
  }

  #onShard(entry: Held, opened: Shard | null): void {
    entry.opened = opened;
    if (opened) for (const { resolve } of entry.waiting.splice(0)) resolve(opened);
  }

  /**
   * The state may have moved on while the store was opened, and what comes next, operations of the primary for one, is
   * of the new mapping.
   */
  #update(opened: Shard, indexUuid: string): void {
    const index = this.#state.indices.get(indexUuid);
    if (index) opened.applyMetadata(this.#contexts.of(index));
  }

  /**
   * A full disk is no reason to give the copy up: it is opened when there is space, unless it is no longer wanted by
   * then.
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

  /** The way to an active copy of a shard, on this node if there is one. */
  #reach(indexUuid: string, shard: number): Channel {
    const { nodeId, peers } = this.#options;
    const active = (this.#state.routing.get(indexUuid)?.[shard] ?? []).filter(isActive);
    const copy = active.find((one) => one.nodeId === nodeId) ?? active[0];
    return !copy?.nodeId || copy.nodeId === nodeId ? peers : nodeChannel(peers, copy.nodeId, 'data');
  }

  /** The copy cannot go on: it is given up, so that searches go elsewhere or say what is wrong. */
  #onFailed(name: string, entry: Held, error: unknown): void {
    const routing = this.#routingOf(name, entry);
    // Given up meanwhile, by a deleted index or a new life of the copy: nobody asks for it.
    if (!routing) return;
    if (isSpaceError(error)) this.#withoutSpace.add(name);
    this.#options.log.write('error', 'a shard failed', { indexUuid: routing.indexUuid, shard: routing.shard, error });
    const { term } = copyViewOf(this.#state, routing);
    this.#closeLater(name, entry);
    this.#options.report(routing, error, term);
  }

  #closeLater(name: string, entry: Held): void {
    this.#options.onClose(name.split('/')[0]!);
    this.#close(name, entry).catch((error: unknown) =>
      this.#options.log.write('warn', 'a shard did not close cleanly', { shard: name, error }),
    );
  }

  #close(name: string, entry: Held): Promise<void> {
    this.#held.delete(name);
    const closing = this.#closeStore(name, entry, this.#closing.get(name));
    const ended = closing
      .catch(() => undefined)
      .then(() => {
        if (this.#closing.get(name) === ended) this.#closing.delete(name);
      });
    this.#closing.set(name, ended);
    return closing;
  }

  /**
   * An entry that has not come to open the store may wait for an earlier one to close it, or for work on its folder: so
   * must the next.
   */
  async #closeStore(name: string, entry: Held, before: Promise<void> | undefined): Promise<void> {
    const [indexUuid, id] = name.split('/') as [string, string];
    const gone = errors.noShardAvailable(null);
    for (const { reject } of entry.waiting.splice(0)) reject(gone);
    await entry.copy?.close();
    await before;
    entry.opened = null;
    if (this.#isDeleted(indexUuid)) await this.#options.destroy(indexUuid, Number(id));
  }

  /** Data go only with an index that the committed state no longer has, never because the state is not known. */
  #isDeleted(indexUuid: string): boolean {
    return this.#state.version > 0 && !this.#state.indices.has(indexUuid);
  }
}
