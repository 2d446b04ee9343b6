export type { CollectContext, LeafCollector, ShardCollector } from './collector.js';
