import { type ClusterState, type IndexMetadata, type ShardRouting, emptyState } from '@shoal/cluster';
import type { Channel, Clock, Log } from '@shoal/doors';
import { errors } from '@shoal/errors';
import type { shard } from '@shoal/protocol';
import type { Shard } from '@shoal/shard';
import { type IndexContext, type IndexContexts, createIndexContexts } from './index-contexts.js';
import { copyDocuments } from './copy-documents.js';
import { placeShard } from './place-shard.js';

export interface HeldShardsOptions {
  /** This thread among `threads`. */
  readonly thread: number;
  readonly threads: number;
  readonly nodeId: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Opens a shard's engine over the node's doors. */
  readonly open: (index: IndexMetadata, routing: ShardRouting, context: IndexContext, onFailure: (error: unknown) => void) => Promise<Shard>;
  /** Removes what a deleted shard has on disk. */
  readonly destroy: (indexUuid: string, shard: number) => Promise<void>;
  /** A shard is up, or failed with `failure`: the master wants to know. */
  readonly report: (routing: ShardRouting, failure: unknown) => void;
  /** Reaches all shards of the node. */
  readonly peers: Channel;
  /** Before a shard of the index is closed. */
  readonly onClose: (indexUuid: string) => void;
}

interface Held {
  /** A copy with another allocation id is another life of the shard: it opens anew. */
  readonly allocationId: string | null;
  readonly shard: Promise<Shard>;
  opened: Shard | null;
}

/** A shard that had no space is opened again after so long. */
const SPACE_RETRY_MS = 2_000;

const isSpaceError = (error: unknown): boolean => /no space left|disk quota|ENOSPC/i.test(String((error as { message?: unknown } | null)?.message));

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
  #state: ClusterState = emptyState();

  constructor(options: HeldShardsOptions) {
    this.#options = options;
  }

  get state(): ClusterState {
    return this.#state;
  }

  get opened(): readonly Shard[] {
    return [...this.#held.values()].flatMap((entry) => (entry.opened ? [entry.opened] : []));
  }

  /** The shard, waiting for one that is being opened; throws no_shard_available_action_exception. */
  async get(ref: shard.ShardRef | undefined): Promise<Shard> {
    const found = ref && this.#held.get(keyOf(ref.indexUuid, ref.shard));
    if (!found) throw errors.noShardAvailable(null);
    return found.opened ?? found.shard;
  }

  /** Statistics of a copy whose index is closed: its store is opened for them, and closed before anyone else opens it. */
  closedStats(ref: shard.ShardRef | undefined): Promise<unknown> {
    const index = ref && this.#state.indices.get(ref.indexUuid);
    const routing = ref && (this.#state.routing.get(ref.indexUuid)?.[ref.shard] ?? []).find((copy) => this.#isMine(copy));
    if (!index || !routing || index.state !== 'close') return Promise.reject(errors.noShardAvailable(null));
    const name = keyOf(routing.indexUuid, routing.shard);
    const stats = (this.#closing.get(name) ?? Promise.resolve()).then(() => this.#statsOf(index, routing));
    const ended = stats.then(() => undefined, () => undefined).then(() => {
      if (this.#closing.get(name) === ended) this.#closing.delete(name);
    });
    this.#closing.set(name, ended);
    return stats;
  }

  async #statsOf(index: IndexMetadata, routing: ShardRouting): Promise<unknown> {
    const opened = await this.#options.open(index, routing, this.#contexts.of(index), () => undefined);
    try {
      return await opened.stats();
    } finally {
      await opened.close();
    }
  }

  /** Mappings and settings count at once; shards are opened and closed in the background. */
  apply(state: ClusterState): void {
    const previous = this.#state;
    this.#state = state;
    const target = this.#wanted();
    for (const [name, entry] of this.#held) if (target.get(name)?.allocationId !== entry.allocationId) this.#closeLater(name, entry);
    for (const [uuid, index] of state.indices) if (previous.indices.get(uuid) !== index) this.#applyMetadata(index);
    for (const [name, routing] of target) if (!this.#held.has(name)) this.#open(name, routing);
    this.#contexts.retain(state.indices);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#held].map(([name, entry]) => this.#close(name, entry)));
  }

  #wanted(): Map<string, ShardRouting> {
    const result = new Map<string, ShardRouting>();
    for (const [uuid, groups] of this.#state.routing) {
      if (this.#state.indices.get(uuid)?.state !== 'open') continue;
      for (const routing of groups.flat()) if (this.#isMine(routing)) result.set(keyOf(uuid, routing.shard), routing);
    }
    return result;
  }

  #isMine({ nodeId, state, indexUuid, shard }: ShardRouting): boolean {
    const { thread, threads } = this.#options;
    return nodeId === this.#options.nodeId && (state === 'INITIALIZING' || state === 'STARTED') && placeShard(indexUuid, shard, threads) === thread;
  }

  #applyMetadata(index: IndexMetadata): void {
    for (const [name, entry] of this.#held) if (name.startsWith(`${index.uuid}/`)) entry.opened?.applyMetadata(this.#contexts.of(index));
  }

  #open(name: string, routing: ShardRouting): void {
    const index = this.#state.indices.get(routing.indexUuid)!;
    const before = this.#closing.get(name) ?? Promise.resolve();
    const open = (): Promise<Shard> => this.#options.open(index, routing, this.#contexts.of(index), (error) => this.#onFailure(name, entry, routing, error));
    const entry: Held = { allocationId: routing.allocationId, opened: null, shard: before.then(() => this.#openWithSpace(name, routing, open)) };
    this.#held.set(name, entry);
    entry.shard.then((opened) => this.#openedOne(entry, opened, routing)).catch(
      (error: unknown) => {
        entry.opened?.close().catch(() => undefined);
        // Given up meanwhile, by a deleted index or a new life of the copy: nobody asks for it.
        if (this.#held.get(name) !== entry) return;
        this.#held.delete(name);
        this.#options.log.write('error', 'a shard could not be opened', { index: index.name, shard: routing.shard, error });
        this.#options.report(routing, error);
      },
    );
  }

  /** A full disk is no reason to give the copy up: it is opened when there is space, unless it is no longer wanted by then. */
  async #openWithSpace(name: string, { allocationId }: ShardRouting, open: () => Promise<Shard>): Promise<Shard> {
    for (;;) {
      if (this.#withoutSpace.delete(name)) await new Promise<void>((resolve) => this.#options.clock.after(SPACE_RETRY_MS, resolve));
      if (this.#held.get(name)?.allocationId !== allocationId) throw errors.noShardAvailable(null);
      try {
        return await open();
      } catch (error) {
        if (!isSpaceError(error)) throw error;
        this.#withoutSpace.add(name);
      }
    }
  }

  async #openedOne(entry: Held, opened: Shard, routing: ShardRouting): Promise<void> {
    entry.opened = opened;
    // The state may have moved on while the store was opened.
    const current = this.#state.indices.get(routing.indexUuid);
    if (current) opened.applyMetadata(this.#contexts.of(current));
    // A restored shard is filled, and reported, by the one who restores it.
    if (routing.state !== 'INITIALIZING' || routing.recoverySource === 'SNAPSHOT') return;
    if (current && routing.recoverySource === 'LOCAL_SHARDS') await this.#copyFromSource(current, opened);
    this.#options.report(routing, null);
  }

  async #copyFromSource(index: IndexMetadata, opened: Shard): Promise<void> {
    const source = this.#state.indices.get(index.resizeSource?.uuid ?? '');
    if (!source) throw errors.illegalState(`the source of index [${index.name}] is gone`);
    await copyDocuments(this.#options.peers, source, index, opened);
  }

  /** The engine ended because of an error: the copy is given up, so that searches go elsewhere or say what is wrong. */
  #onFailure(name: string, entry: Held, routing: ShardRouting, error: unknown): void {
    if (entry.opened === null || this.#held.get(name) !== entry) return;
    if (isSpaceError(error)) this.#withoutSpace.add(name);
    this.#options.log.write('error', 'a shard failed', { indexUuid: routing.indexUuid, shard: routing.shard, error });
    this.#closeLater(name, entry);
    this.#options.report(routing, error);
  }

  #closeLater(name: string, entry: Held): void {
    this.#options.onClose(name.split('/')[0]!);
    this.#close(name, entry).catch((error: unknown) => this.#options.log.write('warn', 'a shard did not close cleanly', { shard: name, error }));
  }

  #close(name: string, entry: Held): Promise<void> {
    this.#held.delete(name);
    const closing = this.#closeStore(name, entry);
    const ended = closing.catch(() => undefined).then(() => {
      if (this.#closing.get(name) === ended) this.#closing.delete(name);
    });
    this.#closing.set(name, ended);
    return closing;
  }

  async #closeStore(name: string, entry: Held): Promise<void> {
    const [indexUuid, id] = name.split('/') as [string, string];
    const opened = await entry.shard.catch(() => null);
    await opened?.close();
    if (!this.#state.indices.has(indexUuid)) await this.#options.destroy(indexUuid, Number(id));
  }
}
