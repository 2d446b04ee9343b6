/**
 * The conditions of the transition table, one switch each. Production runs with all of them (`ALL_GUARDS`); the
 * simulator and the explicit-state search switch single ones off to prove that they would notice.
 */
export interface Guards {
  /** StartJoin moves a node only to a higher term: one vote a term. */
  readonly startJoinHigherTerm: boolean;
  /** A new term forgets the votes of the old one. */
  readonly newTermClearsVotes: boolean;
  /** A vote counts in its own term only. */
  readonly joinSameTerm: boolean;
  /** Votes count only after a StartJoin of this process: a restarted leader does not go on in its old term. */
  readonly joinStartedJoin: boolean;
  /** A voter that accepted a newer state does not vote for an older one. */
  readonly joinNotNewer: boolean;
  /** An election needs a quorum of the last committed configuration. */
  readonly electionCommittedQuorum: boolean;
  /** An election needs a quorum of the accepted configuration too. */
  readonly electionAcceptedQuorum: boolean;
  /** Only the winner of an election publishes. */
  readonly proposeWon: boolean;
  /** A proposal is the child of the state the leader itself accepted. */
  readonly proposeOnAccepted: boolean;
  /** Versions rise by one. */
  readonly proposeNextVersion: boolean;
  /** One uncommitted reconfiguration at a time. */
  readonly proposeConfigCommitted: boolean;
  /** A new configuration has a quorum of the leader's votes. */
  readonly proposeConfigQuorum: boolean;
  /** Publications of older terms are refused. */
  readonly publishTerm: boolean;
  /** Within a term versions only rise. */
  readonly publishNewer: boolean;
  /** A state is accepted only after its content was checked. */
  readonly publishValidated: boolean;
  /** A node that knows its cluster accepts no state of another one. */
  readonly publishClusterUuid: boolean;
  /** Accepts of another term do not count. */
  readonly publishOkTerm: boolean;
  /** Accepts of another version do not count. */
  readonly publishOkVersion: boolean;
  /** A commit needs a quorum of the last committed configuration. */
  readonly commitCommittedQuorum: boolean;
  /** A commit needs a quorum of the published configuration too. */
  readonly commitPublishedQuorum: boolean;
  /** A commit applies to the term the node is in and accepted in. */
  readonly commitTerm: boolean;
  /** A commit applies to the version the node accepted. */
  readonly commitVersion: boolean;
  /** Votes leave only after the term is durable. */
  readonly persistBeforeJoin: boolean;
  /** Accepts leave only after the state is durable. */
  readonly persistBeforePublishOk: boolean;
}

/** Every guard on: what production runs with. */
export const ALL_GUARDS: Guards = Object.freeze({
  startJoinHigherTerm: true,
  newTermClearsVotes: true,
  joinSameTerm: true,
  joinStartedJoin: true,
  joinNotNewer: true,
  electionCommittedQuorum: true,
  electionAcceptedQuorum: true,
  proposeWon: true,
  proposeOnAccepted: true,
  proposeNextVersion: true,
  proposeConfigCommitted: true,
  proposeConfigQuorum: true,
  publishTerm: true,
  publishNewer: true,
  publishValidated: true,
  publishClusterUuid: true,
  publishOkTerm: true,
  publishOkVersion: true,
  commitCommittedQuorum: true,
  commitPublishedQuorum: true,
  commitTerm: true,
  commitVersion: true,
  persistBeforeJoin: true,
  persistBeforePublishOk: true,
});
