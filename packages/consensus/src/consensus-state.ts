import type { ConsensusConfig, DurableState } from './config.js';
import { restoreCoordination, type CoordinationState } from './coordination.js';
import type { FailureReason, ConsensusEffect, Mode, PersistRecord } from './effect.js';
import { ALL_GUARDS, type Guards } from './guards.js';
import type { Ailment, ConsensusMessage, PeerNode, Publish } from './message.js';

/** A running series of checks of one peer. */
export interface CheckState {
  /** Of the newest check; answers to older ones are ignored. */
  seq: number;
  fails: number;
  /** Waiting for the answer, not for the next turn. */
  isInFlight: boolean;
}

/** The leader's publication, from the proposal until the next may start. */
export interface Publication {
  readonly version: number;
  /** Nodes of the state before that are not in this one. */
  readonly removed: readonly string[];
  /** Voting-only nodes that get it once a node that can lead has it. */
  deferred: readonly string[];
  isCommitted: boolean;
  /** The leader itself has committed it. */
  isCommittedHere: boolean;
  isAckWaitOver: boolean;
}

/**
 * A consensus state machine between two steps: `core` is about safety, all the rest only about getting on. Volatile but
 * for `core.term` and `core.accepted`. Owned by one caller; `step` changes it in place.
 */
export interface Consensus {
  readonly config: ConsensusConfig;
  readonly guards: Guards;
  readonly core: CoordinationState;
  mode: Mode;
  leaderId: string | null;
  isStopping: boolean;
  attempt: number;
  maxTermSeen: number;
  preVoteRound: number;
  /** Granted in this round; null when no round runs. */
  preVotes: readonly string[] | null;
  probeCount: number;
  peers: Map<string, PeerNode>;
  /** A publication being validated. */
  pending: { readonly from: string; readonly publication: Publish } | null;
  publication: Publication | null;
  /** On the leader: header of the newest publication of its term. */
  published: Publish | null;
  isElectedBatchDue: boolean;
  followerChecks: Map<string, CheckState>;
  leaderCheck: CheckState | null;
  checkSeq: number;
  /** A leader this node hears but cannot reach. */
  unreachableLeader: string | null;
  ailment: Ailment | null;
  /** On the leader: newest applied version by node, of this term. */
  applied: Map<string, number>;
  /** On the leader: version whose appliers the lag timer waits for; 0: none. */
  lagVersion: number;
  /** Nodes of that version. */
  lagNodes: readonly string[];
  /** On the leader: state a node accepted last. */
  acceptedUuids: Map<string, string>;
  pendingJoins: Set<string>;
  failed: Map<string, FailureReason>;
  /** Failed and not yet reported with the batch. */
  failedUnreported: readonly string[];
  /** Re-elections for a new configuration since the last one that succeeded. */
  reelections: number;
  isReelectionDue: boolean;
  persistSeq: number;
  /** Newest committed (term, version) handed to the shell. */
  committedTerm: number;
  committedVersion: number;
  /** Newest (term, version) the shell reported as applied. */
  appliedTerm: number;
  appliedVersion: number;
  /** On the leader: the newest check that was sent before the newest publication. */
  publishedAtCheck: number;
  effects: ConsensusEffect[];
}

/** A consensus state machine before its start event, with what the state log gave back. */
export function createConsensus(config: ConsensusConfig, durable: DurableState): Consensus {
  return {
    config,
    guards: config.guards ?? ALL_GUARDS,
    core: restoreCoordination(config.nodeId, durable),
    mode: 'candidate',
    leaderId: null,
    isStopping: false,
    attempt: 0,
    maxTermSeen: durable.term,
    preVoteRound: 0,
    preVotes: null,
    probeCount: 0,
    peers: new Map(),
    pending: null,
    publication: null,
    published: null,
    isElectedBatchDue: false,
    followerChecks: new Map(),
    leaderCheck: null,
    checkSeq: 0,
    unreachableLeader: null,
    ailment: null,
    applied: new Map(),
    lagVersion: 0,
    lagNodes: [],
    acceptedUuids: new Map(),
    pendingJoins: new Set(),
    failed: new Map(),
    failedUnreported: [],
    reelections: 0,
    isReelectionDue: false,
    persistSeq: 0,
    committedTerm: 0,
    committedVersion: 0,
    appliedTerm: 0,
    appliedVersion: 0,
    publishedAtCheck: 0,
    effects: [],
  };
}

/** A copy that later steps of the original do not touch. */
export function snapshot(k: Consensus): Consensus {
  const checks = new Map<string, CheckState>();
  for (const [id, check] of k.followerChecks) checks.set(id, { ...check });
  return {
    ...k,
    core: { ...k.core },
    peers: new Map(k.peers),
    publication: k.publication === null ? null : { ...k.publication },
    followerChecks: checks,
    leaderCheck: k.leaderCheck === null ? null : { ...k.leaderCheck },
    applied: new Map(k.applied),
    acceptedUuids: new Map(k.acceptedUuids),
    pendingJoins: new Set(k.pendingJoins),
    failed: new Map(k.failed),
    effects: [],
  };
}

/** Takes a snapshot back: the consensus state machine it returns may be stepped, the snapshot stays as it is. */
export function restore(saved: Consensus): Consensus {
  return snapshot(saved);
}

/** Adds an effect to the running step. */
export function emit(k: Consensus, effect: ConsensusEffect): void {
  k.effects.push(effect);
}

/** Sends at once. */
export function send(k: Consensus, to: string, message: ConsensusMessage): void {
  k.effects.push({ type: 'send', to, message, afterPersist: null });
}

/** Sends once persist `seq` is on disk; null: at once. */
export function sendAfter(k: Consensus, to: string, message: ConsensusMessage, seq: number | null): void {
  k.effects.push({ type: 'send', to, message, afterPersist: seq });
}

/** Appends to the state log; returns the sequence to wait for. */
export function persist(k: Consensus, record: PersistRecord): number {
  k.persistSeq++;
  k.effects.push({ type: 'persist', seq: k.persistSeq, record });
  return k.persistSeq;
}

/** Starts or restarts a timer. */
export function setTimer(k: Consensus, id: string, baseMs: number, jitterMs: number): void {
  k.effects.push({ type: 'setTimer', id, baseMs, jitterMs });
}

/** Stops a timer if it runs. */
export function cancelTimer(k: Consensus, id: string): void {
  k.effects.push({ type: 'cancelTimer', id });
}

/** Whether a node is in the accepted state or, on a leader, in the one being published. */
export function isMember(k: Consensus, nodeId: string): boolean {
  return k.core.accepted.nodes.includes(nodeId) || k.published?.nodes.includes(nodeId) === true;
}

/**
 * Whether the node is in its own voting configurations or has the master role: then its accepts are votes and must be
 * durable.
 */
export function hasVote(k: Consensus): boolean {
  const { acceptedConfig, committedConfig } = k.core.accepted;
  return k.config.isVoter || acceptedConfig.includes(k.config.nodeId) || committedConfig.includes(k.config.nodeId);
}
