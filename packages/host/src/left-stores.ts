import { type ClusterState, isActive, type ShardRouting } from '@shoal/cluster';
import type { Channel, Clock, Log } from '@shoal/doors';
import { shard as messages } from '@shoal/protocol';
import type { RecoveryProgress } from '@shoal/replication';
import type { HeldShards } from './held-shards.js';
import { nodeChannel } from './node-channel.js';
import { placeShard } from './place-shard.js';

/** Folders are looked at so often at most, and only when something may have changed. */
const LOOK_INTERVAL_MS = 5_000;

export interface LeftStoresOptions {
  readonly thread: number;
  readonly threads: number;
  readonly nodeId: string;
  /** Ephemeral id of this process of the node. */
  readonly session: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Reaches the shards of other nodes. */
  readonly peers: Channel;
  readonly shards: Pick<HeldShards, 'state' | 'whileClosed'>;
  readonly storedShards: () => Promise<readonly { readonly indexUuid: string; readonly shard: number }[]>;
  readonly destroy: (indexUuid: string, shard: number) => Promise<void>;
}

/** The copies of a shard, all of them started and none here; null while that is not so. */
function copiesElsewhere(state: ClusterState, nodeId: string, indexUuid: string, shard: number): readonly ShardRouting[] | null {
  const index = state.indices.get(indexUuid);
  const copies = state.routing.get(indexUuid)?.[shard] ?? [];
  if (index?.state !== 'open' || copies.length < 1 + index.numberOfReplicas) return null;
  const isElsewhere = (copy: ShardRouting): boolean => copy.state === 'STARTED' && isActive(copy) && copy.nodeId !== null && copy.nodeId !== nodeId;
  return copies.every(isElsewhere) ? copies : null;
}

/**
 * Deletes what is on disk of copies that moved away (cluster.md §6.6): only when the committed state has all copies of the shard
 * started on other nodes and each of these nodes says so itself. Folders of indices that the state does not know are left alone.
 */
export class LeftStores {
  readonly #options: LeftStoresOptions;
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  #lookedAtVersion = 0;
  #isLooking = false;

  constructor(options: LeftStoresOptions) {
    this.#options = options;
  }

  /** Looks again if the state has changed since; called now and then. */
  async look(): Promise<void> {
    const { clock, shards, log } = this.#options;
    const { version } = shards.state;
    if (this.#isLooking || version === this.#lookedAtVersion || clock.monotonic() - this.#lookedAtMs < LOOK_INTERVAL_MS || !this.#isKnown(shards.state)) return;
    this.#isLooking = true;
    try {
      if (await this.#lookAtAll()) this.#lookedAtVersion = version;
    } catch (error) {
      log.write('warn', 'stores of copies that moved away could not be looked at', { error });
    } finally {
      this.#isLooking = false;
      this.#lookedAtMs = clock.monotonic();
    }
  }

  #isKnown({ nodes }: ClusterState): boolean {
    return nodes.get(this.#options.nodeId)?.ephemeralId === this.#options.session;
  }

  /** True: there is nothing left to do until the state changes. */
  async #lookAtAll(): Promise<boolean> {
    const { thread, threads, nodeId, shards, storedShards } = this.#options;
    let isDone = true;
    for (const { indexUuid, shard } of await storedShards()) {
      if (placeShard(indexUuid, shard, threads) !== thread) continue;
      const copies = copiesElsewhere(shards.state, nodeId, indexUuid, shard);
      if (copies !== null && !(await this.#remove(indexUuid, shard, copies))) isDone = false;
    }
    return isDone;
  }

  async #remove(indexUuid: string, shard: number, copies: readonly ShardRouting[]): Promise<boolean> {
    const { shards, nodeId, destroy, log } = this.#options;
    const confirmed = await Promise.all(copies.map((copy) => this.#isStarted(copy)));
    if (!confirmed.every(Boolean)) return false;
    const isRemoved = await shards.whileClosed(indexUuid, shard, async () => {
      if (copiesElsewhere(shards.state, nodeId, indexUuid, shard) === null) return false;
      await destroy(indexUuid, shard);
      log.write('info', 'the store of a copy that moved away was deleted', { indexUuid, shard });
      return true;
    });
    return isRemoved === true;
  }

  async #isStarted({ indexUuid, shard, nodeId }: ShardRouting): Promise<boolean> {
    const call = messages.encodeShardCall({ shard: { indexUuid, shard }, indexName: '', action: 'recovery', body: new Uint8Array(0) });
    try {
      const answer = messages.decodeShardCallResponse(await nodeChannel(this.#options.peers, nodeId!, 'data').request('shard/call', call));
      const { progress } = JSON.parse(Buffer.from(answer.body).toString('utf8')) as { progress: RecoveryProgress };
      return progress.stage === 'DONE';
    } catch {
      return false;
    }
  }
}
