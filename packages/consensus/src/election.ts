import { isElectionQuorum, isNewer } from './coordination.js';
import { type Consensus, send } from './consensus-state.js';
import type { PreVote, PreVoteAnswer } from './message.js';
import { becomeCandidate, scheduleElection, seeTerm } from './mode.js';

/** A node with stalled data threads leaves the first attempts to others, but leads rather than nobody. */
const STALLED_ATTEMPTS = 3;

function isElectable(k: Consensus): boolean {
  if (!k.config.isVoter || k.config.votingOnly || k.isStopping || k.mode !== 'candidate') return false;
  if (k.ailment === 'disk' || k.ailment === 'persist_stall') return false;
  if (k.ailment === 'data_stall' && k.attempt < STALLED_ATTEMPTS) return false;
  return k.core.accepted.acceptedConfig.length > 0;
}

/** Asks every voter for a pre-vote and arms the next attempt; the node's own vote is counted here. */
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

/** StartJoin in a term above every one heard of, to all voters and the node itself. */
export function startElection(k: Consensus): void {
  callElection(k, k.config.nodeId);
}

/** The same for any candidate: this is also how a leader abdicates. */
export function callElection(k: Consensus, candidateId: string): void {
  const term = Math.max(k.core.term, k.maxTermSeen) + 1;
  k.maxTermSeen = term;
  const message = { type: 'startJoin', candidateId, term } as const;
  for (const peer of k.peers.values()) if (peer.isVoter) send(k, peer.nodeId, message);
  send(k, k.config.nodeId, message);
}

/** A leader, and a follower that hears its leader, refuse: a node they removed must not disturb the term. */
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

/** Counts a pre-vote. A voter with a newer state that could lead ends the round; one that only votes is not counted. */
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

/** Whether `from` belongs to this cluster and could win in our place. */
function isRival(k: Consensus, from: string): boolean {
  const { acceptedConfig, committedConfig } = k.core.accepted;
  if (k.peers.get(from)?.votingOnly === true) return false;
  return acceptedConfig.includes(from) || committedConfig.includes(from);
}

/** The leader calls a new election of itself, so that voters that joined without a vote give one. */
export function reelect(k: Consensus): void {
  becomeCandidate(k, null);
  scheduleElection(k, k.config.settings.electionDurationMs);
  startElection(k);
}
