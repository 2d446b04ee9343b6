import { withScriptParams } from '@shoal/json';
import {
  type ByQueryParameters,
  type ByQueryRequest,
  type ByQueryRun,
  type CallContext,
  parseByQuery,
  parseReindex,
  type RethrottleReport,
} from '@shoal/coordinator';
import { decodeError, errors } from '@shoal/errors';
import { OPEN_ONLY } from '@shoal/state';
import { INDICES_PARAMETERS } from '../admin/index-options.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';
import { callContext } from './call-context.js';
import { QUERY_PARAMETERS, queryParameter } from './query-parameters.js';
import { indexExpression } from './search-parameters.js';
import { keepsResult, listedTasks, parseTaskId } from './tasks.js';
import { parseActiveShardCount } from './write-parameters.js';

const KEEP_ALIVE_MS = 300_000;
const TIMEOUT_MS = 60_000;

/** `requests_per_second`: a positive number; -1 is no limit. */
export function requestsPerSecond({ params }: RestRequest): number | null {
  const text = params.text('requests_per_second');
  if (text === null) return null;
  const value = Number(text);
  if (value === -1) return Infinity;
  if (Number.isFinite(value) && value > 0) return value;
  throw errors.illegalArgument('[requests_per_second] must be a float greater than 0. Use -1 to disable throttling.');
}

function slices({ params }: RestRequest): number | 'auto' {
  const text = params.text('slices');
  if (text === null) return 1;
  if (text === 'auto') return 'auto';
  if (/^\d+$/.test(text) && Number(text) >= 1) return Number(text);
  const cause = /^[+-]?\d+$/.test(text) ? {} : { cause: errors.numberFormat(`For input string: "${text}"`) };
  throw errors.illegalArgument(`[slices] must be a positive integer or the string "auto", but was [${text}]`, cause);
}

function parameters(request: RestRequest, services: Services): ByQueryParameters {
  const { params } = request;
  const query = queryParameter(request);
  return {
    source: request.pathParams['index'] === undefined ? { names: [], options: OPEN_ONLY } : indexExpression(request),
    routing: params.text('routing'),
    preference: params.text('preference'),
    pipeline: params.text('pipeline'),
    slices: slices(request),
    requestsPerSecond: requestsPerSecond(request) ?? Infinity,
    refresh: params.boolean('refresh', false),
    timeoutMs: params.time('timeout', TIMEOUT_MS),
    waitForActiveShards: parseActiveShardCount(params.text('wait_for_active_shards')),
    keepAliveMs: params.time('scroll', KEEP_ALIVE_MS),
    conflicts: params.text('conflicts'),
    maxDocs: params.has('max_docs') ? params.integer('max_docs', 0) : null,
    scrollSize: params.has('scroll_size') ? params.integer('scroll_size', 0) : null,
    requireAlias: params.boolean('require_alias', false),
    remoteHosts: [services.node.settings['reindex.remote.whitelist'] ?? []].flat().flatMap((hosts) => hosts.split(',')),
    overrides: query ? { query } : {},
  };
}

const ACTION_NAMES = { delete: 'delete/byquery', update: 'update/byquery', reindex: 'reindex' } as const;
const actionOf = (kind: ByQueryRequest['kind']): string => `indices:data/write/${ACTION_NAMES[kind]}`;

/** What `_tasks` says of the call. */
function descriptionOf({ kind, source, target, script }: ByQueryRequest): string {
  const from = `[${source.names.join(', ')}]`;
  const updated = script === null ? '' : ` updated with Script{type=${script.id === null ? 'inline' : 'stored'}}`;
  if (kind === 'reindex') return `reindex from ${from}${updated} to [${target!.index}]`;
  return kind === 'delete' ? `delete-by-query ${from}` : `update-by-query ${from}${updated}`;
}

/** What a call is as a task. */
export interface TaskOfCall {
  readonly action: string;
  readonly description: string;
  /** Starts it on behalf of a caller. */
  readonly start: (call: CallContext) => ByQueryRun;
}

function run(request: RestRequest, services: Services, byQuery: ByQueryRequest): Promise<RestResponse> {
  return runAsTask(request, services, {
    action: actionOf(byQuery.kind),
    description: descriptionOf(byQuery),
    start: (call) => services.coordinator.byQuery(byQuery, call),
  });
}

/** Runs a call and answers its result, or, without `wait_for_completion`, the id of its task. */
export async function runAsTask(request: RestRequest, services: Services, task: TaskOfCall): Promise<RestResponse> {
  if (!request.params.boolean('wait_for_completion', true)) return runBehind(request, services, task);
  const started = task.start(callContext(request));
  services.tasks.follow(parseTaskId(request.taskId).id, started);
  return started.done;
}

/** Starts the call as a task that goes on when the client has left, and answers its id. */
function runBehind(request: RestRequest, services: Services, { action, description, start }: TaskOfCall): RestResponse {
  const { tasks } = services;
  const ending = new AbortController();
  const own = callContext(request);
  const id = tasks.runBehind(
    {
      action,
      description,
      headers: request.opaqueId === null ? {} : { 'X-Opaque-Id': request.opaqueId },
      cancel: (reason) => ending.abort(new Error(reason)),
      keep: keepsResult(services),
    },
    async (task) => {
      const call: CallContext = {
        signal: ending.signal,
        opaqueId: own.opaqueId,
        withType: own.withType,
        subject: own.subject,
        taskId: `${services.node.id}:${task}`,
      };
      const started = start(call);
      tasks.follow(task, started);
      return (await started.done).json;
    },
  );
  return { status: 200, json: { task: `${services.node.id}:${id}` } };
}

/** The body, in whose script parameters `5.0` is no 5. */
const bodyOf = (request: RestRequest): unknown => withScriptParams(request.json(), request.jsonBody());

function deleteByQuery(request: RestRequest, services: Services): Promise<RestResponse> {
  return run(request, services, parseByQuery('delete', request.json(), parameters(request, services)));
}

function updateByQuery(request: RestRequest, services: Services): Promise<RestResponse> {
  return run(request, services, parseByQuery('update', bodyOf(request), parameters(request, services)));
}

function reindex(request: RestRequest, services: Services): Promise<RestResponse> {
  if (request.params.has('pipeline'))
    throw errors.illegalArgument(
      "_reindex doesn't support [pipeline] as a query parameter. Specify it in the [dest] object instead.",
    );
  return run(request, services, parseReindex(bodyOf(request), parameters(request, services)));
}

async function rethrottle(request: RestRequest, services: Services): Promise<RestResponse> {
  const rate = requestsPerSecond(request);
  if (rate === null) throw errors.illegalArgument('requests_per_second is a required parameter');
  const text = request.pathParams['task_id'] ?? '';
  const { nodeId, id } = parseTaskId(text);
  const node = services.cluster.state().nodes.get(nodeId);
  if (!node) throw errors.resourceNotFound(`task [${text}] belongs to a node which isn't part of the cluster`);
  const call = { id, requestsPerSecond: Number.isFinite(rate) ? rate : null };
  const [answer] = await services.coordinator.callNodes([nodeId], 'rethrottle', call);
  if (answer!.error) throw decodeError(answer!.error as never);
  const { task } = answer!.body as RethrottleReport;
  if (task === null) throw errors.resourceNotFound(`task [${text}] is missing`);
  return { status: 200, json: listedTasks(request, [{ node, task }]) };
}

const COMMON = [
  ...['refresh', 'timeout', 'wait_for_active_shards', 'wait_for_completion', 'requests_per_second', 'slices'],
  ...['scroll', 'max_docs'],
];
const BY_QUERY = [
  ...INDICES_PARAMETERS,
  ...QUERY_PARAMETERS,
  ...COMMON,
  ...['index', 'routing', 'preference', 'conflicts', 'scroll_size', 'search_timeout', 'search_type', 'request_cache'],
  ...['stats', 'terminate_after', 'version', 'sort', 'from'],
];

function route(
  path: string,
  name: string,
  kind: ByQueryRequest['kind'],
  own: readonly string[],
  handle: Route<Services>['handle'],
): Route<Services> {
  return { methods: ['POST'], path, name, body: 'optional', privilege: actionOf(kind), parameters: own, handle };
}

export const routes: readonly Route<Services>[] = [
  route('/{index}/_delete_by_query', 'delete_by_query', 'delete', BY_QUERY, deleteByQuery),
  route('/{index}/_update_by_query', 'update_by_query', 'update', [...BY_QUERY, 'pipeline'], updateByQuery),
  { ...route('/_reindex', 'reindex', 'reindex', [...COMMON, 'require_alias', 'pipeline'], reindex), body: 'required' },
  ...(['delete', 'update', 'reindex'] as const).map(
    (kind): Route<Services> => ({
      methods: ['POST'],
      path: `/_${kind === 'reindex' ? 'reindex' : `${kind}_by_query`}/{task_id}/_rethrottle`,
      name: `${kind === 'reindex' ? 'reindex' : `${kind}_by_query`}_rethrottle`,
      body: 'none',
      privilege: 'cluster:admin/reindex/rethrottle',
      parameters: ['requests_per_second', 'group_by', 'detailed', 'nodes', 'actions'],
      handle: rethrottle,
    }),
  ),
];
