import { addBlock } from './add-block.js';
import { autoCreateIndex } from './auto-create-index.js';
import { awaitApplied } from './await-applied.js';
import { clusterSettings } from './cluster-settings-task.js';
import { createIndex } from './create-index.js';
import { createDataStream, deleteDataStream } from './data-stream-tasks.js';
import { deleteIndex } from './delete-index.js';
import { closeIndex, openIndex } from './open-close-index.js';
import { diskUsage } from './disk-usage.js';
import { explainAllocation } from './explain-allocation.js';
import { healthEvents } from './health-events.js';
import { elected, nodeDraining, nodeJoin, nodeLeft } from './node-tasks.js';
import { deleteNodeShutdown, putNodeShutdown } from './node-shutdown-tasks.js';
import { dynamicMapping, putMapping } from './put-mapping.js';
import { recoverState } from './recover-state.js';
import { reroute } from './reroute.js';
import { resize } from './resize.js';
import { restoreIndex } from './restore-index.js';
import { rollover } from './rollover.js';
import { deleteEntries, mergeEntry, putEntry } from './section-tasks.js';
import { shardStores } from './shard-stores.js';
import { shardFailed, shardStarted, yieldPrimaryTask } from './shard-tasks.js';
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
  awaitApplied,
  clearVotingExclusions,
  closeIndex,
  clusterSettings,
  createDataStream,
  createIndex,
  deleteComponentTemplate,
  deleteDataStream,
  deleteEntries,
  deleteIndex,
  deleteIndexTemplate,
  deleteLegacyTemplate,
  deleteNodeShutdown,
  diskUsage,
  dynamicMapping,
  elected,
  explainAllocation,
  ...healthEvents,
  mergeEntry,
  nodeDraining,
  nodeJoin,
  nodeLeft,
  openIndex,
  putComponentTemplate,
  putEntry,
  putIndexTemplate,
  putLegacyTemplate,
  putMapping,
  putNodeShutdown,
  recoverState,
  reroute,
  resize,
  restoreIndex,
  rollover,
  shardFailed,
  shardStarted,
  shardStores,
  updateAliases,
  updateSettings,
  yieldPrimaryTask,
];

/** All tasks that a node may request from the master, by name. */
export const TASKS: ReadonlyMap<string, Task> = new Map(ALL.map((task) => [task.name, task]));
