import type { Guards } from './guards.js';

/** Intervals and limits of election, publication and fault detection; times in milliseconds. */
export interface ConsensusSettings {
  /** Upper bound of the first election delay (`cluster.election.initial_timeout`). */
  readonly electionInitialTimeoutMs: number;
  /** Added to the upper bound for each failed attempt (`cluster.election.back_off_time`). */
  readonly electionBackOffTimeMs: number;
  /** Largest election delay (`cluster.election.max_timeout`). */
  readonly electionMaxTimeoutMs: number;
  /** How long an attempt may take before the next one (`cluster.election.duration`). */
  readonly electionDurationMs: number;
  /** Delay for each rank in the first attempt after the leader was lost. */
  readonly electionRankDelayMs: number;
  /** Upper bound of the random part of that delay. */
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
  /** If the persist thread or a data thread stalls for this long, the node answers checks with an ailment. */
  readonly stallLimitMs: number;
  /** Nodes that fail within this time are removed by one proposal. */
  readonly removalBatchMs: number;
  /** `cluster.publish.timeout`: if a publication has no quorum after this time, the leader steps down. */
  readonly publishTimeoutMs: number;
  /**
   * The leader applies a committed state and starts the next publication after all acknowledgements, or after this
   * time.
   */
  readonly ackWaitMs: number;
  /**
   * `cluster.follower_lag.timeout`: a node may take this long, plus the publish timeout, to apply a committed state.
   */
  readonly followerLagTimeoutMs: number;
  /** `discovery.find_peers_interval`. */
  readonly findPeersIntervalMs: number;
  /** `cluster.auto_shrink_voting_configuration`. */
  readonly autoShrinkVotingConfiguration: boolean;
}

/**
 * Defaults of Elasticsearch 8.12, except shorter check timeouts: the control thread does no data work, so it answers
 * sooner.
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

/** Identity of a node and how it was started; fixed while the process runs. */
export interface ConsensusConfig {
  /** Node id, kept over restarts. */
  readonly nodeId: string;
  /** Random id of this process. */
  readonly ephemeralId: string;
  readonly nodeName: string;
  /** Publish address of the control link, `host:port`. */
  readonly address: string;
  /** Whether the node has the master role; voting-only nodes have it too. */
  readonly isVoter: boolean;
  /** Whether the node votes and accepts, but never leads. */
  readonly votingOnly: boolean;
  /** `discovery.type: single-node`. */
  readonly isSingleNode: boolean;
  /** `cluster.initial_master_nodes`: node names (or ids). */
  readonly initialMasterNodes: readonly string[];
  /**
   * If no discovery setting is given: bootstrap from the nodes found on loopback after this time; null if discovery is
   * configured.
   */
  readonly autoBootstrapAfterMs: number | null;
  readonly settings: ConsensusSettings;
  /** For tests only: guards that are switched off. */
  readonly guards?: Guards;
}

/** The newest cluster state that this node accepted, reduced to what election and publication read. */
export interface AcceptedState {
  readonly term: number;
  readonly version: number;
  readonly stateUuid: string;
  /** Digest of the whole state, as text. */
  readonly digest: string;
  /** Ids of the nodes in the state. */
  readonly nodes: readonly string[];
  readonly acceptedConfig: readonly string[];
  readonly committedConfig: readonly string[];
  /** Node ids excluded from voting. */
  readonly exclusions: readonly string[];
  readonly clusterUuid: string | null;
  readonly clusterUuidCommitted: boolean;
}

/** What the state log holds at start. */
export interface DurableState {
  readonly term: number;
  readonly accepted: AcceptedState;
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
