export { aggregationKinds } from './admin/aggregation-kinds.js';
export { analyzeBody } from './admin/analyze.js';
export { checkAliasFilter } from './admin/alias-filter.js';
export type { BroadcastAnswer } from './admin/broadcast.js';
export type {
  ActiveShardCount,
  Refresh,
  VersionType,
  WriteAnswer,
  WriteOp,
  WriteOperation,
  WriteOptions,
} from './bulk/write-request.js';
export type { ByQueryKind, ByQueryRequest, ReindexTarget } from './by-query/by-query-request.js';
export { type ByQueryParameters, parseByQuery, parseReindex } from './by-query/parse-by-query.js';
export type { RemoteAnswer, RemoteHttp, RemoteRequest } from './by-query/remote-http.js';
export type { ByQueryRun } from './by-query/run-by-query.js';
export type { CoordinatorMemory } from './context.js';
export { createCoordinator } from './coordinator.js';
export type { CallContext, JsonAnswer } from './call.js';
export type { Coordinator } from './coordinator-api.js';
export { type DocumentToWrite, OwnCalls } from './own-calls.js';
export { withPosition } from './error-position.js';
export type { GetDocumentRequest, SourceSelection } from './get/get-request.js';
export type { InFlightBytes } from './in-flight-bytes.js';
export type { IndexExpression } from './index-expression.js';
export type { NodeRank } from './search/targets/copy-ranks.js';
export type { SearchRequest } from './search/parse/search-request.js';
export { type AnalysedBlob, type AnalysisSum, readAnalysedBlobs } from './snapshots/analyze-repository.js';
export { FEATURES, featureIndices, wantedFeatures } from './snapshots/features.js';
export type { ShardFiles, SnapshotIndex, SnapshotInfo, SnapshotStream } from './snapshots/snapshot-info.js';
export { createMasterSnapshots, snapshotCalls, type SnapshotService } from './snapshots/master-snapshots.js';
export {
  type NodeSettingTexts,
  registeredPlace,
  repositories,
  type Repository,
  repositoryPlace,
} from './snapshots/repository-place.js';
export { isS3Path, readS3Path, s3Folder, type S3Place } from './snapshots/s3-place.js';
export { probeRepository, type RepositoryProbe } from './snapshots/probe-repository.js';
export { mountedIndex, mountSettings } from './snapshots/mount-settings.js';
export type { RepositoryPlace, RestoredIndex, RestoredState } from './snapshots/snapshot-requests.js';
export { Snapshots } from './snapshots/snapshots.js';
export {
  createTaskRegistry,
  type FinishedTask,
  NO_HEADERS,
  type TaskInfo,
  type TaskRegistry,
} from './tasks/task-registry.js';
export type { TermVectorsRequest } from './admin/admin-requests.js';
export { parseTermFilter } from './admin/term-filter.js';
export { checkExecuteBytes, parseExecuteRequest } from './scripts/execute-request.js';
export { parseTemplateRequest } from './search/templates/template-request.js';
export { parseSearchType } from './search/parse/search-type.js';
export { parseVersionType } from './bulk/action-line.js';
export { inspectUpdate } from './bulk/update-body.js';
export { validationError } from './bulk/validate-operation.js';
export {
  type CancelCall,
  type CancelReport,
  type RethrottleCall,
  type RethrottleReport,
  taskCalls,
  type TaskFilter,
  type TaskReport,
} from './tasks/task-calls.js';
export { READ_QUARANTINE } from './quarantine/quarantine-access.js';
export type { NodeQuarantineStats } from './quarantine/quarantine-calls.js';
export type { QuarantineSize } from './quarantine/find-entries.js';
export type { NodeEnrichStats } from './enrich/enrich-calls.js';
export { type EnrichPolicy, policyJson } from './enrich/enrich-policy.js';
export { ASYNC_SEARCH_CALL } from './async-search/async-search-calls.js';
export type { RestoreOutcome } from './snapshots/snapshots.js';
export { plainWrite } from './bulk/plain-write.js';
export { plainGet } from './get/plain-get.js';
export { makeInTurns, takeTurns } from './turns.js';
