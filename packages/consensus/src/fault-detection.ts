import { checkFollower, checkLeader } from './checks.js';
import type { FailureReason } from './effect.js';
import type { PeerLoss } from './event.js';
import { type PeerCheck, isMember, type Consensus, send, setTimer } from './consensus-state.js';
import { failNode, losePeer } from './membership.js';
import type { Ailment, FollowerCheck, FollowerCheckAnswer, LeaderCheck, LeaderCheckAnswer } from './message.js';
import { becomeCandidate, becomeFollower, enterTerm, seeTerm } from './mode.js';
import { finishPublication, repairPublication } from './publication.js';
import { followerCheckTimer, TIMER } from './timer-id.js';

/**
 * A leader checks this node: follow it. If messages to that leader are lost (`unreachableLeader`), the answer says so,
 * and the leader will remove this node.
 */
export function onFollowerCheck(k: Consensus, from: string, m: FollowerCheck): void {
  if (m.term > k.core.term) enterTerm(k, from, m.term);
  const isDeaf = k.unreachableLeader === from;
  if (m.term === k.core.term && k.mode !== 'leader' && !isDeaf) becomeFollower(k, from);
  send(k, from, {
    type: 'followerCheckAnswer',
    term: k.core.term,
    seq: m.seq,
    ephemeralId: k.config.ephemeralId,
    ailment: isDeaf ? 'leader_unreachable' : k.ailment,
    accepted: newestVersionOfTerm(k),
    committed: k.committedTerm === k.core.term ? k.committedVersion : 0,
    applied: k.appliedTerm === k.core.term ? k.appliedVersion : 0,
  });
}

function newestVersionOfTerm(k: Consensus): number {
  const { term, accepted } = k.core;
  if (k.pending?.publication.term === term) return k.pending.publication.version;
  return accepted.term === term ? accepted.version : 0;
}

/**
 * An answer without ailment resets the failures. An ailment counts as a failure, and the next check follows after the
 * interval.
 */
export function onFollowerCheckAnswer(k: Consensus, from: string, m: FollowerCheckAnswer): void {
  seeTerm(k, m.term);
  const check = k.followerChecks.get(from);
  if (k.mode !== 'leader' || check === undefined || !check.isInFlight || check.seq !== m.seq) return;
  const peer = k.peers.get(from);
  if (peer !== undefined && peer.ephemeralId !== m.ephemeralId) {
    failNode(k, from, 'restarted');
    return;
  }
  check.isInFlight = false;
  repairPublication(k, from, m);
  if (m.ailment === null) check.fails = 0;
  else if (countFailure(k, from, check, 'health check failed')) return;
  setTimer(k, followerCheckTimer(from), k.config.settings.followerCheckIntervalMs, 0);
}

function countFailure(k: Consensus, nodeId: string, check: PeerCheck, reason: FailureReason): boolean {
  check.fails++;
  if (check.fails < k.config.settings.followerCheckRetryCount) return false;
  failNode(k, nodeId, reason);
  return true;
}

/** The interval is over, or the answer is overdue; an overdue check counts as a failure and is repeated at once. */
export function onFollowerCheckTimer(k: Consensus, nodeId: string): void {
  const check = k.followerChecks.get(nodeId);
  if (k.mode !== 'leader' || check === undefined) return;
  if (check.isInFlight && countFailure(k, nodeId, check, 'followers check retry count exceeded')) return;
  checkFollower(k, nodeId, check);
}

/** Answers a leader check: whether this node leads, and has the follower in its state. */
export function onLeaderCheck(k: Consensus, from: string, m: LeaderCheck): void {
  seeTerm(k, m.term);
  const status = k.mode !== 'leader' ? 'notLeader' : isMember(k, from) ? 'ok' : 'notInState';
  send(k, from, { type: 'leaderCheckAnswer', term: k.core.term, seq: m.seq, status });
}

/**
 * If the node does not lead any more, or does not have this node in its state, this node becomes a candidate at once.
 */
export function onLeaderCheckAnswer(k: Consensus, from: string, m: LeaderCheckAnswer): void {
  seeTerm(k, m.term);
  const check = k.leaderCheck;
  if (k.mode !== 'follower' || k.leaderId !== from || check === null || !check.isInFlight || check.seq !== m.seq)
    return;
  k.unreachableLeader = null;
  if (m.status !== 'ok') {
    becomeCandidate(k, null);
    return;
  }
  check.isInFlight = false;
  check.fails = 0;
  setTimer(k, TIMER.leaderCheck, k.config.settings.leaderCheckIntervalMs, 0);
}

/** The interval is over, or the answer is overdue; an overdue check counts as a failure and is repeated at once. */
export function onLeaderCheckTimer(k: Consensus): void {
  const check = k.leaderCheck;
  const leader = k.leaderId;
  if (k.mode !== 'follower' || check === null || leader === null) return;
  if (check.isInFlight) {
    check.fails++;
    k.unreachableLeader = leader;
    if (check.fails >= k.config.settings.leaderCheckRetryCount) {
      becomeCandidate(k, leader);
      return;
    }
  }
  checkLeader(k, leader, check);
}

/** A link was lost and the peer was dialled again, see `PeerLoss`. */
export function onPeerDown(k: Consensus, nodeId: string, how: PeerLoss): void {
  if (how === 'same') {
    recheck(k, nodeId);
    return;
  }
  k.peers.delete(nodeId);
  if (k.mode === 'leader') {
    losePeer(k, nodeId, how === 'restarted' ? 'restarted' : 'disconnected');
    finishPublication(k);
  } else if (k.mode === 'follower' && k.leaderId === nodeId) {
    if (how === 'silent') k.unreachableLeader = nodeId;
    becomeCandidate(k, nodeId);
  }
}

/**
 * The process is the same, only messages were lost: a check at once shows which, and `repairPublication` sends them
 * again.
 */
function recheck(k: Consensus, nodeId: string): void {
  const check = k.followerChecks.get(nodeId);
  if (check !== undefined) checkFollower(k, nodeId, check);
  else if (k.leaderCheck !== null && k.leaderId === nodeId) checkLeader(k, nodeId, k.leaderCheck);
}

/**
 * This process was suspended, so overdue answers are its own fault: failures are reset and all peers are checked again.
 */
export function onPaused(k: Consensus): void {
  const s = k.config.settings;
  if (k.mode === 'leader') {
    for (const [id, check] of k.followerChecks) {
      check.fails = 0;
      checkFollower(k, id, check);
    }
    if (k.lagVersion > 0) setTimer(k, TIMER.lag, s.publishTimeoutMs + s.followerLagTimeoutMs, 0);
    if (k.publication?.isCommitted === false) setTimer(k, TIMER.publish, s.publishTimeoutMs, 0);
  } else if (k.leaderCheck !== null && k.leaderId !== null) {
    k.leaderCheck.fails = 0;
    checkLeader(k, k.leaderId, k.leaderCheck);
  }
}

/**
 * Updates the health of this node; the most serious ailment counts. A leader with a new ailment steps down if a linked
 * voter can take over.
 */
export function onHealth(k: Consensus, diskOk: boolean, persistStallMs: number, dataStallMs: number): void {
  const before = k.ailment;
  k.ailment = ailmentOf(k, diskOk, persistStallMs, dataStallMs);
  if (k.ailment === null || k.ailment === before || k.mode !== 'leader') return;
  const mayTakeOver = (id: string): boolean => k.peers.get(id)?.votingOnly === false && !k.failed.has(id);
  if (k.core.accepted.acceptedConfig.some(mayTakeOver)) becomeCandidate(k, null);
}

function ailmentOf(k: Consensus, diskOk: boolean, persistStallMs: number, dataStallMs: number): Ailment | null {
  const { stallLimitMs } = k.config.settings;
  if (!diskOk) return 'disk';
  if (persistStallMs >= stallLimitMs) return 'persist_stall';
  return dataStallMs >= stallLimitMs ? 'data_stall' : null;
}
