import { makeInTurns, takeTurns } from '@shoal/coordinator';
import { type IndexMetadata, indexHealth, OPEN_AND_CLOSED, OPEN_ONLY, type ShardRouting } from '@shoal/state';
import { matchesAny } from '@shoal/values';
import { errors } from '@shoal/errors';
import { groupBy } from '../admin/group-by.js';
import { type CommonStats, EMPTY_STATS, type StatsSection } from '../admin/empty-stats.js';
import { withReadableValues } from '../admin/human.js';
import { INDICES_PARAMETERS, pathList, selectIndices } from '../admin/index-options.js';
import { recoveryRows } from '../admin/recovery-json.js';
import { broadcastStats, shardsHeader, type ShardStatsRow } from '../admin/shard-stats.js';
import { sumStats } from '../admin/sum-stats.js';
import { unrecognizedError } from '../routing/params.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';

/** Metric names in the path and the section that each selects. */
const METRICS: Readonly<Record<string, StatsSection | 'mappings'>> = {
  docs: 'docs',
  shard_stats: 'shard_stats',
  store: 'store',
  indexing: 'indexing',
  get: 'get',
  search: 'search',
  merge: 'merges',
  refresh: 'refresh',
  flush: 'flush',
  warmer: 'warmer',
  query_cache: 'query_cache',
  fielddata: 'fielddata',
  completion: 'completion',
  segments: 'segments',
  translog: 'translog',
  request_cache: 'request_cache',
  recovery: 'recovery',
  bulk: 'bulk',
  dense_vector: 'dense_vector',
  mappings: 'mappings',
};

/** Sections of a list of metrics; null for all. `path` is quoted in the error. */
export function parseMetrics(
  path: string,
  metrics: readonly string[],
  fallback: readonly StatsSection[] | null = null,
): readonly (StatsSection | 'mappings')[] | null {
  if (metrics.length === 0) return fallback;
  if (metrics.includes('_all')) {
    if (metrics.length > 1)
      throw errors.illegalArgument(`request [${path}] contains _all and individual metrics [${metrics.join(',')}]`);
    return null;
  }
  const unknown = metrics.filter((metric) => !Object.hasOwn(METRICS, metric));
  if (unknown.length > 0) throw unrecognizedError(path, unknown, Object.keys(METRICS), 'metric');
  return metrics.map((metric) => METRICS[metric]!);
}

/** The selected sections, in fixed order. */
export function pickSections(stats: CommonStats, sections: readonly string[] | null): Record<string, unknown> {
  const names = Object.keys(EMPTY_STATS) as StatsSection[];
  return Object.fromEntries(
    names.filter((name) => !sections || sections.includes(name)).map((name) => [name, stats[name]]),
  );
}

/** Patterns of the parameters that select per-field statistics. */
export interface FieldPatterns {
  readonly fielddata: readonly string[];
  readonly completion: readonly string[];
  readonly groups: readonly string[];
}

/** Reads the patterns of per-field statistics from a request. */
export function fieldPatterns(request: RestRequest): FieldPatterns {
  const common = request.params.list('fields') ?? [];
  return {
    fielddata: request.params.list('fielddata_fields') ?? common,
    completion: request.params.list('completion_fields') ?? common,
    groups: request.params.list('groups') ?? [],
  };
}

function selectFields(section: unknown, patterns: readonly string[]): unknown {
  const { fields, ...rest } = section as { fields?: Record<string, unknown> };
  if (patterns.length === 0 || !fields) return rest;
  const chosen = Object.entries(fields).filter(([name]) => matchesAny(patterns, name));
  return chosen.length === 0 ? rest : { ...rest, fields: Object.fromEntries(chosen) };
}

function selectGroups(section: unknown, patterns: readonly string[]): unknown {
  const { groups, ...rest } = section as { groups?: Record<string, unknown> };
  const chosen = Object.entries(groups ?? {}).filter(([name]) =>
    patterns.some((pattern) => pattern === '_all' || matchesAny([pattern], name)),
  );
  return chosen.length === 0 ? rest : { ...rest, groups: Object.fromEntries(chosen) };
}

/** Removes fields and search groups that were not requested. */
export function narrowFields(stats: CommonStats, patterns: FieldPatterns): CommonStats {
  return {
    ...stats,
    fielddata: selectFields(stats.fielddata, patterns.fielddata) as CommonStats['fielddata'],
    completion: selectFields(stats.completion, patterns.completion) as CommonStats['completion'],
    search: selectGroups(stats.search, patterns.groups) as CommonStats['search'],
  };
}

/** Picks the requested sections of some shards. */
export type PickSections = (rows: readonly ShardStatsRow[]) => Record<string, unknown>;

/** `primaries` and `total` of some shards. */
function totals(rows: readonly ShardStatsRow[], pick: PickSections): Record<string, unknown> {
  if (rows.length === 0) return { primaries: {}, total: {} };
  return { primaries: pick(rows.filter((row) => row.primary)), total: pick(rows) };
}

function copyOf(services: Services, row: ShardStatsRow): ShardRouting | undefined {
  return services.cluster
    .state()
    .routing.get(row.indexUuid)
    ?.[row.shard]?.find((copy) => copy.nodeId === row.nodeId && copy.primary === row.primary);
}

/** A shard copy with `level=shards`: routing, picked sections, commit, sequence numbers and retention leases. */
export function shardEntry(services: Services, row: ShardStatsRow, pick: PickSections): Record<string, unknown> {
  const copy = copyOf(services, row);
  const routing = {
    state: copy?.state ?? 'STARTED',
    primary: row.primary,
    node: row.nodeId,
    relocating_node: copy?.relocatingNodeId ?? null,
  };
  const extra = Object.fromEntries(
    ['commit', 'seq_no', 'retention_leases', 'shard_path'].flatMap((key) =>
      row.raw[key] === undefined ? [] : [[key, row.raw[key]]],
    ),
  );
  return { routing, ...pick([row]), ...extra, ...(row.raw['search_access'] as object | undefined) };
}

function byShard(services: Services, rows: readonly ShardStatsRow[], pick: PickSections): Record<string, unknown> {
  const groups = groupBy(rows, (row) => String(row.shard));
  return Object.fromEntries(
    [...groups].map(([shard, copies]) => [shard, copies.map((row) => shardEntry(services, row, pick))]),
  );
}

function levelOf(request: RestRequest): string {
  const level = request.params.text('level', 'indices');
  if (!['cluster', 'indices', 'shards'].includes(level)) {
    throw errors.illegalArgument(
      `level parameter must be one of [cluster] or [indices] or [shards] but was [${level}]`,
    );
  }
  return level;
}

function indexEntry(
  services: Services,
  meta: IndexMetadata,
  rows: readonly ShardStatsRow[],
  level: string,
  pick: PickSections,
): Record<string, unknown> {
  return {
    uuid: meta.uuid,
    health: indexHealth(services.cluster.state(), meta).status,
    status: meta.state,
    ...totals(rows, pick),
    ...(level === 'shards' ? { shards: byShard(services, rows, pick) } : {}),
  };
}

async function stats(request: RestRequest, services: Services): Promise<RestResponse> {
  const sections = parseMetrics(request.path, pathList(request, 'metric'));
  const level = levelOf(request);
  const patterns = fieldPatterns(request);
  const metas = request.params.boolean('forbid_closed_indices', true)
    ? selectIndices(request, services, OPEN_ONLY).filter((meta) => meta.state === 'open')
    : selectIndices(request, services, OPEN_AND_CLOSED);
  const unloadedSegments = request.params.boolean('include_unloaded_segments', false);
  const { header, shards } = await broadcastStats(services, metas, { body: { fields: patterns }, unloadedSegments });
  const pick: PickSections = (rows) =>
    pickSections(
      narrowFields(sumStats(rows.map(({ raw }) => ({ ...raw, shard_stats: { total_count: 1 } }))), patterns),
      sections,
    );
  const byIndex = groupBy(shards, (row) => row.indexUuid);
  const turns = takeTurns(services.clock, request.signal);
  const entryOf = (meta: IndexMetadata): readonly [string, unknown] => [
    meta.name,
    indexEntry(services, meta, byIndex.get(meta.uuid) ?? [], level, pick),
  ];
  const entries = level === 'cluster' ? [] : await makeInTurns(metas, entryOf, turns);
  const json = {
    _shards: header,
    _all: totals(shards, pick),
    ...(level === 'cluster' ? {} : { indices: Object.fromEntries(entries) }),
  };
  return { status: 200, json: request.params.boolean('human', false) ? withReadableValues(json) : json };
}

async function segments(request: RestRequest, services: Services): Promise<RestResponse> {
  const metas = selectIndices(request, services, OPEN_ONLY);
  const answer = await services.coordinator.broadcast(metas, 'segments', {});
  const byIndex = groupBy(answer.shards, (row) => row.indexUuid);
  const indices = metas.map((meta) => {
    const rows = [...(byIndex.get(meta.uuid) ?? [])].sort((a, b) => a.shard - b.shard);
    const shards = groupBy(rows, (row) => String(row.shard));
    const entries = [...shards].map(
      ([shard, copies]) =>
        [shard, copies.map((copy) => segmentsEntry(copy.primary, copy.nodeId, copy.body as SegmentRow[]))] as const,
    );
    return [meta.name, { shards: Object.fromEntries(entries) }] as const;
  });
  return { status: 200, json: { _shards: shardsHeader(answer), indices: Object.fromEntries(indices) } };
}

/** A segment as its shard describes it, with its name. */
export interface SegmentRow {
  readonly name: string;
  readonly generation: number;
  readonly num_docs: number;
  readonly deleted_docs: number;
  readonly size_in_bytes: number;
  readonly committed: boolean;
  readonly search: boolean;
  readonly version: string;
  readonly compound: boolean;
}

function segmentsEntry(primary: boolean, node: string, rows: readonly SegmentRow[]): Record<string, unknown> {
  return {
    routing: { state: 'STARTED', primary, node },
    num_committed_segments: rows.filter((row) => row.committed).length,
    num_search_segments: rows.filter((row) => row.search).length,
    segments: Object.fromEntries(rows.map(({ name, ...row }) => [name, row])),
  };
}

async function recovery(request: RestRequest, services: Services): Promise<RestResponse> {
  const activeOnly = request.params.boolean('active_only', false);
  const detailed = request.params.boolean('detailed', false);
  const metas = selectIndices(request, services, OPEN_AND_CLOSED);
  const rows = await recoveryRows(services, metas);
  const shown = activeOnly ? rows.filter((row) => row.json['stage'] !== 'DONE') : rows;
  const groups = groupBy(shown, (row) => row.index.name);
  const json = Object.fromEntries(
    [...groups].map(([name, shards]) => [
      name,
      { shards: shards.map((row) => (detailed ? withFileDetails(row.json) : row.json)) },
    ]),
  );
  return { status: 200, json: request.params.boolean('human', false) ? withReadableValues(json) : json };
}

/** Adds an empty list of files: recoveries are not recorded file by file. */
function withFileDetails(json: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const index = json['index'] as { files: object };
  return { ...json, index: { ...index, files: { ...index.files, details: [] } } };
}

const STATS = [
  ...INDICES_PARAMETERS,
  'completion_fields',
  'fielddata_fields',
  'fields',
  'groups',
  'level',
  'include_segment_file_sizes',
  'include_unloaded_segments',
  'forbid_closed_indices',
  'types',
];

export const routes: readonly Route<Services>[] = [
  ...['/_stats', '/_stats/{metric}', '/{index}/_stats', '/{index}/_stats/{metric}'].map(
    (path): Route<Services> => ({
      methods: ['GET'],
      path,
      name: 'indices.stats',
      body: 'none',
      privilege: 'indices:monitor/stats',
      parameters: STATS,
      handle: stats,
    }),
  ),
  ...['/_segments', '/{index}/_segments'].map(
    (path): Route<Services> => ({
      methods: ['GET'],
      path,
      name: 'indices.segments',
      body: 'none',
      privilege: 'indices:monitor/segments',
      parameters: [...INDICES_PARAMETERS, 'verbose'],
      handle: segments,
    }),
  ),
  ...['/_recovery', '/{index}/_recovery'].map(
    (path): Route<Services> => ({
      methods: ['GET'],
      path,
      name: 'indices.recovery',
      body: 'none',
      privilege: 'indices:monitor/recovery',
      parameters: [...INDICES_PARAMETERS, 'active_only', 'detailed'],
      handle: recovery,
    }),
  ),
];
