export { placeholderOf } from './bootstrap.js';
export {
  type Accepted,
  DEFAULT_KERNEL_SETTINGS,
  type DurableState,
  EMPTY_DURABLE_STATE,
  type KernelConfig,
  type KernelSettings,
} from './config.js';
export type { FailureReason, KernelEffect, Mode, NodeFailure, PersistRecord } from './effect.js';
export type { KernelEvent, PeerLoss, Proposal } from './event.js';
export { ALL_GUARDS, type Guards } from './guards.js';
export { createKernel, type Kernel, restore, snapshot } from './kernel.js';
export type {
  Ailment,
  ApplyAck,
  Commit,
  FollowerCheck,
  FollowerCheckAnswer,
  Join,
  JoinRefused,
  JoinRequest,
  KernelMessage,
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
export { simulateKernel, type SimulationResult } from './simulation/simulate.js';
