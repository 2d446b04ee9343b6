import type { DurableState, ConsensusConfig } from '../config.js';
import { DEFAULT_CONSENSUS_SETTINGS, EMPTY_DURABLE_STATE } from '../config.js';
import type { ConsensusEffect, PersistRecord } from '../effect.js';
import type { Guards } from '../guards.js';
import { createConsensus, type Consensus } from '../consensus-state.js';
import type { ConsensusMessage, PeerNode } from '../message.js';
import { createEventQueue, type EventQueue } from './event-queue.js';
import { createGhostHistory, type GhostHistory } from './ghost-history.js';
import { type Random, seededRandom } from './random.js';

/** A persist that is not synced yet. */
interface PendingPersist {
  readonly seq: number;
  readonly record: PersistRecord;
  readonly doneAt: number;
}

/** The last `proposeRequested` effect, which the shell has not answered. */
export type ProposalRequest = Extract<ConsensusEffect, { type: 'proposeRequested' }>;

/** A node of a simulated cluster: its consensus state machine, disk and shell. */
export interface SimulatedNode {
  readonly index: number;
  readonly id: string;
  config: ConsensusConfig;
  consensus: Consensus;
  isAlive: boolean;
  incarnation: number;
  pausedUntil: number;
  /** Speed of the node's timers; 1 is exact. */
  readonly drift: number;
  /** Content of the state log that is synced. */
  disk: DurableState;
  /** Content of the state log as written; the last commit marker may not be synced. */
  written: DurableState;
  pending: PendingPersist[];
  persistedSeq: number;
  gated: { readonly to: string; readonly message: ConsensusMessage; readonly seq: number }[];
  readonly timers: Map<string, number>;
  timerGeneration: number;
  /** Uuid of the state that the shell validated last. */
  validated: string;
  /** Number of the newest validation; results of earlier ones are dropped. */
  validation: number;
  applied: number;
  appliedEver: number;
  request: ProposalRequest | null;
  /** By index of the peer: whether the consensus state machine was told that the link works. */
  readonly links: boolean[];
}

/** Probabilities and weights of the faults of a run, drawn from the seed. */
export interface FaultMix {
  readonly dropChance: number;
  readonly slowChance: number;
  readonly duplicateChance: number;
  readonly crossesIncarnations: boolean;
  readonly crashWeight: number;
  /** Probability that a process dies between two effects of one step. */
  readonly crashInStepChance: number;
  readonly partitionWeight: number;
  readonly oneWayWeight: number;
  readonly pauseWeight: number;
  readonly healthWeight: number;
  readonly exclusionWeight: number;
  readonly shutdownWeight: number;
  readonly slowSyncChance: number;
  readonly badDiffChance: number;
  /** Probability of a proposal at a wrong time or with wrong content, which must be refused. */
  readonly rogueChance: number;
  /** Weight of elections called at any time, as by an abdicating leader; they must never break safety. */
  readonly electionWeight: number;
  readonly faultEveryMs: number;
}

/** State of a whole simulation run. */
export interface World {
  readonly random: Random;
  readonly queue: EventQueue;
  readonly ghost: GhostHistory;
  readonly nodes: SimulatedNode[];
  readonly faults: FaultMix;
  /** `blocked[from][to]`: messages are lost. */
  readonly blocked: boolean[][];
  readonly indexOf: Map<string, number>;
  readonly exclusions: Set<string>;
  now: number;
  /** Virtual time at which the faults end. */
  readonly healAt: number;
  isHealed: boolean;
  counter: number;
  events: number;
  traceHash: number;
}

/** Options of a simulation run. */
export interface SimulationOptions {
  /** Guards that are switched off: planted bugs. */
  readonly guards?: Guards;
  /** Virtual time with faults, in ms. */
  readonly faultMs?: number;
}

const FAULT_MS = 15_000;

function drawFaults(random: Random): FaultMix {
  const some = (chance: number, value: number): number => (random.chance(chance) ? value : 0);
  return {
    dropChance: some(0.5, 0.1),
    slowChance: some(0.6, 0.1),
    duplicateChance: some(0.4, 0.1),
    crossesIncarnations: random.chance(0.3),
    crashWeight: some(0.8, 4),
    crashInStepChance: some(0.4, 0.003),
    partitionWeight: some(0.6, 2),
    oneWayWeight: some(0.4, 1),
    pauseWeight: some(0.4, 1),
    healthWeight: some(0.2, 1),
    exclusionWeight: some(0.3, 1),
    shutdownWeight: some(0.3, 1),
    slowSyncChance: some(0.5, 0.1),
    badDiffChance: some(0.3, 0.1),
    rogueChance: some(0.5, 0.3),
    electionWeight: some(0.4, 4),
    faultEveryMs: random.chance(0.5) ? 300 : 1500,
  };
}

/** Creates a cluster of one to five nodes that have never run. */
export function createWorld(seed: number, options: SimulationOptions): World {
  const random = seededRandom(seed);
  const faults = drawFaults(random);
  const size = [1, 2, 3, 3, 3, 3, 3, 4, 5, 5][random.below(10)]!;
  const names = Array.from({ length: size }, (_, i) => `n${i}`);
  const roles = drawRoles(random, size);
  const voters = names.filter((_, i) => roles[i] !== 'data');
  const initial = voters.slice(0, 1 + random.below(voters.length));
  const autoShrink = random.chance(0.8);
  const nodes = names.map((id, i) => {
    const config: ConsensusConfig = {
      nodeId: id,
      ephemeralId: `${id}#0`,
      nodeName: id,
      address: id,
      isVoter: roles[i] !== 'data',
      votingOnly: roles[i] === 'votingOnly',
      isSingleNode: false,
      initialMasterNodes: initial.includes(id) ? initial : [],
      autoBootstrapAfterMs: null,
      settings: { ...DEFAULT_CONSENSUS_SETTINGS, autoShrinkVotingConfiguration: autoShrink },
      ...(options.guards === undefined ? {} : { guards: options.guards }),
    };
    return createNode(i, size, config, random);
  });
  return {
    random,
    queue: createEventQueue(),
    ghost: createGhostHistory(),
    nodes,
    faults,
    blocked: nodes.map(() => nodes.map(() => false)),
    indexOf: new Map(names.map((id, i) => [id, i])),
    exclusions: new Set(),
    now: 0,
    healAt: options.faultMs ?? FAULT_MS,
    isHealed: false,
    counter: 0,
    events: 0,
    traceHash: 0x811c9dc5,
  };
}

function drawRoles(random: Random, size: number): string[] {
  const roles: string[] = [];
  for (let i = 0; i < size; i++) {
    const draw = random.below(10);
    roles.push(i === 0 || draw < 8 ? 'voter' : draw === 8 ? 'data' : size >= 3 ? 'votingOnly' : 'voter');
  }
  return roles;
}

function createNode(index: number, size: number, config: ConsensusConfig, random: Random): SimulatedNode {
  return {
    index,
    id: config.nodeId,
    config,
    consensus: createConsensus(config, EMPTY_DURABLE_STATE),
    isAlive: false,
    incarnation: 0,
    pausedUntil: 0,
    drift: random.between(0.95, 1.05),
    disk: EMPTY_DURABLE_STATE,
    written: EMPTY_DURABLE_STATE,
    pending: [],
    persistedSeq: 0,
    gated: [],
    timers: new Map(),
    timerGeneration: 0,
    validated: '',
    validation: 0,
    applied: 0,
    appliedEver: 0,
    request: null,
    links: Array.from({ length: size }, () => false),
  };
}

/** The node as a handshake describes it. */
export function peerOf(node: SimulatedNode): PeerNode {
  const { nodeId, ephemeralId, nodeName, address, isVoter, votingOnly } = node.config;
  return { nodeId, ephemeralId, nodeName, address, isVoter, votingOnly };
}

/** Content of a state log after one more record. */
export function appendRecord(state: DurableState, record: PersistRecord): DurableState {
  switch (record.type) {
    case 'term':
      return { ...state, term: record.term };
    case 'accept':
      return { ...state, accepted: record.accepted };
    case 'commit': {
      const la = state.accepted;
      if (la.term !== record.term || la.version !== record.version) return state;
      return { ...state, accepted: { ...la, committedConfig: la.acceptedConfig, clusterUuidCommitted: true } };
    }
  }
}
