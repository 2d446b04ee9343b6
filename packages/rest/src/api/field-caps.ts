import { checkIndexBlocks, OPEN_BY_WILDCARD, type SearchTarget } from '@shoal/state';
import { validationError } from '@shoal/coordinator';
import { errors } from '@shoal/errors';
import { isPlainObject, objectField, readFields, stringsField } from '@shoal/json';
import { INDICES_PARAMETERS, selectTargets } from '../admin/index-options.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';
import { callContext } from './call-context.js';
import { checkIndexFilter } from './index-filter.js';

const FIELDS = {
  fields: stringsField,
  index_filter: objectField((query) => query),
  runtime_mappings: objectField((mappings) => mappings),
};

/** What a body names. */
type Body = ReturnType<typeof bodyOf>;

function bodyOf(request: RestRequest) {
  const body = request.json() ?? {};
  if (!isPlainObject(body))
    throw errors.parsing('[field_caps_request] Expected START_OBJECT', { meta: { line: 1, col: 1 } });
  return readFields('field_caps_request', body, FIELDS);
}

/** Throws for a filter that is no query. */
function checkFilter({ index_filter: filter }: Body, { coordinator }: Services): void {
  if (filter !== undefined) checkIndexFilter('field_caps_request', filter, coordinator);
}

function fieldsOf(request: RestRequest, body: Body): readonly string[] {
  const fields = request.params.list('fields') ?? body.fields ?? [];
  if (fields.length === 0) throw validationError(['no fields specified']);
  return fields;
}

/** The targets of which a shard may match the filter; all without one. Throws the error of a shard that fails. */
async function filtered(
  services: Services,
  targets: readonly SearchTarget[],
  { index_filter: query, runtime_mappings: runtime }: Body,
): Promise<readonly SearchTarget[]> {
  if (query === undefined) return targets;
  const limits = new Map(targets.map((target) => [target.index.uuid, target.limits]));
  const { shards, failures } = await services.coordinator.broadcast(
    targets.map(({ index }) => index),
    'filter_matches',
    { query, runtime: runtime ?? null, nowMs: services.clock.now() },
    'one',
    ({ uuid }) => limits.get(uuid) ?? null,
  );
  if (failures.length > 0) throw failures[0]!.error;
  const matching = new Set(
    shards.flatMap(({ indexUuid, body }) => ((body as { readonly matches: boolean }).matches ? [indexUuid] : [])),
  );
  return targets.filter(({ index }) => matching.has(index.uuid));
}

async function fieldCaps(request: RestRequest, services: Services): Promise<RestResponse> {
  const { params } = request;
  const body = bodyOf(request);
  checkFilter(body, services);
  const wanted = {
    fields: fieldsOf(request, body),
    includeUnmapped: params.boolean('include_unmapped', false),
    filters: params.list('filters') ?? [],
    types: params.list('types') ?? [],
    runtimeMappings: body.runtime_mappings ?? null,
  };
  const selected = selectTargets(request, services, OPEN_BY_WILDCARD);
  checkIndexBlocks(
    services.cluster.state(),
    selected.map(({ index }) => index),
    'read',
  );
  const targets = await filtered(services, selected, body);
  return { status: 200, json: await services.coordinator.fieldCaps(targets, wanted, callContext(request)) };
}

export const routes: readonly Route<Services>[] = ['/_field_caps', '/{index}/_field_caps'].map(
  (path): Route<Services> => ({
    methods: ['GET', 'POST'],
    path,
    name: 'field_caps',
    body: 'optional',
    privilege: 'indices:data/read/field_caps',
    parameters: [...INDICES_PARAMETERS, 'fields', 'include_unmapped', 'filters', 'types'],
    checkBody: (request, services) => checkFilter(bodyOf(request), services),
    handle: fieldCaps,
  }),
);
