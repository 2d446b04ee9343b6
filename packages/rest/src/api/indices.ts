import {
  aliasesToJson,
  aliasIndex,
  checkIndexBlocks,
  type IndexMetadata,
  indexDefaults,
  type IndicesOptions,
  isAllIndices,
  isTrue,
  nameIndex,
  OPEN_AND_CLOSED,
  OPEN_BY_WILDCARD,
  OPEN_ONLY,
  parseActiveShards,
  parseAliases,
  resolveNames,
  clusterSetting,
  type SearchTarget,
  visibleMapping,
} from '@shoal/state';
import { parseCreateIndex } from '@shoal/cluster';
import { errors } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import {
  INDICES_PARAMETERS,
  indicesOptions,
  MASTER_PARAMETERS,
  objectBody,
  pathList,
  READ_PARAMETERS,
  refuseLimited,
  refuseWidening,
  requireAliases,
  requireNames,
  runTask,
  selectIndices,
  selectTargets,
} from '../admin/index-options.js';
import { checkNewFilters } from '../admin/alias-filters.js';
import { resizeBody, shrunkBody } from '../admin/shrink-body.js';
import { settingsForm } from '../admin/settings-form.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';

const ok = (json: unknown): RestResponse => ({ status: 200, json });

function activeShards(request: RestRequest): string | null {
  const text = request.params.text('wait_for_active_shards');
  if (text !== null) parseActiveShards(text);
  return text;
}

async function create(request: RestRequest, services: Services): Promise<RestResponse> {
  const body = objectBody(request);
  const aliases = parseAliases(body['aliases']);
  requireNames(request, services, pathList(request, 'index'));
  requireAliases(request, services, pathList(request, 'index'), aliases);
  await checkNewFilters(services, request.pathParams['index'] ?? '', body, aliases);
  const wait = activeShards(request);
  return ok(
    await runTask(request, services, 'create-index', {
      name: request.pathParams['index'],
      body,
      waitForActiveShards: wait,
    }),
  );
}

/** Throws for wildcards in destructive calls, unless the cluster allows them. */
function refuseDestructive(services: Services, names: readonly string[]): void {
  if (clusterSetting(services.cluster.state(), 'action.destructive_requires_name', services.node.settings) !== 'true')
    return;
  const broad = isAllIndices(names) || names.some((name) => name.includes('*') || name === '_all');
  // `*,-*` selects nothing and is always allowed.
  const none = names.length === 2 && names[0] === '*' && names[1] === '-*';
  if (broad && !none) throw errors.illegalArgument('Wildcard expressions or all indices are not allowed');
}

const DELETE_OPTIONS: IndicesOptions = { ...OPEN_AND_CLOSED, allowAliases: false };

async function remove(request: RestRequest, services: Services): Promise<RestResponse> {
  refuseDestructive(services, pathList(request, 'index'));
  const uuids = selectIndices(request, services, DELETE_OPTIONS).map((meta) => meta.uuid);
  return ok(await runTask(request, services, 'delete-index', { uuids }));
}

function featuresOf(request: RestRequest): ReadonlySet<string> {
  const known = ['aliases', 'mappings', 'settings'];
  const text = request.params.text('features');
  if (text === null) return new Set(known);
  const wanted = text === '' ? [''] : text.replace(/,+$/, '').split(',');
  if (text !== '' && wanted[0] === '' && wanted.length === 1) return new Set();
  const unknown = wanted.filter((feature) => !known.includes(feature.toLowerCase()));
  if (unknown.length > 0) throw errors.illegalArgument(`Invalid features specified [${unknown.join(',')}]`);
  return new Set(wanted.map((feature) => feature.toLowerCase()));
}

/** The sections of an index: those that were not asked for are shown empty, except `defaults`. */
function describe(target: SearchTarget, request: RestRequest, features: ReadonlySet<string>): Record<string, unknown> {
  const { index: meta } = target;
  const form = settingsForm(request);
  const defaults = features.has('settings') && request.params.boolean('include_defaults', false);
  return {
    aliases: features.has('aliases') ? aliasesToJson(meta.aliases) : {},
    mappings: features.has('mappings') ? visibleMapping(target) : {},
    settings: features.has('settings') ? form(meta.settings) : {},
    ...(defaults ? { defaults: form(indexDefaults(meta.settings)) } : {}),
  };
}

function get(request: RestRequest, services: Services): RestResponse {
  const features = featuresOf(request);
  const targets = selectTargets(request, services, OPEN_BY_WILDCARD);
  checkIndexBlocks(
    services.cluster.state(),
    targets.map(({ index }) => index),
    'metadata_read',
  );
  return ok(Object.fromEntries(targets.map((target) => [target.index.name, describe(target, request, features)])));
}

async function open(request: RestRequest, services: Services): Promise<RestResponse> {
  refuseDestructive(services, pathList(request, 'index'));
  const defaults: IndicesOptions = { ...OPEN_BY_WILDCARD, expandOpen: false, expandClosed: true };
  const uuids = selectIndices(request, services, defaults).map((meta) => meta.uuid);
  return ok(await runTask(request, services, 'open-index', { uuids, waitForActiveShards: activeShards(request) }));
}

async function close(request: RestRequest, services: Services): Promise<RestResponse> {
  refuseDestructive(services, pathList(request, 'index'));
  const waitForActiveShards =
    request.params.text('wait_for_active_shards') === 'index-setting' ? null : activeShards(request);
  const uuids = selectIndices(request, services, OPEN_BY_WILDCARD).map((meta) => meta.uuid);
  return ok(await runTask(request, services, 'close-index', { uuids, waitForActiveShards }));
}

const BLOCKS = ['write', 'read', 'read_only', 'metadata'];

async function addBlock(request: RestRequest, services: Services): Promise<RestResponse> {
  const block = request.pathParams['block'] ?? '';
  if (!BLOCKS.includes(block)) throw errors.illegalArgument(`No block found with name ${block}`);
  refuseDestructive(services, pathList(request, 'index'));
  const uuids = selectIndices(request, services, OPEN_BY_WILDCARD).map((meta) => meta.uuid);
  return ok(await runTask(request, services, 'add-block', { uuids, block }));
}

function resize(kind: 'shrink' | 'split' | 'clone') {
  return async (request: RestRequest, services: Services): Promise<RestResponse> => {
    const { index: source, target = '' } = request.pathParams;
    const given = resizeBody(objectBody(request));
    requireNames(request, services, [source ?? '', target]);
    const meta = nameIndex(services.cluster.state()).get(source ?? '');
    refuseLimited(
      request,
      services,
      meta ? [meta] : [],
      'Resize requests are not allowed for users when field or document level security is enabled on the source index',
    );
    const aliases = Object.keys(isPlainObject(given.index['aliases']) ? given.index['aliases'] : {});
    refuseWidening(
      request,
      services,
      meta ? [meta] : [],
      [target, ...aliases],
      'Resizing an index is not allowed when the target index has more permissions than the source index',
    );
    requireAliases(request, services, [target], given.index['aliases']);
    const body = kind === 'shrink' ? await shrunkBody(given, source ?? '', services) : given.index;
    return ok(
      await runTask(request, services, 'resize', {
        kind,
        source,
        target,
        body,
        waitForActiveShards: activeShards(request),
      }),
    );
  };
}

function attributesOf(meta: IndexMetadata): string[] {
  const attributes = [meta.state === 'open' ? 'open' : 'closed'];
  if (isTrue(meta.settings, 'index.hidden')) attributes.push('hidden');
  return attributes.sort();
}

function resolve(request: RestRequest, services: Services): RestResponse {
  const state = services.cluster.state();
  const expressions = pathList(request, 'name');
  const options = indicesOptions(request, OPEN_ONLY);
  const names = resolveNames(
    state,
    expressions,
    { ...options, forbidClosed: false },
    request.access,
    services.clock.now(),
  );
  const wanted = (name: string): boolean => names.has(name) && request.access.allows(name);
  const indices = [...nameIndex(state).values()]
    .filter((meta) => wanted(meta.name))
    .map((meta) => ({
      name: meta.name,
      ...(Object.keys(meta.aliases).length > 0 ? { aliases: Object.keys(meta.aliases).sort() } : {}),
      attributes: attributesOf(meta),
    }));
  const aliases = [...aliasIndex(state)]
    .filter(([name]) => wanted(name))
    .map(([name, metas]) => ({ name, indices: metas.map((meta) => meta.name) }));
  return ok({
    indices: indices.sort((a, b) => (a.name < b.name ? -1 : 1)),
    aliases: aliases.sort((a, b) => (a.name < b.name ? -1 : 1)),
    data_streams: resolvedStreams(services, wanted),
  });
}

function resolvedStreams(services: Services, wanted: (name: string) => boolean): unknown[] {
  const state = services.cluster.state();
  const streams = Object.values(state.customs.get('dataStreams') ?? {}) as {
    name: string;
    indices: readonly string[];
  }[];
  return streams
    .filter((stream) => wanted(stream.name))
    .map((stream) => ({
      name: stream.name,
      backing_indices: stream.indices.map((uuid) => state.indices.get(uuid)?.name),
      timestamp_field: '@timestamp',
    }));
}

const DESCRIBE = [...INDICES_PARAMETERS, ...READ_PARAMETERS, 'features', 'flat_settings', 'include_defaults'];
const CHANGE = [...INDICES_PARAMETERS, ...MASTER_PARAMETERS];
const CREATE = [...MASTER_PARAMETERS, 'wait_for_active_shards'];

export const routes: readonly Route<Services>[] = [
  {
    methods: ['PUT'],
    path: '/{index}',
    name: 'indices.create',
    body: 'optional',
    privilege: 'indices:admin/create',
    parameters: CREATE,
    checkBody: (request) => void parseCreateIndex('', objectBody(request), 0),
    handle: create,
  },
  {
    methods: ['DELETE'],
    path: '/{index}',
    name: 'indices.delete',
    body: 'none',
    privilege: 'indices:admin/delete',
    parameters: CHANGE,
    handle: remove,
  },
  {
    methods: ['GET', 'HEAD'],
    path: '/{index}',
    name: 'indices.get',
    body: 'none',
    privilege: 'indices:admin/get',
    parameters: DESCRIBE,
    handle: get,
  },
  {
    methods: ['POST'],
    path: '/_open',
    name: 'indices.open',
    body: 'none',
    privilege: 'indices:admin/open',
    parameters: [...CHANGE, 'wait_for_active_shards'],
    handle: open,
  },
  {
    methods: ['POST'],
    path: '/{index}/_open',
    name: 'indices.open',
    body: 'none',
    privilege: 'indices:admin/open',
    parameters: [...CHANGE, 'wait_for_active_shards'],
    handle: open,
  },
  {
    methods: ['POST'],
    path: '/_close',
    name: 'indices.close',
    body: 'none',
    privilege: 'indices:admin/close',
    parameters: [...CHANGE, 'wait_for_active_shards'],
    handle: close,
  },
  {
    methods: ['POST'],
    path: '/{index}/_close',
    name: 'indices.close',
    body: 'none',
    privilege: 'indices:admin/close',
    parameters: [...CHANGE, 'wait_for_active_shards'],
    handle: close,
  },
  {
    methods: ['PUT'],
    path: '/{index}/_block/{block}',
    name: 'indices.add_block',
    body: 'none',
    privilege: 'indices:admin/block/add',
    parameters: CHANGE,
    handle: addBlock,
  },
  ...(['shrink', 'split', 'clone'] as const).map(
    (kind): Route<Services> => ({
      methods: ['PUT', 'POST'],
      path: `/{index}/_${kind}/{target}`,
      name: `indices.${kind}`,
      body: 'optional',
      privilege: 'indices:admin/resize',
      parameters: CREATE,
      checkBody: (request) => void resizeBody(objectBody(request)),
      handle: resize(kind),
    }),
  ),
  {
    methods: ['GET'],
    path: '/_resolve/index/{name}',
    name: 'indices.resolve_index',
    body: 'none',
    privilege: 'indices:admin/resolve/index',
    parameters: INDICES_PARAMETERS,
    handle: resolve,
  },
];
