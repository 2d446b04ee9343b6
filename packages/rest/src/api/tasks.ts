import { matchesAny, type NodeInfo } from '@shoal/cluster';
import type { FinishedTask, TaskInfo } from '@shoal/coordinator';
import { errors, isApiError, renderCause } from '@shoal/errors';
import { selectNodes } from '../admin/nodes.js';
import type { RestRequest, RestResponse, Route } from '../route.js';
import type { Services } from '../services.js';

type Json = Record<string, unknown>;

export interface ListedTask {
  readonly node: NodeInfo;
  readonly task: TaskInfo;
}

function taskJson({ node, task }: ListedTask, detailed: boolean): Json {
  return {
    node: node.id,
    id: task.id,
    type: task.type,
    action: task.action,
    ...(detailed ? { description: task.description } : {}),
    start_time_in_millis: task.startedAtMs,
    running_time_in_nanos: task.runningNanos,
    cancellable: task.cancellable,
    ...(task.cancellable ? { cancelled: task.cancelled } : {}),
    ...(task.parentTaskId === null ? {} : { parent_task_id: task.parentTaskId }),
    headers: task.headers,
  };
}

/** Tasks of the chosen nodes that pass the request's filters. Only tasks of this node are known so far. */
export function listTasks(request: RestRequest, services: Services): ListedTask[] {
  const { params } = request;
  const nodes = selectNodes(services, params.list('nodes') ?? []);
  const actions = params.list('actions') ?? [];
  const parent = params.text('parent_task_id');
  return nodes
    .filter((node) => node.id === services.node.id)
    .flatMap((node) => services.tasks.list().map((task) => ({ node, task })))
    .filter(({ task }) => (actions.length === 0 || matchesAny(actions, task.action)) && (parent === null || task.parentTaskId === parent));
}

function nodeHeader(node: NodeInfo): Json {
  return { name: node.name, transport_address: node.transportAddress, host: node.host, ip: node.transportAddress, roles: node.roles, attributes: node.attributes };
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

function grouped(request: RestRequest, tasks: readonly ListedTask[]): Json {
  const detailed = request.params.boolean('detailed', false);
  const group = request.params.text('group_by', 'nodes');
  if (group === 'nodes') return byNodes(tasks, detailed);
  if (group === 'parents') return byParents(tasks, detailed);
  if (group === 'none') return { tasks: tasks.map((listed) => taskJson(listed, detailed)) };
  throw errors.illegalArgument(`[group_by] must be one of [nodes], [parents] or [none] but was [${group}]`);
}

function parseTaskId(text: string): { nodeId: string; id: number } {
  const colon = text.lastIndexOf(':');
  const id = Number(text.slice(colon + 1));
  if (colon < 0 || !/^\d+$/.test(text.slice(colon + 1))) throw errors.illegalArgument(`malformed task id ${text}`);
  return { nodeId: text.slice(0, colon), id };
}

function list(request: RestRequest, services: Services): RestResponse {
  return { status: 200, json: grouped(request, listTasks(request, services)) };
}

async function get(request: RestRequest, services: Services): Promise<RestResponse> {
  const text = request.pathParams['task_id'] ?? '';
  const { nodeId, id } = parseTaskId(text);
  const node = services.cluster.state().nodes.get(nodeId);
  if (!node) {
    const cause = errors.resourceNotFound(`task [${text}] isn't running and hasn't stored its results`);
    throw errors.resourceNotFound(`task [${text}] belongs to the node [${nodeId}] which isn't part of the cluster and there is no record of the task`, { cause });
  }
  if (nodeId === services.node.id && request.params.boolean('wait_for_completion', false)) await waitFor(services, id, request.params.time('timeout', 30_000));
  const finished = nodeId === services.node.id ? services.tasks.finished(id) : null;
  if (finished) return { status: 200, json: { completed: true, task: taskJson({ node, task: finished.task }, true), ...outcomeJson(finished) } };
  const task = nodeId === services.node.id ? services.tasks.get(id) : null;
  if (!task) throw errors.resourceNotFound(`task [${text}] isn't running and hasn't stored its results`);
  return { status: 200, json: { completed: false, task: taskJson({ node, task }, true) } };
}

function outcomeJson({ outcome }: FinishedTask): Json {
  if ('response' in outcome) return { response: outcome.response };
  return { error: renderCause(isApiError(outcome.error) ? outcome.error : errors.illegalState(String(outcome.error))) };
}

/** Until a task with an outcome has ended; throws when it takes longer. */
async function waitFor(services: Services, id: number, timeoutMs: number): Promise<void> {
  let isLate = false;
  await new Promise<void>((resolve) => {
    const timer = services.clock.after(timeoutMs, () => {
      isLate = true;
      resolve();
    });
    void services.tasks.ended(id).then(() => {
      timer.cancel();
      resolve();
    });
  });
  if (isLate) throw errors.timeout(`Timed out waiting for completion of task [${services.node.id}:${id}]`);
}

function failedNode(nodeId: string): Json {
  const cause = errors.noSuchNode(`No such node [${nodeId}]`, { meta: { node_id: nodeId } });
  return renderCause(errors.failedNode(`Failed node [${nodeId}]`, { meta: { node_id: nodeId }, cause }));
}

function cancelOne(services: Services, text: string): ListedTask[] | Json {
  const { nodeId, id } = parseTaskId(text);
  const node = services.cluster.state().nodes.get(nodeId);
  if (!node) return { node_failures: [failedNode(nodeId)], nodes: {} };
  const task = services.tasks.get(id);
  if (!task) throw errors.resourceNotFound(`task [${text}] is not found`);
  if (!services.tasks.cancel(id, 'by user request')) throw errors.illegalArgument(`task [${text}] doesn't support cancellation`);
  return [{ node, task: services.tasks.get(id) ?? task }];
}

/** A request to cancel does not cancel itself. */
function cancelMany(request: RestRequest, services: Services): ListedTask[] {
  const found = listTasks(request, services).filter(({ task }) => task.cancellable && task.action !== CANCEL_PRIVILEGE);
  for (const { task } of found) services.tasks.cancel(task.id, 'by user request');
  return found;
}

function cancel(request: RestRequest, services: Services): RestResponse {
  const text = request.pathParams['task_id'];
  const result = text === undefined ? cancelMany(request, services) : cancelOne(services, text);
  return { status: 200, json: Array.isArray(result) ? grouped(request, result) : result };
}

const CANCEL_PRIVILEGE = 'cluster:admin/tasks/cancel';
const LIST = ['actions', 'detailed', 'group_by', 'nodes', 'parent_task_id', 'timeout', 'wait_for_completion'];

export const routes: readonly Route<Services>[] = [
  { methods: ['GET'], path: '/_tasks', name: 'tasks.list', body: 'none', privilege: 'cluster:monitor/tasks/lists', parameters: LIST, handle: list },
  { methods: ['GET'], path: '/_tasks/{task_id}', name: 'tasks.get', body: 'none', privilege: 'cluster:monitor/task/get', parameters: ['timeout', 'wait_for_completion'], handle: get },
  ...['/_tasks/_cancel', '/_tasks/{task_id}/_cancel'].map((path): Route<Services> => ({ methods: ['POST'], path, name: 'tasks.cancel', body: 'none', privilege: CANCEL_PRIVILEGE, parameters: LIST, handle: cancel })),
];
