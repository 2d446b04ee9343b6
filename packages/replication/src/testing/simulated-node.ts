import { buildAnalysisRegistry } from '@shoal/analysis';
import { type Clock, type Random, silentLog } from '@shoal/doors';
import { type ApiError, errors } from '@shoal/errors';
import { mappingOptions, parseMapping } from '@shoal/mapping';
import { type Answerer, answerers, recovery, replication, shard as messages } from '@shoal/protocol';
import { createCacheBudgets, openShard, type Shard, type ShardLog, type ShardMetadata } from '@shoal/shard';
import { createBlockCache, type KeptFiles, openShardStore, stoppedStoreInfo, type WantedIdentity } from '@shoal/store';
import type { ShardFailed } from '../primary.js';
import type { CopyView } from '../copy/copy-view.js';
import { ShardCopy } from '../copy/driver.js';
import { type Mistake, mistaken } from './mistakes.js';
import { clockOf, type SimulatedClock } from './simulated-clock.js';
import { type Mount, SimulatedDisk } from './simulated-disk.js';
import type { MasterState, StoredCopy } from './simulated-master.js';
import type { SimulatedNetwork } from './simulated-network.js';

const INDEX = 'uuid';
const PATH = 'copy';

/** Callbacks of nodes to the simulation. */
export interface NodeEvents {
  shardFailed(nodeId: string, report: ShardFailed): Promise<void>;
  started(nodeId: string, allocationId: string, term: number): void;
  failed(nodeId: string, allocationId: string, error: ApiError): void;
  becamePrimary(nodeId: string, term: number, log: ShardLog): void;
  rollsBack(nodeId: string, maxSeqNo: number, log: ShardLog): void;
}

/** Parts of the simulation that a node uses. */
export interface NodeOptions {
  readonly id: string;
  readonly clock: SimulatedClock;
  readonly random: Random;
  readonly network: SimulatedNetwork;
  readonly mistake: Mistake | null;
  readonly leasePeriodMs: number;
  readonly events: NodeEvents;
}

const options = mappingOptions({ 'index.number_of_replicas': '2' }, buildAnalysisRegistry({}));
const metadata: ShardMetadata = {
  metadata: { name: 'test', uuid: INDEX, settings: { 'index.refresh_interval': '-1' } },
  mapping: parseMapping({ dynamic: false, properties: { n: { type: 'long' } } }, options),
  mappingOptions: options,
};

/** One process of a node. */
interface Life {
  isAlive: boolean;
  readonly clock: Clock;
  readonly mount: Mount;
  copy: ShardCopy | null;
  closing: Promise<void>;
  version: number;
}

/** Returns the handlers of a copy by action. */
const messagesOf = (copy: ShardCopy): ReadonlyMap<string, Answerer> =>
  new Map([...answerers(replication.methods, copy.replication), ...answerers(recovery.methods, copy.recovery)]);

const NEVER = new AbortController().signal;

/** A node with at most one copy of the shard. It follows published states as the host does. */
export class SimulatedNode {
  readonly id: string;
  readonly #options: NodeOptions;
  readonly #disk = new SimulatedDisk();
  #life: Life | null = null;
  #state: MasterState | null = null;

  constructor(nodeOptions: NodeOptions) {
    this.id = nodeOptions.id;
    this.#options = nodeOptions;
    this.start();
  }

  /** Fills or frees the node's disk. */
  set isDiskFull(isFull: boolean) {
    this.#disk.isFull = isFull;
  }

  get isAlive(): boolean {
    return this.#life !== null;
  }

  /** Returns the function that delivers publications to the current process. */
  get publications(): (state: MasterState) => void {
    const life = this.#life;
    return (state) => {
      if (life && life === this.#life) this.#apply(life, state);
    };
  }

  get copy(): ShardCopy | null {
    return this.#life?.copy ?? null;
  }

  get state(): MasterState | null {
    return this.#state;
  }

  start(): void {
    const life: Life = {
      isAlive: true,
      clock: clockOf(this.#options.clock, () => life.isAlive),
      mount: null as unknown as Mount,
      copy: null,
      closing: Promise.resolve(),
      version: 0,
    };
    Object.assign(life, { mount: this.#disk.mount(life.clock, this.#options.random) });
    this.#life = life;
    this.#options.network.endpoints.set(this.id, {
      isAlive: () => life.isAlive,
      handle: (action, payload) => this.#handle(life, action, payload),
    });
  }

  crash(): void {
    const life = this.#life;
    if (!life) return;
    life.isAlive = false;
    life.mount.crash();
    this.#life = null;
    this.#state = null;
  }

  #apply(life: Life, state: MasterState): void {
    if (state.version <= life.version) return;
    life.version = state.version;
    this.#state = state;
    const view = this.#viewOf(state);
    if (life.copy && life.copy.allocationId !== view?.allocationId) {
      this.#give(life, life.copy);
    }
    if (!view) return;
    if (life.copy) life.copy.apply(view);
    else void life.closing.then(() => this.#open(life));
  }

  /** Closes a copy that is not wanted or has failed; the same assignment may come again. */
  #give(life: Life, copy: ShardCopy): void {
    life.copy = null;
    life.closing = life.closing.then(() => copy.close()).catch(() => undefined);
  }

  /** Opens the copy that the newest state assigns, unless it is open already. */
  #open(life: Life): void {
    const view = this.#state && life === this.#life ? this.#viewOf(this.#state) : null;
    if (!view || life.copy) return;
    // A former process may have lost its last operations as a primary: the copy is not opened again.
    if (view.isStarted)
      return this.#options.events.failed(this.id, view.allocationId, errors.illegalState('the copy is not open'));
    life.copy = this.#createCopy(life, view);
  }

  #viewOf(state: MasterState): CopyView | null {
    const own = state.copies.find((copy) => copy.nodeId === this.id);
    if (!own) return null;
    const copies = state.copies
      .filter((copy) => copy !== own)
      .map(({ allocationId, nodeId }) => ({ allocationId, nodeId }));
    const isForgetful = this.#options.mistake === 'forgets copies in sync that are not assigned';
    const inSync = isForgetful
      ? state.inSync.filter((id) => state.copies.some((copy) => copy.allocationId === id))
      : state.inSync;
    const primary = state.copies.find((copy) => copy.isPrimary && copy.isStarted);
    return {
      indexUuid: INDEX,
      shard: 0,
      allocationId: own.allocationId,
      isPrimary: own.isPrimary,
      isStarted: own.isStarted,
      takesOver: own.isTarget === true,
      isForced: false,
      recoverySource: !own.isPrimary ? 'PEER' : state.inSync.length > 0 ? 'EXISTING_STORE' : 'EMPTY_STORE',
      term: state.term,
      group: { inSync, copies, total: 3 },
      primaryNodeId: primary?.nodeId ?? null,
    };
  }

  #createCopy(life: Life, view: CopyView): ShardCopy {
    const { random, network, mistake, events } = this.#options;
    const { allocationId } = view;
    const doors = { ...life.mount, clock: life.clock, random, log: silentLog, path: PATH };
    const copy: ShardCopy = new ShardCopy(
      {
        clock: life.clock,
        events: silentLog,
        nodeId: this.id,
        open: async (identity, isAlone, failed) => {
          const shard = await openShard({
            ...doors,
            shard: 0,
            primaryTerm: view.term,
            metadata,
            blockCache: createBlockCache(1 << 20),
            bufferBytesMax: 1 << 22,
            cacheBudgets: createCacheBudgets(1 << 20, 1 << 20),
            identity,
            isAlone,
            onFailure: failed,
          });
          return this.#watched(shard, () => !copy.isPrimary, mistake);
        },
        opened: () => undefined,
        openStore: (identity: WantedIdentity, keeps: KeptFiles | null) =>
          openShardStore({
            ...doors,
            cache: createBlockCache(1 << 20),
            identity,
            isAlone: false,
            ...(keeps === null ? {} : { keeps }),
          }),
        atRest: async () => null,
        deferred: () => undefined,
        destroy: async () => {
          await life.mount.stores.destroy(`${PATH}/db`);
          await life.mount.files.removeFolder(PATH);
        },
        channel: (nodeId) => network.channel(this.id, () => life.isAlive, nodeId, true),
        shardFailed: (report) => events.shardFailed(this.id, report),
        mustSync: () => true,
        leasePeriodMs: () => this.#options.leasePeriodMs,
        mappingVersion: () => 1,
        limit: async () => undefined,
        prepare: async () => undefined,
        onShard: () => undefined,
        readersGone: async () => undefined,
        started: (term) => {
          if (copy.isPrimary) events.becamePrimary(this.id, term, copy.shard!.log);
          events.started(this.id, allocationId, term);
        },
        failed: (error) => {
          if (!life.isAlive) return;
          if (life.copy === copy) this.#give(life, copy);
          events.failed(this.id, allocationId, error);
        },
      },
      view,
    );
    return copy;
  }

  #watched(shard: Shard, isReplica: () => boolean, mistake: Mistake | null): Shard {
    return mistaken(shard, mistake, isReplica, (log) => ({
      rollBack: (maxSeqNo: number) => {
        this.#options.events.rollsBack(this.id, maxSeqNo, log);
        return log.rollBack(maxSeqNo);
      },
    }));
  }

  async #handle(life: Life, action: string, payload: Uint8Array): Promise<Uint8Array> {
    const { copy } = life;
    if (!copy) throw errors.retryOnReplica('no copy here');
    if (action === 'shard/bulk') {
      const request = messages.decodeBulkShardRequest(payload);
      const asked = this.#options.mistake === 'runs repeated writes again' ? { ...request, retry: false } : request;
      return messages.encodeBulkShardResponse(await copy.bulk(asked, { updateMapping: () => Promise.resolve() }));
    }
    if (action === 'recovery/finalize' && this.#options.mistake === 'counts a recovering copy at once') {
      return recovery.encodeFinalizeAnswer({
        globalCheckpoint: 0,
        primaryTerm: life === this.#life ? (this.#state?.term ?? 0) : 0,
      });
    }
    const answer = messagesOf(copy).get(action);
    if (!answer) throw errors.illegalArgument(`unknown action [${action}]`);
    return answer(payload, NEVER);
  }

  /** Inspects the store of a node that has none open; null if there is none, or it is damaged. */
  async stored(): Promise<StoredCopy | null> {
    const life = this.#life;
    if (!life || life.copy) return null;
    const reading = life.closing.then(() => (life.copy ? null : this.#readStored(life)));
    life.closing = reading.then(
      () => undefined,
      () => undefined,
    );
    return reading.catch(() => null);
  }

  async #readStored(life: Life): Promise<StoredCopy> {
    const info = await stoppedStoreInfo({
      ...life.mount,
      clock: life.clock,
      random: this.#options.random,
      log: silentLog,
      path: PATH,
      cache: createBlockCache(1 << 20),
    });
    return {
      nodeId: this.id,
      allocationIds: [info.allocationId, info.previousAllocationId].filter((id) => id !== null),
    };
  }
}
