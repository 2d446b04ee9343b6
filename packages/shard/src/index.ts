export type { Compression } from './calls/compression.js';
export type { ShardCallHandler } from './calls/catalogue.js';
export type { ExportedDocument } from './calls/export-documents.js';
export { importDocuments } from './calls/import-documents.js';
export { type MountedSnapshot, type MountOptions, mountSnapshot, placeMounted } from './calls/mount.js';
export { completeRestore, hasFiles, placeFiles, type PlaceFilesOptions, type RestoreSource } from './calls/restore.js';
export type { ShardSnapshot } from './calls/snapshot.js';
export { createCacheBudgets } from './engine/cache-budget.js';
export { runMergeTask } from './merge/run-merge-task.js';
export { openShard } from './open-shard.js';
export { restrictLease } from './read/restrict-lease.js';
export { answerAtRest, type ShardAtRest } from './stats/at-rest.js';
export type {
  AskedSearch,
  ForceMergeRequest,
  MappingMaster,
  MergeInput,
  MergeResult,
  MergeRunner,
  MergeTask,
  OpenShardOptions,
  OtherHandles,
  PinnedCommit,
  SearcherLease,
  SearchPhase,
  TotalHits,
  SegmentInfo,
  Shard,
  ShardLeases,
  ShardLog,
  ShardStats,
  WriteGate,
} from './shard-api.js';
export type { ShardMetadata } from './shard-metadata.js';
export { canMatchShard, type CanMatchAnswer } from './search/can-match.js';
export { executeFetchPhase, fetchDocuments, type FetchTarget } from './search/fetch-phase.js';
export { executeCachedQueryPhase as executeQueryPhase, type QueryRunner } from './search/request-cache.js';
export { executeQueryPhase as executeHere } from './search/query-phase.js';
export type { SealedView, ViewAnswer, ViewSearch } from './views/sealed-view.js';
export { ViewRoom, type ViewRoomOptions } from './views/view-room.js';
export {
  createSearchSources,
  type LocalSearchMessage,
  type SearchSource,
  type SearchSources,
  sourceOf,
} from './search/search-source.js';
