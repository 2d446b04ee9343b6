export type { ShardCallHandler } from './calls/catalogue.js';
export { runMergeTask } from './merge/run-merge-task.js';
export { openShard } from './open-shard.js';
export type {
  ForceMergeRequest,
  MappingMaster,
  MergeInput,
  MergeResult,
  MergeRunner,
  MergeTask,
  OpenShardOptions,
  SearcherLease,
  SearchPhase,
  SegmentInfo,
  Shard,
  ShardMetadata,
  ShardStats,
} from './shard-api.js';
export { executeFetchPhase, fetchDocuments, type FetchTarget } from './search/fetch-phase.js';
export { executeQueryPhase } from './search/query-phase.js';
