import type { TaskBodies } from '@shoal/cluster';
import { errors } from '@shoal/errors';
import { booleanField, integerField, readFields, textField } from '@shoal/json';
import { objectBody, runTask } from '../admin/index-options.js';
import { askNodes } from '../admin/nodes.js';
import { broadcastStats } from '../admin/shard-stats.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';

const FIELDS = { index: textField(), shard: integerField, primary: booleanField, current_node: textField() };

/** The copy that a body names, in parts. Throws for a body of other parts. */
const namedParts = (request: RestRequest) => readFields('cluster/allocation/explain', objectBody(request), FIELDS);

/** The copy that a body names; undefined for any copy. Throws if the body is incomplete. */
function namedShard(parts: ReturnType<typeof namedParts>): TaskBodies['explain-allocation']['shard'] {
  if (Object.keys(parts).length === 0) return undefined;
  const { index, shard, primary, current_node: currentNode = null } = parts;
  if (index !== undefined && shard !== undefined && primary !== undefined)
    return { index, shard, primary, currentNode };
  const missing = (['index', 'shard', 'primary'] as const).filter((key) => parts[key] === undefined);
  throw errors.actionRequestValidation(
    `Validation Failed: ${missing.map((key, i) => `${i + 1}: ${key} must be specified;`).join('')}`,
  );
}

function nodeDisk(json: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const fs = json['fs'] as { total?: Record<string, number>; data?: { path?: string }[] } | undefined;
  const [total, free] = [fs?.total?.['total_in_bytes'] ?? 0, fs?.total?.['available_in_bytes'] ?? 0];
  const percent = (part: number): number => (total === 0 ? 0 : Math.round((part / total) * 1000) / 10);
  return {
    path: fs?.data?.[0]?.path ?? '',
    total_bytes: total,
    used_bytes: total - free,
    free_bytes: free,
    free_disk_percent: percent(free),
    used_disk_percent: percent(total - free),
  };
}

/** Disk usage of nodes and sizes of shards, as the allocator sees them. */
async function clusterInfo(services: Services): Promise<Record<string, unknown>> {
  const state = services.cluster.state();
  const { reports } = await askNodes(services, [...state.nodes.values()], 'stats');
  const nodes = reports.map(({ node, json }) => {
    const usage = nodeDisk(json);
    return [node.id, { node_name: node.name, least_available: usage, most_available: usage }] as const;
  });
  const { shards } = await broadcastStats(services, [...state.indices.values()]);
  const sizes = shards.map(
    (row) =>
      [
        `[${state.indices.get(row.indexUuid)?.name}][${row.shard}][${row.primary ? 'p' : 'r'}]_bytes`,
        row.stats.store.size_in_bytes,
      ] as const,
  );
  return {
    nodes: Object.fromEntries(nodes),
    shard_sizes: Object.fromEntries(sizes),
    shard_data_set_sizes: {},
    shard_paths: {},
    reserved_sizes: [],
  };
}

async function explain(request: RestRequest, services: Services): Promise<RestResponse> {
  const shard = namedShard(namedParts(request));
  const task: TaskBodies['explain-allocation'] = {
    ...(shard ? { shard } : {}),
    includeYes: request.params.boolean('include_yes_decisions', false),
  };
  const json = await runTask(request, services, 'explain-allocation', task);
  if (!request.params.boolean('include_disk_info', false)) return { status: 200, json };
  return { status: 200, json: { ...json, cluster_info: await clusterInfo(services) } };
}

export const routes: readonly Route<Services>[] = [
  {
    methods: ['GET', 'POST'],
    path: '/_cluster/allocation/explain',
    name: 'cluster.allocation_explain',
    body: 'optional',
    privilege: 'cluster:monitor/allocation/explain',
    parameters: ['include_disk_info', 'include_yes_decisions', 'master_timeout'],
    checkBody: (request) => void namedParts(request),
    handle: explain,
  },
];
