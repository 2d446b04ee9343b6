import { startLeaderCheck, stopChecks, syncFollowerChecks } from './checks.js';
import { joinOf, startJoin } from './coordination.js';
import { cancelTimer, emit, hasVote, type Consensus, persist, sendAfter, setTimer } from './consensus-state.js';
import { TIMER } from './timer-id.js';

/** Sets the election timer to `baseMs` plus a random delay, whose bound grows with each attempt. */
export function scheduleElection(k: Consensus, baseMs: number): void {
  if (!k.config.isVoter || k.config.votingOnly) return;
  const s = k.config.settings;
  const bound = s.electionInitialTimeoutMs + k.attempt * s.electionBackOffTimeMs;
  setTimer(k, TIMER.election, baseMs, k.config.isSingleNode ? 0 : Math.min(s.electionMaxTimeoutMs, bound));
}

/**
 * Sets the election timer for the first attempt after the leader was lost. Voters wait by rank (order of ids), so that
 * voters that notice at the same time do not split the vote.
 */
function scheduleRankedElection(k: Consensus, lostLeader: string): void {
  if (!k.config.isVoter || k.config.votingOnly) return;
  const s = k.config.settings;
  const voters = k.core.accepted.committedConfig.filter((id) => id !== lostLeader).sort();
  const index = voters.indexOf(k.config.nodeId);
  const rank = index < 0 ? voters.length : index;
  setTimer(k, TIMER.election, rank * s.electionRankDelayMs, s.electionRankJitterMs);
}

function announce(k: Consensus): void {
  emit(k, { type: 'mode', mode: k.mode, leaderId: k.leaderId, term: k.core.term });
}

/**
 * Ends the leadership. If this node has committed the running publication and only waited for acknowledgements, the
 * state is applied now. Otherwise its tasks fail with an unknown outcome, even if a quorum accepted it: this node
 * cannot know when it will learn of the commit.
 */
function leaveLeadership(k: Consensus): void {
  const p = k.publication;
  if (p !== null) {
    if (p.isCommittedHere) applyCommitted(k);
    else emit(k, { type: 'failTasks', reason: 'failedToCommit', version: p.version });
  }
  emit(k, { type: 'failTasks', reason: 'notMaster', version: null });
  k.publication = null;
  k.published = null;
  k.isElectedBatchDue = false;
  k.applied.clear();
  k.acceptedUuids.clear();
  k.pendingJoins.clear();
  k.failed.clear();
  k.failedUnreported = [];
  k.lagVersion = 0;
  k.isReelectionDue = false;
  for (const id of [TIMER.publish, TIMER.acks, TIMER.lag, TIMER.removal, TIMER.reelection]) cancelTimer(k, id);
}

/** Emits the accepted state as committed, once for a version, and never an older version after a newer one. */
export function applyCommitted(k: Consensus): void {
  const { term, version } = k.core.accepted;
  if (version <= k.committedVersion) return;
  k.committedTerm = term;
  k.committedVersion = version;
  emit(k, { type: 'commit', term, version });
}

/**
 * Becomes a candidate. `lostLeader`: the leader that this node followed and can no longer reach; null otherwise. A
 * leader that steps down keeps `core.won`. Otherwise it could win again in its term: n1 publishes version 8 in term 3,
 * steps down, wins term 3 again and publishes another version 8.
 */
export function becomeCandidate(k: Consensus, lostLeader: string | null): void {
  if (k.mode === 'leader') leaveLeadership(k);
  stopChecks(k);
  const wasCandidate = k.mode === 'candidate';
  k.mode = 'candidate';
  k.leaderId = null;
  k.preVotes = null;
  if (wasCandidate) return;
  k.attempt = 0;
  announce(k);
  k.probeCount = 0;
  setTimer(k, TIMER.findPeers, 0, 0);
  if (lostLeader !== null) scheduleRankedElection(k, lostLeader);
  else scheduleElection(k, 0);
}

/** Follows `leaderId` in the current term. */
export function becomeFollower(k: Consensus, leaderId: string): void {
  if (k.mode === 'follower' && k.leaderId === leaderId) return;
  if (k.mode === 'leader') leaveLeadership(k);
  stopChecks(k);
  k.mode = 'follower';
  k.leaderId = leaderId;
  k.attempt = 0;
  k.preVotes = null;
  cancelTimer(k, TIMER.election);
  cancelTimer(k, TIMER.findPeers);
  startLeaderCheck(k);
  announce(k);
}

/** Becomes leader of the current term; the caller requests the first proposal. */
export function becomeLeader(k: Consensus): void {
  k.mode = 'leader';
  k.leaderId = k.config.nodeId;
  k.attempt = 0;
  k.preVotes = null;
  k.isElectedBatchDue = true;
  k.unreachableLeader = null;
  k.acceptedUuids.set(k.config.nodeId, k.core.accepted.stateUuid);
  cancelTimer(k, TIMER.election);
  cancelTimer(k, TIMER.findPeers);
  syncFollowerChecks(k);
  announce(k);
}

/** Enters a higher term and votes for `candidateId` once the term is durable. False: the term is not higher. */
export function enterTerm(k: Consensus, candidateId: string, term: number): boolean {
  const wasLeader = k.mode === 'leader';
  if (wasLeader && term > k.core.term) becomeCandidate(k, null);
  if (!startJoin(k.core, k.guards, candidateId, term)) return false;
  k.pending = null;
  k.acceptedUuids.clear();
  if (term > k.maxTermSeen) k.maxTermSeen = term;
  const seq = persist(k, { type: 'term', term });
  if (k.mode !== 'candidate') becomeCandidate(k, null);
  k.preVotes = null;
  scheduleElection(k, k.config.settings.electionDurationMs);
  if (hasVote(k)) sendAfter(k, candidateId, joinOf(k.core), k.guards.persistBeforeJoin ? seq : null);
  return true;
}

/** Updates the highest term seen; a leader that sees a higher term than its own steps down. */
export function seeTerm(k: Consensus, term: number): void {
  if (term > k.maxTermSeen) k.maxTermSeen = term;
  if (k.mode === 'leader' && term > k.core.term) becomeCandidate(k, null);
}
