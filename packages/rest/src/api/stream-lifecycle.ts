import { ageText, defaultRollover, rolledOverAt, type StreamFailure, timeFields } from '@shoal/automation';
import { type DataStreamAction, parseStreamLifecycle } from '@shoal/cluster';
import { errors } from '@shoal/errors';
import { isPlainObject, tokenOf } from '@shoal/json';
import {
  type ClusterState,
  type DataStream,
  dataStream,
  dataStreamOf,
  EVERYTHING,
  type IndexMetadata,
  managedBy,
} from '@shoal/state';
import {
  INDICES_PARAMETERS,
  MASTER_PARAMETERS,
  objectBody,
  requireNames,
  runTask,
  selectIndices,
} from '../admin/index-options.js';
import { streamFailures } from '../admin/stream-failures.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';
import { selectedStreams } from './data-streams.js';

const ok = (json: unknown): RestResponse => ({ status: 200, json });

async function put(request: RestRequest, services: Services): Promise<RestResponse> {
  const lifecycle = parseStreamLifecycle(objectBody(request));
  const names = selectedStreams(request, services).map(({ name }) => name);
  return ok(await runTask(request, services, 'set-stream-lifecycle', { names, lifecycle }));
}

async function remove(request: RestRequest, services: Services): Promise<RestResponse> {
  const names = selectedStreams(request, services).map(({ name }) => name);
  return ok(await runTask(request, services, 'set-stream-lifecycle', { names, lifecycle: null }));
}

function lifecycleJson(state: ClusterState, stream: DataStream, withDefaults: boolean): Record<string, unknown> | null {
  if (!stream.lifecycle) return null;
  const rollover = withDefaults ? { rollover: defaultRollover(state, stream) } : {};
  return { enabled: true, ...stream.lifecycle, ...rollover };
}

function get(request: RestRequest, services: Services): RestResponse {
  const state = services.cluster.state();
  const withDefaults = request.params.boolean('include_defaults', false);
  const shown = selectedStreams(request, services).map((stream) => {
    const lifecycle = lifecycleJson(state, stream, withDefaults);
    return { name: stream.name, ...(lifecycle === null ? {} : { lifecycle }) };
  });
  return ok({ data_streams: shown });
}

/** A failure in the form of `_lifecycle/explain`. */
function failureJson({ message, firstMs, lastMs, retries }: StreamFailure, isHuman: boolean): Record<string, unknown> {
  return {
    ...timeFields('first_occurrence', firstMs, isHuman),
    message,
    ...timeFields('last_recorded', lastMs, isHuman),
    retry_count: retries,
  };
}

function explained(
  state: ClusterState,
  meta: IndexMetadata,
  nowMs: number,
  { withDefaults, isHuman }: { readonly withDefaults: boolean; readonly isHuman: boolean },
  failure: StreamFailure | undefined,
): Record<string, unknown> {
  const stream = dataStreamOf(state, meta.uuid);
  if (!stream || managedBy(state, meta) !== 'Data stream lifecycle')
    return { index: meta.name, managed_by_lifecycle: false };
  const createdMs = Number(meta.settings['index.creation_date']);
  const rolledMs = rolledOverAt(stream, meta);
  const since = rolledMs === null ? null : ageText(nowMs - rolledMs);
  const rolled =
    rolledMs === null ? {} : { ...timeFields('rollover_date', rolledMs, isHuman), time_since_rollover: since };
  return {
    index: meta.name,
    managed_by_lifecycle: true,
    ...timeFields('index_creation_date', createdMs, isHuman),
    time_since_index_creation: ageText(nowMs - createdMs),
    ...rolled,
    lifecycle: lifecycleJson(state, stream, withDefaults),
    ...(since === null ? {} : { generation_time: since }),
    ...(failure === undefined ? {} : { error: failureJson(failure, isHuman) }),
  };
}

async function explain(request: RestRequest, services: Services): Promise<RestResponse> {
  const withDefaults = request.params.boolean('include_defaults', false);
  const options = { withDefaults, isHuman: request.params.boolean('human', false) };
  const metas = selectIndices(request, services, EVERYTHING);
  const failures = (await streamFailures(services)) ?? {};
  const state = services.cluster.state();
  const nowMs = services.clock.now();
  const entries = metas.map((meta) => [meta.name, explained(state, meta, nowMs, options, failures[meta.uuid])]);
  return ok({ indices: Object.fromEntries(entries) });
}

function parseAction(given: unknown): DataStreamAction {
  const [[key, options] = ['', null], ...others] = isPlainObject(given) ? Object.entries(given) : [];
  if (others.length > 0 || !isPlainObject(options) || !['add_backing_index', 'remove_backing_index'].includes(key))
    throw errors.illegalArgument('Missing operation type');
  const odd = Object.keys(options).find((name) => name !== 'data_stream' && name !== 'index');
  if (odd !== undefined)
    throw errors.xContentParse(`[data_stream_action] unknown field [${odd}]`, {
      location: { container: options, key: odd, at: 'key' },
    });
  const { data_stream: stream, index } = options;
  if (typeof stream !== 'string' || stream === '') throw errors.illegalArgument('[data_stream] is required');
  if (typeof index !== 'string' || index === '') throw errors.illegalArgument('[index] is required');
  return { kind: key === 'add_backing_index' ? 'add' : 'remove', dataStream: stream, index };
}

async function modify(request: RestRequest, services: Services): Promise<RestResponse> {
  const body = objectBody(request);
  const { actions: given } = body;
  if (!Array.isArray(given))
    throw errors.xContentParse(`[data_stream_actions] actions doesn't support values of type: ${tokenOf(given)}`, {
      location: { container: body, key: 'actions' },
    });
  if (given.length === 0)
    throw errors.actionRequestValidation(
      'Validation Failed: 1: must specify at least one data stream modification action;',
    );
  const actions = given.map(parseAction);
  requireNames(
    request,
    services,
    actions.flatMap(({ dataStream: stream, index }) => [stream, index]),
  );
  return ok(await runTask(request, services, 'modify-data-streams', { actions }));
}

async function migrate(request: RestRequest, services: Services): Promise<RestResponse> {
  const alias = request.pathParams['name']!;
  requireNames(request, services, [alias]);
  return ok(await runTask(request, services, 'migrate-to-data-stream', { alias }));
}

/** A stream that follows another cluster would become a regular one. There are none, so each is regular already. */
function promote(request: RestRequest, services: Services): RestResponse {
  const name = request.pathParams['name']!;
  requireNames(request, services, [name]);
  if (!dataStream(services.cluster.state(), name)) throw errors.resourceNotFound(`data stream [${name}] not found`);
  return ok({ acknowledged: true });
}

const LIFECYCLE = 'indices:admin/data_stream/lifecycle/';
const PATH = '/_data_stream/{name}/_lifecycle';
const NAMES = [...MASTER_PARAMETERS, 'expand_wildcards'];

type Rows = Pick<Route<Services>, 'privilege' | 'parameters' | 'handle'> & { readonly body?: Route<Services>['body'] };

function route(method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, name: string, row: Rows): Route<Services> {
  return { methods: [method], path, name: `indices.${name}`, body: 'none', ...row };
}

export const routes: readonly Route<Services>[] = [
  route('PUT', PATH, 'put_data_lifecycle', {
    body: 'optional',
    privilege: `${LIFECYCLE}put`,
    parameters: NAMES,
    handle: put,
  }),
  route('GET', PATH, 'get_data_lifecycle', {
    privilege: `${LIFECYCLE}get`,
    parameters: ['expand_wildcards', 'include_defaults', 'master_timeout'],
    handle: get,
  }),
  route('DELETE', PATH, 'delete_data_lifecycle', {
    privilege: `${LIFECYCLE}delete`,
    parameters: NAMES,
    handle: remove,
  }),
  route('GET', '/{index}/_lifecycle/explain', 'explain_data_lifecycle', {
    privilege: `${LIFECYCLE}explain`,
    parameters: [...INDICES_PARAMETERS, 'include_defaults', 'master_timeout'],
    handle: explain,
  }),
  route('POST', '/_data_stream/_modify', 'modify_data_stream', {
    body: 'required',
    privilege: 'indices:admin/data_stream/modify',
    parameters: MASTER_PARAMETERS,
    handle: modify,
  }),
  route('POST', '/_data_stream/_migrate/{name}', 'migrate_to_data_stream', {
    privilege: 'indices:admin/data_stream/migrate',
    parameters: MASTER_PARAMETERS,
    handle: migrate,
  }),
  route('POST', '/_data_stream/_promote/{name}', 'promote_data_stream', {
    privilege: 'indices:admin/data_stream/promote',
    parameters: MASTER_PARAMETERS,
    handle: promote,
  }),
];
