import { matchesAny } from '@shoal/values';
import type { NodeInfo } from '@shoal/state';
import { pathList } from '../admin/index-options.js';
import { askNodes, shortId } from '../admin/nodes.js';
import { catRoutes, type Column, column } from './table.js';

type Figures = Readonly<Record<string, number | string | undefined>>;

interface Row {
  readonly node: NodeInfo;
  readonly fullId: boolean;
  readonly pid: number | null;
  readonly name: string;
  readonly settings: Figures;
  readonly figures: Figures;
}

const columns: readonly Column<Row>[] = [
  column('node_name', 'nn', 'node name', 'default', (row) => row.node.name),
  column('node_id', 'id', 'persistent node id', '', (row) => shortId(row.node.id, row.fullId)),
  column('ephemeral_node_id', 'eid', 'ephemeral node id', '', (row) => row.node.ephemeralId),
  column('pid', 'p', 'process id', '', (row) => row.pid),
  column('host', 'h', 'host name', '', (row) => row.node.host),
  column('ip', 'i', 'ip address', '', (row) => row.node.ip),
  column('port', 'po', 'bound transport port', '', (row) =>
    row.node.transportAddress.slice(row.node.transportAddress.lastIndexOf(':') + 1),
  ),
  column('name', 'n', 'thread pool name', 'default', (row) => row.name),
  column('type', 't', 'thread pool type', '', (row) => row.settings['type'] ?? null),
  column('active', 'a', 'number of active threads', 'default right', (row) => row.figures['active'] ?? 0),
  column('pool_size', 'psz', 'number of threads', 'right', (row) => row.figures['threads'] ?? 0),
  column('queue', 'q', 'number of tasks currently in queue', 'default right', (row) => row.figures['queue'] ?? 0),
  column(
    'queue_size',
    'qs',
    'maximum number of tasks permitted in queue',
    'right',
    (row) => row.settings['queue_size'] ?? -1,
  ),
  column('rejected', 'r', 'number of rejected tasks', 'default right', (row) => row.figures['rejected'] ?? 0),
  column('largest', 'l', 'highest number of seen active threads', 'right', (row) => row.figures['largest'] ?? 0),
  column('completed', 'c', 'number of completed tasks', 'right', (row) => row.figures['completed'] ?? 0),
  column(
    'core',
    'cr',
    'core number of threads in a scaling thread pool',
    'right',
    (row) => row.settings['core'] ?? null,
  ),
  column(
    'max',
    'mx',
    'maximum number of threads in a scaling thread pool',
    'right',
    (row) => row.settings['max'] ?? null,
  ),
  column('size', 'sz', 'number of threads in a fixed thread pool', 'right', (row) => row.settings['size'] ?? null),
  column('keep_alive', 'ka', 'thread keep alive time', '', (row) => row.settings['keep_alive'] ?? null),
];

export const routes = catRoutes<Row>({
  name: 'thread_pool',
  paths: ['/_cat/thread_pool', '/_cat/thread_pool/{thread_pool_patterns}'],
  privilege: 'cluster:monitor/nodes/info',
  parameters: ['full_id', 'size', 'thread_pool_patterns'],
  columns,
  async rows(request, services) {
    const nodes = [...services.cluster.state().nodes.values()];
    const [info, stats] = await Promise.all([askNodes(services, nodes, 'info'), askNodes(services, nodes, 'stats')]);
    const patterns = pathList(request, 'thread_pool_patterns');
    const fullId = request.params.boolean('full_id', false);
    return info.reports.flatMap(({ node, json }) => {
      const pools = (json['thread_pool'] ?? {}) as Record<string, Figures>;
      const figures = (stats.reports.find((report) => report.node.id === node.id)?.json['thread_pool'] ?? {}) as Record<
        string,
        Figures
      >;
      const pid = (json['process'] as { id?: number } | undefined)?.id ?? null;
      return Object.keys(pools)
        .sort()
        .filter((name) => patterns.length === 0 || matchesAny(patterns, name))
        .map((name) => ({ node, fullId, pid, name, settings: pools[name]!, figures: figures[name] ?? {} }));
    });
  },
});
