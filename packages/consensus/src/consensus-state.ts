import type { ConsensusConfig, DurableState } from './config.js';
import { restoreCoordination, type CoordinationState } from './coordination.js';
import type { FailureReason, ConsensusEffect, Mode, PersistRecord } from './effect.js';
import { ALL_GUARDS, type Guards } from './guards.js';
import type { Ailment, ConsensusMessage, PeerNode, Publish } from './message.js';

/** Checks of one peer by this node: follower checks of a leader, or the leader checks of a follower. */
export interface PeerCheck {
  /** Sequence number of the newest check; answers to older ones are ignored. */
  seq: number;
  fails: number;
  /** True while the answer is awaited, false until the next interval is over. */
  isInFlight: boolean;
}

/** The leader's publication, from the proposal until the next one may start. */
export interface Publication {
  readonly version: number;
  /** Nodes of the previous state that are not in this one. */
  readonly removed: readonly string[];
  /** Voting-only nodes, which get the publication only after a node that can lead has accepted it. */
  deferred: readonly string[];
  isCommitted: boolean;
  /** Whether the leader itself has marked the state as committed. */
  isCommittedHere: boolean;
  isAckWaitOver: boolean;
}

/**
 * State of one node's consensus state machine between two steps. Safety depends on `core` alone; all other fields are
 * about progress. Only `core.term` and `core.accepted` are durable. Owned by one caller; `step` changes it in place.
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
  /** Nodes that granted a pre-vote in this round; null if no round runs. */
  preVotes: readonly string[] | null;
  probeCount: number;
  peers: Map<string, PeerNode>;
  /** The publication that the shell is validating. */
  pending: { readonly from: string; readonly publication: Publish } | null;
  publication: Publication | null;
  /** On the leader: header of the newest publication of its term. */
  published: Publish | null;
  isElectedBatchDue: boolean;
  followerChecks: Map<string, PeerCheck>;
  leaderCheck: PeerCheck | null;
  checkSeq: number;
  /** A leader whose messages arrive here, while messages to it are lost. */
  unreachableLeader: string | null;
  ailment: Ailment | null;
  /** On the leader: newest version of this term that each node has applied. */
  applied: Map<string, number>;
  /** On the leader: version that `lagNodes` must apply before the lag timer fires; 0: none. */
  lagVersion: number;
  /** Nodes that must apply `lagVersion`. */
  lagNodes: readonly string[];
  /** On the leader: uuid of the state that each node accepted last, the base of the next diff. */
  acceptedUuids: Map<string, string>;
  pendingJoins: Set<string>;
  failed: Map<string, FailureReason>;
  /** Failed nodes that are not in a `nodesFailed` effect yet. */
  failedUnreported: readonly string[];
  /** Elections called to collect votes for a new configuration, since the last one that succeeded. */
  reelections: number;
  isReelectionDue: boolean;
  persistSeq: number;
  /** Newest committed (term, version) of a `commit` effect. */
  committedTerm: number;
  committedVersion: number;
  /** Newest (term, version) that the shell reported as applied. */
  appliedTerm: number;
  appliedVersion: number;
  /** On the leader: `checkSeq` when the newest publication was sent. */
  publishedAtCheck: number;
  effects: ConsensusEffect[];
}

/** Creates a state machine before its start event, from the content of the state log. */
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

/** Returns a copy that later steps of the original do not change. */
export function snapshot(k: Consensus): Consensus {
  const checks = new Map<string, PeerCheck>();
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

/** Returns a state machine that continues from a snapshot; the snapshot itself is not changed. */
export function restore(saved: Consensus): Consensus {
  return snapshot(saved);
}

/** Adds an effect to the current step. */
export function emit(k: Consensus, effect: ConsensusEffect): void {
  k.effects.push(effect);
}

/** Sends a message at once. */
export function send(k: Consensus, to: string, message: ConsensusMessage): void {
  k.effects.push({ type: 'send', to, message, afterPersist: null });
}

/** Sends a message once persist `seq` is on disk; at once if `seq` is null. */
export function sendAfter(k: Consensus, to: string, message: ConsensusMessage, seq: number | null): void {
  k.effects.push({ type: 'send', to, message, afterPersist: seq });
}

/** Appends a record to the state log; returns the sequence number to wait for. */
export function persist(k: Consensus, record: PersistRecord): number {
  k.persistSeq++;
  k.effects.push({ type: 'persist', seq: k.persistSeq, record });
  return k.persistSeq;
}

/** Starts a timer of `baseMs` plus a random part of `jitterMs`, or restarts it. */
export function setTimer(k: Consensus, id: string, baseMs: number, jitterMs: number): void {
  k.effects.push({ type: 'setTimer', id, baseMs, jitterMs });
}

/** Stops a timer if it runs. */
export function cancelTimer(k: Consensus, id: string): void {
  k.effects.push({ type: 'cancelTimer', id });
}

/** Whether a node is in the accepted state or, on a leader, in the state being published. */
export function isMember(k: Consensus, nodeId: string): boolean {
  return k.core.accepted.nodes.includes(nodeId) || k.published?.nodes.includes(nodeId) === true;
}

/**
 * Whether the node's accepts are votes and must therefore be durable: it is in its own voting configurations or has the
 * master role.
 */
export function hasVote(k: Consensus): boolean {
  const { acceptedConfig, committedConfig } = k.core.accepted;
  return k.config.isVoter || acceptedConfig.includes(k.config.nodeId) || committedConfig.includes(k.config.nodeId);
}
