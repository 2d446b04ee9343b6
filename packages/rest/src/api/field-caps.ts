import { checkIndexBlocks, type IndexMetadata, OPEN_BY_WILDCARD, OPEN_ONLY, type SearchTarget } from '@shoal/state';
import { validationError } from '@shoal/coordinator';
import { errors, isApiError } from '@shoal/errors';
import { isPlainObject, objectField, readFields, stringify, stringsField } from '@shoal/json';
import { INDICES_PARAMETERS, selectTargets } from '../admin/index-options.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';
import { callContext } from './call-context.js';

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

/** Throws for a filter that is no query. 8.12 names the place where the parser of the query stopped twice. */
function checkFilter({ index_filter: filter }: Body, { coordinator }: Services): void {
  if (filter === undefined) return;
  try {
    coordinator.checkFilter(filter);
  } catch (error) {
    if (!isApiError(error) || !error.location) throw error;
    const { isAppended: _, ...location } = error.parserAt ?? error.location;
    throw errors.xContentParse('[field_caps_request] failed to parse field [index_filter]', { cause: error, location });
  }
}

function fieldsOf(request: RestRequest, body: Body): readonly string[] {
  const fields = request.params.list('fields') ?? body.fields ?? [];
  if (fields.length === 0) throw validationError(['no fields specified']);
  return fields;
}

async function matches(
  request: RestRequest,
  services: Services,
  index: IndexMetadata,
  { index_filter: query, runtime_mappings: runtime }: Body,
): Promise<boolean> {
  const body = { query, size: 0, track_total_hits: 1, ...(runtime === undefined ? {} : { runtime_mappings: runtime }) };
  const answer = await services.coordinator.search(
    {
      target: { names: [index.name], options: OPEN_ONLY },
      namedIndicesOptions: false,
      body: Buffer.from(stringify(body)),
      overrides: { terminate_after: 1 },
      searchType: 'query_then_fetch',
      routing: null,
      preference: null,
      typedKeys: false,
      totalHitsAsInt: false,
      scrollMs: null,
      allowPartialResults: false,
      requestCache: null,
      maxConcurrentShardRequests: 5,
      includeNamedQueriesScore: false,
    },
    callContext(request),
  );
  const { hits } = JSON.parse(Buffer.concat(answer.chunks).toString('utf8')) as { hits: { total: { value: number } } };
  return hits.total.value > 0;
}

async function filtered(
  request: RestRequest,
  services: Services,
  targets: readonly SearchTarget[],
  body: Body,
): Promise<readonly SearchTarget[]> {
  if (body.index_filter === undefined) return targets;
  const kept = await Promise.all(targets.map(({ index }) => matches(request, services, index, body)));
  return targets.filter((_, i) => kept[i]);
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
  const targets = await filtered(request, services, selected, body);
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
