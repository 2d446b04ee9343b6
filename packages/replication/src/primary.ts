import type { Channel, Clock, Log, TimerHandle } from '@shoal/doors';
import { type ApiError, encodeError, errors, toApiError, type WireError } from '@shoal/errors';
import type { Shard, ShardLog, WriteGate } from '@shoal/shard';
import { CopyStream } from './copy-stream.js';
import { LeaseBook } from './lease-book.js';
import { REFRESH } from './wire.js';

/** Milliseconds after which a report that the master did not accept is sent again. */
const REPORT_RETRY_MS = 500;
/** A failed refresh of a copy is retried after `REFRESH_RETRY_MS`, for `REFRESH_TRIES_MS` in all. */
const REFRESH_RETRY_MS = 100;
const REFRESH_TRIES_MS = 60_000;

/** An assigned copy in the cluster state. */
export interface AssignedCopy {
  readonly allocationId: string;
  readonly nodeId: string;
}

/** One shard's copies in the applied cluster state. */
export interface CopyGroup {
  /** Allocation ids, assigned or not. */
  readonly inSync: readonly string[];
  /** The copies on other nodes that hold a store, whatever their state. */
  readonly copies: readonly AssignedCopy[];
  /** Configured number of copies, this one included. */
  readonly total: number;
}

/** Report to the master that a copy has failed. */
export interface ShardFailed {
  readonly indexUuid: string;
  readonly shard: number;
  readonly allocationId: string;
  readonly primaryTerm: number;
  readonly markStale: boolean;
  readonly failure?: WireError;
}

/** A copy that failed a request. */
export interface CopyFailure {
  readonly nodeId: string;
  readonly error: WireError;
}

/** Number of refreshed copies, the primary included, and the failures of others. */
export interface RefreshedCopies {
  readonly successful: number;
  readonly failures: readonly CopyFailure[];
}

/** Shard, term, effects and callbacks of a primary. */
export interface PrimaryOptions {
  readonly shard: Pick<Shard, 'setPrimaryTerm'> & { readonly log: ShardLog };
  readonly indexUuid: string;
  readonly shardId: number;
  readonly allocationId: string;
  readonly term: number;
  readonly clock: Clock;
  readonly events: Log;
  /** Data link to a node. */
  readonly channel: (nodeId: string) => Channel;
  /**
   * Reports a failed copy. Resolves when the master has committed it; rejects with no_longer_primary_shard_exception if
   * the term is over.
   */
  readonly shardFailed: (report: ShardFailed) => Promise<void>;
  /** `index.translog.durability` is `request`. */
  readonly mustSync: () => boolean;
  /** `index.soft_deletes.retention_lease.period`. */
  readonly leasePeriodMs: () => number;
  /** Version of the mapping with which this node parses operations. */
  readonly mappingVersion: () => number;
  /** Called when another copy is primary: this one must be closed. */
  readonly lost: (error: ApiError) => void;
}

interface Waiter {
  readonly seqNo: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The copy that assigns sequence numbers (docs/internals/cluster.md §5.2). It streams its log to the other copies,
 * knows how far each has come, and acknowledges an operation once every in-sync copy has it. It stops waiting for a
 * failed copy only after the master has committed that this copy is no longer in sync.
 */
export class Primary implements WriteGate {
  readonly #options: PrimaryOptions;
  readonly #streams = new Map<string, CopyStream>();
  readonly #leases: LeaseBook;
  #group: CopyGroup;
  /** Allocation ids that the master has removed from the in-sync set; the applied state may still have them. */
  readonly #removed = new Set<string>();
  readonly #reporting = new Set<string>();
  #waiters: Waiter[] = [];
  #countedWaiters: {
    readonly allocationId: string;
    readonly resolve: () => void;
    readonly reject: (error: unknown) => void;
  }[] = [];
  #end: ApiError | null = null;
  #hasStarted = false;
  /**
   * Operations up to here may have been acknowledged without other copies: all those of an earlier primary, and all
   * those from when this copy was last alone.
   */
  #answeredAlone = -1;
  #isMoving = false;
  /** Number of answers that needed a confirmation of the role instead of an operation. */
  #asked = 0;
  #confirmations: {
    readonly asked: number;
    readonly resolve: () => void;
    readonly reject: (error: unknown) => void;
  }[] = [];

  constructor(options: PrimaryOptions, group: CopyGroup) {
    this.#options = options;
    this.#group = group;
    this.#leases = new LeaseBook(options.shard.log, options.clock, options.leasePeriodMs);
  }

  get term(): number {
    return this.#options.term;
  }

  get #log(): ShardLog {
    return this.#options.shard.log;
  }

  get #ref() {
    const { indexUuid, shardId: shard, term: primaryTerm } = this.#options;
    return { indexUuid, shard, primaryTerm };
  }

  /** Number of copies that a write is for, and of those that answer it. */
  get copies(): { readonly total: number; readonly successful: number } {
    return { total: this.#group.total, successful: 1 + this.#counted().length };
  }

  /**
   * Throws if fewer than `needed` copies are active. The coordinating node has checked this too, but possibly in an old
   * state.
   */
  checkActive(needed: number): void {
    const { successful } = this.copies;
    if (successful >= needed) return;
    const { shardId } = this.#options;
    throw errors.unavailableShards(
      `[${shardId}] Not enough active copies to meet shard count of [${needed}] (have ${successful}, needed ` +
        `${needed}).`,
    );
  }

  /** Opens the copy for writes once its term is synced. No other call may run meanwhile. */
  async start(): Promise<void> {
    const { shard, term } = this.#options;
    const { store } = this.#log;
    await store.synced();
    await store.beginTerm(term);
    if (this.#end) throw this.#end;
    shard.setPrimaryTerm(term);
    this.#answeredAlone = this.#log.maxSeqNo;
    this.#hasStarted = true;
    store.onPersisted = () => this.#progress();
    this.update(this.#group);
    this.#log.refuseWrites(null);
  }

  /** Applies a newer cluster state. */
  update(group: CopyGroup): void {
    this.#group = group;
    if (this.#end || !this.#hasStarted) return;
    const assigned = new Map(group.copies.map((copy) => [copy.allocationId, copy]));
    for (const stream of this.#streams.values()) if (!assigned.has(stream.allocationId)) this.#forget(stream);
    for (const copy of group.copies) {
      if (!group.inSync.includes(copy.allocationId) || this.#removed.has(copy.allocationId)) continue;
      this.#follow(copy).isCounted = true;
    }
    this.#progress();
  }

  #follow(copy: AssignedCopy, attempt = 0): CopyStream {
    const known = this.#streams.get(copy.allocationId);
    if (known && !known.isStopped) return known;
    const stream = new CopyStream({
      attempt,
      log: this.#log,
      clock: this.#options.clock,
      events: this.#options.events,
      channel: () => this.#options.channel(copy.nodeId),
      ref: { ...this.#ref, allocationId: copy.allocationId },
      nodeId: copy.nodeId,
      mustSync: this.#options.mustSync,
      mappingVersion: this.#options.mappingVersion,
      asked: () => this.#asked,
      progressed: () => this.#progress(),
      failed: (error) => this.#onFailed(stream, error),
      superseded: (error) => this.#lose(error),
    });
    this.#streams.set(copy.allocationId, stream);
    stream.start();
    return stream;
  }

  #forget(stream: CopyStream): void {
    stream.stop();
    this.#streams.delete(stream.allocationId);
    this.#rejectCounted(stream.allocationId, errors.illegalState('the copy is no longer followed'));
  }

  /**
   * Streams the log to a recovering copy (R1), which counts once it has caught up. Operations from `retainedSeqNo` on
   * are kept for it.
   */
  track(copy: AssignedCopy, retainedSeqNo: number, attempt: number): void {
    if (this.#end) throw this.#end;
    this.#leases.renew(copy.nodeId, retainedSeqNo);
    const known = this.#streams.get(copy.allocationId);
    if (known && this.#holds(known, attempt)) return known.kick();
    if (known) this.#forget(known);
    this.#follow(copy, attempt);
    this.#progress();
  }

  /** Forgets the positions of a copy that is about to be filled from files. */
  startOver({ allocationId }: AssignedCopy, attempt: number): void {
    if (this.#end) throw this.#end;
    const known = this.#streams.get(allocationId);
    if (!known) return;
    if (this.#holds(known, attempt))
      throw errors.retryOnPrimary(`attempt [${attempt}] of copy [${allocationId}] is over`);
    this.#forget(known);
    this.#progress();
  }

  /**
   * Whether a stream goes on although the copy asks for a new one. Its request may have come twice or late, or the copy
   * is in sync and writes wait for it. A later attempt needs a new stream: the copy has not been reported as started,
   * and may have lost what it had in the earlier attempt.
   */
  #holds(stream: CopyStream, attempt: number): boolean {
    const { allocationId, isCounted, isStopped } = stream;
    // The copy is being removed from the in-sync set, and may have been reported as started.
    if (isCounted && isStopped) throw errors.illegalState('the copy has failed');
    return !isStopped && (attempt <= stream.attempt || this.#group.inSync.includes(allocationId));
  }

  /** Keeps operations for a copy that will follow later. */
  retain(nodeId: string, retainedSeqNo: number): void {
    this.#leases.promise(nodeId, retainedSeqNo);
  }

  /** Resolves when a tracked copy counts (R6). */
  counted(allocationId: string): Promise<void> {
    const stream = this.#streams.get(allocationId);
    if (this.#end) return Promise.reject(this.#end);
    if (!stream || stream.isStopped) return Promise.reject(errors.illegalState('the copy is not tracked'));
    if (stream.isCounted) return Promise.resolve();
    return new Promise((resolve, reject) => this.#countedWaiters.push({ allocationId, resolve, reject }));
  }

  #rejectCounted(allocationId: string, error: ApiError): void {
    const mine = this.#countedWaiters.filter((waiter) => waiter.allocationId === allocationId);
    this.#countedWaiters = this.#countedWaiters.filter((waiter) => waiter.allocationId !== allocationId);
    for (const waiter of mine) waiter.reject(error);
  }

  #counted(): CopyStream[] {
    return [...this.#streams.values()].filter((stream) => stream.isCounted);
  }

  /** Returns the allocation ids, besides this copy's, that the global checkpoint waits for. */
  #required(): Set<string> {
    const ids = new Set(this.#group.inSync.filter((id) => !this.#removed.has(id)));
    for (const stream of this.#counted()) if (!this.#removed.has(stream.allocationId)) ids.add(stream.allocationId);
    ids.delete(this.#options.allocationId);
    return ids;
  }

  #lowest(own: number, of: (stream: CopyStream) => number): number {
    let lowest = own;
    for (const id of this.#required()) {
      const stream = this.#streams.get(id);
      lowest = Math.min(lowest, stream ? of(stream) : -1);
    }
    return lowest;
  }

  /** Returns the highest sequence number up to which all copies have received the log; Infinity without copies. */
  #lowestReceived(): number {
    let lowest = Number.POSITIVE_INFINITY;
    for (const stream of this.#streams.values()) if (!stream.isStopped) lowest = Math.min(lowest, stream.received);
    return lowest;
  }

  #progress(): void {
    if (this.#end || !this.#hasStarted) return;
    const { store } = this.#log;
    const required = this.#required();
    this.#setAlone(required.size === 0 && this.#streams.size === 0);
    if (store.isAlone) {
      store.keepRecords(Number.POSITIVE_INFINITY);
      this.#confirm();
      this.#leases.follow([]);
      return this.#settle(this.#log.maxSeqNo);
    }
    const checkpoint = this.#lowest(store.persistedSeqNo(), (stream) => stream.localCheckpoint);
    if (checkpoint > store.globalCheckpoint) this.#log.setGlobalCheckpoint(checkpoint);
    store.localCheckpoint = store.persistedSeqNo();
    store.keepRecords(this.#lowestReceived() + 1);
    this.#countThoseCaughtUp();
    this.#leases.follow(this.#streams.values());
    this.#settle(
      this.#options.mustSync() ? store.globalCheckpoint : this.#lowest(this.#log.maxSeqNo, (stream) => stream.received),
    );
    this.#confirm();
    // Waiting writes must not need another write to continue.
    if (this.#waiters.length + this.#confirmations.length > 0) this.#reportUnassigned();
    for (const stream of this.#streams.values()) stream.kick();
  }

  #confirm(): void {
    if (this.#confirmations.length === 0) return;
    const confirmed = this.#lowest(this.#asked, (stream) => stream.confirmed);
    const done = this.#confirmations.filter(({ asked }) => asked <= confirmed);
    if (done.length === 0) return;
    this.#confirmations = this.#confirmations.filter(({ asked }) => asked > confirmed);
    for (const { resolve } of done) resolve();
  }

  /** Switches to the short path without other copies: writes are acknowledged once they are durable here. */
  #setAlone(isAlone: boolean): void {
    const { store } = this.#log;
    if (store.isAlone && !isAlone) this.#answeredAlone = this.#log.maxSeqNo;
    if (store.isAlone !== isAlone) store.isAlone = isAlone;
    this.#log.gate = isAlone ? null : this;
  }

  /**
   * Counts copies that have caught up. The global checkpoint alone does not suffice: that of the earlier primary may
   * have been higher. And acknowledged operations from the time alone may still be on their way to this disk.
   */
  #countThoseCaughtUp(): void {
    const needed = Math.max(this.#log.store.globalCheckpoint, this.#answeredAlone);
    for (const stream of this.#streams.values()) {
      if (!stream.isStopped && stream.hasResynced && stream.localCheckpoint >= needed) stream.isCounted = true;
    }
    const ready = this.#countedWaiters.filter(({ allocationId }) => this.#streams.get(allocationId)?.isCounted);
    this.#countedWaiters = this.#countedWaiters.filter((waiter) => !ready.includes(waiter));
    for (const waiter of ready) waiter.resolve();
  }

  #settle(answerable: number): void {
    const done = this.#waiters.filter((waiter) => waiter.seqNo <= answerable);
    if (done.length === 0) return;
    this.#waiters = this.#waiters.filter((waiter) => waiter.seqNo > answerable);
    for (const waiter of done) waiter.resolve();
  }

  appended(): void {
    for (const stream of this.#streams.values()) stream.kick();
  }

  async acknowledged(seqNo: number): Promise<void> {
    if (this.#end) throw this.#end;
    if (seqNo <= this.#log.store.globalCheckpoint) return this.#stillPrimary();
    this.appended();
    this.#reportUnassigned();
    const answerable = new Promise<void>((resolve, reject) => this.#waiters.push({ seqNo, resolve, reject }));
    const durable = this.#log.store.acknowledged();
    await Promise.all([durable, answerable, durable.then(() => this.#progress())]);
    if (this.#end) throw this.#end;
  }

  /**
   * Confirms that this copy is still primary: all in-sync copies must answer. An answer without a new operation, such
   * as a version conflict or a repeated result, is true only as long as no other copy is primary.
   */
  async #stillPrimary(): Promise<void> {
    // The global checkpoint from the time alone may include a batch that is still being written.
    await this.#log.store.acknowledged();
    if (this.#end) throw this.#end;
    this.#reportUnassigned();
    const asked = ++this.#asked;
    await new Promise<void>((resolve, reject) => {
      this.#confirmations.push({ asked, resolve, reject });
      this.#progress();
    });
    if (this.#end) throw this.#end;
  }

  async refreshed(policy: 'now' | 'wait'): Promise<void> {
    await this.#refreshAll(policy === 'now' ? REFRESH.now : REFRESH.wait);
  }

  /**
   * Refreshes the other copies that count. A recovering copy refreshes itself once it counts. Throws if this copy is no
   * longer primary.
   */
  async refreshCopies(): Promise<RefreshedCopies> {
    if (this.#end) throw this.#end;
    const outcomes = await this.#refreshAll(REFRESH.now);
    if (this.#end) throw this.#end;
    const failures = outcomes.flatMap((failure) => failure ?? []);
    return { successful: 1 + outcomes.length - failures.length, failures };
  }

  async #refreshAll(policy: number): Promise<(CopyFailure | null)[]> {
    const { store, leases, leasesVersion } = this.#log;
    const globalCheckpoint = Math.min(store.globalCheckpoint, store.persistedSeqNo());
    const request = { globalCheckpoint, leases: [...leases], leasesVersion, refresh: policy };
    return Promise.all(this.#counted().map((stream) => this.#refresh(stream, request)));
  }

  /** Retries until the copy is refreshed, has failed, or time is up. */
  async #refresh(stream: CopyStream, request: Parameters<CopyStream['sync']>[0]): Promise<CopyFailure | null> {
    const { clock } = this.#options;
    const until = clock.monotonic() + REFRESH_TRIES_MS;
    for (;;) {
      try {
        await stream.sync(request);
        return null;
      } catch (error) {
        if (this.#end || stream.isStopped || clock.monotonic() >= until) return this.#notRefreshed(stream, error);
        await new Promise<void>((resolve) => clock.after(REFRESH_RETRY_MS, resolve));
      }
    }
  }

  #notRefreshed({ allocationId, nodeId }: CopyStream, error: unknown): CopyFailure {
    this.#options.events.write('debug', 'a copy was not refreshed', {
      ...this.#ref,
      allocationId,
      'error.message': String(error),
    });
    return { nodeId, error: encodeError(toApiError(error)) };
  }

  /** An in-sync allocation id without an assigned copy blocks every write: asks the master to remove it first (W6). */
  #reportUnassigned(): void {
    for (const id of this.#required()) {
      const stream = this.#streams.get(id);
      if (!stream || stream.isStopped) this.#report(id, null);
    }
  }

  #onFailed(stream: CopyStream, error: ApiError): void {
    this.#rejectCounted(stream.allocationId, error);
    this.#report(stream.allocationId, error);
  }

  #report(allocationId: string, error: ApiError | null): void {
    if (this.#reporting.has(allocationId) || this.#end) return;
    this.#reporting.add(allocationId);
    const { indexUuid, shard, primaryTerm } = this.#ref;
    const failure = error === null ? {} : { failure: encodeError(error) };
    this.#options.shardFailed({ indexUuid, shard, allocationId, primaryTerm, markStale: true, ...failure }).then(
      () => this.#onRemoved(allocationId),
      (reason: unknown) => this.#onRefused(allocationId, error, toApiError(reason)),
    );
  }

  #onRemoved(allocationId: string): void {
    this.#reporting.delete(allocationId);
    this.#removed.add(allocationId);
    const stream = this.#streams.get(allocationId);
    if (stream) this.#forget(stream);
    this.#progress();
  }

  #onRefused(allocationId: string, error: ApiError | null, reason: ApiError): void {
    this.#reporting.delete(allocationId);
    if (this.#end) return;
    if (reason.type === 'no_longer_primary_shard_exception') return this.#lose(reason);
    this.#options.clock.after(REPORT_RETRY_MS, () => {
      if (this.#required().has(allocationId)) this.#report(allocationId, error);
    });
  }

  /**
   * Ends this primary in favour of a copy that has all operations. If running writes do not end in time, rejects and
   * goes on as primary.
   */
  async handOff(allocationId: string, drainMs: number): Promise<void> {
    await this.counted(allocationId);
    const { clock } = this.#options;
    const moving = errors.retryOnPrimary('the primary moves to another node');
    // A second handoff must not allow writes again because the first one has failed.
    if (this.#isMoving) throw moving;
    this.#isMoving = true;
    this.#log.refuseWrites(moving);
    let timer: TimerHandle | null = null;
    try {
      const late = new Promise<never>((_, reject) => {
        timer = clock.after(drainMs, () =>
          reject(errors.timeout('running writes did not end before the primary moved')),
        );
      });
      await Promise.race([this.#log.drained().then(() => this.#everywhere(allocationId)), late]);
    } catch (error) {
      if (!this.#end) this.#log.refuseWrites(null);
      throw error;
    } finally {
      timer!.cancel();
      this.#isMoving = false;
    }
    this.stop(moving);
  }

  /** Resolves when all assigned operations are acknowledged and the copy still counts. */
  async #everywhere(allocationId: string): Promise<void> {
    await this.acknowledged(this.#log.maxSeqNo);
    await this.#log.store.synced();
    const stream = this.#streams.get(allocationId);
    const has = this.#options.mustSync() ? stream?.localCheckpoint : stream?.received;
    if (!stream?.isCounted || stream.isStopped || has! < this.#log.maxSeqNo)
      throw errors.retryOnPrimary('the copy fell behind while the primary moved');
  }

  #lose(error: ApiError): void {
    if (this.#end) return;
    this.stop(error);
    this.#options.lost(error);
  }

  /** Stops the primary; waiting writes fail with `error`. */
  stop(error: ApiError): void {
    if (this.#end) return;
    this.#end = error;
    this.#log.refuseWrites(error);
    this.#log.store.onPersisted = null;
    this.#log.store.keepRecords(Number.POSITIVE_INFINITY);
    for (const stream of this.#streams.values()) stream.stop();
    for (const waiter of [...this.#waiters, ...this.#countedWaiters, ...this.#confirmations]) waiter.reject(error);
    this.#waiters = [];
    this.#confirmations = [];
    this.#countedWaiters = [];
    // Later writes fail with the same error.
    this.#log.gate = this;
  }
}
