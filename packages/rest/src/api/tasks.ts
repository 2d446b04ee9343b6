import type { Json } from '@shoal/json';
import type { NodeInfo } from '@shoal/state';
import type { CancelCall, CancelReport, FinishedTask, TaskFilter, TaskInfo, TaskReport } from '@shoal/coordinator';
import { type ApiError, decodeError, errors, renderCause } from '@shoal/errors';
import { selectNodes } from '../admin/nodes.js';
import { storedTaskResult, storeTaskResult } from '../admin/task-results.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';

/** A task and its node. */
export interface ListedTask {
  readonly node: NodeInfo;
  readonly task: TaskInfo;
}

/** A task as `_tasks` shows it. */
export function taskJson({ node, task }: ListedTask, detailed: boolean): Json {
  return {
    node: node.id,
    id: task.id,
    type: task.type,
    action: task.action,
    ...(detailed && task.status !== undefined ? { status: task.status } : {}),
    ...(detailed ? { description: task.description } : {}),
    ...(detailed && task.threads !== undefined ? { threads: task.threads } : {}),
    start_time_in_millis: task.startedAtMs,
    running_time_in_nanos: task.runningNanos,
    cancellable: task.cancellable,
    ...(task.cancellable ? { cancelled: task.cancelled } : {}),
    ...(task.parentTaskId === null ? {} : { parent_task_id: task.parentTaskId }),
    headers: task.headers,
  };
}

/** Tasks of several nodes, and failures of nodes that did not answer. */
export interface ListedTasks {
  readonly tasks: readonly ListedTask[];
  readonly nodeFailures: readonly Json[];
}

const TIMEOUT_MS = 30_000;
const POLL_MS = 50;

function filterOf({ params }: RestRequest): TaskFilter {
  const parentTaskId = params.text('parent_task_id');
  if (parentTaskId !== null) parseTaskId(parentTaskId);
  return { actions: params.list('actions') ?? [], parentTaskId };
}

function failedNode(nodeId: string, cause: ApiError): Json {
  return renderCause(errors.failedNode(`Failed node [${nodeId}]`, { meta: { node_id: nodeId }, cause }));
}

async function askTasks(
  services: Services,
  nodes: readonly NodeInfo[],
  call: string,
  body: unknown,
  tasksOf: (answer: unknown) => readonly TaskInfo[],
  parentTask?: string,
): Promise<ListedTasks> {
  const options = { timeoutMs: TIMEOUT_MS, ...(parentTask === undefined ? {} : { parentTask }) };
  const answers = await services.coordinator.callNodes(
    nodes.map(({ id }) => id),
    call,
    body,
    options,
  );
  return {
    tasks: withCallers(
      answers.flatMap(({ error, body: answer }, i) =>
        error ? [] : tasksOf(answer).map((task) => ({ node: nodes[i]!, task })),
      ),
    ),
    nodeFailures: answers.flatMap(({ nodeId, error }) => (error ? [failedNode(nodeId, error)] : [])),
  };
}

/** Copies the headers of a request's task to its child tasks: messages between nodes do not carry them. */
function withCallers(tasks: readonly ListedTask[]): ListedTask[] {
  const named = new Map(
    tasks
      .filter(({ task }) => Object.keys(task.headers).length > 0)
      .map(({ node, task }) => [`${node.id}:${task.id}`, task.headers]),
  );
  return tasks.map(({ node, task }) => {
    const headers = task.parentTaskId === null ? undefined : named.get(task.parentTaskId);
    return { node, task: headers === undefined || Object.keys(task.headers).length > 0 ? task : { ...task, headers } };
  });
}

const allTasks = (answer: unknown): readonly TaskInfo[] => answer as readonly TaskInfo[];

/**
 * Tasks of the selected nodes that pass the request's filters. With `wait_for_completion` the call returns after they
 * have ended.
 */
export async function listTasks(request: RestRequest, services: Services): Promise<ListedTasks> {
  const nodes = selectNodes(services, request.params.list('nodes') ?? []);
  const filter = filterOf(request);
  const found = await askTasks(services, nodes, 'tasks', filter, allTasks, request.taskId);
  if (request.params.boolean('wait_for_completion', false)) await waitForAll(request, services, nodes, filter, found);
  return found;
}

const keyOf = ({ node, task }: ListedTask): string => `${node.id}:${task.id}`;

/** Waits until none of the tasks runs; the request's own task is left out. */
async function waitForAll(
  request: RestRequest,
  services: Services,
  nodes: readonly NodeInfo[],
  filter: TaskFilter,
  found: ListedTasks,
): Promise<void> {
  const { clock } = services;
  const deadline = clock.monotonic() + request.params.time('timeout', TIMEOUT_MS);
  const waitedFor = new Set(
    found.tasks.filter(({ task }) => !task.action.startsWith('cluster:monitor/tasks/lists')).map(keyOf),
  );
  while (waitedFor.size > 0) {
    const { tasks } = await askTasks(services, nodes, 'tasks', filter, allTasks);
    if (!tasks.some((listed) => waitedFor.has(keyOf(listed)))) return;
    if (clock.monotonic() > deadline) throw errors.timeout('Timed out waiting for completion of tasks');
    await new Promise<void>((resolve) => void clock.after(POLL_MS, resolve));
  }
}

function nodeHeader(node: NodeInfo): Json {
  return {
    name: node.name,
    transport_address: node.transportAddress,
    host: node.host,
    ip: node.transportAddress,
    roles: node.roles,
    attributes: node.attributes,
  };
}

function byNodes(tasks: readonly ListedTask[], detailed: boolean): Json {
  const nodes = new Map<string, Json>();
  for (const listed of tasks) {
    const entry = nodes.get(listed.node.id) ?? { ...nodeHeader(listed.node), tasks: {} };
    (entry['tasks'] as Json)[`${listed.node.id}:${listed.task.id}`] = taskJson(listed, detailed);
    nodes.set(listed.node.id, entry);
  }
  return { nodes: Object.fromEntries(nodes) };
}

function byParents(tasks: readonly ListedTask[], detailed: boolean): Json {
  const entries = new Map(tasks.map((listed) => [`${listed.node.id}:${listed.task.id}`, taskJson(listed, detailed)]));
  const roots = new Map(entries);
  for (const [id, json] of entries) {
    const parent = entries.get(String(json['parent_task_id']));
    if (!parent) continue;
    parent['children'] = [...((parent['children'] as Json[] | undefined) ?? []), json];
    roots.delete(id);
  }
  return { tasks: Object.fromEntries(roots) };
}

function grouped(request: RestRequest, { tasks, nodeFailures }: ListedTasks): Json {
  return { ...(nodeFailures.length === 0 ? {} : { node_failures: nodeFailures }), ...groupedTasks(request, tasks) };
}

function groupedTasks(request: RestRequest, tasks: readonly ListedTask[]): Json {
  const detailed = request.params.boolean('detailed', false);
  const group = request.params.text('group_by', 'nodes');
  if (group === 'nodes') return byNodes(tasks, detailed);
  if (group === 'parents') return byParents(tasks, detailed);
  if (group === 'none') return { tasks: tasks.map((listed) => taskJson(listed, detailed)) };
  throw errors.illegalArgument(`[group_by] must be one of [nodes], [parents] or [none] but was [${group}]`);
}

/** Splits `node:id`. */
export function parseTaskId(text: string): { nodeId: string; id: number } {
  const colon = text.lastIndexOf(':');
  const id = Number(text.slice(colon + 1));
  if (colon < 0 || !/^\d+$/.test(text.slice(colon + 1))) throw errors.illegalArgument(`malformed task id ${text}`);
  return { nodeId: text.slice(0, colon), id };
}

/** Returns tasks as the answer of a call that changed them. */
export function listedTasks(request: RestRequest, tasks: readonly ListedTask[]): Json {
  return groupedTasks(request, tasks);
}

async function list(request: RestRequest, services: Services): Promise<RestResponse> {
  return { status: 200, json: grouped(request, await listTasks(request, services)) };
}

async function get(request: RestRequest, services: Services): Promise<RestResponse> {
  const text = request.pathParams['task_id'] ?? '';
  const { nodeId, id } = parseTaskId(text);
  const node = services.cluster.state().nodes.get(nodeId);
  const cause = errors.resourceNotFound(`task [${text}] isn't running and hasn't stored its results`);
  const stored = node === undefined ? await storedTaskResult(services, text) : null;
  if (stored !== null) return { status: 200, json: stored };
  if (!node)
    throw errors.resourceNotFound(
      `task [${text}] belongs to the node [${nodeId}] which isn't part of the cluster and there is no record of ` +
        'the task',
      { cause },
    );
  const waitMs = request.params.boolean('wait_for_completion', false) ? request.params.time('timeout', TIMEOUT_MS) : 0;
  const [answer] = await services.coordinator.callNodes([nodeId], 'task', { id, waitMs });
  if (answer!.error) throw answer!.error;
  const { running, finished, isLate } = answer!.body as TaskReport;
  if (isLate) throw errors.timeout(`Timed out waiting for completion of task [${text}]`);
  if (finished)
    return {
      status: 200,
      json: { completed: true, task: taskJson({ node, task: finished.task }, true), ...outcomeJson(finished) },
    };
  if (!running) {
    const kept = await storedTaskResult(services, text);
    if (kept === null) throw cause;
    return { status: 200, json: kept };
  }
  return { status: 200, json: { completed: false, task: taskJson({ node, task: running }, true) } };
}

function outcomeJson(finished: NonNullable<TaskReport['finished']>): Json {
  return finished.error ? { error: renderCause(decodeError(finished.error)) } : { response: finished.response };
}

/** Returns what keeps the result of a background task of this node in the index `.tasks`. */
export function keepsResult(services: Services): (finished: FinishedTask) => Promise<void> {
  const node = services.cluster.state().nodes.get(services.node.id);
  return async ({ task, outcome }) => {
    if (node === undefined) return;
    await storeTaskResult(services, `${node.id}:${task.id}`, taskJson({ node, task }, true), outcome);
  };
}

async function cancelOne(services: Services, text: string): Promise<ListedTasks> {
  const { nodeId, id } = parseTaskId(text);
  const node = services.cluster.state().nodes.get(nodeId);
  if (!node)
    return {
      tasks: [],
      nodeFailures: [failedNode(nodeId, errors.noSuchNode(`No such node [${nodeId}]`, { meta: { node_id: nodeId } }))],
    };
  const [answer] = await services.coordinator.callNodes(
    [nodeId],
    'cancel',
    cancelCall({ actions: [], parentTaskId: null }, id),
  );
  if (answer!.error) return { tasks: [], nodeFailures: [failedNode(nodeId, answer!.error)] };
  const { cancelled, exists } = answer!.body as CancelReport;
  if (!exists)
    return { tasks: [], nodeFailures: [failedNode(nodeId, errors.resourceNotFound(`task [${text}] is not found`))] };
  if (cancelled.length === 0)
    return {
      tasks: [],
      nodeFailures: [failedNode(nodeId, errors.illegalArgument(`task [${text}] doesn't support cancellation`))],
    };
  return { tasks: cancelled.map((task) => ({ node, task })), nodeFailures: [] };
}

function cancelCall(filter: TaskFilter, id: number | null): CancelCall {
  return { ...filter, id, reason: 'by user request' };
}

async function cancel(request: RestRequest, services: Services): Promise<RestResponse> {
  const text = request.pathParams['task_id'];
  if (text !== undefined) return { status: 200, json: grouped(request, await cancelOne(services, text)) };
  const nodes = selectNodes(services, request.params.list('nodes') ?? []);
  const found = await askTasks(
    services,
    nodes,
    'cancel',
    cancelCall(filterOf(request), null),
    (answer) => (answer as CancelReport).cancelled,
  );
  return { status: 200, json: grouped(request, found) };
}

const CANCEL_PRIVILEGE = 'cluster:admin/tasks/cancel';
const LIST = ['actions', 'detailed', 'group_by', 'nodes', 'parent_task_id', 'timeout', 'wait_for_completion'];

export const routes: readonly Route<Services>[] = [
  {
    methods: ['GET'],
    path: '/_tasks',
    name: 'tasks.list',
    body: 'none',
    privilege: 'cluster:monitor/tasks/lists',
    parameters: LIST,
    handle: list,
  },
  {
    methods: ['GET'],
    path: '/_tasks/{task_id}',
    name: 'tasks.get',
    body: 'none',
    privilege: 'cluster:monitor/task/get',
    parameters: ['timeout', 'wait_for_completion'],
    handle: get,
  },
  ...['/_tasks/_cancel', '/_tasks/{task_id}/_cancel'].map(
    (path): Route<Services> => ({
      methods: ['POST'],
      path,
      name: 'tasks.cancel',
      body: 'none',
      privilege: CANCEL_PRIVILEGE,
      parameters: LIST,
      handle: cancel,
    }),
  ),
];
