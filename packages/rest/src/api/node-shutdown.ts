import type { Json } from '@shoal/json';
import { type NodeShutdown, nodeShutdowns } from '@shoal/cluster';
import { type ClusterState, isRelocationTarget, type ShardRouting } from '@shoal/state';
import { errors } from '@shoal/errors';
import { formatTimeValue, parseTimeValue } from '@shoal/values';
import { MASTER_PARAMETERS, objectBody, pathList, runTask } from '../admin/index-options.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';

const TYPES = ['RESTART', 'REMOVE', 'REPLACE'];
const KEYS = ['type', 'reason', 'allocation_delay', 'target_node_name'];

function typeOf(body: Json): string | null {
  const { type } = body;
  if (type === undefined) return null;
  const known = TYPES.find((name) => name === String(type).toUpperCase());
  if (known === undefined) throw errors.illegalArgument(`invalid node shutdown type: ${String(type).toUpperCase()}`);
  return known;
}

function problems(body: Json, type: string | null): string[] {
  return [
    ...(type === null ? ['type is required'] : []),
    ...(body['reason'] === undefined || body['reason'] === '' ? ['reason is required'] : []),
    ...(body['allocation_delay'] !== undefined && type !== 'RESTART'
      ? ['allocation delay is only valid for RESTART type shutdowns']
      : []),
    ...(body['target_node_name'] !== undefined && type !== 'REPLACE'
      ? ['target node name is only valid for REPLACE type shutdowns']
      : []),
    ...(body['target_node_name'] === undefined && type === 'REPLACE'
      ? ['target node name is required for REPLACE type shutdowns']
      : []),
  ];
}

async function put(request: RestRequest, services: Services): Promise<RestResponse> {
  const body = objectBody(request);
  const unknown = Object.keys(body).find((key) => !KEYS.includes(key));
  if (unknown !== undefined)
    throw errors.xContentParse(`[put_node_shutdown_request] unknown field [${unknown}]`, {
      location: { container: body, key: unknown, at: 'key' },
    });
  const type = typeOf(body);
  const found = problems(body, type);
  if (found.length > 0)
    throw errors.actionRequestValidation(
      `Validation Failed: ${found.map((problem, i) => `${i + 1}: ${problem};`).join('')}`,
    );
  const delay = body['allocation_delay'];
  const json = await runTask(request, services, 'put-node-shutdown', {
    nodeId: request.pathParams['node_id'],
    type,
    reason: String(body['reason']),
    delayMs: delay === undefined ? null : parseTimeValue(String(delay), 'allocation_delay'),
    targetName: body['target_node_name'] === undefined ? null : String(body['target_node_name']),
  });
  return { status: 200, json };
}

function copiesOn(state: ClusterState, nodeId: string): ShardRouting[] {
  return [...state.routing.values()]
    .flatMap((table) => table.flat())
    .filter((copy) => copy.nodeId === nodeId && !isRelocationTarget(copy));
}

/** Describes one copy that cannot move to another node. */
function describeStalled(state: ClusterState, copy: ShardRouting): Json {
  const name = state.indices.get(copy.indexUuid)?.name ?? '';
  return {
    status: 'STALLED',
    explanation:
      `shard [${copy.shard}] [${copy.primary ? 'primary' : 'replica'}] of index [${name}] cannot move, use the ` +
      'Cluster Allocation Explain API on this shard for details',
  };
}

function migration(state: ClusterState, nodeId: string, { type }: NodeShutdown): Json {
  if (type === 'RESTART')
    return {
      status: 'COMPLETE',
      shard_migrations_remaining: 0,
      explanation: 'no shard relocation is necessary for a node restart',
    };
  if (!state.nodes.has(nodeId))
    return {
      status: 'NOT_STARTED',
      shard_migrations_remaining: 0,
      explanation: 'node is not currently part of the cluster',
    };
  const left = copiesOn(state, nodeId);
  if (left.length === 0) return { status: 'COMPLETE', shard_migrations_remaining: 0 };
  const moves =
    left.some((copy) => copy.state === 'RELOCATING') ||
    [...state.routing.values()].some((table) => table.flat().some((copy) => copy.state === 'INITIALIZING'));
  return {
    status: 'IN_PROGRESS',
    shard_migrations_remaining: left.length,
    ...(moves ? {} : describeStalled(state, left[0]!)),
  };
}

function shutdownJson(state: ClusterState, nodeId: string, shutdown: NodeShutdown): Json {
  const shards = migration(state, nodeId, shutdown);
  return {
    node_id: nodeId,
    type: shutdown.type,
    reason: shutdown.reason,
    ...(shutdown.delayMs === null ? {} : { allocation_delay: formatTimeValue(shutdown.delayMs) }),
    shutdown_startedmillis: shutdown.startedAtMs,
    status: shards['status'],
    shard_migration: shards,
    persistent_tasks: { status: 'COMPLETE' },
    plugins: { status: 'COMPLETE' },
    ...(shutdown.targetName === null ? {} : { target_node_name: shutdown.targetName }),
  };
}

function get(request: RestRequest, services: Services): RestResponse {
  const state = services.cluster.state();
  const wanted = pathList(request, 'node_id');
  const isWanted = (id: string): boolean => wanted.length === 0 || wanted.includes('_all') || wanted.includes(id);
  const nodes = Object.entries(nodeShutdowns(state))
    .filter(([id]) => isWanted(id))
    .map(([id, shutdown]) => shutdownJson(state, id, shutdown));
  return { status: 200, json: { nodes } };
}

async function remove(request: RestRequest, services: Services): Promise<RestResponse> {
  return {
    status: 200,
    json: await runTask(request, services, 'delete-node-shutdown', { nodeId: request.pathParams['node_id'] }),
  };
}

const PRIVILEGE = 'cluster:admin/shutdown';

export const routes: readonly Route<Services>[] = [
  {
    methods: ['PUT'],
    path: '/_nodes/{node_id}/shutdown',
    name: 'shutdown.put_node',
    body: 'required',
    privilege: `${PRIVILEGE}/create`,
    parameters: MASTER_PARAMETERS,
    handle: put,
  },
  ...['/_nodes/shutdown', '/_nodes/{node_id}/shutdown'].map(
    (path): Route<Services> => ({
      methods: ['GET'],
      path,
      name: 'shutdown.get_node',
      body: 'none',
      privilege: `${PRIVILEGE}/get`,
      parameters: MASTER_PARAMETERS,
      handle: get,
    }),
  ),
  {
    methods: ['DELETE'],
    path: '/_nodes/{node_id}/shutdown',
    name: 'shutdown.delete_node',
    body: 'none',
    privilege: `${PRIVILEGE}/delete`,
    parameters: MASTER_PARAMETERS,
    handle: remove,
  },
];
