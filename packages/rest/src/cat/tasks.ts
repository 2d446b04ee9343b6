import { listTasks, type ListedTask } from '../api/tasks.js';
import type { RestRequest, Route } from '../routing/route.js';
import type { Services } from '../services.js';
import { millis } from './cell.js';
import { catRoutes, type Column, column } from './table.js';
import { timeOfDay } from './timestamps.js';

const columns: readonly Column<ListedTask>[] = [
  column('id', '', 'id of the task with the node', '', ({ task }) => task.id),
  column('action', 'ac', 'task action', 'default', ({ task }) => task.action),
  column('task_id', 'ti', 'unique task id', 'default', ({ node, task }) => `${node.id}:${task.id}`),
  column('parent_task_id', 'pti', 'parent task id', 'default', ({ task }) => task.parentTaskId ?? '-'),
  column('type', 'ty', 'task type', 'default', ({ task }) => task.type),
  column('start_time', 'start', 'start time in ms', 'default', ({ task }) => task.startedAtMs),
  column('timestamp', 'ts,hms,hhmmss', 'start time in HH:MM:SS', 'default', ({ task }) => timeOfDay(task.startedAtMs)),
  column('running_time_ns', 'time', 'running time ns', '', ({ task }) => task.runningNanos),
  column('running_time', 'time', 'running time', 'default', ({ task }) => millis(task.runningNanos / 1e6)),
  column('node_id', 'ni', 'unique node id', '', ({ node }) => node.id),
  column('ip', 'i', 'ip address', 'default', ({ node }) => node.ip),
  column('port', 'po', 'bound transport port', '', ({ node }) =>
    node.transportAddress.slice(node.transportAddress.lastIndexOf(':') + 1),
  ),
  column('node', 'n', 'node name', 'default', ({ node }) => node.name),
  column('version', 'v', 'es version', '', ({ node }) => node.version),
  column('x_opaque_id', 'x', 'X-Opaque-ID header', '', ({ task }) => task.headers['X-Opaque-Id'] ?? '-'),
];

const description: Column<ListedTask> = column(
  'description',
  'desc',
  'task action',
  'default',
  ({ task }) => task.description,
);

const TASKS = ['actions', 'detailed', 'nodes', 'parent_task_id', 'timeout', 'wait_for_completion'];

const base = {
  name: 'tasks',
  paths: ['/_cat/tasks'],
  refuses: ['local', 'master_timeout'] as const,
  privilege: 'cluster:monitor/tasks/lists',
  parameters: TASKS,
  rows: async (request: RestRequest, services: Services) => (await listTasks(request, services)).tasks,
};
const [plain] = catRoutes<ListedTask>({ ...base, columns });
const [detailed] = catRoutes<ListedTask>({ ...base, columns: [...columns, description] });

/** Routes of `_cat/tasks`; `detailed` adds a column. */
export const routes: readonly Route<Services>[] = [
  {
    ...plain!,
    handle: (request, services) =>
      (request.params.boolean('detailed', false) ? detailed! : plain!).handle(request, services),
  },
];
