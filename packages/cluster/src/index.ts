export { drainingNode, type NodeShutdown, nodeShutdowns } from './allocation/deciders/node-shutdown.js';
export { requiredFreeBytes, watermark } from './allocation/watermarks.js';
export { previewIndex } from './metadata/preview-index.js';
export {
  meetsConditions,
  checkRolloverMaximum,
  parseRolloverConditions,
  type RolloverCondition,
  type RolloverFacts,
  rolloverFacts,
  type SizedShard,
} from './metadata/rollover-conditions.js';
export { createIndexMappings, type IndexMappings, sharedMappings } from './metadata/index-mappings.js';
export { tombstones } from './metadata/remove-indices.js';
export { AppliedCluster, type CoordinationAccess } from './coordination/applied-cluster.js';
export type { ControlPeer, ControlPeers, ControlPeersListener } from './coordination/control-peers.js';
export { CoordinationNode, type NodeHealth, type StateFollower } from './coordination/coordination-node.js';
export type { CoordinationStatistics } from './coordination/coordination-statistics.js';
export { LeaderDuties } from './coordination/leader-duties.js';
export { createLocalCluster } from './coordination/local-cluster.js';
export type { ClusterService, PendingTask, StateApplier } from './service.js';
export { healthEventsTask } from './tasks/health-events.js';
export { checkAutoCreate } from './tasks/auto-create-index.js';
export { parseCreateIndex } from './tasks/create-index.js';
export { parseRerouteCommand } from './tasks/reroute-commands/parse-command.js';
export { tierMigration, type TierMigration } from './tasks/migrate-to-data-tiers.js';
export type { DataStreamAction } from './tasks/modify-data-streams.js';
export { type LifecycleMove, templatesOfPolicy } from './tasks/lifecycle-tasks.js';
export { planRollover, type RolloverPlan } from './tasks/rollover.js';
export { sectionForSnapshot, snapshotSections } from './tasks/restore-global-state.js';
export type { SecuritySection } from './tasks/section-tasks.js';
export type { Priority, TaskContext } from './tasks/task.js';
export type { AliasAction } from './tasks/update-aliases.js';
export { type VotingExclusion, votingExclusions } from './tasks/voting-exclusions.js';
export { componentTemplates, compositionFor, indexTemplates, legacyTemplates } from './templates/compose.js';
export { parseStreamLifecycle } from './templates/stream-lifecycle.js';
export { simulateIndex, simulateTemplate } from './templates/simulate.js';
export {
  type ComponentTemplate,
  componentTemplateToJson,
  indexTemplateToJson,
  legacyTemplateToJson,
  parseComponentTemplate,
  parseIndexTemplate,
  readLegacyTemplate,
} from './templates/template.js';
export type { TaskAnswers, TaskBodies } from './tasks/task-bodies.js';
export { extendedWindows, seriesPollMs } from './tasks/extend-series-windows.js';
export { downsampleStatus, GAUGE_METRICS } from './tasks/downsample-tasks.js';
export type { DownsamplingRound } from './templates/stream-lifecycle.js';
