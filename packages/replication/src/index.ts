export { type AssignedCopy, type CopyGroup, Primary, type PrimaryOptions, type ShardFailed } from './primary.js';
export type { RecoveryProgress } from './recovery-progress.js';
export { Replica, type ReplicaShard } from './replica.js';
export type { CopyOptions } from './copy/copy-options.js';
export type { CopyView } from './copy/copy-view.js';
export { ShardCopy } from './copy/driver.js';
