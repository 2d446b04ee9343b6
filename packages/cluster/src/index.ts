export type * from './state.js';
export type { AllocationContext, DiskUsage, ShardStoreInfo } from './allocation/context.js';
export { isActive, isDataNode, isRelocationTarget } from './allocation/copies.js';
export { nextDelayedRerouteAt } from './allocation/delays.js';
export { type Draining, drainingNode, type NodeShutdown, nodeShutdowns } from './allocation/deciders/node-shutdown.js';
export { requiredFreeBytes, watermark } from './allocation/watermarks.js';
export { indexFiltersAllow } from './allocation/deciders/filter.js';
export { reroute } from './allocation/reroute.js';
export { backingIndexName, dataStream, type DataStream, dataStreamOf, dataStreams } from './data-streams.js';
export {
  atLeast,
  clusterHealth,
  type ClusterHealth,
  type HealthStatus,
  indexHealth,
  type IndexHealth,
  type ShardHealth,
} from './health/cluster-health.js';
export {
  conditionsMet,
  parseActiveShards,
  parseNodeCount,
  parseStatus,
  type WaitConditions,
} from './health/wait-conditions.js';
export { aliasesToJson, aliasToJson, parseAlias, parseAliases } from './metadata/alias-definition.js';
export { type BlockLevel, checkClusterBlocks, checkIndexBlocks, indexBlock } from './metadata/index-blocks.js';
export { createIndexMappings, type IndexMappings } from './metadata/index-mappings.js';
export { type Tombstone, tombstones } from './metadata/remove-indices.js';
export { resolveDateMath } from './names/date-math-name.js';
export { invalidIndexName, validateAliasName, validateIndexName } from './names/index-name.js';
export { matchesAny, matchesWildcard, selectNames } from './names/wildcards.js';
export { own } from './own.js';
export { aliasIndex, aliasIsHidden } from './resolve/alias-index.js';
export {
  EVERYTHING,
  type IndicesOptions,
  OPEN_AND_CLOSED,
  OPEN_BY_WILDCARD,
  OPEN_ONLY,
  withExpandWildcards,
} from './resolve/indices-options.js';
export { allowsIndex, allowsName, grantedNames, requireName } from './resolve/allows-name.js';
export { type IndexAccess, UNRESTRICTED } from './resolve/index-access.js';
export { indexClosed, isAllIndices, noSuchIndex, resolveIndices } from './resolve/resolve-indices.js';
export {
  resolveReadTarget,
  resolveWriteTarget,
  writeIndexOf,
  writeRouting,
  type WriteTarget,
} from './resolve/resolve-write-target.js';
export { visibleFields, visibleMapping } from './resolve/visible-mapping.js';
export { type SearchTarget, searchTargets } from './resolve/search-targets.js';
export {
  chooseCopies,
  type CopyChoice,
  orderCopies,
  parsePreference,
  type Preference,
} from './routing/choose-copies.js';
export { routeDocument, shardsOfRouting } from './routing/route-document.js';
export { type SearchShard, searchShards, type SearchShardsOptions } from './routing/search-shards.js';
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
export { addressRuleProblem, addressRulesOf } from './settings/address-rules.js';
export { AUDIT_EVENT_TYPES, AUDIT_FILTERS } from './settings/audit-settings.js';
export { CLUSTER_SETTINGS, clusterDefaults, isClusterSetting } from './settings/cluster-settings.js';
export { clusterSetting } from './settings/effective-settings.js';
export {
  flattenIndexSettings,
  flattenSettings,
  type FlatSettings,
  nestedSettings,
  sortSettings,
} from './settings/flat-settings.js';
export { INDEX_SETTINGS, indexSetting, isTrue } from './settings/index-settings.js';
export { indexDefaults } from './settings/validate-index-settings.js';
export { applyDiff, diffState, type StateDiff } from './state-diff.js';
export { stateDigest } from './state-digest.js';
export { emptyState, entry, indexByName, nameIndex, section } from './state-edit.js';
export { stateFromJson, stateToJson } from './state-json.js';
export type { StateLog, StateLogRecord } from './state-log.js';
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
export { newUuid } from './uuid.js';
