import { matchesAny } from '@shoal/values';
import type { NodeInfo } from '@shoal/state';
import { pathList } from '../admin/index-options.js';
import { broadcastStats } from '../admin/shard-stats.js';
import { bytes } from './cell.js';
import { catRoutes, column } from './table.js';

interface Row {
  readonly node: NodeInfo;
  readonly field: string;
  readonly sizeBytes: number;
}

type FieldSizes = Readonly<Record<string, { readonly memory_size_in_bytes: number }>>;

export const routes = catRoutes<Row>({
  name: 'fielddata',
  paths: ['/_cat/fielddata', '/_cat/fielddata/{fields}'],
  refuses: ['local', 'master_timeout'],
  privilege: 'cluster:monitor/nodes/stats',
  parameters: ['fields'],
  columns: [
    column('id', '', 'node id', 'default', (row) => row.node.id),
    column('host', 'h', 'host name', 'default', (row) => row.node.host),
    column('ip', '', 'ip address', 'default', (row) => row.node.ip),
    column('node', 'n', 'node name', 'default', (row) => row.node.name),
    column('field', 'f', 'field name', 'default', (row) => row.field),
    column('size', 's', 'field data usage', 'default', (row) => bytes(row.sizeBytes)),
  ],
  async rows(request, services) {
    const state = services.cluster.state();
    const patterns =
      pathList(request, 'fields').length > 0 ? pathList(request, 'fields') : (request.params.list('fields') ?? []);
    const { shards } = await broadcastStats(
      services,
      [...state.indices.values()].filter((meta) => meta.state === 'open'),
      { body: { fields: { fielddata: ['*'], completion: [], groups: [] } } },
    );
    const sizes = new Map<string, Row>();
    for (const { nodeId, raw } of shards) {
      const node = state.nodes.get(nodeId);
      const fields = ((raw['fielddata'] as { fields?: FieldSizes } | undefined)?.fields ?? {}) as FieldSizes;
      for (const [field, { memory_size_in_bytes: size }] of Object.entries(fields)) {
        if (!node || (patterns.length > 0 && !matchesAny(patterns, field))) continue;
        const key = `${nodeId}/${field}`;
        sizes.set(key, { node, field, sizeBytes: (sizes.get(key)?.sizeBytes ?? 0) + size });
      }
    }
    return [...sizes.values()];
  },
});
