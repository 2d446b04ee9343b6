import { type Channel, type Clock, type Log, sendMessage, type TimerHandle } from '@shoal/doors';
import type { AllocationContext, ShardStoreInfo } from '../allocation/context.js';
import { isDataNode, type FlatSettings, type ClusterState, type NodeInfo, type ShardRouting } from '@shoal/state';
import { nextDelayedRerouteAt } from '../allocation/delays.js';
import { routingTotals } from '../allocation/routing-totals.js';
import { node as nodeMessages, stores } from '@shoal/protocol';
import { recoveryDelayMs, waitsForNodes } from '../metadata/state-recovery.js';
import type { MasterAccess } from './master-access.js';

const STORES_TIMEOUT_MS = 30_000;
const DISK_INTERVAL_MS = 30_000;
const DISK_TIMEOUT_MS = 15_000;
const RETRY_MS = 1_000;
/** Pause before a reroute that came too early is repeated. */
const AGAIN_MS = 10;
const NOTICED_MAX = 1_000;
/**
 * Number of failures after which allocation stops waiting for a node: one that failed to send its store list counts as
 * having no stores, one that was busy with a store as not having that store.
 */
const SILENCE_MAX = 3;
/** Factor of the longest pause between requests to such a node, which continue. */
const PAUSES_MAX = 10;

/** Master, doors and settings of the duties. */
export interface LeaderDutiesOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly master: MasterAccess;
  /** Returns the channel to a node, the local one included. Null: no node can be asked. */
  readonly channel: ((nodeId: string) => Channel) | null;
  /** Settings of the configuration file. */
  readonly nodeSettings: FlatSettings;
  /** Whether primaries wait for the store lists of the nodes. False for a single node, which has all copies. */
  readonly asksForStores: boolean;
}

interface FetchedStores {
  readonly ephemeralId: string;
  /** When the node was asked, in monotonic milliseconds of this node. */
  readonly askedAt: number;
  readonly byShard: ReadonlyMap<string, ShardStoreInfo>;
  /** Shards whose store the node could not report yet, because it was busy with it. */
  readonly busy: ReadonlySet<string>;
  /** Whether the node failed to send its list. It counts as having no stores and is asked again. */
  readonly isSilent: boolean;
}

const keyOf = (indexUuid: string, shard: number): string => `${indexUuid}/${shard}`;

function unassignedSince(state: ClusterState, indexUuid: string, shard: number): number {
  const copies = state.routing.get(indexUuid)?.[shard] ?? [];
  return Math.max(0, ...copies.map(({ unassigned }) => unassigned?.atMs ?? 0));
}

/**
 * Duties of the elected master beside its tasks: fetches the store lists and the disk usage of the nodes, and requests
 * a reroute when they change or a delay is over.
 */
export class LeaderDuties {
  readonly #options: LeaderDutiesOptions;
  readonly #stores = new Map<string, FetchedStores>();
  /**
   * Nodes whose store list we are waiting for. Replaced when leadership ends, so that a late answer to an earlier term
   * is recognised and dropped.
   */
  #asking = new Set<string>();
  readonly #disks = new Map<string, nodeMessages.DiskReport>();
  /** Size in bytes of the largest copy of each shard. */
  #shardBytes: ReadonlyMap<string, number> = new Map();
  /** Number of failed requests for store lists, by ephemeral id of the node. */
  readonly #silence = new Map<string, number>();
  /** Number of answers in a row in which a node was busy with a store that a copy waits for, by ephemeral id. */
  readonly #busyAnswers = new Map<string, number>();
  /**
   * Monotonic time at which this node first saw each `unassigned.atMs`, which may be of the clock of an earlier master
   * and is not comparable with ours.
   */
  readonly #noticed = new Map<number, number>();
  #delay: TimerHandle | null = null;
  #diskTimer: TimerHandle | null = null;
  /** Timer of a fully restarted cluster that waits for more data nodes; null if it does not wait. */
  #recovery: TimerHandle | null = null;
  #isActive = false;

  constructor(options: LeaderDutiesOptions) {
    this.#options = options;
  }

  /** Returns store lists, disk usage and shard sizes for allocation. */
  allocationFacts(): Partial<AllocationContext> {
    return {
      ...(this.#options.asksForStores ? { stores: this.#storesOnce() } : {}),
      disk: (nodeId) => this.#disks.get(nodeId) ?? null,
      shardBytes: (indexUuid, shard) => this.#shardBytes.get(keyOf(indexUuid, shard)) ?? 0,
    };
  }

  /** Called when the master has applied a state. */
  applied(state: ClusterState): void {
    if (!this.#isActive) this.#begin();
    this.#forgetNodes(state);
    if (this.#options.asksForStores) this.#askAllStores(state);
    this.#rerouteLater(state);
    this.#recoverLater(state);
  }

  /** Called when this node is no longer the master. */
  stop(): void {
    this.#isActive = false;
    this.#delay?.cancel();
    this.#recovery?.cancel();
    this.#recovery = null;
    this.#diskTimer?.cancel();
    this.#stores.clear();
    this.#asking = new Set();
    this.#silence.clear();
    this.#busyAnswers.clear();
    this.#disks.clear();
    this.#noticed.clear();
  }

  #begin(): void {
    this.#isActive = true;
    this.#askDisks();
  }

  #forgetNodes({ nodes }: ClusterState): void {
    for (const [id, { ephemeralId }] of this.#stores) {
      if (nodes.get(id)?.ephemeralId === ephemeralId) continue;
      this.#stores.delete(id);
      this.#busyAnswers.delete(ephemeralId);
    }
    for (const id of this.#disks.keys()) if (!nodes.has(id)) this.#disks.delete(id);
  }

  #noticedAt(atMs: number): number {
    if (atMs === 0) return Number.NEGATIVE_INFINITY;
    let at = this.#noticed.get(atMs);
    if (at === undefined) {
      if (this.#noticed.size >= NOTICED_MAX) this.#noticed.clear();
      this.#noticed.set(atMs, (at = this.#options.clock.monotonic()));
    }
    return at;
  }

  /** Returns when this node last saw that a copy waits, in monotonic milliseconds; -Infinity if none does. */
  #newestWait(waiting: readonly ShardRouting[]): number {
    let newest = Number.NEGATIVE_INFINITY;
    for (const { unassigned } of waiting) newest = Math.max(newest, this.#noticedAt(unassigned?.atMs ?? 0));
    return newest;
  }

  /** Returns the stores of each shard, computed once for a batch, as allocation asks repeatedly. */
  #storesOnce(): NonNullable<AllocationContext['stores']> {
    const known = new Map<string, readonly ShardStoreInfo[] | 'unknown'>();
    const nodes = [...this.#options.master.state().nodes.values()].filter(isDataNode);
    return (indexUuid, shard) => {
      const key = keyOf(indexUuid, shard);
      let found = known.get(key);
      if (found === undefined) known.set(key, (found = this.#storesOf(nodes, indexUuid, shard)));
      return found;
    };
  }

  /**
   * Returns the stores of a shard. `unknown` while the list of some node is missing, or older than the loss of the
   * copy: n2 may list the store of a copy that failed on it afterwards.
   */
  #storesOf(nodes: readonly NodeInfo[], indexUuid: string, shard: number): readonly ShardStoreInfo[] | 'unknown' {
    const state = this.#options.master.state();
    const since = this.#noticedAt(unassignedSince(state, indexUuid, shard));
    const found: ShardStoreInfo[] = [];
    for (const node of nodes) {
      const fetched = this.#stores.get(node.id);
      if (!fetched || fetched.askedAt < since || this.#isAwaited(fetched, keyOf(indexUuid, shard))) return 'unknown';
      const store = fetched.byShard.get(keyOf(indexUuid, shard));
      if (store) found.push(store);
    }
    return found;
  }

  #isAwaited({ busy, ephemeralId }: FetchedStores, key: string): boolean {
    return busy.has(key) && (this.#busyAnswers.get(ephemeralId) ?? 0) < SILENCE_MAX;
  }

  #askAllStores(state: ClusterState): void {
    const waiting = waitingCopies(state);
    if (waiting.length === 0) return;
    const since = this.#newestWait(waiting);
    for (const node of state.nodes.values()) if (isDataNode(node)) this.#askStores(node, since);
  }

  #askStores(node: NodeInfo, since: number): void {
    const fetched = this.#stores.get(node.id);
    if (this.#asking.has(node.id) || (fetched && !fetched.isSilent && fetched.askedAt >= since)) return;
    this.#ask(node);
  }

  #ask(node: NodeInfo): void {
    const asking = this.#asking.add(node.id);
    const askedAt = this.#options.clock.monotonic();
    sendMessage(this.#options.channel!(node.id), stores.methods.list, {}, { timeoutMs: STORES_TIMEOUT_MS }).then(
      (answer) => asking === this.#asking && this.#storesTold(node, askedAt, answer),
      (error: unknown) => asking === this.#asking && this.#storesNotTold(node, askedAt, error),
    );
  }

  #storesNotTold(node: NodeInfo, askedAt: number, error: unknown): void {
    const { clock, log, master } = this.#options;
    log.write('warn', 'a node did not tell which shards it has on disk', { 'shoal.peer.id': node.id, error });
    const failures = (this.#silence.get(node.ephemeralId) ?? 0) + 1;
    this.#silence.set(node.ephemeralId, failures);
    // The shards do not wait for this node forever. Its stores are found when it answers later.
    if (failures >= SILENCE_MAX) {
      this.#stores.set(node.id, {
        ephemeralId: node.ephemeralId,
        askedAt,
        byShard: new Map(),
        busy: new Set(),
        isSilent: true,
      });
      void this.reroute();
    }
    const asking = this.#asking;
    clock.after(RETRY_MS * Math.min(failures, PAUSES_MAX), () => {
      if (asking !== this.#asking) return;
      asking.delete(node.id);
      this.applied(master.state());
    });
  }

  #storesTold(node: NodeInfo, askedAt: number, { shards, busy }: stores.StoreList): void {
    this.#asking.delete(node.id);
    const byShard = new Map(shards.map((store) => [keyOf(store.indexUuid, store.shard), storeInfo(store, node.id)]));
    const fetched: FetchedStores = {
      ephemeralId: node.ephemeralId,
      askedAt,
      byShard,
      busy: new Set(busy.map(({ indexUuid, shard }) => keyOf(indexUuid, shard))),
      isSilent: false,
    };
    this.#stores.set(node.id, fetched);
    this.#silence.delete(node.ephemeralId);
    this.#askBusyLater(node, fetched);
    // Copies may have become unassigned after the node was asked, which its answer does not show: ask again. A reroute
    // that changes nothing would not ask.
    this.#askAllStores(this.#options.master.state());
    if (this.#asking.size === 0) void this.reroute();
  }

  /**
   * Asks a node again whose store was busy, as it may be the only copy. Ends when it reports the store or no copy waits
   * for it.
   */
  #askBusyLater(node: NodeInfo, fetched: FetchedStores): void {
    const { clock, master } = this.#options;
    const isNeeded = (): boolean =>
      fetched.busy.size > 0 &&
      waitingCopies(master.state()).some(({ indexUuid, shard }) => fetched.busy.has(keyOf(indexUuid, shard)));
    if (!isNeeded()) return void this.#busyAnswers.delete(node.ephemeralId);
    const answers = (this.#busyAnswers.get(node.ephemeralId) ?? 0) + 1;
    this.#busyAnswers.set(node.ephemeralId, answers);
    clock.after(RETRY_MS * Math.min(answers, PAUSES_MAX), () => {
      if (this.#stores.get(node.id) === fetched && !this.#asking.has(node.id) && isNeeded()) this.#ask(node);
    });
  }

  #askDisks(): void {
    const { clock, channel, log, master } = this.#options;
    if (!this.#isActive || !channel) return;
    const nodes = [...master.state().nodes.values()].filter(isDataNode);
    const asked = nodes.map((node) =>
      sendMessage(channel(node.id), nodeMessages.methods.disk, {}, { timeoutMs: DISK_TIMEOUT_MS }).then(
        (report) => this.#disks.set(node.id, report),
        (error: unknown) =>
          log.write('debug', 'a node did not tell how full its disk is', { 'shoal.peer.id': node.id, error }),
      ),
    );
    void Promise.all(asked).then(() => {
      if (!this.#isActive) return;
      this.#shardBytes = largestCopies([...this.#disks.values()]);
      void this.#submit('disk-usage', {});
      this.#diskTimer = clock.after(DISK_INTERVAL_MS, () => this.#askDisks());
    });
  }

  /**
   * Schedules a reroute for the time at which the next copy stops waiting for its node or after a failure, in
   * `leastMs` at the earliest. A timer measures monotonic time and may be over before the wall clock shows `at`, by a
   * millisecond or, when the clock was set back, by hours. That reroute changes nothing, so that no state is applied
   * which would schedule another one: it is scheduled here.
   */
  #rerouteLater(state: ClusterState, leastMs = 1): void {
    this.#delay?.cancel();
    this.#delay = null;
    const at = nextDelayedRerouteAt(state);
    if (at === null) return;
    const waitMs = Math.max(leastMs, at - this.#options.clock.now());
    const timer = this.#options.clock.after(
      waitMs,
      () =>
        void this.reroute().then(() => {
          if (this.#isActive && this.#delay === timer) this.#rerouteLater(this.#options.master.state(), AGAIN_MS);
        }),
    );
    this.#delay = timer;
  }

  /** Schedules the end of the wait of a fully restarted cluster, after `gateway.recover_after_time`. */
  #recoverLater(state: ClusterState): void {
    const delayMs = waitsForNodes(state)
      ? recoveryDelayMs(state, this.#options.nodeSettings)
      : Number.POSITIVE_INFINITY;
    if (!Number.isFinite(delayMs)) {
      this.#recovery?.cancel();
      this.#recovery = null;
      return;
    }
    this.#recovery ??= this.#options.clock.after(delayMs, () => void this.#submit('recover-state', {}));
  }

  /** Requests a reroute; resolves when it is done, or has failed. */
  async reroute(): Promise<void> {
    await this.#submit('reroute', { commands: [] });
  }

  async #submit(task: string, body: unknown): Promise<void> {
    const { log, master } = this.#options;
    await master
      .submit(task, body)
      .catch((error: unknown) => log.write('debug', 'a task of the master failed', { task, error }));
  }
}

/** Converts a store of a list to the form that allocation compares. */
const storeInfo = (store: stores.StoredCopy, nodeId: string): ShardStoreInfo => ({
  nodeId,
  allocationId: store.allocationId ?? null,
  prevAllocationId: store.prevAllocationId ?? null,
  damaged: store.damaged,
  term: store.term,
  maxSeqNo: store.maxSeqNo,
  globalCheckpoint: store.globalCheckpoint,
  segmentHashes: store.segmentHashes,
  ...(store.historyUuid == null ? {} : { historyUuid: store.historyUuid }),
});

function largestCopies(reports: readonly nodeMessages.DiskReport[]): Map<string, number> {
  const largest = new Map<string, number>();
  for (const { shardBytes } of reports) {
    for (const [key, bytes] of Object.entries(shardBytes)) largest.set(key, Math.max(bytes, largest.get(key) ?? 0));
  }
  return largest;
}

/** Whether a copy waits for store lists. Copies of a new shard do not, as no node has data of it. */
function isWaiting({ state, recoverySource, unassigned }: ShardRouting): boolean {
  if (state !== 'UNASSIGNED') return false;
  return recoverySource === 'EXISTING_STORE' || (recoverySource === 'PEER' && unassigned?.reason !== 'INDEX_CREATED');
}

function waitingCopies(state: ClusterState): ShardRouting[] {
  return [...routingTotals(state).unsettled].flatMap((uuid) => state.routing.get(uuid)!.flat().filter(isWaiting));
}
