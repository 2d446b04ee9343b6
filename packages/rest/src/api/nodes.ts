import { BUILD, INDEX_VERSION, TRANSPORT_VERSION } from '@shoal/values';
import { type FlatSettings, type IndexMetadata, nestedSettings } from '@shoal/state';
import { sortSettings } from '../admin/settings-form.js';
import { errors } from '@shoal/errors';
import { aggregationKinds } from '@shoal/coordinator';
import { groupBy } from '../admin/group-by.js';
import { withReadableValues } from '../admin/human.js';
import { pathList } from '../admin/index-options.js';
import { nodeMappingStats } from '../admin/mapping-stats.js';
import { askNodes, type NodeReport, type NodeReports, selectNodes } from '../admin/nodes.js';
import { broadcastStats, type ShardStatsRow } from '../admin/shard-stats.js';
import { sumStats } from '../admin/sum-stats.js';
import { unrecognizedError } from '../routing/params.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';
import { fieldPatterns, narrowFields, parseMetrics, pickSections, shardEntry } from './index-stats.js';

const INFO_METRICS = [
  'settings',
  'os',
  'process',
  'jvm',
  'thread_pool',
  'transport',
  'http',
  'remote_cluster_server',
  'plugins',
  'ingest',
  'aggregations',
  'indices',
];
const STATS_METRICS: Readonly<Record<string, string>> = {
  indices: 'indices',
  os: 'os',
  process: 'process',
  jvm: 'jvm',
  thread_pool: 'thread_pool',
  fs: 'fs',
  transport: 'transport',
  http: 'http',
  breaker: 'breakers',
  script: 'script',
  discovery: 'discovery',
  ingest: 'ingest',
  adaptive_selection: 'adaptive_selection',
  script_cache: 'script_cache',
  indexing_pressure: 'indexing_pressure',
  repositories: 'repositories',
  threads: 'threads',
  shard_threads: 'shard_threads',
  search_threads: 'search_threads',
  allocations: 'allocations',
};

function answer(
  request: RestRequest,
  services: Services,
  { header }: NodeReports,
  nodes: [string, unknown][],
): RestResponse {
  const json = { _nodes: header, cluster_name: services.cluster.state().clusterName, nodes: Object.fromEntries(nodes) };
  return { status: 200, json: request.params.boolean('human', false) ? withReadableValues(json) : json };
}

/** `/_nodes/{x}` is a list of metrics if all its parts are metrics, else a node filter. */
function filterAndMetrics(request: RestRequest): { filter: string[]; metrics: string[] } {
  const first = pathList(request, 'node_id');
  const metrics = pathList(request, 'metric');
  if (metrics.length > 0 || request.pathParams['metric'] !== undefined) return { filter: first, metrics };
  const known = new Set([...INFO_METRICS, '_all', '_none']);
  return first.length > 0 && first.every((part) => known.has(part)) && !first.includes('_all')
    ? { filter: [], metrics: first }
    : { filter: first, metrics: [] };
}

function settingsOf(request: RestRequest, flat: FlatSettings): unknown {
  return request.params.boolean('flat_settings', false) ? sortSettings(flat) : nestedSettings(flat);
}

function infoEntry(
  request: RestRequest,
  { node, json }: NodeReport,
  wants: (metric: string) => boolean,
): Record<string, unknown> {
  const { total_indexing_buffer: buffer, settings, ...sections } = json;
  const shown = Object.fromEntries(
    Object.entries(sections).filter(([name]) => (name === 'modules' ? wants('plugins') : wants(name))),
  );
  return {
    name: node.name,
    transport_address: node.transportAddress,
    host: node.host,
    ip: node.ip,
    version: node.version,
    transport_version: TRANSPORT_VERSION,
    index_version: INDEX_VERSION,
    component_versions: {},
    build_flavor: BUILD.flavor,
    build_type: BUILD.type,
    build_hash: BUILD.hash,
    ...(wants('indices') ? { total_indexing_buffer: buffer ?? 0 } : {}),
    roles: node.roles,
    attributes: node.attributes,
    ...(wants('settings') ? { settings: settingsOf(request, settings as FlatSettings) } : {}),
    ...shown,
    ...(wants('aggregations') ? { aggregations: aggregationKinds() } : {}),
  };
}

/** `timeout` in milliseconds. Null: limited by the links to the nodes only. */
function timeoutOf(request: RestRequest): number | null {
  const ms = request.params.time('timeout', -1);
  return ms < 0 ? null : ms;
}

async function info(request: RestRequest, services: Services): Promise<RestResponse> {
  const { filter, metrics } = filterAndMetrics(request);
  const all = metrics.length === 0 || metrics.includes('_all');
  const wants = (metric: string): boolean => all || metrics.includes(metric);
  const found = await askNodes(services, selectNodes(services, filter), 'info', timeoutOf(request));
  return answer(
    request,
    services,
    found,
    found.reports.map((report) => [report.node.id, infoEntry(request, report, wants)]),
  );
}

function parseStatsMetrics(request: RestRequest): ReadonlySet<string> | null {
  const metrics = pathList(request, 'metric');
  if (metrics.length === 0) return null;
  if (metrics.includes('_all')) {
    if (metrics.length > 1)
      throw errors.illegalArgument(
        `request [${request.path}] contains _all and individual metrics [${metrics.join(',')}]`,
      );
    return null;
  }
  const unknown = metrics.filter((metric) => !Object.hasOwn(STATS_METRICS, metric));
  if (unknown.length > 0) throw unrecognizedError(request.path, unknown, Object.keys(STATS_METRICS), 'metric');
  return new Set(metrics.map((metric) => STATS_METRICS[metric]!));
}

function parseIndexMetrics(request: RestRequest, metrics: ReadonlySet<string> | null): readonly string[] | null {
  const wanted = pathList(request, 'index_metric');
  if (wanted.length === 0) return null;
  const path = pathList(request, 'metric');
  if (!path.includes('_all') && metrics && !metrics.has('indices')) {
    throw errors.illegalArgument(
      `request [${request.path}] contains index metrics [${wanted.join(',')}] but indices stats not requested`,
    );
  }
  if (path.includes('_all') && !wanted.includes('_all')) {
    throw errors.illegalArgument(
      `request [${request.path}] contains index metrics [${wanted.join(',')}] but all stats requested`,
    );
  }
  return parseIndexMetricNames(request.path, wanted);
}

function parseIndexMetricNames(path: string, wanted: readonly string[]): readonly string[] | null {
  try {
    return parseMetrics(path, wanted);
  } catch (error) {
    throw errors.illegalArgument((error as Error).message.replace('unrecognized metric', 'unrecognized index metric'));
  }
}

/** Statistics of the shards of a node: their sum, and with `level` of each index or shard. */
function indicesSection(
  request: RestRequest,
  services: Services,
  metas: readonly IndexMetadata[],
  rows: readonly ShardStatsRow[],
  sections: readonly string[] | null,
): Record<string, unknown> {
  const patterns = fieldPatterns(request);
  const pick = (chosen: readonly ShardStatsRow[]): Record<string, unknown> =>
    pickSections(
      narrowFields(sumStats(chosen.map(({ raw }) => ({ ...raw, shard_stats: { total_count: 1 } }))), patterns),
      sections,
    );
  const used = new Set(rows.map(({ indexUuid }) => indexUuid));
  const held = metas.filter(({ uuid }) => used.has(uuid));
  const mappings = (of: readonly IndexMetadata[]): Record<string, unknown> =>
    !sections || sections.includes('mappings') ? { mappings: nodeMappingStats(of) } : {};
  const total = { ...pick(rows), ...mappings(held) };
  const level = request.params.text('level', 'node');
  if (level === 'node') return total;
  const names = new Map(metas.map((meta) => [meta.uuid, meta.name]));
  const metaOf = new Map(held.map((meta) => [meta.name, meta]));
  const byIndex = [...groupBy(rows, (row) => names.get(row.indexUuid) ?? row.indexUuid)];
  if (level === 'indices')
    return {
      ...total,
      indices: Object.fromEntries(
        byIndex.map(([name, chosen]) => [
          name,
          { ...pick(chosen), ...mappings(metaOf.has(name) ? [metaOf.get(name)!] : []) },
        ]),
      ),
    };
  if (level === 'shards')
    return {
      ...total,
      shards: Object.fromEntries(
        byIndex.map(([name, chosen]) => [
          name,
          chosen.map((row) => ({ [row.shard]: shardEntry(services, row, pick) })),
        ]),
      ),
    };
  throw errors.illegalArgument(`level parameter must be one of [node] or [indices] or [shards] but was [${level}]`);
}

interface StatsContext {
  readonly metrics: ReadonlySet<string> | null;
  readonly sections: readonly string[] | null;
  readonly metas: readonly IndexMetadata[];
  readonly rows: readonly ShardStatsRow[];
}

const ORDER = [
  'os',
  'process',
  'jvm',
  'thread_pool',
  'fs',
  'transport',
  'http',
  'breakers',
  'script',
  'discovery',
  'ingest',
  'adaptive_selection',
  'script_cache',
  'indexing_pressure',
  'repositories',
  'threads',
  'shard_threads',
  'search_threads',
];

function statsEntry(
  request: RestRequest,
  services: Services,
  { node, json }: NodeReport,
  context: StatsContext,
): Record<string, unknown> {
  const { metrics, sections, metas } = context;
  const all: Record<string, unknown> = json;
  const shown = ORDER.filter((name) => (!metrics || metrics.has(name)) && all[name] !== undefined).map(
    (name) => [name, all[name]] as const,
  );
  return {
    timestamp: services.clock.now(),
    name: node.name,
    transport_address: node.transportAddress,
    host: node.host,
    ip: node.transportAddress,
    roles: node.roles,
    attributes: node.attributes,
    ...(!metrics || metrics.has('indices')
      ? {
          indices: indicesSection(
            request,
            services,
            metas,
            context.rows.filter((row) => row.nodeId === node.id),
            sections,
          ),
        }
      : {}),
    ...Object.fromEntries(shown),
  };
}

async function stats(request: RestRequest, services: Services): Promise<RestResponse> {
  const metrics = parseStatsMetrics(request);
  const sections = parseIndexMetrics(request, metrics);
  const wantsIndices = !metrics || metrics.has('indices');
  const metas = wantsIndices ? [...services.cluster.state().indices.values()] : [];
  const { shards: rows } = await broadcastStats(services, metas, { body: { fields: fieldPatterns(request) } });
  const found = await askNodes(
    services,
    selectNodes(services, pathList(request, 'node_id')),
    'stats',
    timeoutOf(request),
  );
  const context = { metrics, sections, metas, rows };
  return answer(
    request,
    services,
    found,
    found.reports.map((report) => [report.node.id, statsEntry(request, services, report, context)]),
  );
}

async function usage(request: RestRequest, services: Services): Promise<RestResponse> {
  const found = await askNodes(services, selectNodes(services, pathList(request, 'node_id')), 'info');
  const metrics = pathList(request, 'metric');
  const wants = (metric: string): boolean =>
    metrics.length === 0 || metrics.includes('_all') || metrics.includes(metric);
  const counts = {
    ...(wants('rest_actions') ? { rest_actions: {} } : {}),
    ...(wants('aggregations') ? { aggregations: {} } : {}),
  };
  const since = (json: NodeReport['json']): unknown =>
    (json['jvm'] as { start_time_in_millis?: number } | undefined)?.start_time_in_millis;
  return answer(
    request,
    services,
    found,
    found.reports.map(({ node, json }) => [
      node.id,
      { timestamp: services.clock.now(), since: since(json), ...counts },
    ]),
  );
}

const INFO = ['flat_settings', 'timeout', 'human'];
const STATS = [
  'completion_fields',
  'fielddata_fields',
  'fields',
  'groups',
  'level',
  'timeout',
  'types',
  'include_segment_file_sizes',
  'include_unloaded_segments',
  'human',
];

function get(
  path: string,
  name: string,
  parameters: readonly string[],
  handle: Route<Services>['handle'],
): Route<Services> {
  return {
    methods: ['GET'],
    path,
    name,
    body: 'none',
    privilege: `cluster:monitor/${name.replace('.', '/')}`,
    parameters,
    handle,
  };
}

export const routes: readonly Route<Services>[] = [
  ...['/_nodes', '/_nodes/{node_id}', '/_nodes/{node_id}/{metric}'].map((path) => get(path, 'nodes.info', INFO, info)),
  ...[
    '/_nodes/stats',
    '/_nodes/{node_id}/stats',
    '/_nodes/stats/{metric}',
    '/_nodes/{node_id}/stats/{metric}',
    '/_nodes/stats/{metric}/{index_metric}',
    '/_nodes/{node_id}/stats/{metric}/{index_metric}',
  ].map((path) => get(path, 'nodes.stats', STATS, stats)),
  ...['/_nodes/usage', '/_nodes/{node_id}/usage', '/_nodes/usage/{metric}', '/_nodes/{node_id}/usage/{metric}'].map(
    (path) => get(path, 'nodes.usage', ['timeout'], usage),
  ),
];
