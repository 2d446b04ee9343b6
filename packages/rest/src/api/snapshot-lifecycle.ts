import { checkClusterBlocks, type IndicesOptions, OPEN_ONLY, resolveDateMath, resolveIndices } from '@shoal/state';
import { type RestoredIndex, type RestoreOutcome, type SnapshotInfo, wantedFeatures } from '@shoal/coordinator';
import { type ApiError, errors, renderCause, toApiError } from '@shoal/errors';
import { isRestricted } from '@shoal/security';
import { MASTER_PARAMETERS, objectBody, pathList } from '../admin/index-options.js';
import { repositoryLocation, selectRepositories } from '../admin/repositories.js';
import { incompleteIndex, planRestore, refuseIncomplete } from '../admin/restore-plan.js';
import { planRestoredState } from '../admin/restore-state-plan.js';
import { pageSnapshots } from '../admin/page-snapshots.js';
import { type ListedSnapshot, missingSnapshot, selectSnapshots } from '../admin/select-snapshots.js';
import { snapshotJson, snapshotStatusJson } from '../admin/snapshot-json.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';

const ok = (json: unknown): RestResponse => ({ status: 200, json });

/** Parses `a,b` or `["a","b"]`. */
export function nameList(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  return (Array.isArray(value) ? value.map(String) : String(value).split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function nameProblem(name: string): string | null {
  if (name === '') return 'cannot be empty';
  if (/\s/.test(name)) return 'must not contain whitespace';
  if (name.includes(',')) return "must not contain ','";
  if (name.includes('#')) return "must not contain '#'";
  if (name.startsWith('_')) return "must not start with '_'";
  if (name !== name.toLowerCase()) return 'must be lowercase';
  return /[\\/*?"<>|]/.test(name)
    ? `must not contain the following characters [' ','"','*','\\','<','|',',','>','/','?']`
    : null;
}

function validateName(repository: string, name: string): void {
  const problem = nameProblem(name);
  if (problem) throw errors.invalidSnapshotName(`[${repository}:${name}] Invalid snapshot name [${name}], ${problem}`);
}

function flag(body: Record<string, unknown>, key: string, fallback: boolean): boolean {
  const value = body[key];
  return value === undefined || value === null ? fallback : value === true || value === 'true';
}

/** Throws for a member of a body that the call does not know. */
function refuseUnknown(body: Record<string, unknown>, known: readonly string[]): void {
  const unknown = Object.keys(body).find((key) => !known.includes(key));
  if (unknown !== undefined) throw errors.illegalArgument(`Unknown parameter ${unknown}`);
}

/** Members of the body of a new snapshot. */
const CREATE_KEYS = [
  'indices',
  'ignore_unavailable',
  'allow_no_indices',
  'expand_wildcards',
  'include_global_state',
  'feature_states',
  'partial',
  'metadata',
];

async function create(request: RestRequest, services: Services): Promise<RestResponse> {
  const { repository = '', snapshot = '' } = request.pathParams;
  const place = repositoryLocation(services, repository);
  const body = objectBody(request);
  refuseUnknown(body, CREATE_KEYS);
  const name = resolveDateMath(snapshot, services.clock.now());
  validateName(repository, name);
  checkClusterBlocks(services.cluster.state(), 'metadata_write');
  const options: IndicesOptions = {
    ...OPEN_ONLY,
    expandHidden: true,
    ignoreUnavailable: flag(body, 'ignore_unavailable', false),
  };
  const indices = resolveIndices(
    services.cluster.state(),
    nameList(body['indices']),
    options,
    request.access,
    services.clock.now(),
  );
  const wait = request.params.boolean('wait_for_completion', false);
  const includeGlobalState = flag(body, 'include_global_state', true);
  const task = {
    name,
    indices,
    includeGlobalState,
    features: wantedFeatures(nameList(body['feature_states']), includeGlobalState),
    partial: flag(body, 'partial', false),
    metadata: body['metadata'] ?? null,
  };
  const finished = await services.snapshots.create(place, task, wait);
  return ok(finished ? { snapshot: snapshotJson(repository, finished) } : { accepted: true });
}

/** Snapshots of the requested repositories; a repository that does not exist becomes a failure. */
async function listAll(
  request: RestRequest,
  services: Services,
): Promise<{ listed: ListedSnapshot[]; failures: Record<string, unknown> }> {
  const names = pathList(request, 'repository');
  const patterns = pathList(request, 'snapshot');
  const ignoreUnavailable = request.params.boolean('ignore_unavailable', false);
  const listed: ListedSnapshot[] = [];
  const failures: [string, unknown][] = [];
  for (const repository of repositoryNames(services, names)) {
    try {
      const all = await services.snapshots.list(repositoryLocation(services, repository));
      listed.push(
        ...selectSnapshots(repository, all, patterns, ignoreUnavailable).map((info) => ({ repository, info })),
      );
    } catch (error) {
      const problem: ApiError = toApiError(error);
      if (problem.type !== 'repository_missing_exception') throw error;
      failures.push([repository, renderCause(problem)]);
    }
  }
  return { listed, failures: Object.fromEntries(failures) };
}

/** Names of repositories that match; literal names are kept even if they do not exist. */
function repositoryNames(services: Services, names: readonly string[]): string[] {
  const concrete = names.filter((name) => !name.includes('*') && name !== '_all');
  const wild = names.filter((name) => !concrete.includes(name));
  const matched = wild.length === 0 ? [] : selectRepositories(services.cluster.state(), wild).map(([name]) => name);
  return [...new Set([...concrete, ...matched])];
}

async function get(request: RestRequest, services: Services): Promise<RestResponse> {
  const verbose = request.params.boolean('verbose', true);
  const { listed, failures } = await listAll(request, services);
  const page = pageSnapshots(listed, request.params);
  const view = {
    isVerbose: verbose,
    hasRepository: request.params.boolean('include_repository', true),
    hasIndices: request.params.boolean('index_names', true),
    hasDetails: request.params.boolean('index_details', false),
  };
  const json = {
    snapshots: page.listed.map(({ repository, info }) => snapshotJson(repository, info, view)),
    ...(Object.keys(failures).length > 0 ? { failures } : {}),
    ...(page.next === undefined ? {} : { next: page.next }),
    total: page.total,
    remaining: page.remaining,
  };
  return ok(json);
}

async function status(request: RestRequest, services: Services): Promise<RestResponse> {
  const named = request.pathParams['snapshot'] !== undefined;
  if (!named) {
    const names = request.pathParams['repository'] === undefined ? ['_all'] : pathList(request, 'repository');
    const lists = await Promise.all(
      repositoryNames(services, names).map(async (repository) => ({
        repository,
        all: await services.snapshots.list(repositoryLocation(services, repository)),
      })),
    );
    const running = lists.flatMap(({ repository, all }) =>
      all.filter((info) => info.state === 'IN_PROGRESS').map((info) => snapshotStatusJson(repository, info)),
    );
    return ok({ snapshots: running });
  }
  const { listed } = await listAll(request, services);
  return ok({ snapshots: listed.map(({ repository, info }) => snapshotStatusJson(repository, info)) });
}

async function remove(request: RestRequest, services: Services): Promise<RestResponse> {
  const { repository = '' } = request.pathParams;
  const place = repositoryLocation(services, repository);
  const found = selectSnapshots(repository, await services.snapshots.list(place), pathList(request, 'snapshot'), false);
  await services.snapshots.delete(place, found);
  return ok({ acknowledged: true });
}

/** Returns a complete snapshot by its name; null if there is none. */
export async function findSnapshot(services: Services, repository: string, name: string): Promise<SnapshotInfo | null> {
  const all = await services.snapshots.list(repositoryLocation(services, repository));
  return all.find((info) => info.name === name && info.state !== 'IN_PROGRESS') ?? null;
}

async function clone(request: RestRequest, services: Services): Promise<RestResponse> {
  const { repository = '', snapshot = '', target = '' } = request.pathParams;
  const source = await findSnapshot(services, repository, snapshot);
  if (!source) throw missingSnapshot(repository, snapshot);
  validateName(repository, target);
  const body = objectBody(request);
  const patterns = nameList(body['indices']);
  if (patterns.length === 0)
    throw errors.actionRequestValidation('Validation Failed: 1: indices patterns are missing;');
  const indices = planRestore(repository, source, { indices: patterns }).map(({ from }) => from);
  const incomplete = incompleteIndex(source, indices);
  if (incomplete !== undefined)
    throw errors.snapshot(
      `[${repository}:${target}] Can't clone index [${incomplete}] because its snapshot was not successful.`,
    );
  await services.snapshots.clone(repositoryLocation(services, repository), source, target, indices);
  return ok({ acknowledged: true });
}

/**
 * Restricted indices are restored, under any name, only for callers that may change roles: a restored `.security` index
 * would add API keys or reveal existing ones. For others they are left out, and no other index may get a restricted
 * name.
 */
export function allowedRestores({ subject }: RestRequest, indices: readonly RestoredIndex[]): readonly RestoredIndex[] {
  if (subject.permissions.allowsCluster('cluster:admin/xpack/security/role/put')) return indices;
  const kept = indices.filter(({ from }) => !isRestricted(from.name));
  const refused = kept.flatMap(({ name, aliases }) => [name, ...Object.keys(aliases)]).filter(isRestricted);
  if (refused.length > 0)
    throw errors.illegalArgument(
      `requested system indices [${refused.join(',')}], but system indices can only be restored as part of a ` +
        'feature state',
    );
  return kept;
}

/** Members of the body of a restore. */
const RESTORE_KEYS = [
  'indices',
  'ignore_unavailable',
  'allow_no_indices',
  'expand_wildcards',
  'ignore_throttled',
  'partial',
  'include_global_state',
  'include_aliases',
  'feature_states',
  'rename_pattern',
  'rename_replacement',
  'index_settings',
  'ignore_index_settings',
];

async function restore(request: RestRequest, services: Services): Promise<RestResponse> {
  const { repository = '', snapshot = '' } = request.pathParams;
  const source = await findSnapshot(services, repository, snapshot);
  if (!source) throw errors.snapshotRestore(`[${repository}:${snapshot}] snapshot does not exist`);
  const state = services.cluster.state();
  const body = objectBody(request);
  refuseUnknown(body, RESTORE_KEYS);
  const indices = allowedRestores(request, planRestore(repository, source, body, state));
  refuseIncomplete(repository, source, indices, body['partial']);
  const more = planRestoredState(repository, source, body, { state, indices, subject: request.subject });
  const done = services.snapshots.restore(repositoryLocation(services, repository), source, indices, more);
  return restored(request, services, done, indices);
}

/** The answer of a restore that was begun: at once, or with `wait_for_completion` once all shards are there. */
export async function restored(
  request: RestRequest,
  services: Services,
  done: Promise<RestoreOutcome>,
  indices: readonly RestoredIndex[],
): Promise<RestResponse> {
  const { repository = '', snapshot = '' } = request.pathParams;
  if (!request.params.boolean('wait_for_completion', false)) {
    done.catch((error: unknown) => services.log.write('error', 'a restore failed', { repository, snapshot, error }));
    return ok({ accepted: true });
  }
  const { total, failed } = await done;
  return ok({
    snapshot: {
      snapshot,
      indices: indices.map(({ name }) => name),
      shards: { total, failed, successful: total - failed },
    },
  });
}

const GET = [
  'master_timeout',
  'ignore_unavailable',
  'verbose',
  'index_details',
  'index_names',
  'include_repository',
  'sort',
  'size',
  'order',
  'offset',
  'after',
  'from_sort_value',
  'slm_policy_filter',
];
const RUN = ['master_timeout', 'wait_for_completion'];

export const routes: readonly Route<Services>[] = [
  {
    methods: ['PUT', 'POST'],
    path: '/_snapshot/{repository}/{snapshot}',
    name: 'snapshot.create',
    body: 'optional',
    privilege: 'cluster:admin/snapshot/create',
    parameters: RUN,
    handle: create,
  },
  {
    methods: ['GET'],
    path: '/_snapshot/{repository}/{snapshot}',
    name: 'snapshot.get',
    body: 'none',
    privilege: 'cluster:admin/snapshot/get',
    parameters: GET,
    handle: get,
  },
  {
    methods: ['DELETE'],
    path: '/_snapshot/{repository}/{snapshot}',
    name: 'snapshot.delete',
    body: 'none',
    privilege: 'cluster:admin/snapshot/delete',
    parameters: MASTER_PARAMETERS,
    handle: remove,
  },
  ...['/_snapshot/_status', '/_snapshot/{repository}/_status', '/_snapshot/{repository}/{snapshot}/_status'].map(
    (path): Route<Services> => ({
      methods: ['GET'],
      path,
      name: 'snapshot.status',
      body: 'none',
      privilege: 'cluster:admin/snapshot/status',
      parameters: ['master_timeout', 'ignore_unavailable'],
      handle: status,
    }),
  ),
  {
    methods: ['PUT'],
    path: '/_snapshot/{repository}/{snapshot}/_clone/{target}',
    name: 'snapshot.clone',
    body: 'required',
    privilege: 'cluster:admin/snapshot/clone',
    parameters: MASTER_PARAMETERS,
    handle: clone,
  },
  {
    methods: ['POST'],
    path: '/_snapshot/{repository}/{snapshot}/_restore',
    name: 'snapshot.restore',
    body: 'optional',
    privilege: 'cluster:admin/snapshot/restore',
    parameters: RUN,
    handle: restore,
  },
];
