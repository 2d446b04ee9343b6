/**
 * Preconditions of the transitions, each of which can be switched off. Production runs with all of them (`ALL_GUARDS`).
 * The simulator and the explicit-state search switch off one at a time, to prove that its absence is noticed. The
 * package README lists what goes wrong without each.
 */
export interface Guards {
  /** StartJoin moves a node only to a higher term, so that it votes once in a term. */
  readonly startJoinHigherTerm: boolean;
  /** A new term clears the votes of the previous one. */
  readonly newTermClearsVotes: boolean;
  /** A vote counts only in its own term. */
  readonly joinSameTerm: boolean;
  /**
   * Votes count only after a StartJoin of this process. Otherwise a leader that restarts could win again in its old
   * term.
   */
  readonly joinStartedJoin: boolean;
  /** A vote from a voter that accepted a newer state is refused. */
  readonly joinNotNewer: boolean;
  /** An election needs a quorum of the last committed configuration. */
  readonly electionCommittedQuorum: boolean;
  /** An election needs a quorum of the accepted configuration, too. */
  readonly electionAcceptedQuorum: boolean;
  /** Only a node that won the election of its term publishes. */
  readonly proposeWon: boolean;
  /** A proposal succeeds the state that the leader itself accepted. */
  readonly proposeOnAccepted: boolean;
  /** The version of a proposal is the accepted version plus one. */
  readonly proposeNextVersion: boolean;
  /** At most one reconfiguration is uncommitted. */
  readonly proposeConfigCommitted: boolean;
  /** The votes of the leader contain a quorum of a new configuration. */
  readonly proposeConfigQuorum: boolean;
  /** A publication of an older term is refused. */
  readonly publishTerm: boolean;
  /** Within a term, a publication that is not newer than the accepted state is refused. */
  readonly publishNewer: boolean;
  /** A state is accepted only after its content is validated. */
  readonly publishValidated: boolean;
  /** A node that knows its cluster accepts no state of another cluster. */
  readonly publishClusterUuid: boolean;
  /** Accepts of another term are not counted. */
  readonly publishOkTerm: boolean;
  /** Accepts of another version are not counted. */
  readonly publishOkVersion: boolean;
  /** A commit needs a quorum of the last committed configuration. */
  readonly commitCommittedQuorum: boolean;
  /** A commit needs a quorum of the published configuration, too. */
  readonly commitPublishedQuorum: boolean;
  /** A commit is taken only for the current term, if the accepted state is of this term. */
  readonly commitTerm: boolean;
  /** A commit is taken only for the version that the node accepted. */
  readonly commitVersion: boolean;
  /** A vote is sent only after the term is durable. */
  readonly persistBeforeJoin: boolean;
  /** An accept is sent only after the state is durable. */
  readonly persistBeforePublishOk: boolean;
}

/** All guards, as in production. */
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
