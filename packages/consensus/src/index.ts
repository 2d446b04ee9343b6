export { placeholderOf } from './bootstrap.js';
export {
  type AcceptedState,
  DEFAULT_CONSENSUS_SETTINGS,
  type DurableState,
  EMPTY_DURABLE_STATE,
  type ConsensusConfig,
  type ConsensusSettings,
} from './config.js';
export type { FailureReason, ConsensusEffect, Mode, NodeFailure, PersistRecord } from './effect.js';
export type { ConsensusEvent, PeerLoss, Proposal } from './event.js';
export { ALL_GUARDS, type Guards } from './guards.js';
export { createConsensus, type Consensus, restore, snapshot } from './consensus-state.js';
export type {
  Ailment,
  ApplyAck,
  Commit,
  FollowerCheck,
  FollowerCheckAnswer,
  Join,
  JoinRefused,
  JoinRequest,
  ConsensusMessage,
  LeaderCheck,
  LeaderCheckAnswer,
  NeedFull,
  PeerNode,
  PeersAnswer,
  PeersRequest,
  PreVote,
  PreVoteAnswer,
  Publish,
  PublishOk,
  StartJoin,
} from './message.js';
export { isQuorum, sameConfig } from './quorum.js';
export { EXCLUSIONS_MAX, reconfigure, type ReconfigurationInput } from './reconfigure.js';
export { step } from './step.js';
export type { SimulationOptions } from './simulation/cluster.js';
export { simulateConsensus, type SimulationResult } from './simulation/simulate.js';
