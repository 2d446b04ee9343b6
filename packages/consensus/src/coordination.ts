import type { AcceptedState, DurableState } from './config.js';
import type { Guards } from './guards.js';
import type { Join, Publish } from './message.js';
import { isQuorum, sameConfig } from './quorum.js';

/**
 * The safety core of one node: terms, votes and accepted states. The rest of this package only decides when to call it.
 * Arrays are replaced, never changed, so a shallow copy is a snapshot. Source: the ZenWithTerms model of
 * Elasticsearch's formal models, with the configuration rules of its CoordinationState.
 */
export interface CoordinationState {
  readonly nodeId: string;
  /** Durable. */
  term: number;
  /** Durable. */
  accepted: AcceptedState;
  /** Whether a StartJoin of this process entered `term`; votes of the term count only then. */
  startedJoin: boolean;
  /** Candidate that this process voted for in `term`; null if none. */
  votedFor: string | null;
  /** Voters that voted for this node in `term`. */
  joins: readonly string[];
  won: boolean;
  /** Version published last in `term`; when the election is won, the accepted version; 0 before. */
  pubVersion: number;
  pubConfig: readonly string[];
  /** Nodes that accepted `pubVersion`. */
  pubVotes: readonly string[];
}

/** The core of a process that has just started. */
export function restoreCoordination(nodeId: string, durable: DurableState): CoordinationState {
  return {
    nodeId,
    term: durable.term,
    accepted: durable.accepted,
    startedJoin: false,
    votedFor: null,
    joins: [],
    won: false,
    pubVersion: 0,
    pubConfig: [],
    pubVotes: [],
  };
}

/**
 * Enters a higher term and votes for `candidateId`. The caller persists the term, then sends `joinOf`. False: refused,
 * nothing changed.
 */
export function startJoin(c: CoordinationState, g: Guards, candidateId: string, term: number): boolean {
  if (g.startJoinHigherTerm ? term <= c.term : term < c.term) return false;
  if (g.newTermClearsVotes) c.joins = [];
  c.term = term;
  c.startedJoin = true;
  c.votedFor = candidateId;
  c.won = false;
  c.pubVersion = 0;
  c.pubVotes = [];
  return true;
}

/** The vote of this node in its term. */
export function joinOf(c: CoordinationState): Join {
  const { term, version, stateUuid } = c.accepted;
  return { type: 'join', term: c.term, acceptedTerm: term, acceptedVersion: version, acceptedStateUuid: stateUuid };
}

/** Whether (term, version) is newer than the accepted state. */
export function isNewer(c: CoordinationState, term: number, version: number): boolean {
  return term > c.accepted.term || (term === c.accepted.term && version > c.accepted.version);
}

/** Whether `votes` elect this node. */
export function isElectionQuorum(c: CoordinationState, g: Guards, votes: readonly string[]): boolean {
  const { committedConfig, acceptedConfig } = c.accepted;
  if (g.electionCommittedQuorum && !isQuorum(votes, committedConfig)) return false;
  if (g.electionAcceptedQuorum && !isQuorum(votes, acceptedConfig)) return false;
  return votes.length > 0;
}

/** Counts a vote; `won` if this vote decides the election. */
export function countJoin(c: CoordinationState, g: Guards, from: string, join: Join): 'refused' | 'counted' | 'won' {
  if (g.joinSameTerm && join.term !== c.term) return 'refused';
  if (g.joinStartedJoin && !c.startedJoin) return 'refused';
  if (c.accepted.acceptedConfig.length === 0) return 'refused';
  if (g.joinNotNewer && isNewer(c, join.acceptedTerm, join.acceptedVersion)) return 'refused';
  if (!c.joins.includes(from)) c.joins = [...c.joins, from];
  if (c.won || !isElectionQuorum(c, g, c.joins)) return 'counted';
  c.won = true;
  c.pubVersion = c.accepted.version;
  c.pubVotes = [];
  return 'won';
}

/** Whether the leader may publish `version` with the voting configuration `config` now. */
export function mayPropose(c: CoordinationState, g: Guards, version: number, config: readonly string[]): boolean {
  const la = c.accepted;
  if (g.proposeWon && !c.won) return false;
  if (g.proposeOnAccepted && c.pubVersion !== la.version) return false;
  if (g.proposeNextVersion && version !== la.version + 1) return false;
  if (sameConfig(config, la.acceptedConfig)) return true;
  if (g.proposeConfigCommitted && !sameConfig(la.committedConfig, la.acceptedConfig)) return false;
  return !g.proposeConfigQuorum || isQuorum(c.joins, config);
}

/** Starts a publication; the caller sends it. False: refused, nothing changed. */
export function propose(c: CoordinationState, g: Guards, version: number, config: readonly string[]): boolean {
  if (!mayPropose(c, g, version, config)) return false;
  c.pubVersion = version;
  c.pubConfig = config;
  c.pubVotes = [];
  return true;
}

/**
 * Whether a publication may be accepted once it is validated. If its term is higher, `startJoin` must have entered the
 * term before.
 */
export function mayAccept(c: CoordinationState, g: Guards, m: Publish): boolean {
  const la = c.accepted;
  if (g.publishTerm && m.term !== c.term) return false;
  if (g.publishNewer && m.term === la.term && m.version <= la.version) return false;
  return !g.publishClusterUuid || !la.clusterUuidCommitted || la.clusterUuid === m.clusterUuid;
}

/** Accepts a validated publication. The caller persists it, then sends PublishOk. False: refused, nothing changed. */
export function accept(c: CoordinationState, g: Guards, m: Publish): boolean {
  if (!mayAccept(c, g, m)) return false;
  c.accepted = {
    term: m.term,
    version: m.version,
    stateUuid: m.stateUuid,
    digest: m.digest,
    nodes: m.nodes,
    acceptedConfig: m.config,
    committedConfig: m.committedConfig,
    exclusions: m.exclusions,
    clusterUuid: m.clusterUuid,
    clusterUuidCommitted: c.accepted.clusterUuidCommitted && c.accepted.clusterUuid === m.clusterUuid,
  };
  return true;
}

/** Whether `votes` commit the running publication. */
export function isPublishQuorum(c: CoordinationState, g: Guards, votes: readonly string[]): boolean {
  if (g.commitCommittedQuorum && !isQuorum(votes, c.accepted.committedConfig)) return false;
  return !g.commitPublishedQuorum || isQuorum(votes, c.pubConfig);
}

/** Counts an accept: `quorum` if this one commits the publication, `late` if it was committed before. */
export function countPublishOk(
  c: CoordinationState,
  g: Guards,
  from: string,
  term: number,
  version: number,
): 'refused' | 'counted' | 'quorum' | 'late' {
  if (!c.won) return 'refused';
  if (g.publishOkTerm && term !== c.term) return 'refused';
  if (g.publishOkVersion && version !== c.pubVersion) return 'refused';
  const before = c.pubVotes.length > 0 && isPublishQuorum(c, g, c.pubVotes);
  if (!c.pubVotes.includes(from)) c.pubVotes = [...c.pubVotes, from];
  if (before) return 'late';
  return isPublishQuorum(c, g, c.pubVotes) ? 'quorum' : 'counted';
}

/**
 * Marks the accepted state as committed. `final`: its configuration or cluster uuid was not committed before, so the
 * caller syncs the marker.
 */
export function commit(
  c: CoordinationState,
  g: Guards,
  term: number,
  version: number,
): 'refused' | 'committed' | 'final' {
  const la = c.accepted;
  if (g.commitTerm && (term !== c.term || term !== la.term)) return 'refused';
  if (g.commitVersion && version !== la.version) return 'refused';
  const isFinal = !la.clusterUuidCommitted || !sameConfig(la.committedConfig, la.acceptedConfig);
  if (isFinal) c.accepted = { ...la, committedConfig: la.acceptedConfig, clusterUuidCommitted: true };
  return isFinal ? 'final' : 'committed';
}
