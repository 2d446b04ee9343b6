import {
  healthEventsTask,
  type Priority,
  parseRerouteCommand,
  type VotingExclusion,
  votingExclusions,
} from '@shoal/cluster';
import {
  applyDiff,
  type ClusterState,
  type ClusterHealth,
  clusterHealth,
  clusterDefaults,
  EVERYTHING,
  type FlatSettings,
  flattenSettings,
  type IndexMetadata,
  nestedSettings,
  OPEN_AND_CLOSED,
  OPEN_ONLY,
  parseActiveShards,
  resolveIndices,
  type StateDiff,
  UNRESTRICTED,
} from '@shoal/state';
import { meetsConditions, parseNodeCount, parseStatus, type WaitConditions } from '../admin/wait-conditions.js';
import { sortSettings, settingsForm } from '../admin/settings-form.js';
import { errors, toApiError } from '@shoal/errors';
import { isPlainObject, JsonText, listField, readFields } from '@shoal/json';
import { formatDouble } from '@shoal/values';
import {
  INDICES_PARAMETERS,
  indicesOptions,
  masterTimeout,
  MASTER_PARAMETERS,
  objectBody,
  pathList,
  runTask,
} from '../admin/index-options.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';
import { stateJson, parseStateMetrics } from '../admin/cluster-state-json.js';

const PRIORITIES: readonly Priority[] = ['IMMEDIATE', 'URGENT', 'HIGH', 'NORMAL', 'LOW', 'LANGUID'];

function parseEvents(text: string | null): Priority | null {
  if (text === null) return null;
  const wanted = PRIORITIES.find((priority) => priority === text.toUpperCase());
  if (wanted === undefined)
    throw errors.illegalArgument(`No enum constant org.elasticsearch.common.Priority.${text.toUpperCase()}`);
  return wanted;
}

/**
 * Waits until the master has run all tasks queued with this or a higher priority, and this node has applied the result.
 * False on timeout.
 */
async function eventsDone(request: RestRequest, services: Services, timeoutMs: number): Promise<boolean> {
  const priority = parseEvents(request.params.text('wait_for_events'));
  if (priority === null || request.params.boolean('local', false)) return true;
  try {
    const { version } = (await services.cluster.submit(
      healthEventsTask(priority),
      {},
      { masterTimeoutMs: timeoutMs, timeoutMs },
    )) as { version: number };
    return await services.cluster.waitFor((state) => state.version >= version, timeoutMs);
  } catch (error) {
    if (toApiError(error).type === 'process_cluster_event_timeout_exception') return false;
    throw error;
  }
}

function conditions(request: RestRequest): WaitConditions {
  const { params } = request;
  const nodes = params.text('wait_for_nodes');
  const active = params.text('wait_for_active_shards');
  return {
    status: parseStatus(params.text('wait_for_status')),
    noRelocating: params.boolean('wait_for_no_relocating_shards', false),
    noInitializing: params.boolean('wait_for_no_initializing_shards', false),
    activeShards: active === null ? 0 : parseActiveShards(active),
    nodes: nodes === null ? null : parseNodeCount(nodes),
  };
}

type IndexHealth = ClusterHealth['indices'][number];

function shardJson(shard: IndexHealth['shards'][number]): Record<string, unknown> {
  return {
    status: shard.status,
    primary_active: shard.primaryActive,
    active_shards: shard.active,
    relocating_shards: shard.relocating,
    initializing_shards: shard.initializing,
    unassigned_shards: shard.unassigned,
  };
}

function indexJson(index: IndexHealth, withShards: boolean): Record<string, unknown> {
  return {
    status: index.status,
    number_of_shards: index.numberOfShards,
    number_of_replicas: index.numberOfReplicas,
    active_primary_shards: index.activePrimaries,
    active_shards: index.active,
    relocating_shards: index.relocating,
    initializing_shards: index.initializing,
    unassigned_shards: index.unassigned,
    ...(withShards
      ? { shards: Object.fromEntries(index.shards.map((shard, i) => [String(i), shardJson(shard)])) }
      : {}),
  };
}

async function healthJson(
  services: Services,
  health: ClusterHealth,
  timedOut: boolean,
  level: string,
  status: string,
): Promise<Record<string, unknown>> {
  const pending = await services.cluster.pendingTasks();
  return {
    cluster_name: services.cluster.state().clusterName,
    status,
    timed_out: timedOut,
    number_of_nodes: health.numberOfNodes,
    number_of_data_nodes: health.numberOfDataNodes,
    active_primary_shards: health.activePrimaries,
    active_shards: health.active,
    relocating_shards: health.relocating,
    initializing_shards: health.initializing,
    unassigned_shards: health.unassigned,
    delayed_unassigned_shards: health.delayedUnassigned,
    number_of_pending_tasks: pending.length,
    number_of_in_flight_fetch: health.inFlightFetches,
    task_max_waiting_in_queue_millis: Math.round(Math.max(0, ...pending.map((task) => task.queuedMs))),
    active_shards_percent_as_number: new JsonText(formatDouble(health.activePercent)),
    ...(level === 'cluster'
      ? {}
      : {
          indices: Object.fromEntries(
            health.indices.map((index) => [index.name, indexJson(index, level === 'shards')]),
          ),
        }),
  };
}

function levelOf(request: RestRequest): string {
  const level = request.params.text('level', 'cluster').toLowerCase();
  if (!['cluster', 'indices', 'shards'].includes(level)) {
    throw errors.illegalArgument(
      `level parameter must be one of [cluster] or [indices] or [shards] but was [${level}]`,
    );
  }
  return level;
}

/** Indices that exist of those whose health is requested; undefined for all that there are. */
function healthIndices(request: RestRequest, services: Services): IndexMetadata[] | undefined {
  const isOfAll = pathList(request, 'index').length === 0 && request.params.text('expand_wildcards') === null;
  if (isOfAll && request.access === UNRESTRICTED) return undefined;
  const lenient = { ...EVERYTHING, ignoreUnavailable: true };
  return resolveIndices(
    services.cluster.state(),
    pathList(request, 'index'),
    indicesOptions(request, lenient),
    request.access,
    services.clock.now(),
  );
}

/** Whether each requested index exists, whatever `expand_wildcards` and `ignore_unavailable` say. */
function allExist(request: RestRequest, services: Services): boolean {
  const names = pathList(request, 'index');
  if (names.length === 0) return true;
  try {
    resolveIndices(services.cluster.state(), names, OPEN_AND_CLOSED, request.access, services.clock.now());
    return true;
  } catch (error) {
    if (toApiError(error).type !== 'index_not_found_exception') throw error;
    return false;
  }
}

async function health(request: RestRequest, services: Services): Promise<RestResponse> {
  const wanted = conditions(request);
  const level = levelOf(request);
  const current = (): ClusterHealth => clusterHealth(services.cluster.state(), healthIndices(request, services));
  const met = (): boolean => allExist(request, services) && meetsConditions(current(), wanted);
  const timeoutMs = request.params.time('timeout', 30_000);
  const deadline = services.clock.now() + timeoutMs;
  const isQuiet = await eventsDone(request, services, timeoutMs);
  const reached =
    isQuiet &&
    (await services.cluster.waitFor(met, timeoutMs < 0 ? timeoutMs : Math.max(0, deadline - services.clock.now())));
  const answered = current();
  return {
    status: reached ? 200 : 408,
    json: await healthJson(services, answered, !reached, level, allExist(request, services) ? answered.status : 'red'),
  };
}

async function state(request: RestRequest, services: Services): Promise<RestResponse> {
  const metrics = parseStateMetrics(pathList(request, 'metric'));
  const version = request.params.long('wait_for_metadata_version');
  if (version !== null) {
    const reached = await services.cluster.waitFor(
      (next) => next.version >= version,
      request.params.time('wait_for_timeout', 60_000),
    );
    if (!reached)
      return { status: 200, json: { cluster_name: services.cluster.state().clusterName, wait_for_timed_out: true } };
  }
  const current = services.cluster.state();
  const names = pathList(request, 'index');
  const options = indicesOptions(request, {
    ...OPEN_ONLY,
    expandClosed: true,
    expandHidden: true,
    forbidClosed: false,
  });
  const indices = names.length === 0 ? [...current.indices.values()] : resolveNamed(request, services, names, options);
  return { status: 200, json: stateJson(current, indices, metrics, settingsForm(request)) };
}

function resolveNamed(
  request: RestRequest,
  services: Services,
  names: readonly string[],
  options: Parameters<typeof resolveIndices>[2],
): IndexMetadata[] {
  const lenient = !request.params.has('ignore_unavailable');
  return resolveIndices(
    services.cluster.state(),
    names,
    { ...options!, ignoreUnavailable: options!.ignoreUnavailable || lenient },
    request.access,
    services.clock.now(),
  );
}

function getSettings(request: RestRequest, services: Services): RestResponse {
  const { persistentSettings, transientSettings } = services.cluster.state();
  const form = settingsForm(request);
  const json: Record<string, unknown> = { persistent: form(persistentSettings), transient: form(transientSettings) };
  if (request.params.boolean('include_defaults', false))
    json['defaults'] = form(defaultsBelow(services, { ...persistentSettings, ...transientSettings }));
  return { status: 200, json };
}

/** Node settings and defaults that cluster settings do not override. */
function defaultsBelow(services: Services, set: FlatSettings): FlatSettings {
  const all = { ...clusterDefaults(), ...services.node.settings };
  return Object.fromEntries(Object.entries(all).filter(([name]) => set[name] === undefined));
}

function part(body: Record<string, unknown>, key: string): FlatSettings {
  const value = body[key];
  if (value === undefined || value === null) return {};
  if (!isPlainObject(value)) throw errors.parse(`key [${key}] must be an object`);
  return flattenSettings(value);
}

async function putSettings(request: RestRequest, services: Services): Promise<RestResponse> {
  const body = objectBody(request);
  const changes = { persistent: part(body, 'persistent'), transient: part(body, 'transient') };
  const json = await runTask(request, services, 'cluster-settings', changes);
  if (!request.params.boolean('flat_settings', false)) return { status: 200, json };
  const flat = (settings: FlatSettings): FlatSettings =>
    sortSettings(Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null)));
  return { status: 200, json: { ...json, persistent: flat(changes.persistent), transient: flat(changes.transient) } };
}

async function pendingTasks(_request: RestRequest, services: Services): Promise<RestResponse> {
  const tasks = (await services.cluster.pendingTasks()).map((task) => ({
    insert_order: task.insertOrder,
    priority: task.priority,
    source: task.source,
    executing: task.executing,
    time_in_queue_millis: Math.round(task.queuedMs),
    time_in_queue: `${Math.round(task.queuedMs)}ms`,
  }));
  return { status: 200, json: { tasks } };
}

const REROUTE_FIELDS = { commands: listField(parseRerouteCommand) };

/** Returns the commands of a body of `_cluster/reroute` as they are written. Throws if one of them is malformed. */
function rerouteCommands(request: RestRequest): readonly unknown[] {
  const body = objectBody(request);
  readFields('cluster_reroute', body, REROUTE_FIELDS);
  return (body['commands'] ?? []) as readonly unknown[];
}

async function reroute(request: RestRequest, services: Services): Promise<RestResponse> {
  const commands = rerouteCommands(request);
  const { params } = request;
  const task = {
    commands,
    dryRun: params.boolean('dry_run', false),
    explain: params.boolean('explain', false),
    retryFailed: params.boolean('retry_failed', false),
  };
  const { diff, ...json } = await runTask(request, services, 'reroute', task);
  const metrics = params.list('metric');
  if (metrics?.length === 1 && metrics[0] === 'none') return { status: 200, json };
  const current = stateAfterDryRun(services.cluster.state(), diff as StateDiff | undefined);
  const { cluster_name: _name, ...shown } = stateJson(
    current,
    [...current.indices.values()],
    parseStateMetrics(metrics ?? []),
    nestedSettings,
  );
  const { acknowledged, ...explanations } = json;
  return { status: 200, json: { acknowledged, state: metrics ? shown : without(shown, 'metadata'), ...explanations } };
}

/**
 * The state that a dry run computed. If this node has another state than the dry run started from, the state itself.
 */
function stateAfterDryRun(state: ClusterState, diff: StateDiff | undefined): ClusterState {
  return diff?.base === state.stateUuid ? applyDiff(state, diff) : state;
}

function without(json: Record<string, unknown>, key: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(json).filter(([name]) => name !== key));
}

async function addExclusions(request: RestRequest, services: Services): Promise<RestResponse> {
  const nodeNames = request.params.list('node_names') ?? [];
  const nodeIds = request.params.list('node_ids') ?? [];
  if ((nodeNames.length === 0) === (nodeIds.length === 0))
    throw errors.illegalArgument('You must set [node_names] or [node_ids] but not both');
  const { timedOut } = await runTask(request, services, 'add-voting-exclusions', { nodeNames, nodeIds });
  if (timedOut) throw errors.timeout('timed out waiting for voting config exclusions to take effect', { status: 500 });
  return { status: 200, empty: true };
}

/** Waits until no excluded node is in the cluster. */
async function excludedGone(request: RestRequest, { cluster }: Services): Promise<void> {
  const present = (state: ClusterState): VotingExclusion[] =>
    votingExclusions(state).filter(({ node_id: id }) => state.nodes.has(id));
  if (await cluster.waitFor((state) => present(state).length === 0, masterTimeout(request))) return;
  const list = present(cluster.state())
    .map(({ node_id: id, node_name: name }) => `{${name}}{${id}}`)
    .join(', ');
  throw errors.timeout(
    `timed out waiting for removal of nodes; if nodes should not be removed, set ?wait_for_removal=false. [${list}]`,
    { status: 500 },
  );
}

async function clearExclusions(request: RestRequest, services: Services): Promise<RestResponse> {
  if (request.params.boolean('wait_for_removal', true)) await excludedGone(request, services);
  await runTask(request, services, 'clear-voting-exclusions', {});
  return { status: 200, empty: true };
}

const HEALTH = [
  ...INDICES_PARAMETERS,
  ...MASTER_PARAMETERS,
  'level',
  'local',
  'wait_for_active_shards',
  'wait_for_events',
  'wait_for_no_initializing_shards',
  'wait_for_no_relocating_shards',
  'wait_for_nodes',
  'wait_for_status',
];
const STATE = [
  ...INDICES_PARAMETERS,
  'flat_settings',
  'local',
  'master_timeout',
  'wait_for_metadata_version',
  'wait_for_timeout',
];

export const routes: readonly Route<Services>[] = [
  ...['/_cluster/health', '/_cluster/health/{index}'].map(
    (path): Route<Services> => ({
      methods: ['GET'],
      path,
      name: 'cluster.health',
      body: 'none',
      privilege: 'cluster:monitor/health',
      parameters: HEALTH,
      handle: health,
    }),
  ),
  ...['/_cluster/state', '/_cluster/state/{metric}', '/_cluster/state/{metric}/{index}'].map(
    (path): Route<Services> => ({
      methods: ['GET'],
      path,
      name: 'cluster.state',
      body: 'none',
      privilege: 'cluster:monitor/state',
      parameters: STATE,
      handle: state,
    }),
  ),
  {
    methods: ['GET'],
    path: '/_cluster/settings',
    name: 'cluster.get_settings',
    body: 'none',
    privilege: 'cluster:monitor/settings',
    parameters: [...MASTER_PARAMETERS, 'flat_settings', 'include_defaults', 'local'],
    handle: getSettings,
  },
  {
    methods: ['PUT'],
    path: '/_cluster/settings',
    name: 'cluster.put_settings',
    body: 'required',
    privilege: 'cluster:admin/settings/update',
    parameters: [...MASTER_PARAMETERS, 'flat_settings'],
    handle: putSettings,
  },
  {
    methods: ['GET'],
    path: '/_cluster/pending_tasks',
    name: 'cluster.pending_tasks',
    body: 'none',
    privilege: 'cluster:monitor/task',
    parameters: ['local', 'master_timeout'],
    handle: pendingTasks,
  },
  {
    methods: ['POST'],
    path: '/_cluster/reroute',
    name: 'cluster.reroute',
    body: 'optional',
    privilege: 'cluster:admin/reroute',
    parameters: [...MASTER_PARAMETERS, 'dry_run', 'explain', 'metric', 'retry_failed'],
    checkBody: (request) => void rerouteCommands(request),
    handle: reroute,
  },
  {
    methods: ['POST'],
    path: '/_cluster/voting_config_exclusions',
    name: 'cluster.post_voting_config_exclusions',
    body: 'none',
    privilege: 'cluster:admin/voting_config/add_exclusions',
    parameters: [...MASTER_PARAMETERS, 'node_ids', 'node_names'],
    handle: addExclusions,
  },
  {
    methods: ['DELETE'],
    path: '/_cluster/voting_config_exclusions',
    name: 'cluster.delete_voting_config_exclusions',
    body: 'none',
    privilege: 'cluster:admin/voting_config/clear_exclusions',
    parameters: ['master_timeout', 'wait_for_removal'],
    handle: clearExclusions,
  },
  {
    methods: ['GET'],
    path: '/_remote/info',
    name: 'cluster.remote_info',
    body: 'none',
    privilege: 'cluster:monitor/remote/info',
    parameters: [],
    handle: () => ({ status: 200, json: {} }),
  },
];
