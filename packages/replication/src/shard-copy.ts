import { type Channel, type Clock, type Log, sendMessage } from '@shoal/doors';
import { type ApiError, errors, isApiError, toApiError } from '@shoal/errors';
import { recovery, type replication, type shard as messages } from '@shoal/protocol';
import type { MappingMaster, Shard } from '@shoal/shard';
import type { KeptFiles, PeerHead, ShardStore, StoreAtRest, WantedIdentity } from '@shoal/store';
import { fillStore } from './fill-store.js';
import { type Filling, keptOf, newFilling, ownSegments } from './filling.js';
import { type CopyGroup, Primary, type RefreshedCopies, type ShardFailed } from './primary.js';
import { newProgress, type RecoveryProgress } from './recovery-progress.js';
import { MODE, RecoverySource } from './recovery-source.js';
import { Replica } from './replica.js';
import { fromWireHead, toWireEpochs, toWireHead, toWireSeen } from './wire.js';

const RETRY_MS = 500;
/** A write waits so long for a copy that is about to be the primary. */
const ACTIVE_WAIT_MS = 5_000;
const ACTIVE_POLL_MS = 10;
/** Running writes have so long to end before a primary moves. */
const HANDOFF_DRAIN_MS = 30_000;
/** After it the new primary has so long to be one. */
const HANDOFF_LIMIT_MS = 30_000;
/** A recovery that cannot go on for so long fails the copy; the master tries another place. */
const RECOVERY_RETRIES_MAX = 120;

/** What the applied cluster state says about one copy of this node and its shard. */
export interface CopyView {
  readonly indexUuid: string;
  readonly shard: number;
  readonly allocationId: string;
  readonly isPrimary: boolean;
  readonly isStarted: boolean;
  /** It takes over from a primary that moves: its term goes on here. */
  readonly takesOver: boolean;
  /** Operators made it primary, whatever its store lacks. */
  readonly isForced: boolean;
  readonly recoverySource: RecoveryProgress['type'] | null;
  readonly term: number;
  readonly group: CopyGroup;
  /** Where the active primary is, when it is elsewhere. */
  readonly primaryNodeId: string | null;
}

export interface CopyOptions {
  readonly clock: Clock;
  readonly events: Log;
  readonly nodeId: string;
  /** Opens the engine on what the copy has on disk. `failed` is called when it ends because of an error. */
  readonly open: (identity: WantedIdentity, isAlone: boolean, failed: (error: unknown) => void) => Promise<Shard>;
  /** The engine was opened just now, by what the state said before. */
  readonly opened: (shard: Shard) => void;
  /** What the copy on disk says of itself; null when it has to be opened to be known. */
  readonly atRest: () => Promise<StoreAtRest | null>;
  /** Opens the store without an engine; made anew of what it keeps, where that is told. */
  readonly openStore: (identity: WantedIdentity, keeps: KeptFiles | null) => Promise<ShardStore>;
  /** Removes what the copy has on disk. */
  readonly destroy: () => Promise<void>;
  readonly channel: (nodeId: string, kind: 'data' | 'recovery') => Channel;
  readonly shardFailed: (report: ShardFailed) => Promise<void>;
  readonly mustSync: () => boolean;
  readonly leasePeriodMs: () => number;
  /** Version of the index's mapping that operations are parsed with here. */
  readonly mappingVersion: () => number;
  /** Waits until so many bytes more may be copied. */
  readonly limit: (bytes: number) => Promise<void>;
  /** Fills a new primary from elsewhere before it is reported: a resized or restored index. */
  readonly prepare: (shard: Shard) => Promise<void>;
  /** The engine is there, or gone (null). */
  readonly onShard: (shard: Shard | null) => void;
  /** The copy is there, and opens its store when it is woken. */
  readonly rests: () => void;
  /** The copy is what the state wants it to be, in this term. */
  readonly started: (term: number) => void;
  /** The copy can go on no more. */
  readonly failed: (error: ApiError) => void;
}

/**
 * One copy of a shard through its life: opened, recovered, following, promoted, closed (docs/internals/cluster.md
 * §5.1).
 */
export class ShardCopy {
  readonly progress: RecoveryProgress;
  readonly #options: CopyOptions;
  #view: CopyView;
  #shard: Shard | null = null;
  #replica: Replica | null = null;
  #primary: Primary | null = null;
  #source: RecoverySource | null = null;
  #isClosed = false;
  #isFailed = false;
  #isConfirmed = false;
  /** A primary whose store nobody has needed yet. */
  #atRest: StoreAtRest | null = null;
  /** The term in which it was reported while at rest. */
  #restedTerm = 0;
  #waking: Promise<void> | null = null;
  /** Files of the primary, until all are there. */
  #filling: Filling | null = null;
  #attempt = 0;
  /** The copy that took over from this one. */
  #heir: string | null = null;
  readonly #closing = new AbortController();
  /** Rejects when the copy is closed. */
  readonly #closed: Promise<never>;
  #last: Promise<void>;

  constructor(options: CopyOptions, view: CopyView) {
    this.#options = options;
    this.#view = view;
    this.progress = newProgress(view.recoverySource ?? 'EXISTING_STORE', options.clock.now());
    this.#closed = new Promise((_, reject) =>
      this.#closing.signal.addEventListener('abort', () => reject(errors.taskCancelled('the copy is closed')), {
        once: true,
      }),
    );
    this.#closed.catch(() => undefined);
    this.#last = this.#guarded(() => this.#begin());
  }

  get allocationId(): string {
    return this.#view.allocationId;
  }

  get shard(): Shard | null {
    return this.#shard;
  }

  get isPrimary(): boolean {
    return this.#primary !== null;
  }

  /** What is known of the copy while its store is closed; null once it is open. */
  get atRest(): StoreAtRest | null {
    return this.#atRest;
  }

  /** Copies that a write was for and those that answered; null on a copy that takes none. */
  get copies(): Primary['copies'] | null {
    return this.#primary?.copies ?? null;
  }

  /** Follows the cluster state: the copy is the same as long as its allocation id is. */
  apply(view: CopyView): void {
    this.#view = view;
    this.#primary?.update(view.group);
    const heir = this.#heir;
    if (heir !== null && !view.group.copies.some((copy) => copy.allocationId === heir))
      this.#fail(errors.illegalState('the copy that took over is gone'));
    if (this.#atRest !== null) return this.#restIn(view);
    if (view.isStarted && !this.#isConfirmed) this.#last = this.#last.then(() => this.#guarded(() => this.#confirm()));
    if (view.isPrimary && (this.#primary === null || this.#primary.term < view.term))
      this.#last = this.#last.then(() => this.#guarded(() => this.#promote()));
  }

  /** The state has the copy as whole under its allocation id: the one before it is forgotten. */
  async #confirm(): Promise<void> {
    if (!this.#shard || this.#isConfirmed) return;
    this.#isConfirmed = true;
    await this.#shard.log.store.forgetPreviousAllocation();
  }

  async #guarded(work: () => Promise<void>): Promise<void> {
    if (this.#isClosed || this.#isFailed) return;
    try {
      await work();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    if (this.#isClosed || this.#isFailed) return;
    this.#isFailed = true;
    const known = toApiError(error);
    this.#primary?.stop(known);
    this.#options.failed(known);
  }

  get #identity(): WantedIdentity {
    return { allocationId: this.#view.allocationId, inSync: this.#view.group.inSync };
  }

  /** A primary that has been one before is never made anew: an empty store in its place would lose everything. */
  get #primaryIdentity(): WantedIdentity {
    const { allocationId, recoverySource, isForced, isStarted, group } = this.#view;
    if (recoverySource !== 'EXISTING_STORE' || isStarted) return this.#identity;
    return {
      ...this.#identity,
      existing: group.inSync.includes(allocationId) && !isForced ? 'own' : 'any',
      beginsHistory: isForced,
    };
  }

  async #begin(): Promise<void> {
    if (this.#view.isPrimary) await this.#openPrimary();
    else await this.#recover();
  }

  async #open(isAlone: boolean, identity: WantedIdentity = this.#identity): Promise<Shard> {
    const opened = await this.#options.open(identity, isAlone, (error) => this.#fail(error));
    this.#shard = opened;
    this.#options.opened(opened);
    opened.log.refuseWrites(errors.retryOnPrimary('the copy is not an active primary'));
    if (this.#isClosed) throw errors.illegalState('the copy was closed while it was opened');
    return opened;
  }

  get #isAlone(): boolean {
    const { inSync, copies } = this.#view.group;
    return copies.length === 0 && inSync.every((id) => id === this.#view.allocationId);
  }

  /**
   * A copy that nobody else shares its operations with and that was closed in order is there without its store being
   * opened. It acts in no term until it is woken, and is verified then: there is no other copy that could take its
   * place if it were damaged.
   */
  async #rest(): Promise<boolean> {
    const { recoverySource, isForced, isStarted, allocationId } = this.#view;
    if (recoverySource !== 'EXISTING_STORE' || isForced || isStarted || !this.#isAlone) return false;
    const found = await this.#options.atRest();
    if (!found?.note || found.info.allocationId !== allocationId || found.info.previousAllocationId !== null)
      return false;
    this.#atRest = found;
    this.#done();
    this.#restIn(this.#view);
    this.#options.rests();
    return true;
  }

  #restIn({ isPrimary, term }: CopyView): void {
    if (!isPrimary || term <= this.#restedTerm || this.#isClosed || this.#isFailed) return;
    this.#restedTerm = term;
    this.#options.started(term);
  }

  /** Opens the store of a copy at rest; resolves when the copy is open, or has failed. */
  wake(): Promise<void> {
    if (this.#atRest !== null) this.#waking ??= this.#last = this.#last.then(() => this.#guarded(() => this.#wake()));
    return this.#waking ?? Promise.resolve();
  }

  async #wake(): Promise<void> {
    const shard = await this.#open(this.#isAlone, { ...this.#identity, existing: 'own' });
    this.#atRest = null;
    await this.#beginPrimary(shard);
  }

  async #openPrimary(): Promise<void> {
    if (await this.#rest()) return;
    const isAlone = this.#isAlone;
    this.progress.stage = 'INDEX';
    if (this.#view.isForced && this.#view.recoverySource === 'EMPTY_STORE') await this.#options.destroy();
    const shard = await this.#open(isAlone, this.#primaryIdentity);
    // Nobody else is in sync: what is here is all there is.
    if (!this.#view.isStarted) await this.#prepare(shard);
    await this.#beginPrimary(shard);
  }

  async #prepare(shard: Shard): Promise<void> {
    shard.setPrimaryTerm(this.#view.term);
    shard.log.refuseWrites(null);
    await this.#options.prepare(shard);
    shard.log.refuseWrites(errors.retryOnPrimary('the copy is not an active primary yet'));
  }

  async #promote(): Promise<void> {
    if (!this.#view.isPrimary || !this.#shard || (this.#primary && this.#primary.term >= this.#view.term)) return;
    // The same copy in a higher term: what it was in between did not reach this node.
    this.#primary?.stop(errors.retryOnPrimary('the primary term is over'));
    this.#source?.close();
    await this.#replica?.close();
    this.#replica = null;
    await this.#beginPrimary(this.#shard);
  }

  async #beginPrimary(shard: Shard): Promise<void> {
    const { indexUuid, shard: shardId, allocationId, term, group } = this.#view;
    const { clock, events, channel, shardFailed, mustSync, leasePeriodMs, mappingVersion } = this.#options;
    const primary = new Primary(
      {
        shard,
        indexUuid,
        shardId,
        allocationId,
        term,
        clock,
        events,
        channel: (nodeId) => channel(nodeId, 'data'),
        shardFailed,
        mustSync,
        leasePeriodMs,
        mappingVersion,
        lost: (error) => this.#fail(error),
      },
      group,
    );
    this.#primary = primary;
    await primary.start();
    primary.update(this.#view.group);
    this.#source = new RecoverySource({
      shard,
      primary,
      clock,
      isAssigned: (copy) =>
        this.#view.group.copies.some((one) => one.allocationId === copy.allocationId && one.nodeId === copy.nodeId),
    });
    this.#done();
    this.#options.onShard(shard);
    if (term > this.#restedTerm) this.#options.started(term);
  }

  #done(): void {
    this.progress.stage = 'DONE';
    this.progress.endedAtMs = this.#options.clock.now();
  }

  /** R0 to R7, again from R1 when the primary is lost or moves. */
  async #recover(): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        const term = await this.#recoverOnce();
        if (this.#isClosed) return;
        this.#done();
        this.#options.onShard(this.#shard);
        this.#options.started(term);
        return;
      } catch (error) {
        if (this.#isClosed) return;
        if (this.#shard?.log.store.failure || attempt >= RECOVERY_RETRIES_MAX) throw error;
        this.#options.events.write('debug', 'a recovery begins again', {
          indexUuid: this.#view.indexUuid,
          shard: this.#view.shard,
          'error.message': String(error),
        });
        await new Promise<void>((resolve) => this.#options.clock.after(RETRY_MS, resolve));
        if (this.#isClosed || this.#view.isPrimary) return;
      }
    }
  }

  async #recoverOnce(): Promise<number> {
    const filesOnly = this.#filling !== null || !(await this.#openReplica());
    const answer = await this.#startRecovery(filesOnly);
    if (answer.mode === MODE.files) {
      await this.#takeFiles(answer);
      await this.#openReplica(answer.historyUuid);
      const again = await this.#startRecovery(false);
      if (again.mode === MODE.files)
        throw errors.illegalState('the primary no longer has the operations behind its files');
    }
    return this.#followUntilCounted(answer.recoveryId);
  }

  /** R0. False when what is on disk cannot be used: it is replaced by the primary's. */
  async #openReplica(historyUuid?: string): Promise<boolean> {
    if (this.#shard) return true;
    try {
      const shard = await this.#open(
        false,
        historyUuid === undefined ? this.#identity : { ...this.#identity, historyUuid },
      );
      this.#replica = new Replica(shard, {
        allocationId: this.#view.allocationId,
        mappingVersion: this.#options.mappingVersion,
      });
      return true;
    } catch (error) {
      if (!isApiError(error) || error.type !== 'corrupt_index_exception') throw error;
      this.#options.events.write('warn', 'a damaged copy is replaced by files of the primary', {
        indexUuid: this.#view.indexUuid,
        shard: this.#view.shard,
        'error.message': error.message,
      });
      return false;
    }
  }

  /** The active primary; requests to it end with the copy. */
  get #recoveryChannel(): Channel {
    const { primaryNodeId } = this.#view;
    if (primaryNodeId === null) throw errors.retryOnPrimary('the shard has no active primary');
    this.progress.sourceNodeId = primaryNodeId;
    const channel = this.#options.channel(primaryNodeId, 'recovery');
    return {
      request: (action, payload, options) =>
        Promise.race([channel.request(action, payload, { ...options, signal: this.#closing.signal }), this.#closed]),
    };
  }

  async #startRecovery(filesOnly: boolean): Promise<recovery.StartAnswer> {
    const { indexUuid, shard, allocationId, term } = this.#view;
    const log = this.#shard?.log;
    const answer = await sendMessage(this.#recoveryChannel, recovery.methods.start, {
      indexUuid,
      shard,
      primaryTerm: term,
      allocationId,
      nodeId: this.#options.nodeId,
      historyUuid: log?.store.identity.historyUuid ?? '',
      epochs: toWireEpochs(log?.store.epochs ?? []),
      maxSeqNo: log?.maxSeqNo ?? -1,
      head: log ? toWireHead(log.store.head()) : undefined,
      seen: toWireSeen(log && this.#seenOfPrimary(log.store)),
      filesOnly,
      segments: log ? ownSegments(log.store) : [],
      attempt: this.#nextAttempt(),
    });
    if (answer.seen) this.#shard?.log.store.checkSeen(fromWireHead(answer.seen));
    this.progress.totalOperations = answer.operations;
    return answer;
  }

  /** Rises with the process's time too: another object may have stood for the same copy before. */
  #nextAttempt(): number {
    return (this.#attempt = Math.max(this.#attempt + 1, Math.floor(this.#options.clock.monotonic())));
  }

  #seenOfPrimary({ peers }: ShardStore): PeerHead | undefined {
    return peers.get(this.#primaryAllocation);
  }

  get #primaryAllocation(): string {
    const { group, primaryNodeId } = this.#view;
    return group.copies.find(({ nodeId }) => nodeId === primaryNodeId)?.allocationId ?? '';
  }

  /**
   * R3, R4. What has arrived stays for the next attempt, unless that finds another primary; the copy is nothing until
   * all is there.
   */
  async #takeFiles(answer: recovery.StartAnswer): Promise<void> {
    const { indexUuid, shard } = this.#view;
    this.progress.stage = 'INDEX';
    const filling = await this.#fillingFrom(answer);
    try {
      const source = this.#recoveryChannel;
      if (answer.commit)
        await fillStore(filling, answer.commit, {
          indexUuid,
          shard,
          recoveryId: answer.recoveryId,
          source,
          limit: this.#options.limit,
          progress: this.progress,
        });
      await filling.store.close();
      this.#filling = null;
    } catch (error) {
      if (filling.store.failure || this.#isClosed) await this.#dropFilling();
      throw error;
    }
  }

  async #fillingFrom(answer: recovery.StartAnswer): Promise<Filling> {
    const source = `${this.#primaryAllocation}/${answer.primaryTerm}`;
    if (this.#filling?.source === source) return this.#filling;
    const { progress } = this;
    progress.recoveredBytes = 0;
    progress.reusedBytes = 0;
    if (this.#filling) await this.#dropFilling();
    const before = this.#shard?.log.store;
    await this.#giveUpOwn();
    const kept = keptOf(before, answer);
    if (kept === null) await this.#options.destroy();
    const store = await this.#options.openStore(
      { ...this.#identity, historyUuid: answer.historyUuid },
      kept && { segments: [...kept.segments.keys()], operationsBelow: kept.ownBelow },
    );
    return (this.#filling = newFilling(store, source, kept));
  }

  /** What the copy was promotable by goes first, durably; its data may go then. */
  async #giveUpOwn(): Promise<void> {
    await this.#replica?.close();
    this.#replica = null;
    const before = this.#shard;
    this.#shard = null;
    await before?.log.store.forgetPreviousAllocation();
    await before?.close();
  }

  /** Less than all is nothing. */
  async #dropFilling(): Promise<void> {
    const filling = this.#filling;
    this.#filling = null;
    await filling?.store.close();
    if (filling) await this.#options.destroy();
  }

  async #followUntilCounted(recoveryId: string): Promise<number> {
    const { indexUuid, shard, allocationId } = this.#view;
    this.progress.stage = 'TRANSLOG';
    const request = { indexUuid, shard, allocationId, recoveryId };
    const answer = await sendMessage(this.#recoveryChannel, recovery.methods.finalize, request);
    this.progress.recoveredOperations = this.progress.totalOperations;
    this.progress.stage = 'FINALIZE';
    // Searches that come here see what they would see on the primary.
    this.#shard?.refresh();
    if (this.#view.takesOver)
      await sendMessage(this.#recoveryChannel, recovery.methods.handoff, {
        indexUuid,
        shard,
        allocationId,
        primaryTerm: answer.primaryTerm,
      });
    return answer.primaryTerm;
  }

  /** Answers the primary, as one of its other copies. */
  readonly replication: replication.ReplicationHandlers = {
    replicate: async (request) => (await this.#awake()).#following.replicate(request),
    resync: async (request) => (await this.#awake()).#following.resync(request),
    sync: async (request) => (await this.#awake()).#following.sync(request),
  };

  /** Answers a recovering copy, as the primary. */
  readonly recovery: recovery.RecoveryHandlers = {
    start: async (request) => (await this.#awake()).#serving.start(request),
    chunk: async (request) => (await this.#awake()).#serving.chunks(request),
    operations: async (request) => (await this.#awake()).#serving.operations(request),
    finalize: async (request) => (await this.#awake()).#serving.finalize(request),
    handoff: async (request) => (await this.#awake()).#handOff(request),
  };

  /** The copy once it can answer others. Throws the error that says so when it is closed or has failed. */
  async #awake(): Promise<this> {
    await this.wake();
    if (this.#isClosed || this.#isFailed) throw errors.retryOnReplica('the copy is closed');
    return this;
  }

  /**
   * Gives the role of primary away within the term (docs/internals/cluster.md §5.7): nothing is assigned here any more,
   * for ever. A copy that does not come to be primary after that leaves the shard without one: this one then fails, and
   * the next has a new term.
   */
  async #handOff(request: recovery.HandoffRequest): Promise<recovery.HandoffAnswer> {
    const primary = this.#primary;
    if (!primary || !this.#source || request.primaryTerm !== primary.term)
      throw errors.retryOnPrimary('the copy is not the primary of that term');
    await primary.handOff(request.allocationId, HANDOFF_DRAIN_MS);
    this.#heir = request.allocationId;
    this.#source.close();
    this.#source = null;
    this.#options.clock.after(HANDOFF_LIMIT_MS, () =>
      this.#fail(errors.illegalState('the copy that took over did not come to be primary')),
    );
    return { globalCheckpoint: this.#shard!.log.store.globalCheckpoint };
  }

  get #following(): Replica {
    if (!this.#replica) throw errors.retryOnReplica('the copy takes no operations now');
    return this.#replica;
  }

  get #serving(): RecoverySource {
    if (!this.#source) throw errors.retryOnPrimary('the copy is not an active primary');
    return this.#source;
  }

  async bulk(request: messages.BulkShardRequest, master: MappingMaster): Promise<messages.BulkShardResponse> {
    await this.wake();
    if (!this.#isActive) await this.#becomesActive();
    this.#primary!.checkActive(request.waitForActive ?? 1);
    const { items, forcedRefresh, copyFailures } = await this.#shard!.bulk(request, master);
    const { total, successful } = this.#primary!.copies;
    return { items, forcedRefresh, copiesTotal: total, copiesSuccessful: successful, copyFailures };
  }

  /** Makes what is acknowledged visible here and on the copies that count: for an active primary, which knows them. */
  async refresh(): Promise<RefreshedCopies> {
    await this.wake();
    if (!this.#isActive) await this.#becomesActive();
    this.#shard!.refresh();
    return this.#primary!.refreshCopies();
  }

  /** Before the state has it as started, a copy of a new shard may be replaced by another empty one. */
  get #isActive(): boolean {
    return this.#source !== null && this.#view.isStarted && this.#view.isPrimary && !this.#isClosed && !this.#isFailed;
  }

  /** Whoever asks may be ahead of this node's state. */
  async #becomesActive(): Promise<void> {
    const { clock } = this.#options;
    const until = clock.monotonic() + ACTIVE_WAIT_MS;
    while (!this.#isActive) {
      if (this.#isClosed || this.#isFailed || !this.#view.isPrimary || clock.monotonic() >= until)
        throw errors.retryOnPrimary('the copy is not an active primary');
      await new Promise<void>((resolve) => clock.after(ACTIVE_POLL_MS, resolve));
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#closing.abort();
    this.#primary?.stop(errors.retryOnPrimary('the copy is closed'));
    this.#source?.close();
    await this.#replica?.close();
    await this.#last.catch(() => undefined);
    this.#options.onShard(null);
    await this.#dropFilling();
    await this.#shard?.close();
  }
}
