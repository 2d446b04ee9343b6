import { errors, isApiError, toApiError } from '@shoal/errors';
import type { recovery, replication, shard as messages } from '@shoal/protocol';
import type { MappingMaster, Shard } from '@shoal/shard';
import type { StoreAtRest } from '@shoal/store';
import { Primary, type RefreshedCopies } from '../primary.js';
import { newProgress, type RecoveryProgress } from '../recovery-progress.js';
import { RecoverySource } from '../recovery-source.js';
import { Replica } from '../replica.js';
import { brokenByParts, brokenByStep } from './checks.js';
import type { CopyOptions } from './copy-options.js';
import type { CopyView } from './copy-view.js';
import { RecoveryTarget } from './recovery-target.js';
import {
  type CopyEffect,
  type CopyEvent,
  type CopyHolds,
  type CopyState,
  type CopyWork,
  newCopyState,
} from './state.js';
import { step } from './step.js';

const RETRY_MS = 500;
/** Milliseconds that a write waits for a copy that is about to be primary. */
const ACTIVE_WAIT_MS = 5_000;
const ACTIVE_POLL_MS = 10;
/** Milliseconds for running writes to end before a primary moves. */
const HANDOFF_DRAIN_MS = 30_000;
/** Milliseconds for the new primary to take over after that. */
const HANDOFF_LIMIT_MS = 30_000;
const TIMER_MS = { retryTimer: RETRY_MS, handOffTimer: HANDOFF_LIMIT_MS } as const;

/**
 * One copy of a shard through its life: opened, recovered, following, promoted, closed (docs/internals/cluster.md
 * §5.1). `step` decides; this class performs the effects and holds their parts. The table of phases and events is in
 * packages/replication/README.md.
 */
export class ShardCopy {
  readonly progress: RecoveryProgress;
  readonly #options: CopyOptions;
  readonly #target: RecoveryTarget;
  readonly #closing = new AbortController();
  readonly #timers: { cancel(): void }[] = [];
  #state: CopyState;
  #events: CopyEvent[] = [];
  #isStepping = false;
  /** The work that was begun and has not ended; the state's is not, if the effects before it threw. */
  #running: CopyWork['kind'] | null = null;
  #shard: Shard | null = null;
  #replica: Replica | null = null;
  #primary: Primary | null = null;
  #source: RecoverySource | null = null;
  /** Resolves when the running handoff has ended. */
  #drained: Promise<void> = Promise.resolve();
  #rolesEnded: Promise<void> = Promise.resolve();
  /** Called when a deferred copy is open, or has failed to open. */
  #awaitingOpen: (() => void)[] = [];
  #released!: () => void;
  #releaseFailed!: (error: unknown) => void;
  readonly #end: Promise<void>;
  readonly #settled = Promise.resolve();

  constructor(options: CopyOptions, view: CopyView) {
    this.#options = options;
    this.#state = newCopyState(view);
    this.progress = newProgress(view.recoverySource ?? 'EXISTING_STORE', options.clock.now());
    this.#target = new RecoveryTarget({
      copy: options,
      progress: this.progress,
      view: () => this.#state.view,
      shard: () => this.#shard,
      takeEngine: () => this.#takeEngine(),
      closing: this.#closing.signal,
    });
    this.#end = new Promise((resolve, reject) => {
      this.#released = resolve;
      this.#releaseFailed = reject;
    });
    this.#end.catch(() => undefined);
    this.#take({ type: 'begin' });
  }

  get allocationId(): string {
    return this.#state.view.allocationId;
  }

  get shard(): Shard | null {
    return this.#shard;
  }

  get isPrimary(): boolean {
    return this.#primary !== null;
  }

  /** Description of the copy while its store is closed; null once it is open. */
  get atRest(): StoreAtRest | null {
    const { phase } = this.#state;
    return phase.name === 'resting' || phase.name === 'waking' ? phase.found : null;
  }

  /** Numbers of copies that a write is for and of those that answer; null if this is no primary. */
  get copies(): Primary['copies'] | null {
    return this.#primary?.copies ?? null;
  }

  /** Applies a newer cluster state, with the same allocation id. */
  apply(view: CopyView): void {
    this.#take({ type: 'view', view });
  }

  /** Opens the store if its opening was deferred; resolves when the copy is open, or has failed. */
  openDeferred(): Promise<void> {
    if (this.#state.phase.name === 'resting') this.#take({ type: 'openDeferred' });
    if (!this.#isWaking) return this.#settled;
    return new Promise((resolve) => this.#awaitingOpen.push(resolve));
  }

  /** Whether a copy whose opening was deferred is being opened, or begins to lead. */
  get #isWaking(): boolean {
    const { phase, restedTerm } = this.#state;
    return phase.name === 'waking' || (phase.name === 'starting' && restedTerm > 0);
  }

  /** Ends the copy; resolves when its store is closed. */
  close(): Promise<void> {
    this.#take({ type: 'close' });
    return this.#end;
  }

  // Steps.

  #take(event: CopyEvent): void {
    this.#events.push(event);
    if (this.#isStepping) return;
    this.#isStepping = true;
    for (let next = this.#events.shift(); next; next = this.#events.shift()) this.#step(next);
    this.#isStepping = false;
    if (!this.#isWaking) for (const resolve of this.#awaitingOpen.splice(0)) resolve();
  }

  #step(event: CopyEvent): void {
    try {
      if (event.type !== 'failed' && event.type !== 'close') this.#check(brokenByParts(this.#state, this.#parts));
      const { state, effects } = step(this.#state, event);
      this.#check(brokenByStep(this.#state, state, effects));
      this.#state = state;
      for (const effect of effects) this.#perform(effect);
    } catch (error) {
      if (event.type === 'close') this.#releaseFailed(error);
      // A copy is closed when its work has ended: work that never began would keep it open for ever.
      this.#state = { ...this.#state, work: this.#running };
      this.#events.push({ type: 'failed', error });
    }
  }

  #check(broken: string | null): void {
    if (broken !== null && this.#state.phase.name !== 'failed' && this.#state.phase.name !== 'closed')
      throw errors.illegalState(`broken invariant of a shard copy: ${broken}`);
  }

  get #parts() {
    return {
      hasEngine: this.#shard !== null,
      isFollowing: this.#replica !== null,
      leadsTerm: this.#primary?.term ?? null,
      isServing: this.#source !== null,
    };
  }

  #perform(effect: CopyEffect): void {
    const { clock, onShard, deferred, started, failed } = this.#options;
    switch (effect.type) {
      case 'work':
        return this.#begin(effect.work);
      case 'updateGroup':
        return this.#primary?.update(effect.group);
      case 'recovered':
        this.progress.stage = 'DONE';
        this.progress.endedAtMs = clock.now();
        return;
      case 'offerShard':
        return onShard(this.#shard);
      case 'reportDeferred':
        return deferred();
      case 'reportStarted':
        return started(effect.term);
      case 'reportFailed':
        return failed(toApiError(effect.error));
      case 'setTimer':
        return void this.#timers.push(clock.after(TIMER_MS[effect.timer], () => this.#take({ type: effect.timer })));
      case 'cancelTimers':
        return this.#timers.splice(0).forEach((timer) => timer.cancel());
      case 'drain':
        return this.#drain(effect.to);
      case 'stopServing':
        return this.#stopServing();
      case 'stopLeading':
        return this.#primary?.stop(toApiError(effect.error));
      case 'logDamaged':
        return this.#log('warn', 'a damaged copy is replaced by files of the primary', effect.error);
      case 'logRetry':
        return this.#log('debug', 'a recovery begins again', effect.error);
      case 'endRoles':
        return this.#endRoles();
      case 'release':
        return void this.#release().then(this.#released, this.#releaseFailed);
    }
  }

  #log(level: 'warn' | 'debug', message: string, error: unknown): void {
    const { indexUuid, shard } = this.#state.view;
    this.#options.events.write(level, message, {
      indexUuid,
      shard,
      'error.message': isApiError(error) && level === 'warn' ? error.message : String(error),
    });
  }

  // Work.

  #begin(work: CopyWork): void {
    this.#running = work.kind;
    this.#run(work).then(
      (event) => this.#ended(event),
      (error: unknown) =>
        this.#ended({
          type: 'workFailed',
          error,
          isDamaged: isApiError(error) && error.type === 'corrupt_index_exception',
          isStoreFailed: Boolean(this.#shard?.log.store.failure),
          holds: this.#holds,
        }),
    );
  }

  #ended(event: CopyEvent): void {
    this.#running = null;
    this.#take(event);
  }

  get #holds(): CopyHolds {
    if (this.#target.hasFiles) return 'files';
    return this.#shard === null ? 'nothing' : 'engine';
  }

  async #run(work: CopyWork): Promise<CopyEvent> {
    switch (work.kind) {
      case 'lookAtRest':
        return { type: 'looked', found: await this.#options.atRest() };
      case 'clear':
        this.progress.stage = 'INDEX';
        await this.#options.destroy();
        return { type: 'cleared' };
      case 'open':
        await this.#open(work);
        return { type: 'opened' };
      case 'prepare':
        await this.#prepare(work.term);
        return { type: 'prepared' };
      case 'lead':
        await this.#lead(work.term);
        return { type: 'leads' };
      case 'confirm':
        await this.#shard?.log.store.forgetPreviousAllocation();
        return { type: 'confirmed' };
      case 'askRecovery':
        return { type: 'answered', answer: await this.#target.ask(work.filesOnly) };
      case 'copyFiles':
        await this.#target.copyFiles(work.answer);
        return { type: 'copied' };
      case 'awaitCounted':
        return { type: 'counted', term: await this.#target.counted(work.recoveryId) };
      case 'takeOver':
        await this.#target.takeOver(work.term);
        return { type: 'tookOver' };
    }
  }

  async #open({ as, identity, isAlone }: Extract<CopyWork, { kind: 'open' }>): Promise<void> {
    const { open, opened, mappingVersion } = this.#options;
    if (this.#state.phase.name === 'opening') this.progress.stage = 'INDEX';
    const shard = await open(identity, isAlone, (error) => this.#take({ type: 'failed', error }));
    this.#shard = shard;
    opened(shard);
    shard.log.refuseWrites(errors.retryOnPrimary('the copy is not an active primary'));
    if (as === 'replica' && !this.#closing.signal.aborted)
      this.#replica = new Replica(shard, { allocationId: this.allocationId, mappingVersion });
  }

  async #prepare(term: number): Promise<void> {
    const shard = this.#shard!;
    shard.setPrimaryTerm(term);
    shard.log.refuseWrites(null);
    await this.#options.prepare(shard);
    shard.log.refuseWrites(errors.retryOnPrimary('the copy is not an active primary yet'));
  }

  async #lead(term: number): Promise<void> {
    this.#primary?.stop(errors.retryOnPrimary('the primary term is over'));
    this.#stopServing();
    await this.#takeReplica();
    const shard = this.#shard!;
    const primary = this.#createPrimary(shard, term);
    this.#primary = primary;
    await primary.start();
    primary.update(this.#state.view.group);
    this.#source = new RecoverySource({
      shard,
      primary,
      clock: this.#options.clock,
      isAssigned: ({ allocationId, nodeId }) =>
        this.#state.view.group.copies.some((copy) => copy.allocationId === allocationId && copy.nodeId === nodeId),
    });
  }

  #createPrimary(shard: Shard, term: number): Primary {
    const { indexUuid, shard: shardId, allocationId, group } = this.#state.view;
    const { clock, events, channel, shardFailed, mustSync, leasePeriodMs, mappingVersion } = this.#options;
    return new Primary(
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
        lost: (error) => this.#take({ type: 'failed', error }),
      },
      group,
    );
  }

  // Ends of parts.

  #drain(to: string): void {
    this.#drained = this.#primary!.handOff(to, HANDOFF_DRAIN_MS).then(
      () => this.#take({ type: 'handedOff' }),
      (error: unknown) => {
        this.#take({ type: 'handOffFailed' });
        throw error;
      },
    );
  }

  #stopServing(): void {
    this.#source?.close();
    this.#source = null;
  }

  async #takeReplica(): Promise<void> {
    await this.#replica?.close();
    this.#replica = null;
  }

  async #takeEngine(): Promise<Shard | null> {
    await this.#takeReplica();
    const shard = this.#shard;
    this.#shard = null;
    return shard;
  }

  #endRoles(): void {
    this.#closing.abort();
    this.#primary?.stop(errors.retryOnPrimary('the copy is closed'));
    this.#source?.close();
    this.#rolesEnded = Promise.resolve(this.#replica?.close());
    this.#rolesEnded.catch(() => undefined);
  }

  async #release(): Promise<void> {
    await this.#rolesEnded;
    this.#options.onShard(null);
    await this.#target.drop();
    if (this.#shard) await this.#options.readersGone();
    await this.#shard?.close();
  }

  // Messages.

  /** Handlers of the primary's messages, as one of its replicas. */
  readonly replication: replication.ReplicationHandlers = {
    replicate: async (request) => (await this.#awake()).#following.replicate(request),
    resync: async (request) => (await this.#awake()).#following.resync(request),
    sync: async (request) => (await this.#awake()).#following.sync(request),
  };

  /** Handlers of a recovering copy's messages, as the primary. */
  readonly recovery: recovery.RecoveryHandlers = {
    start: async (request) => (await this.#awake()).#serving.start(request),
    chunk: async (request) => (await this.#awake()).#serving.chunks(request),
    operations: async (request) => (await this.#awake()).#serving.operations(request),
    finalize: async (request) => (await this.#awake()).#serving.finalize(request),
    handoff: async (request) => (await this.#awake()).#handOff(request),
  };

  get #hasEnded(): boolean {
    const { name } = this.#state.phase;
    return name === 'closed' || name === 'failed';
  }

  /** Returns the copy once it is open. Throws a retry error if it is closed or has failed. */
  async #awake(): Promise<this> {
    await this.openDeferred();
    if (this.#hasEnded) throw errors.retryOnReplica('the copy is closed');
    return this;
  }

  get #following(): Replica {
    if (!this.#replica) throw errors.retryOnReplica('the copy takes no operations now');
    return this.#replica;
  }

  get #serving(): RecoverySource {
    if (!this.#source) throw errors.retryOnPrimary('the copy is not an active primary');
    return this.#source;
  }

  /**
   * Hands the role of primary over within the term (docs/internals/cluster.md §5.7). From now on this copy assigns no
   * number in the term. If the other copy does not become primary, the shard has none: this copy then fails, and the
   * next primary gets a new term.
   */
  async #handOff({ allocationId, primaryTerm }: recovery.HandoffRequest): Promise<recovery.HandoffAnswer> {
    const { phase } = this.#state;
    const isPrimary = phase.name === 'primary' || phase.name === 'handingOff';
    if (!isPrimary || primaryTerm !== phase.term)
      throw errors.retryOnPrimary('the copy is not the primary of that term');
    if (phase.name === 'handingOff') throw errors.retryOnPrimary('the primary moves to another node');
    this.#take({ type: 'handOff', to: allocationId });
    // A copy that failed by this event drains nothing: the other one must not take that for an answer.
    if (this.#state.phase.name !== 'handingOff') throw errors.retryOnPrimary('the copy is not an active primary');
    await this.#drained;
    return { globalCheckpoint: this.#shard!.log.store.globalCheckpoint };
  }

  /** Runs a bulk on an active primary, waiting for one that is about to be. */
  async bulk(request: messages.BulkShardRequest, master: MappingMaster): Promise<messages.BulkShardResponse> {
    await this.openDeferred();
    if (!this.#isActive) await this.#becomesActive();
    this.#primary!.checkActive(request.waitForActive ?? 1);
    const { items, forcedRefresh } = await this.#shard!.bulk(request, master);
    const { total, successful } = this.#primary!.copies;
    return { items, forcedRefresh, copiesTotal: total, copiesSuccessful: successful };
  }

  /** Refreshes this copy and those that count. Only an active primary can do so, as it knows which copies count. */
  async refresh(): Promise<RefreshedCopies> {
    await this.openDeferred();
    if (!this.#isActive) await this.#becomesActive();
    this.#shard!.refresh();
    return this.#primary!.refreshCopies();
  }

  /**
   * Whether writes may begin. Until the state has a new shard's copy as started, the master may replace it by another
   * empty copy.
   */
  get #isActive(): boolean {
    const { phase, view } = this.#state;
    return (phase.name === 'primary' || phase.name === 'handingOff') && view.isStarted && view.isPrimary;
  }

  /** Waits until the copy is an active primary: the caller's cluster state may be newer than this node's. */
  async #becomesActive(): Promise<void> {
    const { clock } = this.#options;
    const until = clock.monotonic() + ACTIVE_WAIT_MS;
    while (!this.#isActive) {
      if (this.#hasEnded || !this.#state.view.isPrimary || clock.monotonic() >= until)
        throw errors.retryOnPrimary('the copy is not an active primary');
      await new Promise<void>((resolve) => clock.after(ACTIVE_POLL_MS, resolve));
    }
  }
}
