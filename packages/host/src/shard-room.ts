import { applyDiff, type ClusterState, emptyState, type ShardRouting, type StateDiff } from '@shoal/state';
import { type Channel, type ChannelHandler, type Clock, type Log, sendMessage, withLocalHandler } from '@shoal/doors';
import { encodeError, errors } from '@shoal/errors';
import { decodeJson, encodeJson } from '@shoal/json';
import { type Answerer, answerers, localAnswers, master, shard, stores } from '@shoal/protocol';
import type { KeptFiles, ShardStore, ShardStoreInfo, StoreAtRest, WantedIdentity } from '@shoal/store';
import { copyMessages } from './copy-messages.js';
import { createSearchSources, type MountOptions, type PlaceFilesOptions } from '@shoal/shard';
import { HeldShards, type OpenShard } from './held-shards.js';
import { LeftStores } from './left-stores.js';
import { listStores } from './list-stores.js';
import { createReaderContexts, type ReaderContexts } from './reader-contexts.js';
import type { RequestBreaker } from './request-breaker.js';
import { type MessageContext, shardHandlers } from './shard-messages.js';
import type { ViewSearches } from './view-searches.js';

/** Milliseconds between checks of contexts for expiry and of buffers for their size. */
const UPKEEP_INTERVAL_MS = 1_000;
const REPORT_RETRY_MS = 1_000;
const MASTER_TIMEOUT_MS = 30_000;

/** Effects, budgets and identity of a thread's shards. */
export interface ShardRoomOptions {
  /** Number of this thread, 0 … `threads` - 1. */
  readonly thread: number;
  readonly threads: number;
  readonly nodeId: string;
  /** Folder of the node's data. */
  readonly dataPath: string;
  /** Id of this start of the process; part of context ids. */
  readonly session: string;
  /** How many threads of this process have held the shards of this number before, and ended. */
  readonly life: number;
  readonly clock: Clock;
  readonly log: Log;
  /** Channel to the elected master and to the shards of other threads. */
  readonly master: Channel;
  /** Budget in bytes for the indexing buffers of all shards of the thread. */
  readonly indexBufferBytes: number;
  /** Limits the memory of running searches. */
  readonly breaker: RequestBreaker;
  /** Decides which query phases run on other threads; absent if all run on this one. */
  readonly views?: ViewSearches | undefined;
  /** Called with each state before the shards get it. */
  readonly follow: (state: ClusterState) => void;
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
  /** Describes the store of a copy that is not open. */
  readonly storedInfo: (indexUuid: string, shard: number) => Promise<ShardStoreInfo>;
  /** Reads the description of a cleanly closed store; null if the store must be opened and verified. */
  readonly atRest: (indexUuid: string, shard: number) => Promise<StoreAtRest | null>;
  /** Lists the folders of copies on disk of indices that are `wanted`. */
  readonly storedShards: (
    wanted: (indexUuid: string) => boolean,
  ) => Promise<readonly { readonly indexUuid: string; readonly shard: number }[]>;
  /** Deletes the files of a deleted shard. */
  readonly destroy: (indexUuid: string, shard: number) => Promise<void>;
}

type Publishing = Pick<master.MasterHandlers, 'publish'>;

/** The shards of one thread: opens and closes them as the cluster state assigns them, and answers their messages. */
export class ShardRoom {
  readonly #options: ShardRoomOptions;
  readonly #shards: HeldShards;
  readonly #contexts: ReaderContexts;
  readonly #answerers: ReadonlyMap<string, Answerer>;
  readonly #left: LeftStores;
  readonly handle: ChannelHandler;
  #isClosed = false;

  constructor(options: ShardRoomOptions) {
    this.#options = options;
    this.#contexts = createReaderContexts(`${options.session}.${options.thread}.${options.life}`, options.clock);
    this.#shards = new HeldShards({
      ...options,
      peers: options.master,
      report: (routing, failure, term) => this.#report(routing, failure, term),
      shardFailed: async (report) => void (await this.#task('shard-failed', report)),
      readers: this.#contexts,
    });
    const context: MessageContext = {
      shards: this.#shards,
      contexts: this.#contexts,
      clock: options.clock,
      dataPath: options.dataPath,
      load: { searches: 0 },
      views: options.views,
      breaker: options.breaker,
      sources: createSearchSources(),
      updateMapping: async (indexUuid, mapping) => void (await this.#task('dynamic-mapping', { indexUuid, mapping })),
    };
    const handlers = shardHandlers(context);
    this.#answerers = new Map([
      ...answerers(shard.methods, handlers),
      ...copyMessages(this.#shards),
      ...answerers(stores.methods, { list: () => listStores(this.#shards, options) }),
      ...answerers<Publishing>({ publish: master.methods.publish }, { publish: (request) => this.#publish(request) }),
    ]);
    this.handle = withLocalHandler(this.#handle, localAnswers(shard.methods, handlers));
    this.#left = new LeftStores({ ...options, peers: options.master, shards: this.#shards });
    options.clock.after(UPKEEP_INTERVAL_MS, () => this.#upkeep());
  }

  readonly #handle: ChannelHandler = async (action, payload, signal, origin) => {
    const answer = this.#answerers.get(action);
    if (!answer) throw errors.illegalArgument(`unknown action [${action}]`);
    return answer(payload, signal, origin);
  };

  /** Flushes and closes all shards. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#shards.close();
  }

  #publish({ baseVersion, body }: master.Publication): master.PublicationAnswer {
    const { state } = this.#shards;
    if (baseVersion !== 0 && baseVersion !== state.version) return { version: state.version, needFull: true };
    const diff = decodeJson(body) as StateDiff;
    const next = applyDiff(baseVersion === 0 ? emptyState() : state, diff);
    this.#options.follow(next);
    this.#shards.apply(next);
    return { version: this.#shards.state.version, needFull: false };
  }

  async #task(name: string, body: unknown): Promise<unknown> {
    const request = { task: name, body: encodeJson(body), timeoutMs: MASTER_TIMEOUT_MS };
    return decodeJson((await sendMessage(this.#options.master, master.methods.task, request)).body);
  }

  #report({ indexUuid, shard, allocationId }: ShardRouting, failure: unknown, primaryTerm: number): void {
    const body = {
      indexUuid,
      shard,
      allocationId,
      ...(failure ? {} : { primaryTerm }),
      ...(failure ? { failure: encodeError(failure) } : {}),
    };
    const send = (): void =>
      void this.#task(failure ? 'shard-failed' : 'shard-started', body).catch((error: unknown) => {
        if (this.#isClosed) return;
        this.#options.log.write('warn', 'the master did not take the report about a shard', {
          indexUuid,
          shard,
          error,
        });
        // Repeats the report until the master has it; else the shard would keep its old state for ever. A report about
        // an old allocation has no effect.
        this.#options.clock.after(REPORT_RETRY_MS, send);
      });
    send();
  }

  #upkeep(): void {
    if (this.#isClosed) return;
    this.#contexts.expire();
    this.#boundBuffers();
    void this.#left.look();
    this.#options.clock.after(UPKEEP_INTERVAL_MS, () => this.#upkeep());
  }

  /** If buffers exceed the budget, flushes the shard with the largest buffer: its documents become a segment. */
  #boundBuffers(): void {
    const { opened } = this.#shards;
    const total = opened.reduce((sum, one) => sum + one.bufferBytes(), 0);
    if (total <= this.#options.indexBufferBytes) return;
    const largest = opened.reduce((a, b) => (b.bufferBytes() > a.bufferBytes() ? b : a));
    largest.flush().catch((error: unknown) => {
      this.#options.log.write('error', 'a buffer over the budget could not be flushed', {
        index: largest.index,
        shard: largest.id,
        error,
      });
    });
  }
}
