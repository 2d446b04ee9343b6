import { seededRandom } from '@shoal/doors';
import { type ApiError, errors, isApiError } from '@shoal/errors';
import { shard as messages } from '@shoal/protocol';
import { GhostHistory, type Write } from './ghost-history.js';
import type { Mistake } from './mistakes.js';
import { SimulatedClock } from './simulated-clock.js';
import { SimulatedMaster, type StoredCopy } from './simulated-master.js';
import { SimulatedNetwork } from './simulated-network.js';
import { SimulatedNode } from './simulated-node.js';

const NODES = ['n0', 'n1', 'n2'];
const COPIES = 3;
const STORM_MS = 3_000;
const HEAL_MS = 90_000;
const MASTER_TICK_MS = 20;
const CLIENTS = 3;
/** Periods of retention leases: long, short, none. */
const LEASE_PERIODS_MS = [12 * 3_600_000, 1_000, 0];

/** Result of a run: its size and its problems. */
export interface Run {
  readonly problems: readonly string[];
  readonly acknowledged: number;
  readonly writes: number;
  readonly promotions: number;
  readonly crashes: number;
  readonly rollbacks: number;
  readonly moves: number;
  readonly virtualMs: number;
}

/**
 * One shard with three copies in one thread: a seed decides delays, losses, crashes, partitions, promotions and what
 * clients do.
 */
class World {
  readonly clock = new SimulatedClock();
  readonly random;
  readonly network: SimulatedNetwork;
  readonly master: SimulatedMaster;
  readonly nodes = new Map<string, SimulatedNode>();
  readonly ghost = new GhostHistory();
  readonly counts = { promotions: 0, crashes: 0, rollbacks: 0 };
  readonly #mistake: Mistake | null;
  readonly #nodeIds: readonly string[];
  readonly #hasMoves: boolean;
  readonly #leasePeriodMs: number;
  #isStormy = true;
  #counters = 0;

  constructor(seed: number, mistake: Mistake | null, hasMoves: boolean) {
    this.#hasMoves = hasMoves;
    this.#leasePeriodMs = LEASE_PERIODS_MS[seed % LEASE_PERIODS_MS.length]!;
    this.#nodeIds = hasMoves ? [...NODES, 'n3'] : NODES;
    this.random = seededRandom(seed);
    this.#mistake = mistake;
    this.network = new SimulatedNetwork(this.clock, this.random);
    this.master = new SimulatedMaster(this.random, {
      promotesAnyone: mistake === 'promotes copies that are not in sync',
      keepsTerm: mistake === 'keeps the term at a promotion',
    });
    for (const id of this.#nodeIds) this.nodes.set(id, this.#newNode(id));
  }

  #newNode(id: string): SimulatedNode {
    return new SimulatedNode({
      id,
      clock: this.clock,
      random: this.random,
      network: this.network,
      mistake: this.#mistake,
      leasePeriodMs: this.#leasePeriodMs,
      events: {
        shardFailed: (nodeId, report) =>
          this.#toMaster(nodeId, () => {
            if (this.#mistake !== 'counts a removal that the master has not committed') this.master.failed(report);
          }),
        started: (nodeId, allocationId, term) => this.#tell(nodeId, () => this.master.started(allocationId, term)),
        failed: (nodeId, allocationId, error) => this.#onFailed(nodeId, allocationId, error),
        becamePrimary: (nodeId, term, log) => {
          this.counts.promotions++;
          // A copy that learns late that it was primary cannot acknowledge anything.
          if (nodeId === this.master.primary?.nodeId && term === this.master.state.term)
            this.ghost.checkPrimary(nodeId, term, log);
        },
        rollsBack: (nodeId, maxSeqNo, log) => {
          this.counts.rollbacks++;
          this.ghost.checkRollback(nodeId, maxSeqNo, log);
        },
      },
    });
  }

  #onFailed(nodeId: string, allocationId: string, error: ApiError): void {
    if (error.type === 'corrupt_index_exception')
      this.ghost.problems.push(`the copy on [${nodeId}] is damaged: ${error.message}`);
    this.#tell(nodeId, () => {
      if (this.master.state.copies.some((copy) => copy.allocationId === allocationId)) this.master.lost(nodeId);
    });
  }

  /** Sends a message to the master until it arrives. */
  #tell(nodeId: string, work: () => void): void {
    this.#toMaster(nodeId, work).catch(() => this.clock.after(200, () => this.#tell(nodeId, work)));
  }

  #toMaster(nodeId: string, work: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const isCut = (): boolean => this.network.isCut(nodeId, 'master');
      this.clock.after(this.network.delayMs(), () => {
        if (isCut()) return reject(errors.masterNotDiscovered('no master'));
        try {
          work();
        } catch (error) {
          this.clock.after(this.network.delayMs(), () => reject(error));
          return;
        }
        this.clock.after(this.network.delayMs(), () =>
          isCut() ? reject(errors.masterNotDiscovered('no master')) : resolve(),
        );
      });
    });
  }

  begin(): void {
    this.master.create(NODES[Math.floor(this.random.next() * 3)]!);
    this.#masterTick();
    this.#faultTick();
    for (let i = 0; i < CLIENTS; i++) this.#client(`c${i}`);
  }

  #masterTick(): void {
    const { state } = this.master;
    for (const node of this.nodes.values()) {
      const { publications } = node;
      if (!this.network.isCut(node.id, 'master')) this.clock.after(this.network.delayMs(), () => publications(state));
    }
    for (const copy of state.copies)
      if (!this.nodes.get(copy.nodeId)!.isAlive) this.#notice(copy.nodeId, copy.allocationId);
    if (state.copies.length === 0) this.#assignFromDisk();
    else for (const node of this.nodes.values()) if (node.isAlive && this.random.next() < 0.1) this.#place(node.id);
    this.clock.after(MASTER_TICK_MS, () => this.#masterTick());
  }

  #place(nodeId: string): void {
    const { copies } = this.master.state;
    if (copies.filter((copy) => !copy.isTarget).length < COPIES) return this.master.addReplica(nodeId);
    if (this.#hasMoves && this.#isStormy) this.master.move(nodeId);
  }

  #notice(nodeId: string, allocationId: string): void {
    this.clock.after(this.random.next() * 50, () => {
      if (this.master.state.copies.some((copy) => copy.allocationId === allocationId)) this.master.lost(nodeId);
    });
  }

  /** Assigns a copy from disk; each node that is asked may crash before it answers. */
  #assignFromDisk(): void {
    if (this.random.next() < 0.8) return;
    if (this.master.state.inSync.length === 0) return this.master.create(this.#pick(NODES));
    const asked = [...this.nodes.values()].filter((node) => node.isAlive && !this.network.isCut(node.id, 'master'));
    const found: StoredCopy[] = [];
    for (const node of asked) void node.stored().then((one) => one && found.push(one));
    this.clock.after(60, () => this.master.assignFromDisk(found));
  }

  #pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.random.next() * list.length)]!;
  }

  #faultTick(): void {
    if (!this.#isStormy) return;
    const kind = this.random.next();
    const node = this.nodes.get(this.#pick(this.#nodeIds))!;
    if (this.#hasMoves && this.random.next() < 0.2) this.#strike(node);
    else if (kind < 0.25) this.#crash(node);
    else if (kind < 0.34) this.#promoteTwice();
    else if (kind < 0.46) this.#leavePrimaryBehind();
    else if (kind < 0.6) this.#partition();
    else if (kind < 0.7) this.network.heal();
    else if (kind < 0.85) void node.copy?.shard?.flush().catch(() => undefined);
    this.clock.after(20 + this.random.next() * 150, () => this.#faultTick());
  }

  /** Ends all processes at once, or fills a disk for some time. */
  #strike(node: SimulatedNode): void {
    if (this.random.next() < 0.3) for (const each of this.nodes.values()) this.#crash(each);
    else {
      node.isDiskFull = true;
      this.clock.after(this.random.next() * 400, () => (node.isDiskFull = false));
    }
  }

  #crash(node: SimulatedNode): void {
    if (!node.isAlive) return;
    this.counts.crashes++;
    node.crash();
    this.clock.after(this.random.next() * 300, () => {
      // The master notices at the latest when a process with another id joins.
      this.master.lost(node.id);
      node.start();
    });
  }

  /** Promotes twice: the second failover may come before the copies have followed the first. */
  #promoteTwice(): void {
    this.master.promote();
    if (this.random.next() < 0.6) this.clock.after(this.random.next() * 30, () => this.master.promote());
  }

  /** Promotes another copy without informing the primary. */
  #leavePrimaryBehind(): void {
    const { primary } = this.master;
    if (!primary) return;
    this.network.cut(primary.nodeId, 'master');
    this.master.promote();
    this.clock.after(this.random.next() * 600, () => this.network.heal());
  }

  #partition(): void {
    const alone = this.#pick(this.#nodeIds);
    const isFromMaster = this.random.next() < 0.7;
    for (const other of this.#nodeIds) if (other !== alone && this.random.next() < 0.8) this.network.cut(alone, other);
    if (isFromMaster) this.network.cut(alone, 'master');
    this.clock.after(this.random.next() * 400, () => this.network.heal());
  }

  #client(name: string): void {
    if (!this.#isStormy) return;
    const known = this.ghost.writes.filter((write) => write.seqNo >= 0);
    const base = known.length > 0 && this.random.next() < 0.3 ? this.#pick(known.slice(-6)) : null;
    const kind =
      base && base.kind !== 'delete' ? 'cas' : this.#pick(['index', 'index', 'index', 'create', 'delete'] as const);
    const write: Write = {
      client: name,
      counter: this.#counters++,
      id: base && kind === 'cas' ? base.id : this.#pick(['a', 'b', 'c', 'd']),
      kind,
      ifSeqNo: base?.seqNo ?? -1,
      value: this.#counters,
      invokedAt: this.clock.monotonic(),
      returnedAt: 0,
      outcome: 'unknown',
      seqNo: -1,
      term: base?.term ?? 0,
      version: 0,
    };
    this.ghost.writes.push(write);
    const ifTerm = write.term;
    void this.#send(write, ifTerm, this.#pick(NODES), 0).finally(() =>
      this.clock.after(this.random.next() * 12, () => this.#client(name)),
    );
  }

  async #send(write: Write, ifTerm: number, coordinator: string, attempt: number): Promise<void> {
    const state = this.nodes.get(coordinator)!.state ?? this.master.state;
    const primary = state.copies.find((copy) => copy.isPrimary);
    if (primary) {
      try {
        const channel = this.network.channel(coordinator, () => true, primary.nodeId, false);
        return this.#record(
          write,
          messages.decodeBulkShardResponse(await channel.request('shard/bulk', bulkOf(write, ifTerm, attempt > 0))),
        );
      } catch (error) {
        if (!isApiError(error)) this.ghost.problems.push(`a write failed with ${String((error as Error).stack)}`);
      }
    }
    if (attempt >= 40) return;
    await new Promise<void>((resolve) => this.clock.after(5 + this.random.next() * 60, resolve));
    return this.#send(write, ifTerm, this.#pick(NODES), attempt + 1);
  }

  #record(write: Write, response: messages.BulkShardResponse): void {
    const result = response.items[0]!;
    write.returnedAt = this.clock.monotonic();
    if (result.error) {
      const { type } = result.error;
      if (type !== 'version_conflict_engine_exception')
        this.ghost.problems.push(`write [${write.client}/${write.counter}] failed with [${type}]`);
      write.outcome = 'conflict';
      return;
    }
    Object.assign(write, {
      outcome: result.outcome,
      seqNo: result.seqNo,
      term: result.primaryTerm,
      version: result.version,
    });
  }

  async runUntil(ms: number): Promise<void> {
    while (this.ghost.problems.length === 0 && (await this.clock.runNext(ms)));
  }

  calm(): void {
    this.#isStormy = false;
    this.network.isCalm = true;
    this.network.heal();
  }

  /** Whether all three copies are assigned and have the same log. */
  isWhole(): boolean {
    const { state } = this.master;
    if (state.copies.length !== COPIES || !state.copies.every((copy) => copy.isStarted)) return false;
    const logs = state.copies.map((copy) => this.nodes.get(copy.nodeId)!.copy?.shard?.log);
    return logs.every(
      (log) => log !== undefined && log.maxSeqNo === logs[0]?.maxSeqNo && log.store.persistedSeqNo() === log.maxSeqNo,
    );
  }

  async check(): Promise<void> {
    const { state } = this.master;
    if (!this.isWhole()) {
      this.ghost.problems.push(`the copies did not come together: ${JSON.stringify(state)}`);
      return;
    }
    const logs = new Map(state.copies.map((copy) => [copy.nodeId, this.nodes.get(copy.nodeId)!.copy!.shard!.log]));
    await this.ghost.checkCopies(logs);
    const primary = this.master.primary!;
    this.ghost.checkPrimary(primary.nodeId, state.term, logs.get(primary.nodeId)!);
    this.ghost.checkLog(logs.get(primary.nodeId)!);
    this.#checkDocuments(state.copies.map((copy) => copy.nodeId));
  }

  #checkDocuments(nodeIds: readonly string[]): void {
    const seen = nodeIds.map((nodeId) => {
      const shard = this.nodes.get(nodeId)!.copy!.shard!;
      shard.refresh();
      const lease = shard.acquire();
      const documents: string[] = [];
      for (const { reader, live, docBase, maxDoc } of lease.searcher.segments) {
        for (let doc = 0; doc < maxDoc; doc++) {
          if (live !== null && !live.get(doc)) continue;
          const { id, seqNo, source } = lease.searcher.stored(docBase + doc);
          documents.push(`${id}@${seqNo} ${Buffer.from(source).toString()}`);
        }
        void reader;
      }
      lease.release();
      return documents.sort().join('; ');
    });
    seen.forEach((documents, i) => {
      if (documents !== seen[0])
        this.ghost.problems.push(`[${nodeIds[i]}] shows ${documents}, [${nodeIds[0]}] ${seen[0]}`);
    });
  }
}

function bulkOf(write: Write, ifTerm: number, retry: boolean): Uint8Array {
  const source = write.kind === 'delete' ? new Uint8Array(0) : Buffer.from(JSON.stringify({ n: write.value }));
  const op = { index: 0, cas: 0, create: 1, delete: 3 }[write.kind];
  const condition = write.kind === 'cas' ? { ifSeqNo: write.ifSeqNo, ifPrimaryTerm: ifTerm } : {};
  const item: messages.WriteItem = {
    op,
    id: write.id,
    sourceStart: 0,
    sourceEnd: source.length,
    versionType: 0,
    autoId: false,
    retryOnConflict: 0,
    opCounter: write.counter,
    ...condition,
  };
  return messages.encodeBulkShardRequest({
    shard: { indexUuid: 'uuid', shard: 0 },
    indexName: 'test',
    refresh: 0,
    sources: source,
    items: [item],
    coordinator: write.client,
    retry,
  });
}

/**
 * Runs one seed: faults for some seconds, then peace, then everything is checked. `hasMoves`: with a fourth node, moves
 * of primaries, full disks and ends of all processes at once.
 */
export async function simulate(seed: number, mistake: Mistake | null = null, hasMoves = false): Promise<Run> {
  const world = new World(seed, mistake, hasMoves);
  world.begin();
  await world.runUntil(STORM_MS);
  world.calm();
  for (let at = STORM_MS + 1000; at < STORM_MS + HEAL_MS && world.ghost.problems.length === 0; at += 500) {
    await world.runUntil(at);
    if (at > STORM_MS + 4000 && world.isWhole()) break;
  }
  if (world.ghost.problems.length === 0) await world.check();
  const { writes, problems } = world.ghost;
  return {
    problems,
    writes: writes.length,
    acknowledged: writes.filter((write) => write.seqNo >= 0).length,
    virtualMs: world.clock.monotonic(),
    moves: world.master.moves,
    ...world.counts,
  };
}
