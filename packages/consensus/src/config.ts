import type { Guards } from './guards.js';

/** Intervals and limits of election, publication and fault detection; times in milliseconds. */
export interface ConsensusSettings {
  /** Upper bound of the first election delay (`cluster.election.initial_timeout`). */
  readonly electionInitialTimeoutMs: number;
  /** Added to that bound by each failed attempt (`cluster.election.back_off_time`). */
  readonly electionBackOffTimeMs: number;
  /** Largest election delay (`cluster.election.max_timeout`). */
  readonly electionMaxTimeoutMs: number;
  /** How long an attempt may take before the next (`cluster.election.duration`). */
  readonly electionDurationMs: number;
  /** Delay between ranks of the first attempt after a lost leader. */
  readonly electionRankDelayMs: number;
  /** Random part of that delay. */
  readonly electionRankJitterMs: number;
  /** `cluster.fault_detection.follower_check.interval`. */
  readonly followerCheckIntervalMs: number;
  /** `cluster.fault_detection.follower_check.timeout`. */
  readonly followerCheckTimeoutMs: number;
  /** `cluster.fault_detection.follower_check.retry_count`. */
  readonly followerCheckRetryCount: number;
  /** `cluster.fault_detection.leader_check.interval`. */
  readonly leaderCheckIntervalMs: number;
  /** `cluster.fault_detection.leader_check.timeout`. */
  readonly leaderCheckTimeoutMs: number;
  /** `cluster.fault_detection.leader_check.retry_count`. */
  readonly leaderCheckRetryCount: number;
  /** A persist or data thread stalled for this long fails the node's checks. */
  readonly stallLimitMs: number;
  /** Failed nodes are gathered for this long and removed together. */
  readonly removalBatchMs: number;
  /** `cluster.publish.timeout`: a publication without quorum after this long ends the leadership. */
  readonly publishTimeoutMs: number;
  /** The leader applies and goes on after all acknowledgements or this long. */
  readonly ackWaitMs: number;
  /** `cluster.follower_lag.timeout`: time to apply beyond the publish timeout. */
  readonly followerLagTimeoutMs: number;
  /** `discovery.find_peers_interval`. */
  readonly findPeersIntervalMs: number;
  /** `cluster.auto_shrink_voting_configuration`. */
  readonly autoShrinkVotingConfiguration: boolean;
}

/**
 * Defaults as in Elasticsearch 8.12, save the shorter check timeouts: the control thread shares nothing with data work.
 */
export const DEFAULT_CONSENSUS_SETTINGS: ConsensusSettings = Object.freeze({
  electionInitialTimeoutMs: 100,
  electionBackOffTimeMs: 100,
  electionMaxTimeoutMs: 10_000,
  electionDurationMs: 500,
  electionRankDelayMs: 50,
  electionRankJitterMs: 20,
  followerCheckIntervalMs: 1_000,
  followerCheckTimeoutMs: 3_000,
  followerCheckRetryCount: 3,
  leaderCheckIntervalMs: 1_000,
  leaderCheckTimeoutMs: 3_000,
  leaderCheckRetryCount: 3,
  stallLimitMs: 10_000,
  removalBatchMs: 10,
  publishTimeoutMs: 30_000,
  ackWaitMs: 500,
  followerLagTimeoutMs: 90_000,
  findPeersIntervalMs: 1_000,
  autoShrinkVotingConfiguration: true,
});

/** What a node is and how it was started; fixed for the life of a process. */
export interface ConsensusConfig {
  /** Durable identity. */
  readonly nodeId: string;
  /** Identity of this process. */
  readonly ephemeralId: string;
  readonly nodeName: string;
  /** Publish address of the control link, `host:port`. */
  readonly address: string;
  /** Has the master role (voting-only nodes too). */
  readonly isVoter: boolean;
  /** Votes and accepts, but never leads. */
  readonly votingOnly: boolean;
  /** `discovery.type: single-node`. */
  readonly isSingleNode: boolean;
  /** `cluster.initial_master_nodes`: node names (or ids). */
  readonly initialMasterNodes: readonly string[];
  /**
   * Without any discovery setting: bootstrap from what loopback shows after this long; null where discovery is
   * configured.
   */
  readonly autoBootstrapAfterMs: number | null;
  readonly settings: ConsensusSettings;
  /** For tests only: switches guards off. Production leaves it out. */
  readonly guards?: Guards;
}

/** The newest cluster state this node accepted: all of it that election and publication look at. */
export interface Accepted {
  readonly term: number;
  readonly version: number;
  readonly stateUuid: string;
  /** Digest of the whole state, as text. */
  readonly digest: string;
  /** Ids of the nodes in that state. */
  readonly nodes: readonly string[];
  readonly acceptedConfig: readonly string[];
  readonly committedConfig: readonly string[];
  /** Node ids excluded from voting. */
  readonly exclusions: readonly string[];
  readonly clusterUuid: string | null;
  readonly clusterUuidCommitted: boolean;
}

/** What the state log gives back at start. */
export interface DurableState {
  readonly term: number;
  readonly accepted: Accepted;
}

/** The durable state of a node that has never been part of a cluster. */
export const EMPTY_DURABLE_STATE: DurableState = Object.freeze({
  term: 0,
  accepted: Object.freeze({
    term: 0,
    version: 0,
    stateUuid: '_na_',
    digest: '0',
    nodes: [],
    acceptedConfig: [],
    committedConfig: [],
    exclusions: [],
    clusterUuid: null,
    clusterUuidCommitted: false,
  }),
});
