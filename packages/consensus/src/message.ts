/** A node as its peers know it, from the handshake of a link. */
export interface PeerNode {
  readonly nodeId: string;
  readonly ephemeralId: string;
  readonly nodeName: string;
  /** Publish address of the control link, `host:port`. */
  readonly address: string;
  readonly isVoter: boolean;
  readonly votingOnly: boolean;
}

/** A candidate asks a peer which voters and which leader it knows. */
export interface PeersRequest {
  readonly type: 'peers';
  readonly term: number;
}

/** The leader and the voters that the answering node knows. */
export interface PeersAnswer {
  readonly type: 'peersAnswer';
  readonly term: number;
  readonly leaderId: string | null;
  readonly peers: readonly { readonly nodeId: string; readonly address: string }[];
}

/** Asks whether the receiver would vote for the sender; changes nothing durable. */
export interface PreVote {
  readonly type: 'preVote';
  readonly round: number;
  readonly term: number;
}

/** Answer to a pre-vote; not granted by a leader, or by a follower whose leader checks succeed. */
export interface PreVoteAnswer {
  readonly type: 'preVoteAnswer';
  readonly round: number;
  readonly term: number;
  readonly acceptedTerm: number;
  readonly acceptedVersion: number;
  readonly granted: boolean;
  readonly leaderId: string | null;
}

/**
 * Asks the receiver to enter `term` and vote for `candidateId`: the sender, or the successor of a leader that
 * abdicates.
 */
export interface StartJoin {
  readonly type: 'startJoin';
  readonly candidateId: string;
  readonly term: number;
}

/** The vote of the sender in `term`, with the newest state that it accepted. */
export interface Join {
  readonly type: 'join';
  readonly term: number;
  readonly acceptedTerm: number;
  readonly acceptedVersion: number;
  readonly acceptedStateUuid: string;
}

/**
 * Asks a leader to add the sender to the cluster. Contains the sender's vote, unless the vote of the term went to
 * another node.
 */
export interface JoinRequest {
  readonly type: 'joinRequest';
  readonly term: number;
  readonly ephemeralId: string;
  readonly vote: Join | null;
  /** Uuid of the cluster that this node has committed to; null if none. */
  readonly clusterUuid: string | null;
}

/** The leader refuses to add the sender of a join request. */
export interface JoinRefused {
  readonly type: 'joinRefused';
  readonly term: number;
  readonly reason: string;
}

/**
 * Header of a published state. The shell adds the body: a diff to `baseStateUuid`, or the whole state if it is null.
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

/** The sender has accepted the state and made it durable. */
export interface PublishOk {
  readonly type: 'publishOk';
  readonly term: number;
  readonly version: number;
}

/** The sender cannot apply the diff (unknown base or wrong digest) and asks for the whole state. */
export interface NeedFull {
  readonly type: 'needFull';
  readonly term: number;
  readonly version: number;
}

/** The state is committed; the receiver applies it. */
export interface Commit {
  readonly type: 'commit';
  readonly term: number;
  readonly version: number;
}

/** All threads of the sender have applied the state. */
export interface ApplyAck {
  readonly type: 'applyAck';
  readonly term: number;
  readonly version: number;
}

/** The leader asks whether a follower is alive and healthy. */
export interface FollowerCheck {
  readonly type: 'followerCheck';
  readonly term: number;
  readonly seq: number;
}

/** Why a node fails its checks; null if it is healthy. */
export type Ailment = 'leader_unreachable' | 'disk' | 'persist_stall' | 'data_stall';

/**
 * Answer to a follower check. A `term` above the leader's makes the leader step down. The versions are those of `term`,
 * 0 if there is none; they show the leader which messages were lost.
 */
export interface FollowerCheckAnswer {
  readonly type: 'followerCheckAnswer';
  readonly term: number;
  readonly seq: number;
  readonly ephemeralId: string;
  readonly ailment: Ailment | null;
  /** Newest accepted version, or the one being validated. */
  readonly accepted: number;
  readonly committed: number;
  readonly applied: number;
}

/** A follower asks whether the receiver still leads, and has the follower in its state. */
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

/** All messages between consensus state machines: plain data, serialisable as JSON. */
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
