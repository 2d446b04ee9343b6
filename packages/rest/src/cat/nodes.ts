import type { JsonObject } from '@shoal/json';
import { BUILD } from '@shoal/values';
import type { NodeInfo } from '@shoal/state';
import { EMPTY_STATS, type CommonStats } from '../admin/empty-stats.js';
import { askNodes, roleLetters, shortId } from '../admin/nodes.js';
import { broadcastStats } from '../admin/shard-stats.js';
import { sumStats } from '../admin/sum-stats.js';
import { bytes, type Cell, millis } from './cell.js';
import { statsColumns } from './stats-columns.js';
import { catRoutes, type Column, column } from './table.js';

interface Row {
  readonly node: NodeInfo;
  readonly isMaster: boolean;
  readonly fullId: boolean;
  readonly info: JsonObject;
  readonly stats: JsonObject;
  readonly shards: CommonStats;
}

function at(json: JsonObject, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? (value as JsonObject)[key] : undefined),
    json,
  );
}

function num(json: JsonObject, ...path: string[]): number | null {
  const value = at(json, ...path);
  return typeof value === 'number' ? value : null;
}

function load(row: Row, span: string): Cell {
  return num(row.stats, 'os', 'cpu', 'load_average', span)?.toFixed(2) ?? null;
}

function usedDisk(row: Row): number | null {
  const [total, available] = [
    num(row.stats, 'fs', 'total', 'total_in_bytes'),
    num(row.stats, 'fs', 'total', 'available_in_bytes'),
  ];
  return total === null || available === null ? null : total - available;
}

function percent(part: number | null, whole: number | null, digits = 0): Cell {
  return part === null || !whole ? null : ((part / whole) * 100).toFixed(digits);
}

function port(row: Row): string {
  return row.node.transportAddress.slice(row.node.transportAddress.lastIndexOf(':') + 1);
}

const descriptors = (row: Row, name: string): number | null => num(row.stats, 'process', name);

const LEFT_OUT = new Set(['warmer.current', 'warmer.total', 'warmer.total_time', 'dense_vector.value_count']);

const columns: readonly Column<Row>[] = [
  column('id', 'id,nodeId', 'unique node id', '', (row) => shortId(row.node.id, row.fullId)),
  column('pid', 'p', 'process id', '', (row) => num(row.info, 'process', 'id')),
  column('ip', 'i', 'ip address', 'default', (row) => row.node.ip),
  column('port', 'po', 'bound transport port', '', port),
  column('http_address', 'http', 'bound http address', '', (row) => row.node.httpAddress ?? '-'),
  column('version', 'v', 'es version', '', ({ node }) => node.version),
  column('type', 't', 'es distribution type', '', () => BUILD.type),
  column('build', 'b', 'es build hash', '', () => BUILD.hash),
  column('jdk', 'j', 'jdk version', '', (row) => String(at(row.info, 'jvm', 'version') ?? '')),
  column('disk.total', 'dt,diskTotal', 'total disk space', 'right', (row) =>
    bytes(num(row.stats, 'fs', 'total', 'total_in_bytes')),
  ),
  column('disk.used', 'du,diskUsed', 'used disk space', 'right', (row) => bytes(usedDisk(row))),
  column('disk.avail', 'd,da,disk,diskAvail', 'available disk space', 'right', (row) =>
    bytes(num(row.stats, 'fs', 'total', 'available_in_bytes')),
  ),
  column('disk.used_percent', 'dup,diskUsedPercent', 'used disk space percentage', 'right', (row) =>
    percent(usedDisk(row), num(row.stats, 'fs', 'total', 'total_in_bytes'), 2),
  ),
  column('heap.current', 'hc,heapCurrent', 'used heap', 'right', (row) =>
    bytes(num(row.stats, 'jvm', 'mem', 'heap_used_in_bytes')),
  ),
  column('heap.percent', 'hp,heapPercent', 'used heap ratio', 'default right', (row) =>
    num(row.stats, 'jvm', 'mem', 'heap_used_percent'),
  ),
  column('heap.max', 'hm,heapMax', 'max configured heap', 'right', (row) =>
    bytes(num(row.stats, 'jvm', 'mem', 'heap_max_in_bytes')),
  ),
  column('ram.current', 'rc,ramCurrent', 'used machine memory', 'right', (row) =>
    bytes(num(row.stats, 'os', 'mem', 'used_in_bytes')),
  ),
  column('ram.percent', 'rp,ramPercent', 'used machine memory ratio', 'default right', (row) =>
    num(row.stats, 'os', 'mem', 'used_percent'),
  ),
  column('ram.max', 'rm,ramMax', 'total machine memory', 'right', (row) =>
    bytes(num(row.stats, 'os', 'mem', 'total_in_bytes')),
  ),
  column('file_desc.current', 'fdc,fileDescriptorCurrent', 'used file descriptors', 'right', (row) =>
    descriptors(row, 'open_file_descriptors'),
  ),
  column('file_desc.percent', 'fdp,fileDescriptorPercent', 'used file descriptor ratio', 'right', (row) =>
    percent(descriptors(row, 'open_file_descriptors'), descriptors(row, 'max_file_descriptors')),
  ),
  column('file_desc.max', 'fdm,fileDescriptorMax', 'max file descriptors', 'right', (row) =>
    descriptors(row, 'max_file_descriptors'),
  ),
  column('cpu', 'cpu', 'recent cpu usage', 'default right', (row) => num(row.stats, 'os', 'cpu', 'percent')),
  column('load_1m', 'l', '1m load avg', 'default right', (row) => load(row, '1m')),
  column('load_5m', 'l', '5m load avg', 'default right', (row) => load(row, '5m')),
  column('load_15m', 'l', '15m load avg', 'default right', (row) => load(row, '15m')),
  column('uptime', 'u', 'node uptime', 'right', (row) => millis(num(row.stats, 'jvm', 'uptime_in_millis'))),
  column(
    'node.role',
    'r,role,nodeRole',
    'm:master eligible node, d:data node, i:ingest node, -:coordinating node only',
    'default',
    (row) => roleLetters(row.node),
  ),
  column('master', 'm', '*:current master', 'default', (row) => (row.isMaster ? '*' : '-')),
  column('name', 'n', 'node name', 'default', (row) => row.node.name),
  ...statsColumns<Row>((row) => row.shards, LEFT_OUT),
  column('script.compilations', 'scrcc,scriptCompilations', 'script compilations', 'right', (row) =>
    num(row.stats, 'script', 'compilations'),
  ),
  column('script.cache_evictions', 'scrce,scriptCacheEvictions', 'script cache evictions', 'right', (row) =>
    num(row.stats, 'script', 'cache_evictions'),
  ),
  column(
    'script.compilation_limit_triggered',
    'scrclt,scriptCacheCompilationLimitTriggered',
    'script cache compilation limit triggered',
    'right',
    (row) => num(row.stats, 'script', 'compilation_limit_triggered'),
  ),
  column(
    'shard_stats.total_count',
    'sstc,shardStatsTotalCount',
    'number of shards assigned',
    'right',
    (row) => row.shards.shard_stats.total_count,
  ),
  column('mappings.total_count', 'mtc,mappingsTotalCount', 'number of mappings', 'right', () => 0),
  column(
    'mappings.total_estimated_overhead_in_bytes',
    'mteo,mappingsTotalEstimatedOverheadInBytes',
    'estimated overhead in bytes of mappings',
    'right',
    () => 0,
  ),
];

export const routes = catRoutes<Row>({
  name: 'nodes',
  paths: ['/_cat/nodes'],
  refuses: ['local'],
  privilege: 'cluster:monitor/nodes/info',
  also: ['cluster:monitor/state', 'cluster:monitor/nodes/stats'],
  parameters: ['full_id', 'include_unloaded_segments'],
  columns,
  async rows(request, services) {
    const state = services.cluster.state();
    const nodes = [...state.nodes.values()];
    const { shards } = await broadcastStats(services, [...state.indices.values()]);
    const [info, stats] = await Promise.all([askNodes(services, nodes, 'info'), askNodes(services, nodes, 'stats')]);
    const fullId = request.params.boolean('full_id', false);
    return stats.reports.map(({ node, json }) => {
      const own = shards.filter((row) => row.nodeId === node.id);
      const sum =
        own.length === 0
          ? EMPTY_STATS
          : { ...sumStats(own.map((row) => row.raw)), shard_stats: { total_count: own.length } };
      return {
        node,
        isMaster: node.id === state.masterNodeId,
        fullId,
        info: info.reports.find((report) => report.node.id === node.id)?.json ?? {},
        stats: json,
        shards: sum,
      };
    });
  },
});
