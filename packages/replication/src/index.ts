export { type AssignedCopy, type CopyGroup, Primary, type PrimaryOptions, type ShardFailed } from './primary.js';
export type { RecoveryProgress } from './recovery-progress.js';
export { Replica, type ReplicaShard } from './replica.js';
export { type CopyOptions, type CopyView, ShardCopy } from './shard-copy.js';
