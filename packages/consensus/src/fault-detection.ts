import { checkFollower, checkLeader } from './checks.js';
import type { FailureReason } from './effect.js';
import type { PeerLoss } from './event.js';
import { type CheckState, isMember, type Consensus, send, setTimer } from './consensus-state.js';
import { failNode, losePeer } from './membership.js';
import type { Ailment, FollowerCheck, FollowerCheckAnswer, LeaderCheck, LeaderCheckAnswer } from './message.js';
import { becomeCandidate, becomeFollower, enterTerm, seeTerm } from './mode.js';
import { finishPublication, repairPublication } from './publication.js';
import { followerCheckTimer, TIMER } from './timer-id.js';

/** A leader looks after this node: follow it, unless it cannot be reached from here. */
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
    accepted: newestInTerm(k),
    committed: k.committedTerm === k.core.term ? k.committedVersion : 0,
    applied: k.appliedTerm === k.core.term ? k.appliedVersion : 0,
  });
}

function newestInTerm(k: Consensus): number {
  const { term, accepted } = k.core;
  if (k.pending?.publication.term === term) return k.pending.publication.version;
  return accepted.term === term ? accepted.version : 0;
}

/** A well answer clears the count, an ill one counts as failed and is repeated after the interval. */
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

function countFailure(k: Consensus, nodeId: string, check: CheckState, reason: FailureReason): boolean {
  check.fails++;
  if (check.fails < k.config.settings.followerCheckRetryCount) return false;
  failNode(k, nodeId, reason);
  return true;
}

/** Time for the next check, or the answer to the last is overdue: then it is repeated at once. */
export function onFollowerCheckTimer(k: Consensus, nodeId: string): void {
  const check = k.followerChecks.get(nodeId);
  if (k.mode !== 'leader' || check === undefined) return;
  if (check.isInFlight && countFailure(k, nodeId, check, 'followers check retry count exceeded')) return;
  checkFollower(k, nodeId, check);
}

/** Answers a follower's question whether it is still led from here. */
export function onLeaderCheck(k: Consensus, from: string, m: LeaderCheck): void {
  seeTerm(k, m.term);
  const status = k.mode !== 'leader' ? 'notLeader' : isMember(k, from) ? 'ok' : 'notInState';
  send(k, from, { type: 'leaderCheckAnswer', term: k.core.term, seq: m.seq, status });
}

/** A leader that is none any more, or that does not know this node, is left at once. */
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

/** Time for the next check, or the answer to the last is overdue. */
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

/** A link is lost for good: the peer was dialled again and refused, stayed silent, or is another process. */
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

/** Only the link was lost: a check at once shows what was lost with it. */
function recheck(k: Consensus, nodeId: string): void {
  const check = k.followerChecks.get(nodeId);
  if (check !== undefined) checkFollower(k, nodeId, check);
  else if (k.leaderCheck !== null && k.leaderId === nodeId) checkLeader(k, nodeId, k.leaderCheck);
}

/** The process itself stood still: whatever the checks missed meanwhile is its own fault, so all are asked again. */
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

/** A node is as well as its slowest part; a leader that is not steps down where another voter can take over. */
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
