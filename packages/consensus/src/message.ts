/** A node as its peers know it; comes out of the handshake of a link. */
export interface PeerNode {
  readonly nodeId: string;
  readonly ephemeralId: string;
  readonly nodeName: string;
  /** Publish address of the control link, `host:port`. */
  readonly address: string;
  readonly isVoter: boolean;
  readonly votingOnly: boolean;
}

/** "Who is there, and who leads?" Sent by candidates to the peers they know. */
export interface PeersRequest {
  readonly type: 'peers';
  readonly term: number;
}

/** Known leader and voters of the answering node. */
export interface PeersAnswer {
  readonly type: 'peersAnswer';
  readonly term: number;
  readonly leaderId: string | null;
  readonly peers: readonly { readonly nodeId: string; readonly address: string }[];
}

/** Would you vote for me? Changes nothing durable. */
export interface PreVote {
  readonly type: 'preVote';
  readonly round: number;
  readonly term: number;
}

/** Answer to a pre-vote; refused by a leader and by a follower whose leader checks pass. */
export interface PreVoteAnswer {
  readonly type: 'preVoteAnswer';
  readonly round: number;
  readonly term: number;
  readonly acceptedTerm: number;
  readonly acceptedVersion: number;
  readonly granted: boolean;
  readonly leaderId: string | null;
}

/** Enter `term` and vote for `candidateId`; a leader that abdicates names its successor. */
export interface StartJoin {
  readonly type: 'startJoin';
  readonly candidateId: string;
  readonly term: number;
}

/** The vote of the sender in `term`, with the newest state it accepted. */
export interface Join {
  readonly type: 'join';
  readonly term: number;
  readonly acceptedTerm: number;
  readonly acceptedVersion: number;
  readonly acceptedStateUuid: string;
}

/**
 * Asks a leader to be taken into the cluster; carries the vote where the sender gave none to another node in the term.
 */
export interface JoinRequest {
  readonly type: 'joinRequest';
  readonly term: number;
  readonly ephemeralId: string;
  readonly vote: Join | null;
  /** The cluster this node committed to belong to, or null. */
  readonly clusterUuid: string | null;
}

/** The leader does not take the sender in. */
export interface JoinRefused {
  readonly type: 'joinRefused';
  readonly term: number;
  readonly reason: string;
}

/**
 * Header of a published state. The shell adds the body: a diff to `baseStateUuid`, or the whole state where it is null.
 */
export interface Publish {
  readonly type: 'publish';
  readonly term: number;
  readonly version: number;
  readonly stateUuid: string;
  readonly baseStateUuid: string | null;
  readonly digest: string;
  readonly nodes: readonly string[];
  readonly config: readonly string[];
  readonly committedConfig: readonly string[];
  readonly exclusions: readonly string[];
  readonly clusterUuid: string;
}

/** The sender accepted and persisted the state. */
export interface PublishOk {
  readonly type: 'publishOk';
  readonly term: number;
  readonly version: number;
}

/** The sender cannot use the diff (base unknown or digest wrong) and wants the whole state. */
export interface NeedFull {
  readonly type: 'needFull';
  readonly term: number;
  readonly version: number;
}

/** The state is committed: apply it. */
export interface Commit {
  readonly type: 'commit';
  readonly term: number;
  readonly version: number;
}

/** All threads of the sender applied the state. */
export interface ApplyAck {
  readonly type: 'applyAck';
  readonly term: number;
  readonly version: number;
}

/** Leader to follower: are you alive and mine? */
export interface FollowerCheck {
  readonly type: 'followerCheck';
  readonly term: number;
  readonly seq: number;
}

/** Why a node fails its checks, null when it is well. */
export type Ailment = 'leader_unreachable' | 'disk' | 'persist_stall' | 'data_stall';

/**
 * Answer to a follower check; `term` above the leader's ends its leadership. The versions, of that term and 0 where
 * there is none, show the leader what got lost on the way.
 */
export interface FollowerCheckAnswer {
  readonly type: 'followerCheckAnswer';
  readonly term: number;
  readonly seq: number;
  readonly ephemeralId: string;
  readonly ailment: Ailment | null;
  /** Accepted, or being validated. */
  readonly accepted: number;
  readonly committed: number;
  readonly applied: number;
}

/** Follower to leader: do you still lead, and am I in your state? */
export interface LeaderCheck {
  readonly type: 'leaderCheck';
  readonly term: number;
  readonly seq: number;
}

/** Answer to a leader check. */
export interface LeaderCheckAnswer {
  readonly type: 'leaderCheckAnswer';
  readonly term: number;
  readonly seq: number;
  readonly status: 'ok' | 'notLeader' | 'notInState';
}

/** Everything consensus state machines say to each other: plain data, serialisable as JSON. */
export type ConsensusMessage =
  | PeersRequest
  | PeersAnswer
  | PreVote
  | PreVoteAnswer
  | StartJoin
  | Join
  | JoinRequest
  | JoinRefused
  | Publish
  | PublishOk
  | NeedFull
  | Commit
  | ApplyAck
  | FollowerCheck
  | FollowerCheckAnswer
  | LeaderCheck
  | LeaderCheckAnswer;
