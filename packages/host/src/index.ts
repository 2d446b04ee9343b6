export { createShardRoom, type ShardRoom, type ShardRoomOptions } from './shard-room.js';
export { createShardRouter } from './shard-router.js';
export { placeShard } from './place-shard.js';
