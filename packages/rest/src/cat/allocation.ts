import { isDataNode, isRelocationTarget, type NodeInfo } from '@shoal/state';
import { askNodes, roleLetters, selectNodes } from '../admin/nodes.js';
import { pathList } from '../admin/index-options.js';
import { broadcastStats } from '../admin/shard-stats.js';
import { bytes } from './cell.js';
import { catRoutes, type Column, column } from './table.js';

interface Row {
  readonly shards: number;
  /** Null for the row of unassigned shards. */
  readonly node: NodeInfo | null;
  readonly indicesBytes: number;
  readonly totalBytes: number | null;
  readonly availableBytes: number | null;
}

function used(row: Row): number | null {
  return row.totalBytes === null || row.availableBytes === null ? null : row.totalBytes - row.availableBytes;
}

function usedPercent(row: Row): number | null {
  const bytesUsed = used(row);
  return bytesUsed === null || !row.totalBytes ? null : Math.floor((bytesUsed / row.totalBytes) * 100);
}

const columns: readonly Column<Row>[] = [
  column('shards', 's', 'number of shards on node', 'default right', (row) => row.shards),
  column('disk.indices', 'di,diskIndices', 'disk used by ES indices', 'default right', (row) =>
    row.node ? bytes(row.indicesBytes) : null,
  ),
  column('disk.used', 'du,diskUsed', 'disk used (total, not just ES)', 'default right', (row) => bytes(used(row))),
  column('disk.avail', 'da,diskAvail', 'disk available', 'default right', (row) => bytes(row.availableBytes)),
  column('disk.total', 'dt,diskTotal', 'total capacity of all volumes', 'default right', (row) =>
    bytes(row.totalBytes),
  ),
  column('disk.percent', 'dp,diskPercent', 'percent disk used', 'default right', usedPercent),
  column('host', 'h', 'host of node', 'default', (row) => row.node?.host ?? null),
  column('ip', '', 'ip of node', 'default', (row) => row.node?.ip ?? null),
  column('node', 'n', 'name of node', 'default', (row) => row.node?.name ?? 'UNASSIGNED'),
  column('node.role', 'r,role,nodeRole', 'node roles', 'default', (row) => (row.node ? roleLetters(row.node) : null)),
];

function figure(json: Readonly<Record<string, unknown>>, name: string): number | null {
  const value = (json['fs'] as { total?: Record<string, number> } | undefined)?.total?.[name];
  return value ?? null;
}

export const routes = catRoutes<Row>({
  name: 'allocation',
  paths: ['/_cat/allocation', '/_cat/allocation/{node_id}'],
  privilege: 'cluster:monitor/state',
  also: ['cluster:monitor/nodes/stats'],
  columns,
  async rows(request, services) {
    const state = services.cluster.state();
    const filter = pathList(request, 'node_id');
    const nodes = selectNodes(services, filter).filter(isDataNode);
    const { shards } = await broadcastStats(services, [...state.indices.values()]);
    const copies = [...state.routing.values()]
      .flatMap((table) => table.flat())
      .filter((copy) => !isRelocationTarget(copy));
    const { reports } = await askNodes(services, nodes, 'stats');
    const rows = reports.map(
      ({ node, json }): Row => ({
        shards: copies.filter((copy) => copy.nodeId === node.id).length,
        node,
        indicesBytes: shards
          .filter((row) => row.nodeId === node.id)
          .reduce((sum, row) => sum + row.stats.store.size_in_bytes, 0),
        totalBytes: figure(json, 'total_in_bytes'),
        availableBytes: figure(json, 'available_in_bytes'),
      }),
    );
    const unassigned = copies.filter((copy) => copy.nodeId === null).length;
    const last: Row = { shards: unassigned, node: null, indicesBytes: 0, totalBytes: null, availableBytes: null };
    return unassigned > 0 ? [...rows, last] : rows;
  },
});
