export { describeNode, nodeJson } from './describe-node.js';
export { emptyState, sectionEntry, nameIndex, section } from './edit.js';
export { changedKeys, derivedOf, editMap } from './edited-map.js';
export { applyDiff, diffState, type StateDiff } from './encoding/diff.js';
export { stateDigest } from './encoding/digest.js';
export { stateFromJson, stateToJson } from './encoding/json.js';
export { clusterHealth, type ClusterHealth, type HealthStatus, indexHealth } from './health/cluster-health.js';
export { aliasesToJson, aliasToJson, parseAlias, parseAliases, validateNewAlias } from './indices/alias-definition.js';
export { dataStream, type DataStream, dataStreamOf, dataStreams } from './indices/data-streams.js';
export {
  indicesOfPolicy,
  isEnabled,
  lifecyclePolicies,
  managedBy,
  operationMode,
  type OperationMode,
  policyNameOf,
} from './indices/index-lifecycle.js';
export type {
  LifecycleExecution,
  LifecyclePhase,
  LifecyclePolicy,
  PhaseDefinition,
  StepKey,
  StoredPolicy,
} from './indices/lifecycle-execution.js';
export { checkClusterBlocks, checkIndexBlocks, indexBlock } from './indices/index-blocks.js';
export { resolveDateMath } from './names/date-math-name.js';
export { invalidIndexName, validateAliasName, validateIndexName } from './names/index-name.js';
export { ownPersistentTask, type PersistentTask, persistentTasks } from './persistent-tasks.js';
export { aliasIndex } from './resolve/alias-index.js';
export { allowsIndex, grantedNames, requireName } from './resolve/allows-name.js';
export { type IndexAccess, UNRESTRICTED } from './resolve/index-access.js';
export {
  EVERYTHING,
  type IndicesOptions,
  OPEN_AND_CLOSED,
  OPEN_BY_WILDCARD,
  OPEN_ONLY,
  withExpandWildcards,
} from './resolve/indices-options.js';
export {
  checkPatterns,
  indexClosed,
  isAllIndices,
  noSuchIndex,
  resolveIndices,
  resolveNames,
} from './resolve/resolve-indices.js';
export { resolveWriteTarget, writeIndexOf, type WriteTarget } from './resolve/resolve-write-target.js';
export { requestedAliases, type SearchTarget, searchTargets } from './resolve/search-targets.js';
export { visibleFields, visibleMapping } from './resolve/visible-mapping.js';
export { isTimeSeries, refuseRouting } from './routing/time-series-routing.js';
export { timeWindow, type TimeWindow, windowText } from './routing/time-window.js';
export { routeDocument, shardsOfRouting } from './routing/route-document.js';
export { addressRuleProblem, addressRulesOf } from './settings/address-rules.js';
export { AUDIT_EVENT_TYPES, AUDIT_FILTERS } from './settings/audit-settings.js';
export { clusterDefaults, isClusterSetting, validateClusterSetting } from './settings/cluster-settings.js';
export { clusterSetting } from './settings/effective-settings.js';
export { type FlatSettings, flattenIndexSettings, flattenSettings, nestedSettings } from './settings/flat-settings.js';
export {
  isMounted,
  isPartiallyMounted,
  MOUNTED,
  repositoryInUse,
  snapshotInUse,
} from './settings/mounted-index.js';
export { indexSetting, isTrue } from './settings/index-settings.js';
export { indexDefaults, indexSettingProperty, validateIndexSettings } from './settings/validate-index-settings.js';
export { isActive, isDataNode, isRelocationTarget } from './shards/copies.js';
export type {
  AliasMetadata,
  ClusterBlock,
  ClusterState,
  IndexMetadata,
  NodeInfo,
  SettingValue,
  ShardRouting,
  UnassignedInfo,
} from './state.js';
export { parseActiveShards } from './shards/active-shards.js';
