import type { Clock, Log, Random, TimerHandle } from '@shoal/doors';
import { type ApiError, errors, isApiError, toApiError } from '@shoal/errors';
import { decodeJson, encodeJson } from '@shoal/json';
import {
  createConsensus,
  type Consensus,
  type ConsensusConfig,
  type ConsensusEffect,
  type ConsensusEvent,
  type ConsensusMessage,
  type Mode,
  step,
} from '@shoal/consensus';
import { createIndexMappings } from '../metadata/index-mappings.js';
import type { PendingTask, SubmitOptions } from '../service.js';
import { type FlatSettings, type ClusterState, type NodeInfo, emptyState, newUuid } from '@shoal/state';
import type { StateLog } from './state-log.js';
import { TASKS } from '../tasks/catalogue.js';
import type { TaskContext } from '../tasks/task.js';
import { AcknowledgementWaits } from './acknowledgement-waits.js';
import { digestOf } from './candidate-state.js';
import { type CoordinationStatistics, newStatistics } from './coordination-statistics.js';
import type { ControlPeer, ControlPeers } from './control-peers.js';
import { decodeEnvelope, encodeEnvelope } from './envelope.js';
import { Journal, recover } from './journal.js';
import type { LeaderDuties } from './leader-duties.js';
import type { MasterAccess } from './master-access.js';
import { MasterQueue, type QueuedTask } from './master-queue.js';
import { type ProposalRequest, proposeNext, restartedNodes, type RunTasks } from './propose-next.js';
import { Publishing } from './publishing.js';
import { StateWaiters } from './state-waiters.js';

/** Makes committed states take effect on all threads of the node, and tells them whom it follows. */
export interface StateFollower {
  apply(state: ClusterState, previous: ClusterState): Promise<void>;
  leaderChanged(leaderId: string | null): void;
}

/** How well the rest of the node is; asked each second. */
export interface NodeHealth {
  readonly diskOk: boolean;
  readonly dataStallMs: number;
}

export interface CoordinationOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly localNode: NodeInfo;
  readonly clusterName: string;
  /** Of the configuration file, flat. */
  readonly nodeSettings: FlatSettings;
  readonly consensus: ConsensusConfig;
  readonly stateLog: StateLog;
  readonly peers: ControlPeers;
  /** `discovery.seed_hosts` as `host:port`; asked anew for each search. */
  readonly seeds: () => Promise<readonly string[]>;
  readonly follower: StateFollower;
  /** What the elected master does beside tasks; absent in tests. */
  readonly duties?: (coordination: MasterAccess) => LeaderDuties;
  readonly health?: () => NodeHealth;
  /** The node cannot go on: its vote could be forgotten, or its settings contradict what it is part of. */
  readonly onFatal: (error: Error) => void;
}

const HEALTH_INTERVAL_MS = 1_000;
/** A gap between two ticks of the health timer from this on is a pause of the process. */
const PAUSE_MS = 1_000;
const SUBMIT_RETRY_MS = 100;
const ACK_TIMEOUT_MS = 30_000;
const MASTER_TIMEOUT_MS = 30_000;
/** On the wire a task may take the time of its queue and of its acknowledgements, and this for the way. */
const WIRE_MARGIN_MS = 5_000;
const MESSAGE_TIMEOUT_MS = 30_000;
const ABDICATION_MS = 1_000;

interface PendingSend {
  readonly seq: number;
  readonly to: string;
  readonly message: ConsensusMessage;
}

/** A proposal on its way, with the tasks that it answers. */
interface InFlight {
  readonly startedAt: number;
  readonly version: number;
  readonly tasks: RunTasks;
  /** Only primaries were brought back with it: the rest of allocation is a batch of its own. */
  readonly placesLater: boolean;
}

const NO_ANSWER = new Uint8Array(0);

/** Errors after which a task is tried again, possibly at another master: it did not run, or may run again. */
const isMasterChange = (error: unknown): boolean =>
  isApiError(error) &&
  [
    'not_master_exception',
    'failed_to_commit_cluster_state_exception',
    'node_not_connected_exception',
    'node_disconnected_exception',
    'node_closed_exception',
  ].includes(error.type);

/**
 * The shell of the consensus state machine: performs its effects over clock, state log and control links, keeps the
 * bodies of the states whose headers the consensus state machine handles, runs the tasks of the elected master.
 */
export class CoordinationNode {
  readonly #options: CoordinationOptions;
  readonly #journal: Journal;
  readonly #statistics = newStatistics();
  readonly #publishing: Publishing;
  readonly #queue: MasterQueue;
  readonly #waiters: StateWaiters;
  readonly #acknowledgements: AcknowledgementWaits;
  readonly #duties: LeaderDuties | null;
  readonly #mappings = createIndexMappings();
  readonly #timers = new Map<string, TimerHandle>();
  readonly #nodes = new Map<string, ControlPeer>();
  #consensus: Consensus;
  #events: ConsensusEvent[] = [];
  #isStepping = false;
  #persistedSeq = 0;
  #lastWrite: Promise<void> = Promise.resolve();
  /** When the write to the state log began that is not durable yet. */
  #oldestWrite: number | null = null;
  #waitingSends: PendingSend[] = [];
  #mode: Mode = 'candidate';
  #leaderId: string | null = null;
  #leaderListeners: (() => void)[] = [];
  #request: ProposalRequest | null = null;
  #inFlight: InFlight | null = null;
  #applied: ClusterState = emptyState();
  #toApply: { readonly term: number; readonly version: number; readonly state: ClusterState } | null = null;
  #isApplying = false;
  #lastTickAt: number;
  #isClosed = false;

  constructor(options: CoordinationOptions) {
    this.#options = options;
    const { durable, state } = recover(options.stateLog);
    this.#journal = new Journal(options.stateLog, durable.term, options);
    this.#publishing = new Publishing(state, this.#statistics);
    this.#consensus = createConsensus(options.consensus, durable);
    this.#queue = new MasterQueue(options.clock, () => this.#proposeSoon());
    this.#waiters = new StateWaiters(options.clock);
    this.#acknowledgements = new AcknowledgementWaits(options.clock);
    this.#lastTickAt = options.clock.monotonic();
    this.#duties =
      options.duties?.({ submit: (task, body) => this.#runHere(task, body, {}), state: () => this.#applied }) ?? null;
  }

  start(): void {
    this.#options.peers.listen({
      up: (peer) => this.#peerUp(peer),
      down: (nodeId, how) => this.#peerDown(nodeId, how),
    });
    this.#step({ type: 'start' });
    this.#tick();
  }

  /** The committed state that was applied last. */
  state(): ClusterState {
    return this.#applied;
  }

  /** Null until the node has committed to a cluster. */
  get clusterUuid(): string | null {
    const { clusterUuid, clusterUuidCommitted } = this.#consensus.core.accepted;
    return clusterUuidCommitted ? clusterUuid : null;
  }

  /** Runs a task on the elected master, wherever that is, waiting for one where there is none. */
  async submit(task: string, body: unknown, options: SubmitOptions = {}): Promise<unknown> {
    const { clock } = this.#options;
    const deadline = clock.monotonic() + (options.masterTimeoutMs ?? MASTER_TIMEOUT_MS);
    const keyed = this.#withKey(task, body);
    for (;;) {
      const leaderId = await this.#leaderBefore(deadline);
      try {
        return await (leaderId === this.#options.localNode.id
          ? this.#runHere(task, keyed, options)
          : this.#runAt(leaderId, task, keyed, options));
      } catch (error) {
        if (!isMasterChange(error)) throw error;
        if (clock.monotonic() >= deadline || this.#isClosed)
          throw errors.masterNotDiscovered(null, { cause: toApiError(error) });
        await new Promise<void>((resolve) => void clock.after(SUBMIT_RETRY_MS, resolve));
      }
    }
  }

  /**
   * What cannot be done twice gets the uuid of what it makes from here: tried again with an unknown outcome, it is
   * recognised by it.
   */
  #withKey(task: string, body: unknown): unknown {
    return TASKS.get(task)?.createdBefore ? { ...(body as object), newIndexUuid: newUuid(this.#options.random) } : body;
  }

  /** What the elected master has still to do; what this node knows of it where it is not reached. */
  async pendingTasks(): Promise<readonly PendingTask[]> {
    if (this.#mode === 'leader') return this.#queue.pending();
    if (this.#leaderId === null) return [];
    const answer = await this.#options.peers
      .request(this.#leaderId, 'master/pending', NO_ANSWER, WIRE_MARGIN_MS)
      .catch(() => null);
    return answer === null ? [] : (decodeJson(answer) as PendingTask[]);
  }

  async statistics(): Promise<CoordinationStatistics> {
    return this.#statistics;
  }

  /** Answers the other nodes' control messages: `coordination/message`, `master/task`, `master/pending`. */
  async handle(from: string, action: string, payload: Uint8Array): Promise<Uint8Array> {
    if (action === 'coordination/message') return this.#receive(from, payload);
    if (action === 'master/pending') return encodeJson(this.#queue.pending());
    if (action !== 'master/task') throw errors.illegalArgument(`no handler for action [${action}]`);
    const { task, body, options } = decodeJson(payload) as { task: string; body: unknown; options: SubmitOptions };
    return encodeJson(await this.#runHere(task, body, options));
  }

  /** A leader hands over, then everything ends. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    const isHandingOver = this.#mode === 'leader' && this.#nodes.size > 0;
    this.#step({ type: 'shutdown' });
    if (isHandingOver) await this.#successor();
    this.#isClosed = true;
    this.#duties?.stop();
    for (const timer of this.#timers.values()) timer.cancel();
    const closed = errors.nodeClosed('node closed');
    if (this.#inFlight) this.#rejectInFlight(closed);
    this.#queue.failAll(closed);
    this.#acknowledgements.close();
    for (const listener of this.#leaderListeners.splice(0)) listener();
    this.#waiters.close();
    this.#options.peers.close();
    await this.#journal.close();
  }

  #successor(): Promise<void> {
    return new Promise((resolve) => {
      this.#leaderListeners.push(resolve);
      this.#options.clock.after(ABDICATION_MS, resolve);
    });
  }

  #step(event: ConsensusEvent): void {
    if (this.#isClosed) return;
    this.#events.push(event);
    if (this.#isStepping) return;
    this.#isStepping = true;
    try {
      for (let next = this.#events.shift(); next; next = this.#events.shift()) {
        const { consensus, effects } = step(this.#consensus, next);
        this.#consensus = consensus;
        for (const effect of effects) this.#perform(effect);
      }
    } catch (error) {
      // The consensus state machine has taken the step, and some of its effects are missing: nothing may follow from
      // that.
      this.#isClosed = true;
      this.#options.onFatal(error instanceof Error ? error : new Error(String(error)));
    } finally {
      this.#isStepping = false;
    }
  }

  #perform(effect: ConsensusEffect): void {
    switch (effect.type) {
      case 'persist':
        return this.#persist(effect);
      case 'send':
        return this.#sendAfter(effect);
      case 'setTimer':
        return this.#setTimer(effect.id, effect.baseMs + this.#options.random.next() * effect.jitterMs);
      case 'cancelTimer':
        return this.#cancelTimer(effect.id);
      case 'validate':
        return this.#validate(effect);
      case 'commit':
        return this.#applyLater(effect.term, effect.version);
      case 'mode':
        return this.#modeChanged(effect);
      case 'failTasks':
        return this.#failTasks(effect);
      case 'proposeRequested':
        this.#request = effect;
        return this.#proposeSoon();
      case 'nodesFailed':
        return this.#logFailures(effect);
      case 'nodeApplied':
        return this.#acknowledgements.applied(effect.nodeId, effect.version);
      case 'dial':
        return void this.#dial(effect).catch((error: unknown) =>
          this.#options.log.write('debug', 'seed hosts could not be resolved', { error }),
        );
      case 'close':
        return this.#forget(effect.nodeId);
      case 'joinRefused':
        return this.#options.log.write('warn', 'the master refused to take this node into the cluster', {
          'shoal.master.id': effect.leaderId,
          'event.reason': effect.reason,
        });
      case 'fatal':
        return this.#options.onFatal(new Error(effect.reason));
    }
  }

  #persist({ seq, record }: Extract<ConsensusEffect, { type: 'persist' }>): void {
    const written = this.#write(record);
    // What is not written is no more durable than what was before it.
    if (written === null && this.#persistedSeq === seq - 1) return this.#persisted(seq);
    this.#oldestWrite ??= this.#options.clock.monotonic();
    this.#lastWrite = written ?? this.#lastWrite;
    this.#lastWrite.then(
      () => this.#persisted(seq),
      (error: unknown) =>
        this.#options.onFatal(new Error(`the state log could not be written: ${toApiError(error).message}`)),
    );
  }

  /** Null: nothing has to survive. A commit marker that only repeats what the next leader finds out is not written. */
  #write(record: Extract<ConsensusEffect, { type: 'persist' }>['record']): Promise<void> | null {
    if (record.type === 'term') return this.#journal.term(record.term);
    if (record.type === 'commit') return record.sync ? this.#journal.commit(record.term, record.version) : null;
    const { accepted } = record;
    if (accepted.version === 0) return this.#journal.accept(accepted, null, this.#publishing.accepted);
    const { state, body } = this.#publishing.accept(accepted.stateUuid);
    return this.#journal.accept(accepted, body, state);
  }

  #persisted(seq: number): void {
    this.#persistedSeq = Math.max(this.#persistedSeq, seq);
    // Writes are in order: what is still on its way began after this one did, as good as now.
    this.#oldestWrite = this.#persistedSeq === this.#consensus.persistSeq ? null : this.#options.clock.monotonic();
    const ready = this.#waitingSends.filter((waiting) => waiting.seq <= this.#persistedSeq);
    this.#waitingSends = this.#waitingSends.filter((waiting) => waiting.seq > this.#persistedSeq);
    for (const { to, message } of ready) this.#send(to, message);
    this.#step({ type: 'persisted', seq });
  }

  #sendAfter({ to, message, afterPersist }: Extract<ConsensusEffect, { type: 'send' }>): void {
    if (afterPersist === null || afterPersist <= this.#persistedSeq) this.#send(to, message);
    else this.#waitingSends.push({ seq: afterPersist, to, message });
  }

  #send(to: string, message: ConsensusMessage): void {
    if (to === this.#options.localNode.id) return this.#step({ type: 'message', from: to, message });
    const bytes = message.type === 'publish' ? this.#publication(message) : encodeEnvelope(message);
    if (bytes === null) return;
    // Lost messages are what the consensus state machine's timers are for.
    this.#options.peers.request(to, 'coordination/message', bytes, MESSAGE_TIMEOUT_MS).catch(() => undefined);
  }

  #publication(message: Extract<ConsensusMessage, { type: 'publish' }>): Uint8Array | null {
    const body = this.#publishing.bodyFor(message.stateUuid, message.baseStateUuid);
    return body === null ? null : encodeEnvelope({ ...message, baseStateUuid: body.base }, body.bytes);
  }

  #receive(from: string, payload: Uint8Array): Uint8Array {
    const { message, body } = decodeEnvelope(payload);
    if (message.type === 'publish') this.#publishing.receive(message, body.slice());
    this.#step({ type: 'message', from, message });
    return NO_ANSWER;
  }

  #validate({ from, publication }: Extract<ConsensusEffect, { type: 'validate' }>): void {
    const result = this.#publishing.validate(publication);
    if (result !== 'ok')
      this.#options.log.write('warn', 'a published state could not be used', {
        'shoal.master.id': from,
        'shoal.state.version': publication.version,
        'event.outcome': result,
      });
    this.#step({ type: 'validated', term: publication.term, version: publication.version, result });
  }

  #setTimer(id: string, delayMs: number): void {
    this.#cancelTimer(id);
    const timer = this.#options.clock.after(delayMs, () => {
      this.#timers.delete(id);
      this.#step({ type: 'timer', id });
    });
    this.#timers.set(id, timer);
  }

  #cancelTimer(id: string): void {
    this.#timers.get(id)?.cancel();
    this.#timers.delete(id);
  }

  #tick(): void {
    if (this.#isClosed) return;
    const { clock, health } = this.#options;
    const now = clock.monotonic();
    const late = now - this.#lastTickAt - HEALTH_INTERVAL_MS;
    if (late > PAUSE_MS) this.#step({ type: 'paused', ms: late });
    this.#lastTickAt = now;
    if (health)
      this.#step({
        type: 'health',
        persistStallMs: this.#oldestWrite === null ? 0 : now - this.#oldestWrite,
        ...health(),
      });
    clock.after(HEALTH_INTERVAL_MS, () => this.#tick());
  }

  #peerUp(peer: ControlPeer): void {
    this.#nodes.set(peer.node.nodeId, peer);
    this.#step({ type: 'peerUp', peer: peer.node });
    if (restartedNodes(this.#publishing.accepted, (id) => this.#nodes.get(id)?.info ?? null).length > 0)
      this.#proposeSoon();
  }

  #peerDown(nodeId: string, how: 'refused' | 'silent' | 'restarted'): void {
    this.#nodes.delete(nodeId);
    this.#step({ type: 'peerDown', nodeId, how });
  }

  #forget(nodeId: string): void {
    this.#nodes.delete(nodeId);
    this.#options.peers.forget(nodeId);
  }

  async #dial({ seeds, addresses, nodeIds }: Extract<ConsensusEffect, { type: 'dial' }>): Promise<void> {
    const { nodes } = this.#publishing.accepted;
    const known = nodeIds.flatMap((id) => nodes.get(id)?.transportAddress ?? []);
    this.#options.peers.dial([...addresses, ...known]);
    if (seeds) this.#options.peers.dial(await this.#options.seeds());
  }

  #modeChanged({ mode, leaderId, term }: Extract<ConsensusEffect, { type: 'mode' }>): void {
    const hadLeader = this.#leaderId;
    this.#mode = mode;
    this.#leaderId = leaderId;
    if (mode !== 'leader') this.#request = null;
    if (mode !== 'leader') this.#duties?.stop();
    if (leaderId !== hadLeader)
      this.#options.log.write('info', leaderId === null ? 'no master is known' : 'the master is known', {
        'shoal.master.id': leaderId,
        'shoal.mode': mode,
        'shoal.term': term,
      });
    this.#options.follower.leaderChanged(leaderId);
    if (leaderId === null) return;
    for (const listener of this.#leaderListeners.splice(0)) listener();
  }

  #failTasks({ reason, version }: Extract<ConsensusEffect, { type: 'failTasks' }>): void {
    const error =
      reason === 'failedToCommit'
        ? errors.failedToCommitClusterState(
            'the publication did not reach a quorum of the voters: its outcome is unknown',
          )
        : errors.notMaster('this node is not the elected master any more');
    if (version === null) return this.#queue.failAll(error);
    if (this.#inFlight?.version !== version) return;
    this.#rejectInFlight(error);
  }

  #rejectInFlight(error: ApiError): void {
    const { tasks } = this.#inFlight!;
    this.#inFlight = null;
    this.#statistics.updates.failure++;
    this.#queue.done();
    for (const { reject } of tasks.batch) reject(error);
  }

  #logFailures({ nodes }: Extract<ConsensusEffect, { type: 'nodesFailed' }>): void {
    for (const { nodeId, reason } of nodes)
      this.#options.log.write('warn', 'a node left the cluster', { 'shoal.peer.id': nodeId, 'event.reason': reason });
  }

  /** In a later turn, so that tasks that arrive together make one publication. */
  #proposeSoon(): void {
    if (this.#request === null) return;
    void Promise.resolve().then(() => this.#propose());
  }

  #propose(): void {
    const request = this.#request;
    if (request === null || this.#mode !== 'leader' || this.#inFlight !== null) return;
    const base = this.#publishing.accepted;
    if (base.version !== request.version) return;
    const batch = this.#queue.isEmpty ? [] : this.#queue.take();
    const startedAt = this.#options.clock.monotonic();
    const proposed = proposeNext({
      request,
      base,
      batch,
      context: this.#context(),
      local: this.#options.localNode,
      infoOf: (id) => this.#nodes.get(id)?.info ?? null,
      accepted: this.#consensus.core.accepted,
      clusterName: this.#options.clusterName,
      newUuid: () => newUuid(this.#options.random),
    });
    this.#statistics.updates.computeMs += this.#options.clock.monotonic() - startedAt;
    if (proposed.state === base) return this.#answerUnchanged(request, proposed.tasks);
    this.#request = null;
    this.#inFlight = {
      startedAt: this.#options.clock.monotonic(),
      version: proposed.state.version,
      tasks: proposed.tasks,
      placesLater: request.elected || request.leaves.length > 0,
    };
    this.#publishing.propose(proposed.state);
    const { nodes, version, stateUuid, clusterUuid } = proposed.state;
    this.#step({
      type: 'propose',
      proposal: {
        version,
        stateUuid,
        digest: digestOf(proposed.state, base),
        nodes: [...nodes.keys()],
        config: proposed.config,
        exclusions: proposed.exclusions,
        clusterUuid,
      },
    });
  }

  /** Tasks that change nothing are answered on the state as it is; the leader stays idle. */
  #answerUnchanged(request: ProposalRequest, tasks: RunTasks): void {
    this.#request = { ...request, elected: false, joins: [], leaves: [], config: null };
    this.#statistics.updates.unchanged++;
    this.#queue.done();
    this.#answer(tasks, this.#applied.version);
    if (!this.#queue.isEmpty) this.#proposeSoon();
  }

  #context(): TaskContext {
    const { clock, random, nodeSettings } = this.#options;
    return {
      nowMs: clock.now(),
      newUuid: () => newUuid(random),
      mappings: this.#mappings,
      nodeSettings,
      ...this.#duties?.allocationFacts(),
    };
  }

  #applyLater(term: number, version: number): void {
    const state = this.#publishing.accepted;
    if (state.term !== term || state.version !== version) return;
    this.#toApply = { term, version, state };
    if (!this.#isApplying) void this.#applyAll();
  }

  /** One state after another; states that were committed meanwhile are skipped to the newest. */
  async #applyAll(): Promise<void> {
    this.#isApplying = true;
    try {
      for (let next = this.#toApply; next; next = this.#toApply) {
        this.#toApply = null;
        const startedAt = this.#options.clock.monotonic();
        await this.#options.follower.apply(next.state, this.#applied);
        this.#statistics.applied.count++;
        this.#statistics.applied.ms += this.#options.clock.monotonic() - startedAt;
        this.#applied = next.state;
        this.#step({ type: 'applied', term: next.term, version: next.version });
        this.#afterApply(next.state);
      }
    } catch (error) {
      this.#options.onFatal(new Error(`a committed cluster state could not be applied: ${toApiError(error).message}`));
    } finally {
      this.#isApplying = false;
    }
  }

  #afterApply(state: ClusterState): void {
    this.#waiters.notify(state);
    this.#acknowledgements.nodesOf(state);
    if (this.#inFlight && this.#inFlight.version <= state.version) {
      const { tasks, version, placesLater, startedAt } = this.#inFlight;
      this.#inFlight = null;
      this.#statistics.updates.success++;
      this.#statistics.updates.publishMs += this.#options.clock.monotonic() - startedAt;
      this.#queue.done();
      this.#answer(tasks, version);
      if (placesLater) this.#duties?.reroute();
    }
    if (this.#mode === 'leader') this.#duties?.applied(state);
    this.#proposeSoon();
  }

  #answer({ batch, outcomes }: RunTasks, version: number): void {
    batch.forEach((queued, i) => {
      const outcome = outcomes[i]!;
      if (!('answer' in outcome)) queued.reject(outcome);
      else this.#answerOne(queued, outcome, version).catch((error: unknown) => queued.reject(toApiError(error)));
    });
  }

  /** Success is told once all nodes applied the state, or `acknowledged: false` when time is over before. */
  async #answerOne(
    queued: QueuedTask,
    outcome: Extract<RunTasks['outcomes'][number], { answer: unknown }>,
    version: number,
  ): Promise<void> {
    const startedAt = this.#options.clock.monotonic();
    const isAcknowledged = await this.#acknowledgements.wait(this.#applied, version, queued.ackTimeoutMs);
    const leftMs = Math.max(0, queued.ackTimeoutMs - (this.#options.clock.monotonic() - startedAt));
    const isMet = outcome.until ? await this.#waiters.wait(this.#applied, outcome.until, leftMs) : true;
    const answer = isMet ? outcome.answer : (outcome.answerUnmet ?? outcome.answer);
    queued.resolve(isAcknowledged ? answer : unacknowledged(answer));
  }

  async #leaderBefore(deadline: number): Promise<string> {
    const { clock } = this.#options;
    while (this.#leaderId === null && !this.#isClosed) {
      const leftMs = deadline - clock.monotonic();
      if (leftMs <= 0) break;
      await new Promise<void>((resolve) => {
        const timer = clock.after(leftMs, resolve);
        this.#leaderListeners.push(() => {
          timer.cancel();
          resolve();
        });
      });
    }
    if (this.#leaderId === null || this.#isClosed) throw errors.masterNotDiscovered(null);
    return this.#leaderId;
  }

  #runHere(name: string, body: unknown, options: SubmitOptions): Promise<unknown> {
    const task = TASKS.get(name);
    if (!task) return Promise.reject(errors.illegalArgument(`unknown cluster task [${name}]`));
    if (this.#mode !== 'leader' || this.#isClosed)
      return Promise.reject(errors.notMaster('no longer the elected master'));
    return this.#queue.add(task, body, {
      ackTimeoutMs: options.timeoutMs ?? ACK_TIMEOUT_MS,
      queueTimeoutMs: options.masterTimeoutMs ?? MASTER_TIMEOUT_MS,
    });
  }

  async #runAt(leaderId: string, task: string, body: unknown, options: SubmitOptions): Promise<unknown> {
    const payload = encodeJson({ task, body, options });
    const waitMs =
      (options.timeoutMs ?? ACK_TIMEOUT_MS) + (options.masterTimeoutMs ?? MASTER_TIMEOUT_MS) + WIRE_MARGIN_MS;
    const answer = await this.#options.peers.request(leaderId, 'master/task', payload, waitMs);
    return decodeJson(answer);
  }
}

function unacknowledged(answer: unknown): unknown {
  const isFlagged = typeof answer === 'object' && answer !== null && 'acknowledged' in answer;
  return isFlagged ? { ...answer, acknowledged: false } : answer;
}
