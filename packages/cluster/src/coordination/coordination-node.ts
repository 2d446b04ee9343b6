import { type Clock, type Log, type Random, newUuid } from '@shoal/doors';
import { answerers, coordination } from '@shoal/protocol';
import { errors, toApiError } from '@shoal/errors';
import { encodeJson } from '@shoal/json';
import {
  createConsensus,
  type Consensus,
  type ConsensusConfig,
  type ConsensusEffect,
  type ConsensusEvent,
  type ConsensusMessage,
  type PersistRecord,
  step,
} from '@shoal/consensus';
import type { ClusterState, FlatSettings, NodeInfo } from '@shoal/state';
import { createMasterMappings } from '../metadata/index-mappings.js';
import type { PendingTask, SubmitOptions } from '../service.js';
import { AcknowledgementWaits } from './acknowledgement-waits.js';
import { ApplyStates } from './apply-states.js';
import type { ControlPeer, ControlPeers } from './control-peers.js';
import { type CoordinationStatistics, newStatistics } from './coordination-statistics.js';
import { DurableSends } from './durable-sends.js';
import { decodeEnvelope, encodeEnvelope } from './envelope.js';
import { Journal, recover } from './journal.js';
import { ConsensusTimers } from './consensus-timers.js';
import { KnownLeader } from './known-leader.js';
import type { LeaderDuties } from './leader-duties.js';
import type { MasterAccess } from './master-access.js';
import { MasterQueue } from './master-queue.js';
import { type ElectionView, NoMasterWarning } from './no-master-warning.js';
import { restartedNodes } from './propose-next.js';
import { Proposals, type ProposalsOptions } from './proposals.js';
import { Publishing } from './publishing.js';
import type { StateLog } from './state-log.js';
import { StateWaiters } from './state-waiters.js';
import { SubmitTasks } from './submit-tasks.js';

/** Signal of control messages, which are never cancelled. */
const NEVER = new AbortController().signal;

const limitsOf = (options: coordination.TaskOptions | undefined): SubmitOptions => ({
  ...(options?.timeoutMs == null ? {} : { timeoutMs: options.timeoutMs }),
  ...(options?.masterTimeoutMs == null ? {} : { masterTimeoutMs: options.masterTimeoutMs }),
});

/** Applies committed states on all threads of the node, and learns which master the node follows. */
export interface StateFollower {
  apply(state: ClusterState, previous: ClusterState): Promise<void>;
  leaderChanged(leaderId: string | null): void;
}

/** Health of the rest of the node, read each second. */
export interface NodeHealth {
  readonly diskOk: boolean;
  readonly dataStallMs: number;
}

/** Node, doors, settings and callbacks of the coordination of a node. */
export interface CoordinationOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly localNode: NodeInfo;
  readonly clusterName: string;
  /** Flat settings of the configuration file. */
  readonly nodeSettings: FlatSettings;
  readonly consensus: ConsensusConfig;
  readonly stateLog: StateLog;
  readonly peers: ControlPeers;
  /** Returns `discovery.seed_hosts` as `host:port`; called for each search for nodes. */
  readonly seeds: () => Promise<readonly string[]>;
  readonly follower: StateFollower;
  /** Makes the duties of the elected master; absent in tests. */
  readonly duties?: (coordination: MasterAccess) => LeaderDuties;
  readonly health?: () => NodeHealth;
  /** Called when the node must stop: its vote may be forgotten, or its settings contradict its cluster. */
  readonly onFatal: (error: Error) => void;
}

const HEALTH_INTERVAL_MS = 1_000;
/** Minimum gap between two ticks of the health timer that counts as a pause of the process. */
const PAUSE_MS = 1_000;
const MESSAGE_TIMEOUT_MS = 30_000;
const ABDICATION_MS = 1_000;
const NO_ANSWER = new Uint8Array(0);

type Effect<T extends ConsensusEffect['type']> = Extract<ConsensusEffect, { type: T }>;

/**
 * Driver of the consensus state machine: passes events to it one at a time, and each effect to the part that performs
 * it. Records and messages: `DurableSends`. Bodies of states: `Publishing`. Committed states: `ApplyStates`. Tasks:
 * `SubmitTasks` on any node, `MasterQueue` and `Proposals` on the elected master.
 */
export class CoordinationNode {
  readonly #options: CoordinationOptions;
  readonly #journal: Journal;
  readonly #statistics = newStatistics();
  readonly #publishing: Publishing;
  readonly #leader: KnownLeader;
  readonly #queue: MasterQueue;
  readonly #waiters: StateWaiters;
  readonly #acknowledgements: AcknowledgementWaits;
  readonly #tasks: SubmitTasks;
  readonly #proposals: Proposals;
  readonly #sends: DurableSends;
  readonly #states: ApplyStates;
  readonly #timers: ConsensusTimers;
  readonly #noMaster: NoMasterWarning;
  readonly #duties: LeaderDuties | null;
  readonly #mappings = createMasterMappings();
  readonly #nodes = new Map<string, ControlPeer>();
  readonly #infoOf = (nodeId: string): NodeInfo | null => this.#nodes.get(nodeId)?.info ?? null;
  #consensus: Consensus;
  #events: ConsensusEvent[] = [];
  #isStepping = false;
  #lastTickAt: number;
  #isClosed = false;

  constructor(options: CoordinationOptions) {
    const { clock, random, peers, localNode } = options;
    this.#options = options;
    const { durable, state } = recover(options.stateLog);
    this.#journal = new Journal(options.stateLog, durable.term, options);
    this.#publishing = new Publishing(state, this.#statistics);
    this.#consensus = createConsensus(options.consensus, durable);
    this.#leader = new KnownLeader(clock);
    this.#noMaster = new NoMasterWarning(options.log);
    this.#queue = new MasterQueue(clock, () => this.#proposals.soon());
    this.#waiters = new StateWaiters(clock);
    this.#acknowledgements = new AcknowledgementWaits(clock);
    this.#tasks = new SubmitTasks({
      clock,
      random,
      localNodeId: localNode.id,
      leader: this.#leader,
      peers,
      queue: this.#queue,
      state: () => this.#states.state,
      mappings: this.#mappings,
    });
    this.#proposals = new Proposals(this.#proposalsOptions());
    this.#sends = this.#createSends();
    this.#states = this.#createStates();
    this.#timers = new ConsensusTimers(clock, (id) => this.#step({ type: 'timer', id }));
    this.#lastTickAt = clock.monotonic();
    this.#duties =
      options.duties?.({
        submit: (task, body) => this.#tasks.runHere(task, body, {}),
        state: () => this.#states.state,
      }) ?? null;
  }

  start(): void {
    this.#options.peers.listen({
      up: (peer) => this.#peerUp(peer),
      down: (nodeId, how) => this.#peerDown(nodeId, how),
    });
    this.#step({ type: 'start' });
    this.#tick();
  }

  /** The last applied state. */
  state(): ClusterState {
    return this.#states.state;
  }

  /** Uuid of the cluster; null until the node has joined one. */
  get clusterUuid(): string | null {
    const { clusterUuid, clusterUuidCommitted } = this.#consensus.core.accepted;
    return clusterUuidCommitted ? clusterUuid : null;
  }

  /** Runs a task on the elected master, on whichever node; waits for a master if there is none. */
  submit(task: string, body: unknown, options: SubmitOptions = {}): Promise<unknown> {
    return this.#tasks.submit(task, body, options);
  }

  /** Returns the queued tasks of the elected master, or those of this node if the master is not reached. */
  pendingTasks(): Promise<readonly PendingTask[]> {
    return this.#tasks.pending();
  }

  async statistics(): Promise<CoordinationStatistics> {
    return this.#statistics;
  }

  /** Answers a control message of the node `from`: those of `service Coordination`. */
  async handle(from: string, action: string, payload: Uint8Array): Promise<Uint8Array> {
    const answer = this.#answers.get(action);
    if (!answer) throw errors.illegalArgument(`no handler for action [${action}]`);
    return answer(payload, NEVER, { parentTask: null, nodeId: from });
  }

  readonly #answers = answerers(coordination.methods, {
    message: ({ body }, _signal, origin) => ({ body: this.#receive(origin!.nodeId!, body) }),
    pending: () => ({ body: encodeJson(this.#queue.pending()) }),
    task: async ({ task, body, options }) => ({
      body: encodeJson(await this.#tasks.runHere(task, body, limitsOf(options))),
    }),
  });

  /** Closes the node. A leader first hands over its leadership. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    const isHandingOver = this.#leader.isHere && this.#nodes.size > 0;
    this.#step({ type: 'shutdown' });
    if (isHandingOver) await this.#leader.next(ABDICATION_MS);
    this.#isClosed = true;
    this.#tasks.close();
    this.#duties?.stop();
    this.#timers.close();
    const closed = errors.nodeClosed('node closed');
    this.#proposals.fail(closed);
    this.#queue.failAll(closed);
    this.#acknowledgements.close();
    this.#leader.close();
    this.#waiters.close();
    this.#options.peers.close();
    await this.#journal.close();
  }

  #proposalsOptions(): ProposalsOptions {
    const { clock, random, localNode, clusterName, nodeSettings } = this.#options;
    const uuid = (): string => newUuid(random);
    return {
      clock,
      queue: this.#queue,
      publishing: this.#publishing,
      acknowledgements: this.#acknowledgements,
      waiters: this.#waiters,
      statistics: this.#statistics.updates,
      applied: () => this.#states.state,
      input: () => ({
        context: {
          nowMs: clock.now(),
          newUuid: uuid,
          mappings: this.#mappings,
          nodeSettings,
          ...this.#duties?.allocationFacts(),
        },
        local: localNode,
        infoOf: this.#infoOf,
        accepted: this.#consensus.core.accepted,
        clusterName,
        newUuid: uuid,
      }),
      propose: (proposal) => this.#step({ type: 'propose', proposal }),
      reroute: () => this.#duties?.reroute(),
    };
  }

  #createSends(): DurableSends {
    return new DurableSends({
      clock: this.#options.clock,
      write: (record) => this.#write(record),
      send: (to, message) => this.#send(to, message),
      persisted: (seq) => this.#step({ type: 'persisted', seq }),
      failed: (error) => this.#fatal('the state log could not be written', error),
    });
  }

  #createStates(): ApplyStates {
    const { clock, follower } = this.#options;
    return new ApplyStates({
      clock,
      apply: (state, previous) => follower.apply(state, previous),
      applied: ({ term, version, state }) => {
        this.#step({ type: 'applied', term, version });
        this.#afterApply(state);
      },
      failed: (error) => this.#fatal('a committed cluster state could not be applied', error),
      statistics: this.#statistics.applied,
    });
  }

  #fatal(what: string, error: unknown): void {
    this.#options.onFatal(new Error(`${what}: ${toApiError(error).message}`));
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
      // The step was taken, but some of its effects are missing: no later step may run.
      this.#isClosed = true;
      this.#tasks.close();
      this.#leader.close();
      this.#options.onFatal(error instanceof Error ? error : new Error(String(error)));
    } finally {
      this.#isStepping = false;
    }
  }

  #perform(effect: ConsensusEffect): void {
    switch (effect.type) {
      case 'persist':
        return this.#sends.persist(effect.seq, effect.record);
      case 'send':
        return this.#sends.send(effect.to, effect.message, effect.afterPersist);
      case 'setTimer':
        return this.#timers.set(effect.id, effect.baseMs + this.#options.random.next() * effect.jitterMs);
      case 'cancelTimer':
        return this.#timers.cancel(effect.id);
      case 'validate':
        return this.#validate(effect);
      case 'commit':
        return this.#commit(effect);
      case 'mode':
        return this.#modeChanged(effect);
      case 'failTasks':
        return this.#failTasks(effect);
      case 'proposeRequested':
        return this.#proposals.request(effect);
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

  /**
   * Returns null if nothing has to survive: a commit marker that only repeats what the next leader finds out is not
   * written.
   */
  #write(record: PersistRecord): Promise<void> | null {
    if (record.type === 'term') return this.#journal.term(record.term);
    if (record.type === 'commit') return record.sync ? this.#journal.commit(record.term, record.version) : null;
    const { accepted } = record;
    if (accepted.version === 0) return this.#journal.accept(accepted, null, this.#publishing.accepted);
    const { state, body } = this.#publishing.accept(accepted.stateUuid);
    return this.#journal.accept(accepted, body, state);
  }

  #send(to: string, message: ConsensusMessage): void {
    if (to === this.#options.localNode.id) return this.#step({ type: 'message', from: to, message });
    const bytes = message.type === 'publish' ? this.#publication(message) : encodeEnvelope(message);
    if (bytes === null) return;
    // Messages may be lost: the timers of the consensus state machine repeat them.
    this.#options.peers
      .request(to, coordination.methods.message.action, bytes, MESSAGE_TIMEOUT_MS)
      .catch(() => undefined);
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

  #validate({ from, publication }: Effect<'validate'>): void {
    const result = this.#publishing.validate(publication);
    if (result !== 'ok')
      this.#options.log.write('warn', 'a published state could not be used', {
        'shoal.master.id': from,
        'shoal.state.version': publication.version,
        'event.outcome': result,
      });
    this.#step({ type: 'validated', term: publication.term, version: publication.version, result });
  }

  #tick(): void {
    if (this.#isClosed) return;
    const { clock, health } = this.#options;
    const now = clock.monotonic();
    const late = now - this.#lastTickAt - HEALTH_INTERVAL_MS;
    if (late > PAUSE_MS) this.#step({ type: 'paused', ms: late });
    this.#lastTickAt = now;
    this.#noMaster.look(now, this.#leader.id, () => this.#electionView());
    if (health) this.#step({ type: 'health', persistStallMs: this.#sends.stallMs(now), ...health() });
    clock.after(HEALTH_INTERVAL_MS, () => this.#tick());
  }

  #electionView(): ElectionView {
    const { localNode, consensus } = this.#options;
    const { committedConfig, acceptedConfig } = this.#consensus.core.accepted;
    const peers = [...this.#nodes].map(([nodeId, { info }]) => [nodeId, info.name] as const);
    return {
      committedConfig,
      acceptedConfig,
      reached: new Map([[localNode.id, localNode.name], ...peers]),
      initialMasterNodes: consensus.initialMasterNodes,
    };
  }

  #peerUp(peer: ControlPeer): void {
    this.#nodes.set(peer.node.nodeId, peer);
    this.#step({ type: 'peerUp', peer: peer.node });
    if (restartedNodes(this.#publishing.accepted, this.#infoOf).length > 0) this.#proposals.soon();
  }

  #peerDown(nodeId: string, how: 'refused' | 'silent' | 'restarted'): void {
    this.#nodes.delete(nodeId);
    this.#step({ type: 'peerDown', nodeId, how });
  }

  #forget(nodeId: string): void {
    this.#nodes.delete(nodeId);
    this.#options.peers.forget(nodeId);
  }

  async #dial({ seeds, addresses, nodeIds }: Effect<'dial'>): Promise<void> {
    const { nodes } = this.#publishing.accepted;
    const known = nodeIds.flatMap((id) => nodes.get(id)?.transportAddress ?? []);
    this.#options.peers.dial([...addresses, ...known]);
    if (seeds) this.#options.peers.dial(await this.#options.seeds());
  }

  #modeChanged({ mode, leaderId, term }: Effect<'mode'>): void {
    const isOther = this.#leader.change(mode, leaderId);
    if (mode !== 'leader') {
      this.#proposals.stop();
      this.#duties?.stop();
    }
    if (isOther)
      this.#options.log.write('info', leaderId === null ? 'no master is known' : 'the master is known', {
        'shoal.master.id': leaderId,
        'shoal.mode': mode,
        'shoal.term': term,
      });
    this.#options.follower.leaderChanged(leaderId);
    if (leaderId !== null) this.#leader.wake();
  }

  #failTasks({ reason, version }: Effect<'failTasks'>): void {
    const error =
      reason === 'failedToCommit'
        ? errors.failedToCommitClusterState(
            'the publication did not reach a quorum of the voters: its outcome is unknown',
          )
        : errors.notMaster('this node is not the elected master any more');
    if (version === null) this.#queue.failAll(error);
    else this.#proposals.fail(error, version);
  }

  #logFailures({ nodes }: Effect<'nodesFailed'>): void {
    for (const { nodeId, reason } of nodes)
      this.#options.log.write('warn', 'a node left the cluster', { 'shoal.peer.id': nodeId, 'event.reason': reason });
  }

  #commit({ term, version }: Effect<'commit'>): void {
    const state = this.#publishing.accepted;
    if (state.term === term && state.version === version) this.#states.commit({ term, version, state });
  }

  #afterApply(state: ClusterState): void {
    this.#waiters.notify(state);
    this.#acknowledgements.nodesOf(state);
    this.#proposals.applied(state);
    if (this.#leader.isHere) this.#duties?.applied(state);
    this.#proposals.soon();
  }
}
