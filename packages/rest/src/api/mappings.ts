import {
  checkIndexBlocks,
  type IndexMetadata,
  noSuchIndex,
  OPEN_AND_CLOSED,
  OPEN_BY_WILDCARD,
  OPEN_ONLY,
  resolveWriteTarget,
  type SearchTarget,
  visibleFields,
  visibleMapping,
} from '@shoal/state';
import { matchesAny } from '@shoal/values';
import { errors } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import {
  INDICES_PARAMETERS,
  MASTER_PARAMETERS,
  pathList,
  READ_PARAMETERS,
  requireNames,
  runTask,
  selectIndices,
  selectTargets,
} from '../admin/index-options.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';

function get(request: RestRequest, services: Services): RestResponse {
  const targets = selectTargets(request, services, OPEN_BY_WILDCARD);
  checkIndexBlocks(
    services.cluster.state(),
    targets.map(({ index }) => index),
    'metadata_read',
  );
  return {
    status: 200,
    json: Object.fromEntries(targets.map((target) => [target.index.name, { mappings: visibleMapping(target) }])),
  };
}

function mappingBody(request: RestRequest): Record<string, unknown> {
  const json = request.json();
  if (!isPlainObject(json)) throw errors.parse('request body must be a JSON object');
  const [key, ...others] = Object.keys(json);
  if (key === '_doc' && others.length === 0 && isPlainObject(json[key])) {
    throw errors.illegalArgument('Types cannot be provided in put mapping requests');
  }
  return json;
}

/** Target indices; with `write_index_only` an alias means its write index only. */
function targets(request: RestRequest, services: Services): IndexMetadata[] {
  if (!request.params.boolean('write_index_only', false))
    return selectIndices(request, services, { ...OPEN_AND_CLOSED, allowNoIndices: false });
  return pathList(request, 'index').map((name) => {
    requireNames(request, services, [name]);
    const target = resolveWriteTarget(services.cluster.state(), name, services.clock.now());
    if (!target) throw noSuchIndex(name);
    return target.index;
  });
}

async function put(request: RestRequest, services: Services): Promise<RestResponse> {
  const mapping = mappingBody(request);
  const uuids = targets(request, services).map((meta) => meta.uuid);
  return { status: 200, json: await runTask(request, services, 'put-mapping', { uuids, mapping }) };
}

const METADATA_FIELDS = [
  '_data_stream_timestamp',
  '_doc_count',
  '_field_names',
  '_id',
  '_ignored',
  '_index',
  '_nested_path',
  '_routing',
  '_seq_no',
  '_source',
  '_version',
];

/** Leaf fields of a mapping, including multi-fields and aliases, that match the patterns; literal names come first. */
function selectedFields(paths: readonly string[], patterns: readonly string[]): string[] {
  return paths.filter((path) => matchesAny(patterns, path));
}

function fieldEntry(
  meta: IndexMetadata,
  path: string,
  services: Services,
  includeDefaults: boolean,
): Record<string, unknown> | null {
  const mapping = services.coordinator.mappingOf(meta).fieldJson(path, includeDefaults);
  if (!mapping) return null;
  const [[name, definition] = ['', {}]] = Object.entries(mapping);
  const leaf = path.slice(path.lastIndexOf('.') + 1);
  return {
    full_name: path,
    mapping:
      name === leaf
        ? mapping
        : {
            [leaf]:
              Object.keys(mapping).length === 1 && isPlainObject(definition) && name === path ? definition : mapping,
          },
  };
}

/** What the mapping says of a metadata field; most cannot be configured. */
function configured({ mapping }: IndexMetadata, name: string): Record<string, unknown> {
  const definition = mapping[name];
  return isPlainObject(definition) ? { [name]: definition } : {};
}

function fieldsOf(
  { index: meta, limits }: SearchTarget,
  request: RestRequest,
  services: Services,
): Record<string, unknown> {
  const mapping = services.coordinator.mappingOf(meta);
  const shows = visibleFields(limits);
  const paths = [...mapping.fields.map((field) => field.name), ...mapping.aliases.keys()].filter(shows).sort();
  const includeDefaults = request.params.boolean('include_defaults', false);
  const patterns = pathList(request, 'fields');
  const entries = selectedFields(paths, patterns).flatMap((path) => {
    const entry = fieldEntry(meta, path, services, includeDefaults);
    return entry ? [[path, entry] as const] : [];
  });
  const metadata = METADATA_FIELDS.filter((name) => matchesAny(patterns, name)).map(
    (name) => [name, { full_name: name, mapping: configured(meta, name) }] as const,
  );
  return Object.fromEntries([...entries, ...metadata]);
}

function getField(request: RestRequest, services: Services): RestResponse {
  const targets = selectTargets(request, services, OPEN_ONLY);
  const json = Object.fromEntries(
    targets.map((target) => [target.index.name, { mappings: fieldsOf(target, request, services) }]),
  );
  return { status: targets.length === 0 ? 404 : 200, json };
}

const READ = [...INDICES_PARAMETERS, ...READ_PARAMETERS];
const FIELD = [...INDICES_PARAMETERS, 'include_defaults'];
const WRITE = [...INDICES_PARAMETERS, ...MASTER_PARAMETERS, 'write_index_only'];

export const routes: readonly Route<Services>[] = [
  ...['/_mapping', '/{index}/_mapping', '/_mappings', '/{index}/_mappings'].map(
    (path): Route<Services> => ({
      methods: ['GET'],
      path,
      name: 'indices.get_mapping',
      body: 'none',
      privilege: 'indices:admin/mappings/get',
      parameters: READ,
      handle: get,
    }),
  ),
  ...['/{index}/_mapping', '/{index}/_mappings'].map(
    (path): Route<Services> => ({
      methods: ['PUT', 'POST'],
      path,
      name: 'indices.put_mapping',
      body: 'required',
      privilege: 'indices:admin/mapping/put',
      parameters: WRITE,
      handle: put,
    }),
  ),
  ...['/_mapping/field/{fields}', '/{index}/_mapping/field/{fields}'].map(
    (path): Route<Services> => ({
      methods: ['GET'],
      path,
      name: 'indices.get_field_mapping',
      body: 'none',
      privilege: 'indices:admin/mappings/fields/get',
      parameters: FIELD,
      handle: getField,
    }),
  ),
];
