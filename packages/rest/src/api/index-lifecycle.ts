import {
  allPolicies,
  checkPolicyName,
  explainLifecycle,
  forecast,
  forecastJson,
  hasLifecycleError,
  measureIndices,
  parseMove,
  parsePolicy,
  planMove,
  planRemoval,
  planRetry,
  policiesJson,
  policyMissing,
} from '@shoal/automation';
import { type LifecycleMove, tierMigration, type TierMigration } from '@shoal/cluster';
import { errors, isApiError } from '@shoal/errors';
import { bodyReader, ownProperty } from '@shoal/json';
import {
  EVERYTHING,
  type IndexMetadata,
  nameIndex,
  operationMode,
  policyNameOf,
  requireName,
  type StoredPolicy,
} from '@shoal/state';
import { parseTimeValue } from '@shoal/values';
import {
  INDICES_PARAMETERS,
  MASTER_PARAMETERS,
  objectBody,
  pathList,
  runTask,
  selectIndices,
} from '../admin/index-options.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';

const ok = (json: unknown): RestResponse => ({ status: 200, json });
/** Longest time that a dry run looks ahead. */
const FORECAST_MS_MAX = 3_653 * 86_400_000;
/** Most indices of one dry run. */
const FORECAST_INDICES_MAX = 1_000;

/** `dry_run` as milliseconds: a duration such as `30d`, or a number of days; null without one. */
function forecastMs({ params }: RestRequest): number | null {
  const text = params.text('dry_run');
  if (text === null) return null;
  const ms = parseTimeValue(/^\d+$/.test(text) && Number(text) > 0 ? `${text}d` : text, 'dry_run');
  if (ms > 0 && ms <= FORECAST_MS_MAX) return ms;
  throw errors.illegalArgument(`[dry_run] must be between [1ms] and [3653d] but was [${text}]`);
}

async function forecasts(
  services: Services,
  metas: readonly IndexMetadata[],
  policyOf: (meta: IndexMetadata) => { readonly name: string; readonly stored: StoredPolicy } | null,
  aheadMs: number,
): Promise<ReadonlyMap<string, unknown>> {
  if (metas.length > FORECAST_INDICES_MAX)
    throw errors.illegalArgument(
      `[dry_run] of [${metas.length}] indices, at most [${FORECAST_INDICES_MAX}] are possible`,
    );
  const nowMs = services.clock.now();
  const open = metas.filter(({ state }) => state === 'open');
  const sizes = await measureIndices(services.coordinator, open, nowMs);
  return new Map(
    metas.flatMap((meta): [string, unknown][] => {
      const policy = policyOf(meta);
      if (policy === null) return [];
      const measured = sizes.get(meta.uuid) ?? null;
      const input = { meta, policy: policy.name, stored: policy.stored, measured, nowMs, untilMs: nowMs + aheadMs };
      return [[meta.name, forecastJson(forecast(input))]];
    }),
  );
}

async function put(request: RestRequest, services: Services): Promise<RestResponse> {
  const name = request.pathParams['policy']!;
  checkPolicyName(name);
  const policy = parsePolicy(request.json());
  const aheadMs = forecastMs(request);
  if (aheadMs === null)
    return ok(
      await runTask(request, services, 'put-lifecycle-policy', {
        name,
        policy,
        authentication: request.subject.authentication,
      }),
    );
  const state = services.cluster.state();
  const version = (ownProperty(allPolicies(state), name)?.version ?? 0) + 1;
  const stored = { policy, version, modifiedMs: services.clock.now(), authentication: null };
  const users = [...state.indices.values()].filter(
    (meta) => policyNameOf(meta) === name && request.subject.permissions.indexAccess(EXPLAIN).allows(meta.name),
  );
  const indices = await forecasts(services, users, () => ({ name, stored }), aheadMs);
  return ok({ acknowledged: false, dry_run: true, indices: Object.fromEntries(indices) });
}

function get(request: RestRequest, services: Services): RestResponse {
  return ok(policiesJson(services.cluster.state(), pathList(request, 'policy')));
}

async function remove(request: RestRequest, services: Services): Promise<RestResponse> {
  const name = request.pathParams['policy']!;
  if (ownProperty(allPolicies(services.cluster.state()), name) === undefined) throw policyMissing(name);
  return ok(await runTask(request, services, 'delete-lifecycle-policy', { name }));
}

async function explain(request: RestRequest, services: Services): Promise<RestResponse> {
  const { params } = request;
  const onlyErrors = params.boolean('only_errors', false);
  const onlyManaged = params.boolean('only_managed', false);
  const isHuman = params.boolean('human', false);
  const aheadMs = forecastMs(request);
  const metas = selectIndices(request, services, EVERYTHING);
  const state = services.cluster.state();
  const nowMs = services.clock.now();
  const policies = allPolicies(state);
  const shown = metas.flatMap((meta) => {
    const json = explainLifecycle(state, meta, nowMs, isHuman);
    if ((onlyErrors || onlyManaged) && json['managed'] !== true) return [];
    return onlyErrors && !hasLifecycleError(state, meta) ? [] : [{ meta, json }];
  });
  const policyOf = (meta: IndexMetadata) => {
    const name = policyNameOf(meta) ?? '';
    const stored = ownProperty(policies, name);
    return stored === undefined ? null : { name, stored };
  };
  const foreseen =
    aheadMs === null
      ? null
      : await forecasts(
          services,
          shown.map(({ meta }) => meta),
          policyOf,
          aheadMs,
        );
  const entries = shown.map(({ meta, json }) => {
    const events = foreseen?.get(meta.name);
    return [meta.name, events === undefined ? json : { ...json, dry_run: events }];
  });
  return ok({ indices: Object.fromEntries(entries) });
}

/** Indices of a call that names them; one that is missing is an illegal argument, as in 8.12. */
function named(request: RestRequest, services: Services): IndexMetadata[] {
  try {
    return selectIndices(request, services, EVERYTHING);
  } catch (error) {
    if (!isApiError(error) || error.type !== 'index_not_found_exception') throw error;
    throw errors.illegalArgument(`index [${String(error.meta['index'])}] does not exist`);
  }
}

async function submitMoves(
  request: RestRequest,
  services: Services,
  moves: readonly LifecycleMove[],
): Promise<unknown> {
  return runTask(request, services, 'move-lifecycles', { moves });
}

async function retry(request: RestRequest, services: Services): Promise<RestResponse> {
  return ok(await submitMoves(request, services, planRetry(named(request, services), services.clock.now())));
}

async function removeFromIndices(request: RestRequest, services: Services): Promise<RestResponse> {
  await submitMoves(request, services, planRemoval(selectIndices(request, services, EVERYTHING)));
  return ok({ has_failures: false, failed_indexes: [] });
}

async function move(request: RestRequest, services: Services): Promise<RestResponse> {
  const name = request.pathParams['index']!;
  const parsed = parseMove(request.json());
  const state = services.cluster.state();
  requireName(state, request.access, name, services.clock.now());
  const meta = nameIndex(state).get(name);
  if (!meta) throw errors.illegalArgument(`index [${name}] does not exist`);
  return ok(await submitMoves(request, services, [planMove(state, meta, parsed, services.clock.now())]));
}

function status(_request: RestRequest, { cluster }: Services): RestResponse {
  return ok({ operation_mode: operationMode(cluster.state(), 'ilm') });
}

const modeTo =
  (mode: 'RUNNING' | 'STOPPING') =>
  async (request: RestRequest, services: Services): Promise<RestResponse> =>
    ok(await runTask(request, services, 'set-operation-mode', { service: 'ilm', mode }));

function migrationJson(migration: TierMigration, isDry: boolean): Record<string, unknown> {
  const { removedLegacyTemplate: removed } = migration;
  return {
    dry_run: isDry,
    ...(removed === null ? {} : { removed_legacy_template: removed }),
    migrated_ilm_policies: migration.policies,
    migrated_indices: migration.indices,
    migrated_legacy_templates: migration.legacyTemplates,
    migrated_composable_templates: migration.composableTemplates,
    migrated_component_templates: migration.componentTemplates,
  };
}

async function migrateToTiers(request: RestRequest, services: Services): Promise<RestResponse> {
  const reader = bodyReader('migrate_to_data_tiers', objectBody(request));
  reader.onlyKeys(['legacy_template_to_delete', 'node_attribute']);
  const attribute = reader.optionalText('node_attribute') ?? 'data';
  const body = { attribute, legacyTemplate: reader.optionalText('legacy_template_to_delete') };
  const isDry = request.params.boolean('dry_run', false);
  if (isDry) {
    const { migration } = tierMigration(services.cluster.state(), body, services.clock.now());
    return ok(migrationJson(migration, true));
  }
  const migration = (await runTask(request, services, 'migrate-to-data-tiers', body)) as unknown as TierMigration;
  return ok(migrationJson(migration, false));
}

const ADMIN = 'cluster:admin/ilm/';
const EXPLAIN = 'indices:admin/ilm/explain';
const POLICY = '/_ilm/policy/{policy}';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

function route(
  method: Method,
  path: string,
  name: string,
  privilege: string,
  handle: Route<Services>['handle'],
  more: Partial<Route<Services>> = {},
): Route<Services> {
  return {
    methods: [method],
    path,
    name: `ilm.${name}`,
    body: 'none',
    privilege,
    parameters: MASTER_PARAMETERS,
    handle,
    ...more,
  };
}

export const routes: readonly Route<Services>[] = [
  route('PUT', POLICY, 'put_lifecycle', `${ADMIN}put`, put, {
    body: 'required',
    parameters: [...MASTER_PARAMETERS, 'dry_run'],
    unhinted: ['dry_run'],
  }),
  ...['/_ilm/policy', POLICY].map((path) => route('GET', path, 'get_lifecycle', `${ADMIN}get`, get)),
  route('DELETE', POLICY, 'delete_lifecycle', `${ADMIN}delete`, remove),
  route('GET', '/{index}/_ilm/explain', 'explain_lifecycle', EXPLAIN, explain, {
    parameters: [...INDICES_PARAMETERS, 'only_errors', 'only_managed', 'master_timeout', 'dry_run'],
    unhinted: ['dry_run'],
  }),
  route('POST', '/{index}/_ilm/retry', 'retry', 'indices:admin/ilm/retry', retry, {
    parameters: [...INDICES_PARAMETERS, ...MASTER_PARAMETERS],
  }),
  route('POST', '/{index}/_ilm/remove', 'remove_policy', 'indices:admin/ilm/remove_policy', removeFromIndices, {
    parameters: [...INDICES_PARAMETERS, ...MASTER_PARAMETERS],
  }),
  route('POST', '/_ilm/move/{index}', 'move_to_step', `${ADMIN}_move/post`, move, { body: 'required' }),
  route('GET', '/_ilm/status', 'get_status', `${ADMIN}operation_mode/get`, status),
  route('POST', '/_ilm/start', 'start', `${ADMIN}start`, modeTo('RUNNING')),
  route('POST', '/_ilm/stop', 'stop', `${ADMIN}stop`, modeTo('STOPPING')),
  route(
    'POST',
    '/_ilm/migrate_to_data_tiers',
    'migrate_to_data_tiers',
    'cluster:admin/migrate_to_data_tiers',
    migrateToTiers,
    {
      body: 'optional',
      parameters: [...MASTER_PARAMETERS, 'dry_run'],
    },
  ),
];
