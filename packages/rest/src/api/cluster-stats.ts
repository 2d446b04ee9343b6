import {
  clusterHealth,
  type ClusterState,
  type FlatSettings,
  type IndexMetadata,
  isActive,
  type NodeInfo,
} from '@shoal/state';
import { JsonText, type Json } from '@shoal/json';
import { formatDouble, INDEX_VERSION } from '@shoal/values';
import type { CommonStats } from '../admin/empty-stats.js';
import { withReadableValues } from '../admin/human.js';
import { pathList } from '../admin/index-options.js';
import { mappingStats } from '../admin/mapping-stats.js';
import { askNodes, type NodeReport, selectNodes } from '../admin/nodes.js';
import { broadcastStats } from '../admin/shard-stats.js';
import { sumStats } from '../admin/sum-stats.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';
import { addNodeStats } from './cluster-info.js';

const ROLES = [
  'coordinating_only',
  'data',
  'data_cold',
  'data_content',
  'data_frozen',
  'data_hot',
  'data_warm',
  'index',
  'ingest',
  'master',
  'ml',
  'remote_cluster_client',
  'search',
  'transform',
  'voting_only',
];

/** A number printed with a fraction even if it is whole: `1.0`. */
const double = (value: number): JsonText => new JsonText(formatDouble(value));

function spread(values: readonly number[], show: (value: number) => unknown = (value) => value): Json {
  const total = values.reduce((sum, value) => sum + value, 0);
  return { min: show(Math.min(...values)), max: show(Math.max(...values)), avg: double(total / values.length) };
}

function shardCounts(state: ClusterState, indices: readonly IndexMetadata[]): Json {
  const active = indices.map((meta) => (state.routing.get(meta.uuid) ?? []).flat().filter(isActive));
  const totals = active.map((copies) => copies.length);
  const primaries = active.map((copies) => copies.filter((copy) => copy.primary).length);
  const replication = totals.map((total, i) => (primaries[i] === 0 ? 0 : (total - primaries[i]!) / primaries[i]!));
  const total = totals.reduce((sum, count) => sum + count, 0);
  const allPrimaries = primaries.reduce((sum, count) => sum + count, 0);
  if (total === 0) return {};
  return {
    total,
    primaries: allPrimaries,
    replication: double((total - allPrimaries) / allPrimaries),
    index: { shards: spread(totals), primaries: spread(primaries), replication: spread(replication, double) },
  };
}

function indicesJson(state: ClusterState, stats: CommonStats, primaries: CommonStats): Json {
  const indices = [...state.indices.values()];
  return {
    count: indices.length,
    shards: shardCounts(state, indices),
    docs: primaries.docs,
    store: stats.store,
    fielddata: stats.fielddata,
    query_cache: stats.query_cache,
    completion: stats.completion,
    segments: stats.segments,
    ...mappingStats(indices),
    versions:
      indices.length === 0
        ? []
        : [
            {
              version: String(INDEX_VERSION),
              index_count: indices.length,
              primary_shard_count: indices.reduce((sum, meta) => sum + meta.numberOfShards, 0),
              total_primary_bytes: primaries.store.size_in_bytes,
            },
          ],
    search: { total: 0, queries: {}, rescorers: {}, sections: {} },
    dense_vector: stats.dense_vector,
  };
}

function roleCounts(nodes: readonly NodeInfo[]): Json {
  const count = (role: string): number =>
    nodes.filter((node) => (role === 'coordinating_only' ? node.roles.length === 0 : node.roles.includes(role))).length;
  return { total: nodes.length, ...Object.fromEntries(ROLES.map((role) => [role, count(role)])) };
}

function at(json: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? (value as Json)[key] : undefined),
    json,
  );
}

function numberAt(reports: readonly NodeReport[], ...path: string[]): number[] {
  return reports.map(({ json }) => Number(at(json, ...path) ?? 0));
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function counts(values: readonly string[]): Map<string, number> {
  const result = new Map<string, number>();
  for (const value of values) result.set(value, (result.get(value) ?? 0) + 1);
  return result;
}

function counted(reports: readonly NodeReport[], key: string, ...path: string[]): unknown[] {
  return [...counts(reports.map(({ json }) => String(at(json, ...path))))].map(([value, count]) => ({
    [key]: value,
    count,
  }));
}

function memoryJson(stats: readonly NodeReport[]): Json {
  const all = total(numberAt(stats, 'os', 'mem', 'total_in_bytes'));
  const free = total(numberAt(stats, 'os', 'mem', 'free_in_bytes'));
  const freePercent = all === 0 ? 0 : Math.round((free / all) * 100);
  return {
    total_in_bytes: all,
    adjusted_total_in_bytes: all,
    free_in_bytes: free,
    used_in_bytes: all - free,
    free_percent: freePercent,
    used_percent: 100 - freePercent,
  };
}

function descriptorsJson(stats: readonly NodeReport[]): Json {
  const open = numberAt(stats, 'process', 'open_file_descriptors');
  return open.length === 0
    ? {}
    : { min: Math.min(...open), max: Math.max(...open), avg: Math.floor(total(open) / open.length) };
}

function machineJson(info: readonly NodeReport[], stats: readonly NodeReport[]): Json {
  const runtimes = counts(
    info.map(({ json }) =>
      JSON.stringify(['version', 'vm_name', 'vm_version', 'vm_vendor'].map((name) => at(json, 'jvm', name))),
    ),
  );
  const versions = [...runtimes].map(([runtime, count]) => {
    const [version, vm_name, vm_version, vm_vendor] = JSON.parse(runtime) as unknown[];
    return { version, vm_name, vm_version, vm_vendor, bundled_jdk: true, using_bundled_jdk: true, count };
  });
  return {
    os: {
      available_processors: total(numberAt(info, 'os', 'available_processors')),
      allocated_processors: total(numberAt(info, 'os', 'allocated_processors')),
      names: counted(info, 'name', 'os', 'name'),
      pretty_names: counted(info, 'pretty_name', 'os', 'pretty_name'),
      architectures: counted(info, 'arch', 'os', 'arch'),
      mem: memoryJson(stats),
    },
    process: {
      cpu: { percent: total(numberAt(stats, 'process', 'cpu', 'percent')) },
      open_file_descriptors: descriptorsJson(stats),
    },
    jvm: {
      max_uptime_in_millis: Math.max(0, ...numberAt(stats, 'jvm', 'uptime_in_millis')),
      versions,
      mem: {
        heap_used_in_bytes: total(numberAt(stats, 'jvm', 'mem', 'heap_used_in_bytes')),
        heap_max_in_bytes: total(numberAt(stats, 'jvm', 'mem', 'heap_max_in_bytes')),
      },
      threads: total(numberAt(stats, 'jvm', 'threads', 'count')),
    },
    fs: {
      total_in_bytes: total(numberAt(stats, 'fs', 'total', 'total_in_bytes')),
      free_in_bytes: total(numberAt(stats, 'fs', 'total', 'free_in_bytes')),
      available_in_bytes: total(numberAt(stats, 'fs', 'total', 'available_in_bytes')),
    },
  };
}

const PRESSURE = [
  'combined_coordinating_and_primary_in_bytes',
  'coordinating_in_bytes',
  'primary_in_bytes',
  'replica_in_bytes',
  'all_in_bytes',
];
const REJECTIONS = ['coordinating_rejections', 'primary_rejections', 'replica_rejections'];

function pressureJson(stats: readonly NodeReport[]): Json {
  const sum = (...path: string[]): number => total(numberAt(stats, 'indexing_pressure', 'memory', ...path));
  const sums = (part: string, names: readonly string[]): Json =>
    Object.fromEntries(names.map((name) => [name, sum(part, name)]));
  return {
    current: sums('current', PRESSURE),
    total: sums('total', [...PRESSURE, ...REJECTIONS]),
    limit_in_bytes: sum('limit_in_bytes'),
  };
}

interface PipelineStats {
  readonly processors: readonly Readonly<Record<string, { readonly type: string; readonly stats: Json }>>[];
}

/** Pipelines that have processors, and figures of all nodes by the type of processor. */
function ingestJson(stats: readonly NodeReport[]): Json {
  const pipelines = new Set<string>();
  const byType: Record<string, Json> = {};
  for (const { json } of stats) {
    const { ingest } = json as { readonly ingest?: { readonly pipelines: Readonly<Record<string, PipelineStats>> } };
    for (const [name, { processors }] of Object.entries(ingest?.pipelines ?? {})) {
      for (const { type, stats: figures } of processors.flatMap((processor) => Object.values(processor))) {
        pipelines.add(name);
        const { count, failed, current, time_in_millis } = addNodeStats(byType[type], figures) as Json;
        byType[type] = { count, failed, current, time_in_millis };
      }
    }
  }
  const sorted = Object.keys(byType).sort();
  return {
    number_of_pipelines: pipelines.size,
    processor_stats: Object.fromEntries(sorted.map((type) => [type, byType[type]])),
  };
}

function nodesJson(nodes: readonly NodeInfo[], info: readonly NodeReport[], stats: readonly NodeReport[]): Json {
  return {
    count: roleCounts(nodes),
    versions: [...new Set(nodes.map(({ version }) => version))].sort(),
    ...machineJson(info, stats),
    plugins: [],
    network_types: { transport_types: { netty4: nodes.length }, http_types: { netty4: nodes.length } },
    discovery_types: Object.fromEntries(
      counts(info.map(({ json }) => String((json['settings'] as FlatSettings)['discovery.type'] ?? 'multi-node'))),
    ),
    packaging_types: [{ flavor: 'default', type: 'tar', count: nodes.length }],
    ingest: ingestJson(stats),
    indexing_pressure: { memory: pressureJson(stats) },
  };
}

async function stats(request: RestRequest, services: Services): Promise<RestResponse> {
  const state = services.cluster.state();
  const nodes = selectNodes(services, pathList(request, 'node_id'));
  const { shards } = await broadcastStats(services, [...state.indices.values()]);
  const [info, figures] = await Promise.all([askNodes(services, nodes, 'info'), askNodes(services, nodes, 'stats')]);
  const all = sumStats(shards.map((row) => row.raw));
  const primaries = sumStats(shards.filter((row) => row.primary).map((row) => row.raw));
  const json = {
    _nodes: figures.header,
    cluster_name: state.clusterName,
    cluster_uuid: state.clusterUuid,
    timestamp: services.clock.now(),
    status: clusterHealth(state).status,
    indices: indicesJson(state, all, primaries),
    nodes: nodesJson(nodes, info.reports, figures.reports),
    snapshots: {
      current_counts: {
        snapshots: 0,
        shard_snapshots: 0,
        snapshot_deletions: 0,
        concurrent_operations: 0,
        cleanups: 0,
      },
      repositories: {},
    },
  };
  return { status: 200, json: request.params.boolean('human', false) ? withReadableValues(json) : json };
}

export const routes: readonly Route<Services>[] = ['/_cluster/stats', '/_cluster/stats/nodes/{node_id}'].map(
  (path) => ({
    methods: ['GET'],
    path,
    name: 'cluster.stats',
    body: 'none',
    privilege: 'cluster:monitor/stats',
    parameters: ['flat_settings', 'timeout', 'human'],
    handle: stats,
  }),
);
