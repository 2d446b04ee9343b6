import { OPEN_ONLY } from '@shoal/state';
import { matchesWildcard } from '@shoal/values';
import { INDICES_PARAMETERS, selectIndices } from '../admin/index-options.js';
import { shardsHeader } from '../admin/shard-stats.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';

/** Counts of one field, by use; the names are those of the answer. */
type Counts = Readonly<Record<string, number>>;

/** What a shard copy has counted since it was opened. */
interface Usage {
  readonly trackingId: string;
  readonly startedAtMs: number;
  readonly fields: Readonly<Record<string, Counts>>;
}

const POSTINGS = ['terms', 'postings', 'term_frequencies', 'positions', 'offsets', 'payloads', 'proximity'] as const;
const OTHERS = ['stored_fields', 'doc_values', 'points', 'norms', 'term_vectors', 'knn_vectors'] as const;

const pick = (counts: Counts, names: readonly string[]): Record<string, number> =>
  Object.fromEntries(names.map((name) => [name, counts[name] ?? 0]));

const countsJson = (counts: Counts): Record<string, unknown> => ({
  any: counts['any'] ?? 0,
  inverted_index: pick(counts, POSTINGS),
  ...pick(counts, OTHERS),
});

function sumOf(all: readonly Counts[]): Counts {
  const sum: Record<string, number> = {};
  for (const counts of all) for (const [use, count] of Object.entries(counts)) sum[use] = (sum[use] ?? 0) + count;
  return sum;
}

function statsJson(usage: Usage, patterns: readonly string[]): Record<string, unknown> {
  const shown = Object.keys(usage.fields)
    .filter((field) => patterns.some((pattern) => matchesWildcard(pattern, field)))
    .sort();
  return {
    all_fields: countsJson(sumOf(shown.map((field) => usage.fields[field]!))),
    fields: Object.fromEntries(shown.map((field) => [field, countsJson(usage.fields[field]!)])),
  };
}

interface Row {
  readonly indexUuid: string;
  readonly shard: number;
  readonly nodeId: string;
  readonly primary: boolean;
  readonly body: unknown;
}

function shardJson(row: Row, services: Services, request: RestRequest): Record<string, unknown> {
  const usage = row.body as Usage;
  const copy = services.cluster
    .state()
    .routing.get(row.indexUuid)
    ?.[row.shard]?.find(({ nodeId }) => nodeId === row.nodeId);
  const isHuman = request.params.boolean('human', false);
  return {
    tracking_id: usage.trackingId,
    ...(isHuman ? { tracking_started_at: new Date(usage.startedAtMs).toISOString() } : {}),
    tracking_started_at_millis: usage.startedAtMs,
    routing: {
      state: copy?.state ?? 'STARTED',
      primary: row.primary,
      node: row.nodeId,
      relocating_node: copy?.relocatingNodeId ?? null,
    },
    stats: statsJson(usage, request.params.list('fields') ?? ['*']),
  };
}

/** Answers what searches have read of which field, by shard copy. */
async function fieldUsageStats(request: RestRequest, services: Services): Promise<RestResponse> {
  const metas = selectIndices(request, services, OPEN_ONLY);
  const answer = await services.coordinator.broadcast(metas, 'field_usage_stats', {});
  const rows = [...answer.shards].sort((a, b) => a.shard - b.shard || Number(b.primary) - Number(a.primary));
  const indices = metas.map(({ name, uuid }) => [
    name,
    { shards: rows.filter((row) => row.indexUuid === uuid).map((row) => shardJson(row, services, request)) },
  ]);
  return { status: 200, json: { _shards: shardsHeader(answer), ...Object.fromEntries(indices) } };
}

export const routes: readonly Route<Services>[] = [
  {
    methods: ['GET'],
    path: '/{index}/_field_usage_stats',
    name: 'indices.field_usage_stats',
    body: 'none',
    privilege: 'indices:monitor/field_usage_stats',
    parameters: [...INDICES_PARAMETERS, 'fields'],
    handle: fieldUsageStats,
  },
];
