import { OPEN_ONLY } from '@shoal/state';
import { errors } from '@shoal/errors';
import { formatByteSize } from '@shoal/values';
import { INDICES_PARAMETERS, selectIndices } from '../admin/index-options.js';
import { shardsHeader } from '../admin/shard-stats.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';

type Usage = Readonly<
  Record<'inverted_index' | 'stored_fields' | 'doc_values' | 'points' | 'norms' | 'knn_vectors', number>
>;

interface ShardUsage {
  readonly store: number;
  readonly fields: readonly (readonly [name: string, usage: Usage])[];
}

const NOTHING: Usage = { inverted_index: 0, stored_fields: 0, doc_values: 0, points: 0, norms: 0, knn_vectors: 0 };

function sum(usages: readonly Usage[]): Usage {
  const add = (name: keyof Usage): number => usages.reduce((total, usage) => total + (usage[name] ?? 0), 0);
  return {
    inverted_index: add('inverted_index'),
    stored_fields: add('stored_fields'),
    doc_values: add('doc_values'),
    points: add('points'),
    norms: add('norms'),
    knn_vectors: add('knn_vectors'),
  };
}

const both = (name: string, bytes: number): Record<string, unknown> => ({
  [name]: formatByteSize(bytes),
  [`${name}_in_bytes`]: bytes,
});

function usageJson(usage: Usage): Record<string, unknown> {
  const { inverted_index: inverted, knn_vectors, ...rest } = usage;
  const others = { ...rest, term_vectors: 0, knn_vectors };
  return {
    ...both(
      'total',
      Object.values(usage).reduce((total, bytes) => total + bytes, 0),
    ),
    inverted_index: both('total', inverted),
    ...Object.fromEntries(Object.entries(others).flatMap(([name, bytes]) => Object.entries(both(name, bytes)))),
  };
}

function indexJson(shards: readonly ShardUsage[]): Record<string, unknown> {
  const names = [...new Set(shards.flatMap((shard) => shard.fields.map(([name]) => name)))].sort();
  const fields = names.map(
    (name) =>
      [
        name,
        sum(shards.flatMap((shard) => shard.fields.filter(([own]) => own === name).map(([, usage]) => usage))),
      ] as const,
  );
  return {
    ...both(
      'store_size',
      shards.reduce((total, shard) => total + shard.store, 0),
    ),
    all_fields: usageJson(sum([NOTHING, ...fields.map(([, usage]) => usage)])),
    fields: Object.fromEntries(fields.map(([name, usage]) => [name, usageJson(usage)])),
  };
}

async function diskUsage(request: RestRequest, services: Services): Promise<RestResponse> {
  if (!request.params.boolean('run_expensive_tasks', false)) {
    throw errors.illegalArgument(
      'analyzing the disk usage of an index is expensive and resource-intensive, the parameter ' +
        '[run_expensive_tasks] must be set to [true] in order for the task to be performed.',
    );
  }
  const metas = selectIndices(request, services, OPEN_ONLY);
  const answer = await services.coordinator.broadcast(
    metas,
    'disk_usage',
    { flush: request.params.boolean('flush', true) },
    'primaries',
  );
  const indices = metas.map(
    (meta) =>
      [
        meta.name,
        indexJson(answer.shards.filter((row) => row.indexUuid === meta.uuid).map((row) => row.body as ShardUsage)),
      ] as const,
  );
  return { status: 200, json: { _shards: shardsHeader(answer), ...Object.fromEntries(indices) } };
}

export const routes: readonly Route<Services>[] = [
  {
    methods: ['POST'],
    path: '/{index}/_disk_usage',
    name: 'indices.disk_usage',
    body: 'none',
    privilege: 'indices:admin/analyze_disk_usage',
    parameters: [...INDICES_PARAMETERS, 'flush', 'run_expensive_tasks'],
    handle: diskUsage,
  },
];
