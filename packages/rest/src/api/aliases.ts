import type { AliasAction } from '@shoal/cluster';
import { takeTurns } from '@shoal/coordinator';
import {
  type AliasMetadata,
  aliasToJson,
  checkIndexBlocks,
  checkPatterns,
  EVERYTHING,
  type IndexAccess,
  type IndexMetadata,
  type IndicesOptions,
  OPEN_BY_WILDCARD,
  parseAlias,
  resolveIndices,
  UNRESTRICTED,
  validateAliasName,
  withExpandWildcards,
} from '@shoal/state';
import { selectNames } from '@shoal/values';
import { type ApiError, type ErrorLocation, errors } from '@shoal/errors';
import { isPlainObject, tokenOf } from '@shoal/json';
import {
  INDICES_PARAMETERS,
  MASTER_PARAMETERS,
  objectBody,
  pathList,
  READ_PARAMETERS,
  refuseLimited,
  refuseWidening,
  requireNames,
  runTask,
  selectIndices,
} from '../admin/index-options.js';
import { checkFilterOn } from '../admin/alias-filters.js';
import { missingAliases, selectAliases } from '../admin/select-aliases.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';

interface Found {
  readonly json: Record<string, unknown>;
  readonly aliases: ReadonlySet<string>;
}

function collect(
  metas: readonly IndexMetadata[],
  patterns: readonly string[],
  showEmpty: boolean,
  { allows }: IndexAccess,
): Found {
  const found = new Set<string>();
  const entries = metas.flatMap((meta) => {
    const all = Object.keys(meta.aliases).filter(allows);
    const names = patterns.length === 0 ? all : selectAliases(all, patterns);
    for (const name of names) found.add(name);
    if (names.length === 0 && !showEmpty) return [];
    const aliases = names.map((name) => [name, aliasToJson(meta.aliases[name]!)] as const);
    return [[meta.name, { aliases: Object.fromEntries(aliases) }] as const];
  });
  return { json: Object.fromEntries(entries), aliases: found };
}

const GET_OPTIONS: IndicesOptions = { ...EVERYTHING };

function get(request: RestRequest, services: Services): RestResponse {
  const patterns = pathList(request, 'name');
  requireNames(
    request,
    services,
    patterns.filter((pattern) => !pattern.startsWith('-')),
  );
  const metas = selectIndices(request, services, GET_OPTIONS);
  checkIndexBlocks(services.cluster.state(), metas, 'metadata_read');
  const showEmpty =
    patterns.length === 0 && (request.pathParams['index'] !== undefined || request.path.startsWith('/_alias'));
  const { json, aliases } = collect(metas, patterns, showEmpty, request.access);
  const missing = missingAliases(patterns, aliases);
  if (missing.length === 0) return { status: 200, json };
  const text = missing.length === 1 ? `alias [${missing[0]}] missing` : `aliases [${missing.join(',')}] missing`;
  return { status: 404, json: { error: text, status: 404, ...json } };
}

function exists(request: RestRequest, services: Services): RestResponse {
  return { status: get(request, services).status, empty: true };
}

/** Indices of an alias action; `added` are the aliases that they get. */
function uuidsOf(
  request: RestRequest,
  services: Services,
  expressions: readonly string[],
  options: IndicesOptions,
  added: readonly string[] = [],
): string[] {
  const metas = resolveIndices(services.cluster.state(), expressions, options, request.access, services.clock.now());
  refuseLimited(
    request,
    services,
    metas,
    'Alias requests are not allowed for users who have field or document level security enabled on one of the indices',
  );
  refuseWidening(
    request,
    services,
    metas,
    added,
    'Adding an alias is not allowed when the alias has more permissions than any of the indices',
  );
  return metas.map((meta) => meta.uuid);
}

/** Options for the indices of alias actions: an alias does not expand to its indices. */
const ACTION_OPTIONS: IndicesOptions = {
  ...withExpandWildcards(OPEN_BY_WILDCARD, ['open']),
  allowAliases: false,
  allowNoIndices: false,
};

/** Indices that get an alias may be named by another one; a wildcard does not find them by it. */
const addingOptions = (expressions: readonly string[]): IndicesOptions => ({
  ...ACTION_OPTIONS,
  allowAliases: !expressions.some(isPattern),
});

/** Parses an alias that indices get, and checks its filter on them. */
async function checkedAlias(
  services: Services,
  name: string,
  definition: Record<string, unknown>,
  uuids: readonly string[],
): Promise<AliasMetadata> {
  const alias = parseAlias(name, definition);
  const { indices } = services.cluster.state();
  const metas = uuids.flatMap((uuid) => indices.get(uuid) ?? []);
  await checkFilterOn(services, name, alias, metas);
  return alias;
}

async function put(request: RestRequest, services: Services): Promise<RestResponse> {
  const body = objectBody(request);
  const { index, alias: given, ...definition } = body;
  const name =
    typeof given === 'string' || typeof given === 'number' ? String(given) : (request.pathParams['name'] ?? '');
  const expressions = typeof index === 'string' ? index.split(',') : pathList(request, 'index');
  if (expressions.length === 0) throw errors.illegalArgument('[index] is missing');
  validateAliasName(name);
  requireNames(request, services, [name]);
  const uuids = uuidsOf(request, services, expressions, addingOptions(expressions), [name]);
  const alias = await checkedAlias(services, name, definition, uuids);
  const action: AliasAction = { kind: 'add', uuids, aliases: [name], alias };
  return { status: 200, json: await runTask(request, services, 'update-aliases', { actions: [action] }) };
}

const isPattern = (alias: string): boolean => alias.includes('*') || alias === '_all';

/** Aliases of an action: literal names must be permitted, wildcards expand to permitted ones. */
function ownAliases(
  request: RestRequest,
  services: Services,
  uuids: readonly string[],
  aliases: readonly string[],
): readonly string[] {
  const { access } = request;
  if (access === UNRESTRICTED) return aliases;
  requireNames(request, services, aliases);
  if (!aliases.some(isPattern)) return aliases;
  const { indices } = services.cluster.state();
  const existing = [...new Set(uuids.flatMap((uuid) => Object.keys(indices.get(uuid)?.aliases ?? {})))].filter(
    (alias) => access.allows(alias),
  );
  return [...new Set(aliases.flatMap((alias) => (isPattern(alias) ? selectNames(existing, [alias]) : [alias])))];
}

async function remove(request: RestRequest, services: Services): Promise<RestResponse> {
  const uuids = uuidsOf(request, services, pathList(request, 'index'), ACTION_OPTIONS);
  const action: AliasAction = {
    kind: 'remove',
    uuids,
    aliases: ownAliases(request, services, uuids, pathList(request, 'name')),
    mustExist: null,
  };
  return { status: 200, json: await runTask(request, services, 'update-aliases', { actions: [action] }) };
}

const ACTION_KEYS = [
  'index',
  'indices',
  'alias',
  'aliases',
  'filter',
  'routing',
  'index_routing',
  'indexRouting',
  'index-routing',
  'search_routing',
  'searchRouting',
  'search-routing',
  'is_write_index',
  'is_hidden',
  'must_exist',
];

function wrapped(cause: ApiError, location: ErrorLocation): Error {
  return errors.xContentParse('[aliases] failed to parse field [actions]', { cause, location });
}

function names(json: Record<string, unknown>, single: string, several: string): string[] {
  const value = json[several] ?? json[single];
  if (value === undefined || value === null) return [];
  return (Array.isArray(value) ? value : [value]).map(String);
}

function required(
  json: Record<string, unknown>,
  kind: string,
  end: ErrorLocation,
): { indices: string[]; aliases: string[] } {
  const indices = names(json, 'index', 'indices');
  if (indices.length === 0) throw wrapped(errors.illegalArgument('One of [index] or [indices] is required'), end);
  const aliases = names(json, 'alias', 'aliases');
  if (kind !== 'remove_index' && aliases.length === 0)
    throw wrapped(errors.illegalArgument('One of [alias] or [aliases] is required'), end);
  return { indices, aliases };
}

function unknownKey(json: Record<string, unknown>, kind: string, key: string): Error {
  const at: ErrorLocation = { container: json, key };
  const inner = errors.xContentParse(`[${kind}] unknown field [${key}]`, { location: { ...at, at: 'key' } });
  return wrapped(
    errors.xContentParse(`[alias_action] failed to parse field [${kind}]`, { cause: inner, location: at }),
    at,
  );
}

function definitionOf(json: Record<string, unknown>): Record<string, unknown> {
  const skipped = new Set(['index', 'indices', 'alias', 'aliases', 'must_exist']);
  return Object.fromEntries(Object.entries(json).filter(([key]) => !skipped.has(key)));
}

/** An action of `_aliases` as it is written. */
interface WrittenAction {
  readonly kind: string;
  readonly json: Record<string, unknown>;
  readonly indices: readonly string[];
  readonly aliases: readonly string[];
}

function readAction(body: Record<string, unknown>, action: unknown): WrittenAction {
  const [kind = '', json] = (isPlainObject(action) ? Object.entries(action)[0] : undefined) ?? [];
  if (!['add', 'remove', 'remove_index'].includes(kind) || !isPlainObject(json)) {
    const cause = errors.xContentParse(
      `[alias_action] unknown field [${kind}]`,
      isPlainObject(action) ? { location: { container: action, key: kind, at: 'key' } } : {},
    );
    throw wrapped(
      cause,
      isPlainObject(action) ? { container: action, key: kind } : { container: body, key: 'actions' },
    );
  }
  const unknown = Object.keys(json).find((key) => !ACTION_KEYS.includes(key));
  if (unknown !== undefined) throw unknownKey(json, kind, unknown);
  return { kind, json, ...required(json, kind, { container: body, key: 'actions', at: 'end' }) };
}

/** Reads the actions of a body of `_aliases`. Throws if there are none. */
function readActions(body: Record<string, unknown>): WrittenAction[] {
  const unknown = Object.keys(body).find((key) => key !== 'actions');
  if (unknown !== undefined)
    throw errors.xContentParse(`[aliases] unknown field [${unknown}]`, {
      location: { container: body, key: unknown, at: 'key' },
    });
  const { actions } = body;
  if (actions !== undefined && (typeof actions !== 'object' || actions === null))
    throw errors.xContentParse(`[aliases] actions doesn't support values of type: ${tokenOf(actions)}`, {
      location: { container: body, key: 'actions' },
    });
  if (!Array.isArray(actions) || actions.length === 0) throw errors.illegalArgument('No action specified');
  return actions.map((action) => readAction(body, action));
}

function actionOf(
  request: RestRequest,
  services: Services,
  { kind, json, indices, aliases }: WrittenAction,
): AliasAction | Promise<AliasAction> {
  if (kind === 'add') return addition(request, services, json, indices, aliases);
  const uuids = uuidsOf(request, services, indices, ACTION_OPTIONS);
  if (kind === 'remove_index') {
    requireNames(
      request,
      services,
      uuids.flatMap((uuid) => services.cluster.state().indices.get(uuid)?.name ?? []),
      'indices:admin/delete',
    );
    return { kind: 'remove-index', uuids };
  }
  return {
    kind: 'remove',
    uuids,
    aliases: ownAliases(request, services, uuids, aliases),
    mustExist: typeof json['must_exist'] === 'boolean' ? json['must_exist'] : null,
  };
}

async function addition(
  request: RestRequest,
  services: Services,
  json: Record<string, unknown>,
  indices: readonly string[],
  aliases: readonly string[],
): Promise<AliasAction> {
  const uuids = uuidsOf(request, services, indices, addingOptions(indices), aliases);
  for (const alias of aliases) validateAliasName(alias);
  requireNames(request, services, aliases);
  const alias = await checkedAlias(services, aliases.join(','), definitionOf(json), uuids);
  return { kind: 'add', uuids, aliases, alias };
}

/** Refuses more patterns of aliases to remove than can be compared with all names in a moment. */
function checkRemovals(services: Services, actions: readonly WrittenAction[]): void {
  const removed = actions.flatMap(({ kind, aliases }) => (kind === 'remove' ? aliases : []));
  checkPatterns(
    services.cluster.state(),
    removed.map((alias) => (alias === '_all' ? '*' : alias)),
  );
}

async function update(request: RestRequest, services: Services): Promise<RestResponse> {
  const written = readActions(objectBody(request));
  checkRemovals(services, written);
  const turns = takeTurns(services.clock, request.signal);
  const actions: AliasAction[] = [];
  for (const action of written) {
    const pause = turns.pause();
    if (pause !== null) await pause;
    actions.push(await actionOf(request, services, action));
  }
  return { status: 200, json: await runTask(request, services, 'update-aliases', { actions }) };
}

const READ = [...INDICES_PARAMETERS, ...READ_PARAMETERS];

const readRoute = (
  methods: Route<Services>['methods'],
  path: string,
  handle: Route<Services>['handle'],
  name: string,
): Route<Services> => ({
  methods,
  path,
  name,
  body: 'none',
  privilege: 'indices:admin/aliases/get',
  parameters: READ,
  handle,
});
const readPaths = ['/_alias/{name}', '/{index}/_alias/{name}'];
const writePaths = ['/{index}/_alias/{name}', '/{index}/_aliases/{name}'];

export const routes: readonly Route<Services>[] = [
  ...['/_alias', '/_aliases', '/{index}/_alias', ...readPaths].map((path) =>
    readRoute(['GET'], path, get, 'indices.get_alias'),
  ),
  ...readPaths.map((path) => readRoute(['HEAD'], path, exists, 'indices.exists_alias')),
  ...[...writePaths, '/_alias/{name}', '/{index}/_alias', '/_alias'].map(
    (path): Route<Services> => ({
      methods: ['PUT', 'POST'],
      path,
      name: 'indices.put_alias',
      body: 'optional',
      privilege: 'indices:admin/aliases',
      parameters: MASTER_PARAMETERS,
      handle: put,
    }),
  ),
  ...writePaths.map(
    (path): Route<Services> => ({
      methods: ['DELETE'],
      path,
      name: 'indices.delete_alias',
      body: 'none',
      privilege: 'indices:admin/aliases',
      parameters: MASTER_PARAMETERS,
      handle: remove,
    }),
  ),
  {
    methods: ['POST'],
    path: '/_aliases',
    name: 'indices.update_aliases',
    body: 'required',
    privilege: 'indices:admin/aliases',
    parameters: MASTER_PARAMETERS,
    checkBody: (request) => void readActions(objectBody(request)),
    handle: update,
  },
];
