import { addBlock } from './add-block.js';
import { autoCreateIndex } from './auto-create-index.js';
import { awaitApplied } from './await-applied.js';
import { clusterSettings } from './cluster-settings-task.js';
import { createIndex } from './create-index.js';
import { createDataStream, deleteDataStream } from './data-stream-tasks.js';
import { deleteDangling, importDangling } from './dangling-tasks.js';
import { deleteIndex } from './delete-index.js';
import { closeIndex, openIndex } from './open-close-index.js';
import { diskUsage } from './disk-usage.js';
import { deleteEnrichPolicy, putEnrichPolicy } from './enrich-tasks.js';
import { deleteLifecyclePolicy, moveLifecycles, putLifecyclePolicy, setOperationMode } from './lifecycle-tasks.js';
import { explainAllocation } from './explain-allocation.js';
import { healthEvents } from './health-events.js';
import { elected, nodeDraining, nodeJoin, nodeLeft } from './node-tasks.js';
import { modifyDataStreams } from './modify-data-streams.js';
import { deleteNodeShutdown, putNodeShutdown } from './node-shutdown-tasks.js';
import { deletePipelines, putPipeline } from './pipeline-tasks.js';
import {
  mergePersistentTaskParams,
  removePersistentTask,
  setMlUpgradeMode,
  startPersistentTask,
  updatePersistentTask,
} from './persistent-tasks.js';
import { dynamicMapping, putMapping } from './put-mapping.js';
import { recoverState } from './recover-state.js';
import { beginRepositoryChange, endRepositoryChange } from './repository-tasks.js';
import { reroute } from './reroute.js';
import { resize } from './resize.js';
import { restoreDataStreams, restoreGlobalState } from './restore-global-state.js';
import { restoreIndex } from './restore-index.js';
import { createDownsampled, finishDownsampled } from './downsample-tasks.js';
import { extendSeriesWindows } from './extend-series-windows.js';
import { rollover } from './rollover.js';
import { deleteEntries, mergeEntry, putEntry } from './section-tasks.js';
import { shardStores } from './shard-stores.js';
import { shardFailed, shardStarted, yieldPrimaryTask } from './shard-tasks.js';
import { noteSnapshotPolicy, putSnapshotPolicy } from './snapshot-policy-tasks.js';
import { deleteStoredScript, putStoredScript } from './stored-script-tasks.js';
import { migrateToDataTiers } from './migrate-to-data-tiers.js';
import { migrateToDataStream, setStreamLifecycle } from './stream-lifecycle-tasks.js';
import type { Task } from './task.js';
import {
  deleteComponentTemplate,
  deleteIndexTemplate,
  deleteLegacyTemplate,
  putComponentTemplate,
  putIndexTemplate,
  putLegacyTemplate,
} from './template-tasks.js';
import { updateAliases } from './update-aliases.js';
import { updateSettings } from './update-settings.js';
import { addVotingExclusions, clearVotingExclusions } from './voting-exclusions.js';

const ALL: readonly Task[] = [
  addBlock,
  addVotingExclusions,
  autoCreateIndex,
  beginRepositoryChange,
  endRepositoryChange,
  awaitApplied,
  clearVotingExclusions,
  closeIndex,
  clusterSettings,
  createDataStream,
  createIndex,
  deleteComponentTemplate,
  deleteDangling,
  deleteDataStream,
  deleteEnrichPolicy,
  deleteEntries,
  createDownsampled,
  finishDownsampled,
  extendSeriesWindows,
  deleteIndex,
  deleteIndexTemplate,
  deleteLegacyTemplate,
  deleteLifecyclePolicy,
  deleteNodeShutdown,
  deletePipelines,
  deleteStoredScript,
  diskUsage,
  dynamicMapping,
  elected,
  explainAllocation,
  ...healthEvents,
  importDangling,
  mergeEntry,
  mergePersistentTaskParams,
  migrateToDataStream,
  migrateToDataTiers,
  modifyDataStreams,
  moveLifecycles,
  nodeDraining,
  nodeJoin,
  nodeLeft,
  noteSnapshotPolicy,
  openIndex,
  putComponentTemplate,
  putEnrichPolicy,
  putEntry,
  putIndexTemplate,
  putLegacyTemplate,
  putLifecyclePolicy,
  putMapping,
  putStoredScript,
  putNodeShutdown,
  putPipeline,
  putSnapshotPolicy,
  recoverState,
  removePersistentTask,
  reroute,
  resize,
  restoreDataStreams,
  restoreGlobalState,
  restoreIndex,
  rollover,
  setMlUpgradeMode,
  setOperationMode,
  setStreamLifecycle,
  shardFailed,
  shardStarted,
  shardStores,
  startPersistentTask,
  updateAliases,
  updatePersistentTask,
  updateSettings,
  yieldPrimaryTask,
];

/** All tasks that a node may request from the master, by name. */
export const TASKS: ReadonlyMap<string, Task> = new Map(ALL.map((task) => [task.name, task]));
