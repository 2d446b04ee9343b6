import type { PendingTask } from '@shoal/cluster';
import type { NodeInfo } from '@shoal/state';
import { millis } from './cell.js';
import { repositories } from '@shoal/coordinator';
import { askNodes, shortId } from '../admin/nodes.js';
import { catRoutes, column } from './table.js';

interface NodeRow {
  readonly node: NodeInfo;
}

function portOf(node: NodeInfo): string {
  return node.transportAddress.slice(node.transportAddress.lastIndexOf(':') + 1);
}

/** Routes of `_cat/master`. */
export const masterRoutes = catRoutes<NodeRow>({
  name: 'master',
  paths: ['/_cat/master'],
  privilege: 'cluster:monitor/state',
  columns: [
    column('id', '', 'node id', 'default', ({ node }) => node.id),
    column('host', 'h', 'host name', 'default', ({ node }) => node.host),
    column('ip', '', 'ip address', 'default', ({ node }) => node.ip),
    column('node', 'n', 'node name', 'default', ({ node }) => node.name),
  ],
  rows(_request, { cluster }) {
    const node = cluster.state().nodes.get(cluster.state().masterNodeId ?? '');
    return node ? [{ node }] : [];
  },
});

interface AttributeRow extends NodeRow {
  readonly pid: number | null;
  readonly fullId: boolean;
  readonly name: string;
  readonly value: string;
}

/** Routes of `_cat/nodeattrs`. */
export const nodeAttributeRoutes = catRoutes<AttributeRow>({
  name: 'nodeattrs',
  paths: ['/_cat/nodeattrs'],
  privilege: 'cluster:monitor/state',
  parameters: ['full_id'],
  columns: [
    column('node', 'name', 'node name', 'default', ({ node }) => node.name),
    column('id', 'id,nodeId', 'unique node id', '', ({ node, fullId }) => shortId(node.id, fullId)),
    column('pid', 'p', 'process id', '', ({ pid }) => pid),
    column('host', 'h', 'host name', 'default', ({ node }) => node.host),
    column('ip', 'i', 'ip address', 'default', ({ node }) => node.ip),
    column('port', 'po', 'bound transport port', '', ({ node }) => portOf(node)),
    column('attr', 'attr.name', 'attribute description', 'default', ({ name }) => name),
    column('value', 'attr.value', 'attribute value', 'default', ({ value }) => value),
  ],
  async rows(request, services) {
    const fullId = request.params.boolean('full_id', false);
    const { reports } = await askNodes(services, [...services.cluster.state().nodes.values()], 'info');
    return reports.flatMap(({ node, json }) => {
      const pid = (json['process'] as { id?: number } | undefined)?.id ?? null;
      return Object.entries(node.attributes).map(([name, value]) => ({ node, pid, fullId, name, value }));
    });
  },
});

/** Routes of `_cat/pending_tasks`. */
export const pendingTaskRoutes = catRoutes<PendingTask>({
  name: 'pending_tasks',
  paths: ['/_cat/pending_tasks'],
  privilege: 'cluster:monitor/task',
  columns: [
    column('insertOrder', 'o', 'task insertion order', 'default right', (task) => task.insertOrder),
    column('timeInQueue', 't', 'how long task has been in queue', 'default right', (task) => millis(task.queuedMs)),
    column('priority', 'p', 'task priority', 'default', (task) => task.priority),
    column('source', 's', 'task source', 'default', (task) => task.source),
  ],
  rows: (_request, { cluster }) => cluster.pendingTasks(),
});

interface PluginRow extends NodeRow {
  readonly plugin: Readonly<Record<string, string>>;
}

/** Routes of `_cat/plugins`. */
export const pluginRoutes = catRoutes<PluginRow>({
  name: 'plugins',
  paths: ['/_cat/plugins'],
  privilege: 'cluster:monitor/nodes/info',
  parameters: ['include_bootstrap'],
  columns: [
    column('id', '', 'unique node id', '', ({ node }) => node.id),
    column('name', 'n', 'node name', 'default', ({ node }) => node.name),
    column('component', 'c', 'component', 'default', ({ plugin }) => plugin['name'] ?? null),
    column('version', 'v', 'component version', 'default', ({ plugin }) => plugin['version'] ?? null),
    column('description', 'd', 'plugin details', '', ({ plugin }) => plugin['description'] ?? null),
  ],
  async rows(_request, services) {
    const { reports } = await askNodes(services, [...services.cluster.state().nodes.values()], 'info');
    return reports.flatMap(({ node, json }) =>
      ((json['plugins'] ?? []) as Record<string, string>[]).map((plugin) => ({ node, plugin })),
    );
  },
});

interface RepositoryRow {
  readonly id: string;
  readonly type: string;
}

/** Routes of `_cat/repositories`. */
export const repositoryRoutes = catRoutes<RepositoryRow>({
  name: 'repositories',
  paths: ['/_cat/repositories'],
  privilege: 'cluster:admin/repository/get',
  columns: [
    column('id', 'id,repoId', 'unique repository id', 'default', (row) => row.id),
    column('type', 't,type', 'repository type', 'default right', (row) => row.type),
  ],
  rows: (_request, { cluster }) =>
    Object.entries(repositories(cluster.state())).map(([id, { type }]) => ({ id, type })),
});
