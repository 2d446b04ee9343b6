export type { AggregationTree } from './aggregation-type.js';
export { aggregationTypes, pipelineTypes } from './catalogue.js';
export { createShardCollector } from './collect/shard-collector.js';
export type { AggregationProfile } from './collect/aggregation-profile.js';
export type { CollectContext, LeafCollector, ShardCollector } from './collector.js';
export { checkBodyInOrder, parseSearchBody, type Search } from './parse/parse-search.js';
export { AGGREGATION_DEPTH_MAX, parseAggregations } from './parse/parse-tree.js';
export { type ReduceOptions, reduceInSteps } from './reduce/reduce.js';
