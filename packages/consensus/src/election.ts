import { isElectionQuorum, isNewer } from './coordination.js';
import { type Consensus, send } from './consensus-state.js';
import type { PreVote, PreVoteAnswer } from './message.js';
import { becomeCandidate, scheduleElection, seeTerm } from './mode.js';

/** A node with a stalled data thread skips this many attempts, so that a healthy node is elected if there is one. */
const STALLED_ATTEMPTS = 3;

function isElectable(k: Consensus): boolean {
  if (!k.config.isVoter || k.config.votingOnly || k.isStopping || k.mode !== 'candidate') return false;
  if (k.ailment === 'disk' || k.ailment === 'persist_stall') return false;
  if (k.ailment === 'data_stall' && k.attempt < STALLED_ATTEMPTS) return false;
  return k.core.accepted.acceptedConfig.length > 0;
}

/** Starts a round of pre-votes, in which this node votes for itself, and sets the timer of the next attempt. */
export function onElectionTimer(k: Consensus): void {
  if (k.mode !== 'candidate') return;
  scheduleElection(k, k.config.settings.electionDurationMs);
  const mayRun = isElectable(k);
  k.attempt++;
  if (!mayRun) return;
  k.preVoteRound++;
  k.preVotes = [k.config.nodeId];
  for (const peer of k.peers.values()) {
    if (peer.isVoter) send(k, peer.nodeId, { type: 'preVote', round: k.preVoteRound, term: k.core.term });
  }
  startElectionOnQuorum(k);
}

function startElectionOnQuorum(k: Consensus): void {
  if (k.preVotes === null || !isElectionQuorum(k.core, k.guards, k.preVotes)) return;
  k.preVotes = null;
  startElection(k);
}

/** Sends StartJoin to all voters and to this node itself, in a term above every term seen. */
export function startElection(k: Consensus): void {
  callElection(k, k.config.nodeId);
}

/** Calls an election of `candidateId`: of this node, or of the successor of a leader that abdicates. */
export function callElection(k: Consensus, candidateId: string): void {
  const term = Math.max(k.core.term, k.maxTermSeen) + 1;
  k.maxTermSeen = term;
  const message = { type: 'startJoin', candidateId, term } as const;
  for (const peer of k.peers.values()) if (peer.isVoter) send(k, peer.nodeId, message);
  send(k, k.config.nodeId, message);
}

/**
 * Answers a pre-vote. A leader, and a follower whose leader answers, refuse it. Otherwise a node that was removed from
 * the cluster would raise the term again and again and depose a working leader.
 */
export function onPreVote(k: Consensus, from: string, m: PreVote): void {
  seeTerm(k, m.term);
  const followsOther = k.mode === 'follower' && k.leaderId !== from && (k.leaderCheck?.fails ?? 0) === 0;
  const { term, version } = k.core.accepted;
  send(k, from, {
    type: 'preVoteAnswer',
    round: m.round,
    term: k.core.term,
    acceptedTerm: term,
    acceptedVersion: version,
    granted: k.mode !== 'leader' && !followsOther,
    leaderId: k.leaderId,
  });
}

/**
 * Counts a pre-vote. If the voter accepted a newer state and can lead, the round ends, because that voter should win.
 * If it only votes, its pre-vote is not counted, because it would refuse the real vote.
 */
export function onPreVoteAnswer(k: Consensus, from: string, m: PreVoteAnswer): void {
  seeTerm(k, m.term);
  if (k.preVotes === null || m.round !== k.preVoteRound || k.mode !== 'candidate') return;
  if (!m.granted) {
    const leader = m.leaderId;
    if (leader !== null && k.peers.has(leader)) send(k, leader, { type: 'peers', term: k.core.term });
    return;
  }
  if (isNewer(k.core, m.acceptedTerm, m.acceptedVersion)) {
    if (isRival(k, from)) k.preVotes = null;
    return;
  }
  if (!k.preVotes.includes(from)) k.preVotes = [...k.preVotes, from];
  startElectionOnQuorum(k);
}

/** Whether `from` is in a voting configuration of this node and could lead. */
function isRival(k: Consensus, from: string): boolean {
  const { acceptedConfig, committedConfig } = k.core.accepted;
  if (k.peers.get(from)?.votingOnly === true) return false;
  return acceptedConfig.includes(from) || committedConfig.includes(from);
}

/** The leader calls an election of itself, to collect the votes of voters that joined without one. */
export function reelect(k: Consensus): void {
  becomeCandidate(k, null);
  scheduleElection(k, k.config.settings.electionDurationMs);
  startElection(k);
}
