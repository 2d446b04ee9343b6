import { compositionFor, indexTemplates } from '@shoal/cluster';
import {
  type ClusterState,
  type DataStream,
  dataStreams,
  indexHealth,
  isEnabled,
  isTimeSeries,
  isTrue,
  managedBy,
  noSuchIndex,
  policyNameOf,
  timeWindow,
  UNRESTRICTED,
} from '@shoal/state';
import { matchesAny, selectNames } from '@shoal/values';
import { ownProperty } from '@shoal/json';
import { INDICES_PARAMETERS, MASTER_PARAMETERS, pathList, requireNames, runTask } from '../admin/index-options.js';
import { broadcastStats } from '../admin/shard-stats.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';

/** Data streams that the caller may see. */
function visibleStreams({ access }: RestRequest, services: Services): readonly DataStream[] {
  return dataStreams(services.cluster.state()).filter(({ name }) => access.allows(name));
}

/** Data streams that `{name}` selects. Throws index_not_found_exception. */
export function selectedStreams(request: RestRequest, services: Services): DataStream[] {
  const names = pathList(request, 'name');
  requireNames(request, services, names);
  const all = visibleStreams(request, services);
  if (names.length === 0) return [...all];
  const chosen = new Set(
    selectNames(
      all.map((stream) => stream.name),
      names,
    ),
  );
  const absent = names.find((name) => !name.includes('*') && name !== '_all' && !chosen.has(name));
  if (absent !== undefined) throw noSuchIndex(absent);
  return all.filter((stream) => chosen.has(stream.name));
}

function backingIndices(state: ClusterState, stream: DataStream): unknown[] {
  return stream.indices.flatMap((uuid) => {
    const meta = state.indices.get(uuid);
    if (!meta) return [];
    const policy = policyNameOf(meta);
    return [
      {
        index_name: meta.name,
        index_uuid: uuid,
        prefer_ilm: isTrue(meta.settings, 'index.lifecycle.prefer_ilm'),
        ...(policy === null ? {} : { ilm_policy: policy }),
        managed_by: managedBy(state, meta),
      },
    ];
  });
}

function healthOf(state: ClusterState, stream: DataStream): string {
  const statuses = stream.indices.flatMap((uuid) => {
    const meta = state.indices.get(uuid);
    return meta ? [indexHealth(state, meta).status] : [];
  });
  return (['red', 'yellow'].find((status) => statuses.includes(status as 'red')) ?? 'green').toUpperCase();
}

/** What will manage the next backing index: by the settings that the template gives it. */
function nextGeneration(state: ClusterState, stream: DataStream) {
  const { settings } = compositionFor(state, stream.name, false);
  const policy = String(settings['index.lifecycle.name'] ?? '');
  const prefersPolicy = isTrue(settings, 'index.lifecycle.prefer_ilm');
  const hasLifecycle = isEnabled(stream.lifecycle);
  const byPolicy = policy !== '' && (prefersPolicy || !hasLifecycle);
  const other = hasLifecycle ? 'Data stream lifecycle' : 'Unmanaged';
  return { policy, prefersPolicy, managedBy: byPolicy ? 'Index Lifecycle Management' : other };
}

/** Windows of the backing indices of time series, those that follow each other as one. */
function temporalRanges(state: ClusterState, stream: DataStream): Record<string, unknown> {
  const metas = stream.indices.flatMap((uuid) => state.indices.get(uuid) ?? []).filter(isTimeSeries);
  if (metas.length === 0) return {};
  const windows = metas.map(({ settings }) => timeWindow(settings)).sort((a, b) => a.startMs - b.startMs);
  const joined: { startMs: number; endMs: number }[] = [];
  for (const { startMs, endMs } of windows) {
    const last = joined.at(-1);
    if (last !== undefined && startMs <= last.endMs) last.endMs = Math.max(last.endMs, endMs);
    else joined.push({ startMs, endMs });
  }
  const text = (ms: number): string => new Date(ms).toISOString();
  const ranges = joined.map(({ startMs, endMs }) => ({ start: text(startMs), end: text(endMs) }));
  return { time_series: { temporal_ranges: ranges } };
}

function describe(state: ClusterState, stream: DataStream): Record<string, unknown> {
  const template = ownProperty(indexTemplates(state), stream.template);
  const next = nextGeneration(state, stream);
  return {
    name: stream.name,
    timestamp_field: { name: '@timestamp' },
    indices: backingIndices(state, stream),
    generation: stream.generation,
    ...(template?.meta ? { _meta: template.meta } : {}),
    status: healthOf(state, stream),
    template: stream.template,
    ...(stream.lifecycle ? { lifecycle: stream.lifecycle } : {}),
    ...(next.policy === '' ? {} : { ilm_policy: next.policy }),
    next_generation_managed_by: next.managedBy,
    prefer_ilm: next.prefersPolicy,
    hidden: stream.hidden,
    system: false,
    allow_custom_routing: stream.allowCustomRouting,
    replicated: false,
    ...temporalRanges(state, stream),
  };
}

function get(request: RestRequest, services: Services): RestResponse {
  const state = services.cluster.state();
  return {
    status: 200,
    json: { data_streams: selectedStreams(request, services).map((stream) => describe(state, stream)) },
  };
}

async function create(request: RestRequest, services: Services): Promise<RestResponse> {
  requireNames(request, services, pathList(request, 'name'));
  return {
    status: 200,
    json: await runTask(request, services, 'create-data-stream', { name: request.pathParams['name'] }),
  };
}

/** Names for a deletion; wildcards expand to streams that the caller may delete. */
function streamNames(request: RestRequest, services: Services): readonly string[] {
  const names = pathList(request, 'name');
  if (request.access === UNRESTRICTED) return names;
  requireNames(request, services, names);
  const all = visibleStreams(request, services).map(({ name }) => name);
  return [
    ...new Set(names.flatMap((name) => (name.includes('*') || name === '_all' ? selectNames(all, [name]) : [name]))),
  ];
}

async function remove(request: RestRequest, services: Services): Promise<RestResponse> {
  return {
    status: 200,
    json: await runTask(request, services, 'delete-data-stream', { names: streamNames(request, services) }),
  };
}

async function stats(request: RestRequest, services: Services): Promise<RestResponse> {
  const state = services.cluster.state();
  const names = pathList(request, 'name');
  requireNames(request, services, names);
  const streams = visibleStreams(request, services).filter(
    (stream) => names.length === 0 || matchesAny(names, stream.name),
  );
  const metas = streams.flatMap((stream) => stream.indices.flatMap((uuid) => state.indices.get(uuid) ?? []));
  const { header, shards } = await broadcastStats(services, metas);
  const sizeOf = (stream: DataStream): number =>
    shards
      .filter((shard) => stream.indices.includes(shard.indexUuid))
      .reduce((sum, shard) => sum + shard.stats.store.size_in_bytes, 0);
  const rows = streams.map((stream) => ({
    data_stream: stream.name,
    backing_indices: stream.indices.length,
    store_size_bytes: sizeOf(stream),
    maximum_timestamp: 0,
  }));
  const json = {
    _shards: header,
    data_stream_count: streams.length,
    backing_indices: metas.length,
    total_store_size_bytes: rows.reduce((sum, row) => sum + row.store_size_bytes, 0),
    data_streams: rows,
  };
  return { status: 200, json };
}

const READ = [...INDICES_PARAMETERS, 'master_timeout', 'include_defaults'];

export const routes: readonly Route<Services>[] = [
  ...['/_data_stream', '/_data_stream/{name}'].map(
    (path): Route<Services> => ({
      methods: ['GET'],
      path,
      name: 'indices.get_data_stream',
      body: 'none',
      privilege: 'indices:admin/data_stream/get',
      parameters: READ,
      handle: get,
    }),
  ),
  {
    methods: ['PUT'],
    path: '/_data_stream/{name}',
    name: 'indices.create_data_stream',
    body: 'none',
    privilege: 'indices:admin/data_stream/create',
    parameters: MASTER_PARAMETERS,
    handle: create,
  },
  {
    methods: ['DELETE'],
    path: '/_data_stream/{name}',
    name: 'indices.delete_data_stream',
    body: 'none',
    privilege: 'indices:admin/data_stream/delete',
    parameters: [...MASTER_PARAMETERS, 'expand_wildcards'],
    handle: remove,
  },
  ...['/_data_stream/_stats', '/_data_stream/{name}/_stats'].map(
    (path): Route<Services> => ({
      methods: ['GET'],
      path,
      name: 'indices.data_streams_stats',
      body: 'none',
      privilege: 'indices:monitor/data_stream/stats',
      parameters: INDICES_PARAMETERS,
      handle: stats,
    }),
  ),
];
