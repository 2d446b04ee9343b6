import { errors } from '@shoal/errors';
import { replication } from '@shoal/protocol';
import type { Shard, ShardLog } from '@shoal/shard';
import { matchPoint, type PeerHead, termAt } from '@shoal/store';
import { fromWireHead, OUTCOME, REFRESH, toWireHead, toWireSeen } from './wire.js';

/** Parts of a shard that a following copy uses. */
export interface ReplicaShard extends Pick<Shard, 'refresh' | 'nextRefresh'> {
  readonly log: ShardLog;
}

/** Shard and effects of a following copy. */
export interface ReplicaOptions {
  readonly allocationId: string;
  /** Version of the mapping with which this node parses operations. */
  readonly mappingVersion: () => number;
}

/**
 * A copy that follows the primary's log (docs/internals/cluster.md §5.2 W5, §5.5). It refuses messages of a lower term.
 * The first message of a higher term is a fence: the copy accepts no operation before it has compared its log with the
 * new primary's.
 */
export class Replica {
  readonly #shard: ReplicaShard;
  readonly #options: ReplicaOptions;
  /** The term in which the log is known to be a prefix of the primary's; 0 if none since the copy was opened. */
  #resyncedTerm = 0;
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(shard: ReplicaShard, options: ReplicaOptions) {
    this.#shard = shard;
    this.#options = options;
    shard.log.refuseWrites(errors.retryOnPrimary('this copy of the shard is not the primary'));
    shard.log.gate = null;
  }

  get #log(): ShardLog {
    return this.#shard.log;
  }

  /** Refuses further messages; resolves when the last one is handled. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#last;
  }

  replicate(request: replication.ReplicateRequest): Promise<replication.ReplicateAnswer> {
    return this.#enqueue(() => this.#replicate(request));
  }

  resync(request: replication.ResyncRequest): Promise<replication.ResyncAnswer> {
    return this.#enqueue(() => this.#resync(request));
  }

  async sync(request: replication.SyncRequest): Promise<replication.SyncAnswer> {
    await this.#enqueue(async () => {
      await this.#enter(request.copy);
      if (this.#isResynced(request.copy)) this.#raise(request.globalCheckpoint);
      this.#log.setLeases(
        request.leases.map(({ id, retainedSeqNo, atMs }) => ({ id, retainedSeqNo, atMs })),
        request.leasesVersion,
      );
    });
    if (request.refresh === REFRESH.now) this.#shard.refresh();
    if (request.refresh === REFRESH.wait) await this.#shard.nextRefresh();
    return { localCheckpoint: this.#localCheckpoint(request.copy) };
  }

  /** Handles messages one at a time, in order of arrival. */
  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#last.then(() => {
      if (this.#isClosed) throw errors.retryOnReplica('this copy of the shard takes no operations any more');
      return work();
    });
    this.#last = run.catch(() => undefined);
    return run;
  }

  async #enter(ref: replication.CopyRef | undefined): Promise<void> {
    const { store } = this.#log;
    const { allocationId } = this.#options;
    if (!ref || ref.allocationId !== allocationId)
      throw errors.wrongShardCopy(`the copy is [${allocationId}], not [${ref?.allocationId}]`);
    if (ref.primaryTerm < store.currentTerm)
      throw errors.stalePrimaryTerm(`the copy acts in term [${store.currentTerm}], not [${ref.primaryTerm}]`);
    if (ref.primaryTerm === store.currentTerm) return;
    await store.synced();
    await store.beginTerm(ref.primaryTerm);
    store.localCheckpoint = store.globalCheckpoint;
  }

  #isResynced(ref: replication.CopyRef | undefined): boolean {
    return ref !== undefined && this.#resyncedTerm === ref.primaryTerm;
  }

  #localCheckpoint(ref: replication.CopyRef | undefined): number {
    const { store } = this.#log;
    return this.#isResynced(ref) ? store.persistedSeqNo() : store.globalCheckpoint;
  }

  /** Raises the global checkpoint, at most to what is synced here. */
  #raise(globalCheckpoint: number): void {
    this.#log.setGlobalCheckpoint(Math.min(globalCheckpoint, this.#log.store.persistedSeqNo()));
  }

  async #replicate(request: replication.ReplicateRequest): Promise<replication.ReplicateAnswer> {
    await this.#enter(request.copy);
    if (!this.#isResynced(request.copy)) return this.#answer(OUTCOME.resync, request);
    const { store, maxSeqNo } = this.#log;
    if (request.head) store.notePeer(fromWireHead(request.head));
    const { previousSeqNo, previousTerm, records } = request;
    if (previousSeqNo > maxSeqNo || (previousSeqNo >= 0 && termAt(store.epochs, previousSeqNo) !== previousTerm))
      return this.#answer(OUTCOME.gap, request);
    const known = maxSeqNo - previousSeqNo;
    this.#checkMapping(request, known);
    if (known < records.length) await this.#log.receive(maxSeqNo + 1, records.slice(known));
    await (request.sync ? store.synced() : store.acknowledged());
    store.localCheckpoint = store.persistedSeqNo();
    this.#raise(request.globalCheckpoint);
    return this.#answer(OUTCOME.taken, request);
  }

  /**
   * Refuses operations of a newer mapping: under the older one a field that the primary has indexed would silently be
   * left out here.
   */
  #checkMapping({ mappingVersion, records }: replication.ReplicateRequest, known: number): void {
    const own = this.#options.mappingVersion();
    if (known < records.length && mappingVersion > own)
      throw errors.retryOnReplica(
        `mappings are not available on the replica yet: version [${own}], not [${mappingVersion}]`,
      );
  }

  #answer(outcome: number, request: replication.ReplicateRequest): replication.ReplicateAnswer {
    const { store, maxSeqNo } = this.#log;
    return { outcome, localCheckpoint: this.#localCheckpoint(request.copy), maxSeqNo, head: toWireHead(store.head()) };
  }

  async #resync(request: replication.ResyncRequest): Promise<replication.ResyncAnswer> {
    await this.#enter(request.copy);
    const { store } = this.#log;
    if (request.historyUuid !== store.identity.historyUuid)
      throw errors.illegalState(`the copy is of history [${store.identity.historyUuid}], not [${request.historyUuid}]`);
    const seen = request.head && store.seenOf(fromWireHead(request.head));
    if (request.seen) store.checkSeen(fromWireHead(request.seen));
    if (request.head) store.notePeer(fromWireHead(request.head));
    await store.synced();
    // A repeated or late request: what was appended since in this term is the primary's.
    if (this.#isResynced(request.copy)) return this.#matched(this.#log.maxSeqNo, seen);
    const point = matchPoint({ epochs: store.epochs, maxSeqNo: this.#log.maxSeqNo }, request);
    if (point < store.globalCheckpoint)
      throw errors.illegalState(
        `the log leaves the primary's at [${point}], below the global checkpoint [${store.globalCheckpoint}]`,
      );
    if (point < this.#log.maxSeqNo) await this.#log.rollBack(point);
    this.#resyncedTerm = request.copy!.primaryTerm;
    store.localCheckpoint = store.persistedSeqNo();
    this.#raise(request.globalCheckpoint);
    return this.#matched(point, seen);
  }

  #matched(point: number, seen: PeerHead | undefined): replication.ResyncAnswer {
    return { matchPoint: point, head: toWireHead(this.#log.store.head()), seen: toWireSeen(seen) };
  }
}
