export { aggregationKinds } from './admin/aggregation-kinds.js';
export { checkAliasFilter } from './admin/alias-filter.js';
export type { BroadcastAnswer, CopySelection, NodeAnswer, ShardAnswer, ShardFailure } from './admin/broadcast.js';
export type { BulkRequest } from './bulk/bulk-request.js';
export type {
  ActiveShardCount,
  Refresh,
  VersionType,
  WriteAnswer,
  WriteOp,
  WriteOperation,
  WriteOptions,
  WriteRequest,
} from './bulk/write-request.js';
export type { ClusterAccess } from './cluster-access.js';
export type { CoordinatorLimits, CoordinatorMemory } from './context.js';
export { type CoordinatorOptions, createCoordinator } from './coordinator.js';
export type { CallContext, JsonAnswer } from './call.js';
export type { Coordinator } from './coordinator-api.js';
export { positioned, withPosition } from './error-position.js';
export type { GetDocumentRequest, GetOptions, MultiGetRequest, SourceSelection } from './get/get-request.js';
export type { InFlightBytes } from './in-flight-bytes.js';
export type { IndexExpression } from './index-expression.js';
export type { NodeRank } from './search/targets/copy-ranks.js';
export type { MultiSearchRequest, ScrollRequest, SearchRequest } from './search/parse/search-request.js';
export type { ShardFiles, SnapshotIndex, SnapshotInfo } from './snapshots/snapshot-info.js';
export { createMasterSnapshots, snapshotCalls, type SnapshotService } from './snapshots/master-snapshots.js';
export { probeRepository, type RepositoryProbe } from './snapshots/probe-repository.js';
export { type RestoredIndex, type SnapshotRequest, Snapshots, type SnapshotsContext } from './snapshots/snapshots.js';
export {
  createTaskRegistry,
  type FinishedTask,
  NO_HEADERS,
  type StartedTask,
  type TaskInfo,
  type TaskRegistry,
  type TaskRequest,
} from './tasks/task-registry.js';
export type { ExplainRequest, FieldCapsRequest, TermVectorsRequest, ValidateOptions } from './admin/admin-requests.js';
export { parseSearchType } from './search/parse/search-type.js';
export { parseVersionType } from './bulk/action-line.js';
export { validationError } from './bulk/validate-operation.js';
export {
  type CancelCall,
  cancelTasks,
  type CancelReport,
  taskCalls,
  type TaskFilter,
  type TaskReport,
  taskReport,
  tasksOf,
} from './tasks/task-calls.js';
