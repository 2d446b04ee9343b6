export type { IndexContext } from './index-contexts.js';
export { placeShard } from './place-shard.js';
export { ShardRoom, type ShardRoomOptions } from './shard-room.js';
export { createShardRouter } from './shard-router.js';
export { type NodeLink, nodeTarget } from './node-channel.js';
export { type ViewLimits, ViewSearches, type ViewThread } from './view-searches.js';
export { createProgress } from './progress.js';
export { RequestBreaker } from './request-breaker.js';
