import { tombstones } from '@shoal/cluster';
import { type ClusterState, isActive, type ShardRouting } from '@shoal/state';
import { type Channel, type Clock, type Log, sendMessage } from '@shoal/doors';
import { shard as messages } from '@shoal/protocol';
import type { RecoveryProgress } from '@shoal/replication';
import type { HeldShards } from './held-shards.js';
import { nodeChannel } from './node-channel.js';
import { placeShard } from './place-shard.js';

/** Least milliseconds between two checks of the folders, which run only after a change. */
const LOOK_INTERVAL_MS = 5_000;

/** Parts of a thread that the deletion of stores needs. */
export interface LeftStoresOptions {
  readonly thread: number;
  readonly threads: number;
  readonly nodeId: string;
  /** Ephemeral id of this process of the node. */
  readonly session: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Channel to the shards of other nodes. */
  readonly peers: Channel;
  readonly shards: Pick<HeldShards, 'state' | 'whileClosed'>;
  /** Lists the copies on disk of indices that are `wanted`. */
  readonly storedShards: (
    wanted: (indexUuid: string) => boolean,
  ) => Promise<readonly { readonly indexUuid: string; readonly shard: number }[]>;
  readonly destroy: (indexUuid: string, shard: number) => Promise<void>;
}

/** Returns the copies of a shard if all are started and none is on this node; else null. */
function copiesElsewhere(
  state: ClusterState,
  nodeId: string,
  indexUuid: string,
  shard: number,
): readonly ShardRouting[] | null {
  const index = state.indices.get(indexUuid);
  const copies = state.routing.get(indexUuid)?.[shard] ?? [];
  if (!index || copies.length < 1 + index.numberOfReplicas) return null;
  const isElsewhere = (copy: ShardRouting): boolean =>
    copy.state === 'STARTED' && isActive(copy) && copy.nodeId !== null && copy.nodeId !== nodeId;
  return copies.every(isElsewhere) ? copies : null;
}

/** Whether the committed state has a tombstone of the index. */
function isBuried(state: ClusterState, indexUuid: string): boolean {
  return !state.indices.has(indexUuid) && tombstones(state).some(({ uuid }) => uuid === indexUuid);
}

/**
 * Deletes stores that no copy will open again (docs/internals/cluster.md §6.6). If a copy has moved away: only if the
 * committed state has all copies of the shard started on other nodes, and each of these nodes confirms that. If an
 * index was deleted while its copy was not open here, as for a closed index: by its tombstone. Folders of indices that
 * the state does not know are kept.
 */
export class LeftStores {
  readonly #options: LeftStoresOptions;
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  /**
   * Routing at the last check. Deletions, moves and closed indices change the routing; other changes of a state do not
   * matter for folders.
   */
  #lookedAt: ClusterState['routing'] | null = null;
  /** Tombstones at the last check: that of an index which the state never had buries its stores too. */
  #lookedAtStones: unknown = null;
  #isLooking = false;

  constructor(options: LeftStoresOptions) {
    this.#options = options;
  }

  /** Checks the folders again if the routing has changed since; called every second. */
  async look(): Promise<void> {
    const { clock, shards, log } = this.#options;
    const { routing, customs } = shards.state;
    const stones = customs.get('tombstones');
    if (
      this.#isLooking ||
      (routing === this.#lookedAt && stones === this.#lookedAtStones) ||
      clock.monotonic() - this.#lookedAtMs < LOOK_INTERVAL_MS ||
      !this.#isKnown(shards.state)
    )
      return;
    this.#isLooking = true;
    try {
      if (await this.#lookAtAll()) [this.#lookedAt, this.#lookedAtStones] = [routing, stones];
    } catch (error) {
      log.write('warn', 'stores of copies that are not needed could not be looked at', { error });
    } finally {
      this.#isLooking = false;
      this.#lookedAtMs = clock.monotonic();
    }
  }

  #isKnown({ nodes }: ClusterState): boolean {
    return nodes.get(this.#options.nodeId)?.ephemeralId === this.#options.session;
  }

  /** Returns whether nothing is left to do until the state changes. */
  async #lookAtAll(): Promise<boolean> {
    const { thread, threads, storedShards } = this.#options;
    let isDone = true;
    for (const { indexUuid, shard } of await storedShards((uuid) => this.#mayBeLeft(uuid))) {
      if (placeShard(indexUuid, shard, threads) !== thread) continue;
      if (!(await this.#lookAt(indexUuid, shard))) isDone = false;
    }
    return isDone;
  }

  /** Whether a copy of the index may have to go: of thousands of folders nearly none has to be looked into. */
  #mayBeLeft(indexUuid: string): boolean {
    const { nodeId, shards } = this.#options;
    const { state } = shards;
    const table = state.routing.get(indexUuid) ?? [];
    return (
      isBuried(state, indexUuid) || table.some((_, shard) => copiesElsewhere(state, nodeId, indexUuid, shard) !== null)
    );
  }

  /** Returns false if the folder must be checked again even without a change of state. */
  async #lookAt(indexUuid: string, shard: number): Promise<boolean> {
    const { nodeId, shards } = this.#options;
    if (isBuried(shards.state, indexUuid))
      return this.#remove(indexUuid, shard, 'of a deleted index', () => isBuried(shards.state, indexUuid));
    const copies = copiesElsewhere(shards.state, nodeId, indexUuid, shard);
    if (copies === null) return true;
    const confirmed = await Promise.all(copies.map((copy) => this.#isStarted(copy)));
    return (
      confirmed.every(Boolean) &&
      this.#remove(
        indexUuid,
        shard,
        'that moved away',
        () => copiesElsewhere(shards.state, nodeId, indexUuid, shard) !== null,
      )
    );
  }

  /** Deletes a folder. Returns false if it is in use, or `mayGo` is false once it is free. */
  async #remove(indexUuid: string, shard: number, which: string, mayGo: () => boolean): Promise<boolean> {
    const { shards, destroy, log } = this.#options;
    const isRemoved = await shards.whileClosed(indexUuid, shard, async () => {
      if (!mayGo()) return false;
      await destroy(indexUuid, shard);
      log.write('info', `the store of a copy ${which} was deleted`, { indexUuid, shard });
      return true;
    });
    return isRemoved === true;
  }

  async #isStarted({ indexUuid, shard, nodeId }: ShardRouting): Promise<boolean> {
    const call = {
      shard: { indexUuid, shard },
      indexName: '',
      action: 'verified',
      body: new Uint8Array(0),
    };
    try {
      const channel = nodeChannel(this.#options.peers, nodeId!, 'data');
      const answer = await sendMessage(channel, messages.methods.call, call);
      const { progress } = JSON.parse(Buffer.from(answer.body).toString('utf8')) as { progress: RecoveryProgress };
      return progress.stage === 'DONE';
    } catch {
      return false;
    }
  }
}
