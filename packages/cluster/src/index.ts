export type { AllocationContext, DiskUsage, ShardStoreInfo } from './allocation/context.js';
export { type Draining, drainingNode, type NodeShutdown, nodeShutdowns } from './allocation/deciders/node-shutdown.js';
export { requiredFreeBytes, watermark } from './allocation/watermarks.js';
export { indexFiltersAllow } from './allocation/deciders/filter.js';
export { reroute } from './allocation/reroute.js';
export { createIndexMappings, type IndexMappings } from './metadata/index-mappings.js';
export { type Tombstone, tombstones } from './metadata/remove-indices.js';
export { AppliedCluster, type CoordinationAccess } from './coordination/applied-cluster.js';
export type { ControlPeer, ControlPeers, ControlPeersListener } from './coordination/control-peers.js';
export {
  type CoordinationOptions,
  CoordinationNode,
  type NodeHealth,
  type StateFollower,
} from './coordination/coordination-node.js';
export type { CoordinationStatistics } from './coordination/coordination-statistics.js';
export type { MasterAccess } from './coordination/master-access.js';
export { type DiskReport, LeaderDuties, type StoreList } from './coordination/leader-duties.js';
export { createLocalCluster, type LocalClusterOptions } from './coordination/local-cluster.js';
export type { ClusterService, PendingTask, StateApplier, SubmitOptions } from './service.js';
export type { StateLog, StateLogRecord } from './coordination/state-log.js';
export type { AddBlockBody } from './tasks/add-block.js';
export { checkAutoCreate } from './tasks/auto-create-index.js';
export type { AutoCreateIndexBody } from './tasks/auto-create-index.js';
export type { ClusterSettingsBody } from './tasks/cluster-settings-task.js';
export type { CreateIndexBody } from './tasks/create-index.js';
export type { ExplainAllocationBody } from './tasks/explain-allocation.js';
export type { ElectedBody, NodeDrainingBody, NodeJoinBody, NodeLeftBody, NodeProcess } from './tasks/node-tasks.js';
export type { OpenCloseBody } from './tasks/open-close-index.js';
export type { DynamicMappingBody, PutMappingBody } from './tasks/put-mapping.js';
export { healthEventsTask } from './tasks/health-events.js';
export { parseRerouteCommand } from './tasks/reroute-commands/parse-command.js';
export type { RerouteBody } from './tasks/reroute.js';
export type { RestoreIndexBody } from './tasks/restore-index.js';
export type { ResizeBody } from './tasks/resize.js';
export { planRollover, type RolloverBody, type RolloverPlan } from './tasks/rollover.js';
export type {
  DeleteEntriesBody,
  MergeEntryAnswer,
  MergeEntryBody,
  PutEntryBody,
  SectionName,
  SecuritySection,
} from './tasks/section-tasks.js';
export type { ShardStoresAnswer, ShardStoresBody } from './tasks/shard-stores.js';
export { type BatchEntry, isResult, runBatch, type TaskOutcome } from './tasks/run-batch.js';
export type { ShardFailedBody, ShardStartedBody, YieldPrimaryBody } from './tasks/shard-tasks.js';
export { TASKS } from './tasks/catalogue.js';
export type { Priority, RerouteExtent, Task, TaskContext, TaskResult } from './tasks/task.js';
export type { AliasAction, UpdateAliasesBody } from './tasks/update-aliases.js';
export type { UpdateSettingsBody } from './tasks/update-settings.js';
export { type VotingExclusion, votingExclusions } from './tasks/voting-exclusions.js';
export { componentTemplates, indexTemplates, legacyTemplates } from './templates/compose.js';
export { simulateIndex, simulateTemplate } from './templates/simulate.js';
export {
  type ComponentTemplate,
  componentTemplateToJson,
  type IndexTemplate,
  indexTemplateToJson,
  type LegacyTemplate,
  legacyTemplateToJson,
  parseIndexTemplate,
} from './templates/template.js';
