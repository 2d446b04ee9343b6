export { type AssignedCopy, type CopyGroup, Primary, type PrimaryOptions, type ShardFailed } from './primary.js';
export { Replica, type ReplicaShard } from './replica.js';
