import { errors } from '@shoal/errors';
import {
  type ClusterState,
  operationMode,
  ownPersistentTask,
  type PersistentTask,
  persistentTasks,
} from '@shoal/state';
import { withEntry, withoutKeys, withSection } from '../metadata/edit-state.js';
import { ACKNOWLEDGED, defineTask } from './task.js';
import { bestNode, explainNoNode } from './task-node.js';

const SECTION = 'persistentTasks';

/** Body of `startPersistentTask`. */
export interface StartPersistentTaskBody {
  readonly id: string;
  readonly type: string;
  readonly role: string;
  readonly params: PersistentTask['params'];
}

/** Body of `updatePersistentTask`: a report of the node that does the task. */
export interface UpdatePersistentTaskBody {
  readonly id: string;
  readonly allocationId: number;
  readonly status: PersistentTask['status'];
}

/** Body of `removePersistentTask`. */
export interface RemovePersistentTaskBody {
  readonly id: string;
  /** Set by the node that has completed the task: a later assignment is not removed. */
  readonly allocationId?: number;
  /**
   * Parameters that another task gets in the same state, if it is there. Example: a datafeed that has ended has its job
   * closed; a node that died between both would leave the job open for ever.
   */
  readonly merged?: MergePersistentTaskParamsBody;
}

function loadsOf(tasks: readonly PersistentTask[]): Map<string, number> {
  const loads = new Map<string, number>();
  for (const { node } of tasks) if (node !== null) loads.set(node, (loads.get(node) ?? 0) + 1);
  return loads;
}

/** Explanation of a task that no node does while its service is held; 8.12's words. */
const HELD = 'persistent task cannot be assigned while upgrade mode is enabled.';

/** Whether no node may do tasks of a role: machine learning is held while its indices are changed from outside. */
const isHeld = (state: ClusterState, role: string): boolean =>
  role === 'ml' && operationMode(state, 'ml') !== 'RUNNING';

/**
 * Takes the tasks of held services from their nodes. They keep what they have reported: a job that was open counts as
 * open, and goes on once the service does.
 */
function releaseHeld(state: ClusterState): ClusterState {
  if (operationMode(state, 'ml') === 'RUNNING') return state;
  const tasks = persistentTasks(state);
  const held = Object.entries(tasks).filter(
    ([, task]) => isHeld(state, task.role) && (task.node !== null || task.explanation !== HELD),
  );
  if (held.length === 0) return state;
  const released = held.map(([id, task]) => [id, { ...task, node: null, explanation: HELD }] as const);
  return withSection(state, SECTION, { ...tasks, ...Object.fromEntries(released) });
}

/**
 * Returns the state with each persistent task on a node that is there. A task whose node has left gets another one in
 * the publication that removes the node. A node that drains keeps the tasks that it does.
 */
export function assignPersistentTasks(given: ClusterState): ClusterState {
  const state = releaseHeld(given);
  const tasks = persistentTasks(state);
  const homeless = Object.keys(tasks).filter(
    (id) => !state.nodes.has(tasks[id]!.node ?? '') && !isHeld(state, tasks[id]!.role),
  );
  if (homeless.length === 0) return state;
  const loads = loadsOf(Object.values(tasks).filter(({ node }) => node !== null && state.nodes.has(node)));
  const assigned: Record<string, PersistentTask> = {};
  for (const id of homeless) {
    const task = tasks[id]!;
    const node = bestNode(state, task, loads);
    const explanation = node === null ? explainNoNode(state, task) : '';
    if (node === null && task.node === null) {
      if (task.explanation !== explanation) assigned[id] = { ...task, explanation };
      continue;
    }
    if (node !== null) loads.set(node, (loads.get(node) ?? 0) + 1);
    assigned[id] = {
      ...task,
      node,
      // Versions only rise: a task that is stopped and started again begins above the allocations that it had.
      allocationId: Math.max(task.allocationId, state.version) + 1,
      explanation,
      // What has failed stays so until somebody stops it: on another node it would fail again.
      status: task.status?.['state'] === 'failed' ? task.status : null,
    };
  }
  return Object.keys(assigned).length === 0 ? state : withSection(state, SECTION, { ...tasks, ...assigned });
}

/** Starts a task. Throws resource_already_exists_exception for an id that a task has. */
export const startPersistentTask = defineTask<StartPersistentTaskBody>({
  name: 'start-persistent-task',
  priority: 'NORMAL',
  source: ({ id }) => `start persistent task [${id}]`,
  apply(state, { id, type, role, params }) {
    if (ownPersistentTask(state, id) !== null) throw errors.resourceAlreadyExists(`task with id {${id}} already exist`);
    const task: PersistentTask = {
      type,
      role,
      params,
      allocationId: 0,
      node: null,
      explanation: '',
      status: null,
    };
    return { state: withEntry(state, SECTION, id, task), answer: ACKNOWLEDGED };
  },
});

/** Records what the node of a task reports. Throws resource_not_found_exception for a node that no longer does it. */
export const updatePersistentTask = defineTask<UpdatePersistentTaskBody>({
  name: 'update-persistent-task',
  priority: 'NORMAL',
  source: ({ id }) => `update persistent task [${id}]`,
  apply(state, { id, allocationId, status }) {
    const task = ownPersistentTask(state, id);
    if (task?.allocationId !== allocationId)
      throw errors.resourceNotFound(`the task with id [${id}] and allocation id [${allocationId}] doesn't exist`);
    return { state: withEntry(state, SECTION, id, { ...task, status }), answer: ACKNOWLEDGED };
  },
});

/** Body of `mergePersistentTaskParams`. */
export interface MergePersistentTaskParamsBody {
  readonly id: string;
  readonly params: PersistentTask['params'];
}

/** Changes the parameters of a task; the node that does it goes on. Throws resource_not_found_exception. */
export const mergePersistentTaskParams = defineTask<MergePersistentTaskParamsBody>({
  name: 'merge-persistent-task-params',
  priority: 'NORMAL',
  source: ({ id }) => `update parameters of persistent task [${id}]`,
  apply(state, body) {
    if (ownPersistentTask(state, body.id) === null)
      throw errors.resourceNotFound(`the task with id [${body.id}] doesn't exist`);
    return { state: withParams(state, body), answer: ACKNOWLEDGED };
  },
});

/** A state whose task, which is there, has further parameters. */
function withParams(state: ClusterState, { id, params }: MergePersistentTaskParamsBody): ClusterState {
  const task = ownPersistentTask(state, id)!;
  return withEntry(state, SECTION, id, { ...task, params: { ...task.params, ...params } });
}

/** Ends a task: it was stopped, or its node has completed it. Nothing happens if it is gone already. */
export const removePersistentTask = defineTask<RemovePersistentTaskBody>({
  name: 'remove-persistent-task',
  priority: 'NORMAL',
  source: ({ id }) => `remove persistent task [${id}]`,
  apply(state, { id, allocationId, merged }) {
    const task = ownPersistentTask(state, id);
    if (task === null || (allocationId !== undefined && task.allocationId !== allocationId))
      return { state, answer: ACKNOWLEDGED };
    const others = withSection(state, SECTION, withoutKeys(persistentTasks(state), new Set([id])));
    const isThere = merged !== undefined && ownPersistentTask(others, merged.id) !== null;
    return { state: isThere ? withParams(others, merged) : others, answer: ACKNOWLEDGED };
  },
});

/** Body of `setMlUpgradeMode`. */
export interface MlUpgradeModeBody {
  readonly enabled: boolean;
}

/** Holds machine learning, or lets it go on: `assignPersistentTasks` takes its tasks from nodes, or gives them. */
export const setMlUpgradeMode = defineTask<MlUpgradeModeBody>({
  name: 'set-ml-upgrade-mode',
  priority: 'IMMEDIATE',
  source: ({ enabled }) => `ml-set-upgrade-mode[${enabled}]`,
  apply(state, { enabled }) {
    const mode = enabled ? 'STOPPED' : 'RUNNING';
    if (operationMode(state, 'ml') === mode) return { state, answer: ACKNOWLEDGED };
    return { state: withEntry(state, 'operationModes', 'ml', { service: 'ml', mode }), answer: ACKNOWLEDGED };
  },
});
