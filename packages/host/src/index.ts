export type { IndexContext } from './index-contexts.js';
export { placeShard } from './place-shard.js';
export { ShardRoom, type ShardRoomOptions } from './shard-room.js';
export { createShardRouter } from './shard-router.js';
export { type NodeLink, nodeTarget } from './node-channel.js';
