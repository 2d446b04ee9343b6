import { cancelTimer, type PeerCheck, isMember, type Consensus, send, setTimer } from './consensus-state.js';
import { followerCheckTimer, TIMER } from './timer-id.js';

/** Sends a follower check now and starts the timer of its timeout. */
export function checkFollower(k: Consensus, nodeId: string, check: PeerCheck): void {
  check.seq = ++k.checkSeq;
  check.isInFlight = true;
  send(k, nodeId, { type: 'followerCheck', term: k.core.term, seq: check.seq });
  setTimer(k, followerCheckTimer(nodeId), k.config.settings.followerCheckTimeoutMs, 0);
}

/** Starts checks of nodes that are new in the accepted or published state, and stops checks of nodes in neither. */
export function syncFollowerChecks(k: Consensus): void {
  for (const id of k.followerChecks.keys()) if (!isMember(k, id)) stopFollowerCheck(k, id);
  for (const id of k.core.accepted.nodes) startFollowerCheck(k, id);
  if (k.published !== null) for (const id of k.published.nodes) startFollowerCheck(k, id);
}

function startFollowerCheck(k: Consensus, nodeId: string): void {
  if (nodeId === k.config.nodeId || k.followerChecks.has(nodeId) || k.failed.has(nodeId)) return;
  const check = { seq: 0, fails: 0, isInFlight: false };
  k.followerChecks.set(nodeId, check);
  checkFollower(k, nodeId, check);
}

/** Stops the checks of one follower. */
export function stopFollowerCheck(k: Consensus, nodeId: string): void {
  if (k.followerChecks.delete(nodeId)) cancelTimer(k, followerCheckTimer(nodeId));
}

/** Sends a leader check now and starts the timer of its timeout. */
export function checkLeader(k: Consensus, leaderId: string, check: PeerCheck): void {
  check.seq = ++k.checkSeq;
  check.isInFlight = true;
  send(k, leaderId, { type: 'leaderCheck', term: k.core.term, seq: check.seq });
  setTimer(k, TIMER.leaderCheck, k.config.settings.leaderCheckTimeoutMs, 0);
}

/** Starts leader checks. The first one is sent after an interval, because the leader has just sent a message. */
export function startLeaderCheck(k: Consensus): void {
  k.leaderCheck = { seq: 0, fails: 0, isInFlight: false };
  setTimer(k, TIMER.leaderCheck, k.config.settings.leaderCheckIntervalMs, 0);
}

/** Stops all checks; called when the node becomes a candidate or follows another leader. */
export function stopChecks(k: Consensus): void {
  for (const id of k.followerChecks.keys()) cancelTimer(k, followerCheckTimer(id));
  k.followerChecks.clear();
  if (k.leaderCheck === null) return;
  k.leaderCheck = null;
  cancelTimer(k, TIMER.leaderCheck);
}
