import { clusterHealth, type ClusterState, explainShard, type IndexMetadata, isActive, nameIndex, noSuchIndex, type NodeInfo, type ShardExplanation, type ShardRouting } from '@shoal/cluster';
import { errors } from '@shoal/errors';
import { objectBody } from '../admin/index-options.js';
import { askNodes } from '../admin/nodes.js';
import { broadcastStats } from '../admin/shard-stats.js';
import { isoTime } from '../cat/timestamps.js';
import type { RestRequest, RestResponse, Route } from '../route.js';
import type { Services } from '../services.js';

const NOTE =
  'No shard was specified in the explain API request, so this response explains a randomly chosen unassigned shard. There may be other unassigned shards in this cluster which cannot be assigned for different reasons. It may not be possible to assign this shard until one of the other shards is assigned correctly. To explain the allocation of other shards (whether assigned or unassigned) you must specify the target shard in the request to this API.';
const NOT_ALLOWED =
  "Elasticsearch isn't allowed to allocate this shard to any of the nodes in the cluster. Choose a node to which you expect this shard to be allocated, find this node in the node-by-node explanation, and address the reasons which prevent Elasticsearch from allocating this shard there.";
const CANNOT_REBALANCE =
  'Elasticsearch is not allowed to allocate or rebalance this shard to another node. If you expect this shard to be rebalanced to another node, find this node in the node-by-node explanation and address the reasons which prevent Elasticsearch from rebalancing this shard there.';
const NO_UNASSIGNED =
  'There are no unassigned shards in this cluster. Specify an assigned shard in the request body to explain its allocation.';

interface Wanted {
  readonly meta: IndexMetadata;
  readonly copy: ShardRouting;
  readonly isRandom: boolean;
}

function anyUnassigned(state: ClusterState): Wanted {
  const copies = [...state.routing.values()].flatMap((table) => table.flat()).filter((copy) => copy.state === 'UNASSIGNED');
  const copy = copies.find((candidate) => candidate.primary) ?? copies[0];
  if (!copy) throw errors.illegalArgument(NO_UNASSIGNED);
  return { meta: state.indices.get(copy.indexUuid)!, copy, isRandom: true };
}

function validate(body: Record<string, unknown>): void {
  const missing = ['index', 'shard', 'primary'].filter((key) => body[key] === undefined || body[key] === null);
  if (missing.length > 0) {
    throw errors.actionRequestValidation(`Validation Failed: ${missing.map((key, i) => `${i + 1}: ${key} must be specified;`).join('')}`);
  }
}

function namedCopy(state: ClusterState, body: Record<string, unknown>): Wanted {
  validate(body);
  const meta = nameIndex(state).get(String(body['index']));
  if (!meta) throw noSuchIndex(String(body['index']));
  const shard = Number(body['shard']);
  const copies = state.routing.get(meta.uuid)?.[shard];
  if (!copies) throw errors.shardNotFound('no such shard', { meta: { index_uuid: meta.uuid, shard: String(shard), index: meta.name } });
  const candidates = copies.filter((copy) => copy.primary === (body['primary'] === true || body['primary'] === 'true'));
  const copy = candidates.find((candidate) => candidate.state === 'UNASSIGNED') ?? candidates[0];
  if (!copy) throw errors.illegalArgument(`unable to find a replica shard to allocate explain for [${meta.name}][${shard}]`);
  return { meta, copy, isRandom: false };
}

function nodeDecisions(explanation: ShardExplanation): unknown[] {
  return explanation.nodes.map(({ node, decision, deciders }, i) => ({
    node_id: node.id,
    node_name: node.name,
    transport_address: node.transportAddress,
    node_attributes: node.attributes,
    roles: node.roles,
    node_decision: decision,
    weight_ranking: i + 1,
    ...(deciders.length > 0 ? { deciders } : {}),
  }));
}

function unassignedJson(state: ClusterState, { meta, copy }: Wanted): Record<string, unknown> {
  const explanation = explainShard(state, meta, copy);
  const { unassigned } = copy;
  const yes = explanation.canAllocate === 'yes';
  return {
    unassigned_info: {
      reason: unassigned?.reason,
      at: isoTime(unassigned?.atMs ?? 0),
      ...(unassigned && unassigned.failedAttempts > 0 ? { failed_allocation_attempts: unassigned.failedAttempts } : {}),
      ...(unassigned?.details ? { details: unassigned.details } : {}),
      last_allocation_status: 'no_attempt',
    },
    can_allocate: explanation.canAllocate,
    allocate_explanation: yes ? 'Elasticsearch can allocate the shard.' : NOT_ALLOWED,
    node_allocation_decisions: nodeDecisions(explanation),
  };
}

function currentNode(node: NodeInfo | undefined): Record<string, unknown> {
  return { id: node?.id, name: node?.name, transport_address: node?.transportAddress, attributes: node?.attributes, roles: node?.roles, weight_ranking: 1 };
}

function rebalanceDecisions(state: ClusterState, copies: readonly ShardRouting[]): unknown[] {
  const decisions = [];
  if (!copies.every(isActive)) decisions.push({ decider: 'rebalance_only_when_active', decision: 'NO', explanation: 'rebalancing is not allowed until all copies of this shard are active' });
  if (clusterHealth(state).unassigned > 0) {
    decisions.push({ decider: 'cluster_rebalance', decision: 'NO', explanation: 'the cluster has unassigned shards and cluster setting [cluster.routing.allocation.allow_rebalance] is set to [indices_all_active]' });
  }
  return decisions;
}

function assignedJson(state: ClusterState, { meta, copy }: Wanted): Record<string, unknown> {
  const decisions = rebalanceDecisions(state, state.routing.get(meta.uuid)?.[copy.shard] ?? []);
  const others = explainShard(state, meta, copy);
  return {
    current_node: currentNode(state.nodes.get(copy.nodeId ?? '')),
    can_remain_on_current_node: 'yes',
    can_rebalance_cluster: decisions.length === 0 ? 'yes' : 'no',
    ...(decisions.length === 0 ? {} : { can_rebalance_cluster_decisions: decisions }),
    can_rebalance_to_other_node: 'no',
    rebalance_explanation: CANNOT_REBALANCE,
    ...(others.nodes.length === 0 ? {} : { node_allocation_decisions: nodeDecisions(others) }),
  };
}

const KEYS = ['index', 'shard', 'primary', 'current_node'];

function nodeDisk(json: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const fs = json['fs'] as { total?: Record<string, number>; data?: { path?: string }[] } | undefined;
  const [total, free] = [fs?.total?.['total_in_bytes'] ?? 0, fs?.total?.['available_in_bytes'] ?? 0];
  const percent = (part: number): number => (total === 0 ? 0 : Math.round((part / total) * 1000) / 10);
  return { path: fs?.data?.[0]?.path ?? '', total_bytes: total, used_bytes: total - free, free_bytes: free, free_disk_percent: percent(free), used_disk_percent: percent(total - free) };
}

/** Disk usage of the nodes and sizes of the shards, as allocation sees them. */
async function clusterInfo(services: Services): Promise<Record<string, unknown>> {
  const state = services.cluster.state();
  const { reports } = await askNodes(services, [...state.nodes.values()], 'stats');
  const nodes = reports.map(({ node, json }) => {
    const usage = nodeDisk(json);
    return [node.id, { node_name: node.name, least_available: usage, most_available: usage }] as const;
  });
  const { shards } = await broadcastStats(services, [...state.indices.values()].filter((meta) => meta.state === 'open'));
  const sizes = shards.map((row) => [`[${state.indices.get(row.indexUuid)?.name}][${row.shard}][${row.primary ? 'p' : 'r'}]_bytes`, row.stats.store.size_in_bytes] as const);
  return { nodes: Object.fromEntries(nodes), shard_sizes: Object.fromEntries(sizes), shard_data_set_sizes: {}, shard_paths: {}, reserved_sizes: [] };
}

async function explain(request: RestRequest, services: Services): Promise<RestResponse> {
  const body = objectBody(request);
  const unknown = Object.keys(body).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) throw errors.xContentParse(`[cluster/allocation/explain] unknown field [${unknown}]`, { location: { container: body, key: unknown, at: 'key' } });
  const state = services.cluster.state();
  const wanted = Object.keys(body).length === 0 ? anyUnassigned(state) : namedCopy(state, body);
  const { meta, copy } = wanted;
  const disk = request.params.boolean('include_disk_info', false) ? { cluster_info: await clusterInfo(services) } : {};
  const json = {
    ...(wanted.isRandom ? { note: NOTE } : {}),
    index: meta.name,
    shard: copy.shard,
    primary: copy.primary,
    current_state: copy.state.toLowerCase(),
    ...disk,
    ...(copy.state === 'UNASSIGNED' ? unassignedJson(state, wanted) : assignedJson(state, wanted)),
  };
  return { status: 200, json };
}

export const routes: readonly Route<Services>[] = [
  {
    methods: ['GET', 'POST'],
    path: '/_cluster/allocation/explain',
    name: 'cluster.allocation_explain',
    body: 'optional',
    privilege: 'cluster:monitor/allocation/explain',
    parameters: ['include_disk_info', 'include_yes_decisions', 'master_timeout'],
    handle: explain,
  },
];
