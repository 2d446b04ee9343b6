export * as master from './generated/master.js';
export * as shard from './generated/shard.js';
export * as transport from './generated/transport.js';
export type { SearchOptions } from './search-options.js';
