import type { StoredTransform } from '@shoal/automation';
import { errors, toApiError } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import { dateFormat } from '@shoal/values';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';
import { callContext } from './call-context.js';

const TIMEOUT_MS = 30_000;
const PAGE_SIZE = 100;
const FROM_FORMAT = dateFormat('strict_date_optional_time||epoch_millis');
const ACKNOWLEDGED: RestResponse = { status: 200, json: { acknowledged: true } };
const ok = (json: unknown): RestResponse => ({ status: 200, json });

const idOf = (request: RestRequest): string => request.pathParams['id']!;

/** A transform as `GET /_transform` shows it. */
function transformJson({ id, config, version, createdMs, authentication }: StoredTransform): unknown {
  const user = authentication === null ? {} : { authorization: { roles: authentication.user.roles } };
  return { id, ...user, version, create_time: createdMs, ...config.json };
}

function page({ params, pathParams }: RestRequest): Parameters<Services['transforms']['find']>[0] {
  return {
    expression: pathParams['id'] ?? '_all',
    from: params.integer('from', 0),
    size: params.integer('size', PAGE_SIZE),
    allowNoMatch: params.boolean('allow_no_match', true),
  };
}

function get(request: RestRequest, services: Services): RestResponse {
  const hidesGenerated = request.params.boolean('exclude_generated', false);
  const { total, transforms } = services.transforms.find(page(request));
  const shown = transforms.map((one) => (hidesGenerated ? one.config.json : transformJson(one)));
  return ok({ count: total, transforms: shown });
}

async function stats(request: RestRequest, services: Services): Promise<RestResponse> {
  const { total, transforms } = services.transforms.find(page(request));
  return ok({ count: total, transforms: await services.transforms.stats(transforms) });
}

function bodyOf(request: RestRequest): Record<string, unknown> {
  const body = request.json();
  if (isPlainObject(body)) return body;
  throw errors.parse('request body is required');
}

async function put(request: RestRequest, services: Services): Promise<RestResponse> {
  const defers = request.params.boolean('defer_validation', false);
  request.params.time('timeout', TIMEOUT_MS);
  await services.transforms.put(idOf(request), bodyOf(request), defers, callContext(request));
  return ACKNOWLEDGED;
}

async function update(request: RestRequest, services: Services): Promise<RestResponse> {
  const defers = request.params.boolean('defer_validation', false);
  request.params.time('timeout', TIMEOUT_MS);
  const changed = await services.transforms.update(idOf(request), bodyOf(request), defers, callContext(request));
  return ok(transformJson(changed));
}

async function remove(request: RestRequest, services: Services): Promise<RestResponse> {
  const { params } = request;
  params.time('timeout', TIMEOUT_MS);
  const [force, deletesDestination] = [params.boolean('force', false), params.boolean('delete_dest_index', false)];
  await services.transforms.remove(idOf(request), force, deletesDestination);
  return ACKNOWLEDGED;
}

/** `from`: a date, or date math such as `now-30d`, in milliseconds. */
function startOf({ params }: RestRequest, { clock }: Services): number | null {
  const text = params.text('from');
  if (text === null) return null;
  try {
    return FROM_FORMAT.parseRounded(text, { roundUp: false, now: () => clock.now() });
  } catch (cause) {
    throw errors.parse('Failed to parse date for [from]', { cause: toApiError(cause) });
  }
}

async function start(request: RestRequest, services: Services): Promise<RestResponse> {
  request.params.time('timeout', TIMEOUT_MS);
  await services.transforms.start(idOf(request), startOf(request, services), callContext(request));
  return ACKNOWLEDGED;
}

async function stop(request: RestRequest, services: Services): Promise<RestResponse> {
  const { params } = request;
  const found = services.transforms.find({ ...page(request), from: 0, size: Number.MAX_SAFE_INTEGER });
  await services.transforms.stop(
    found.transforms.map(({ id }) => id),
    {
      force: params.boolean('force', false),
      waitForCompletion: params.boolean('wait_for_completion', false),
      waitForCheckpoint: params.boolean('wait_for_checkpoint', false),
      timeoutMs: params.time('timeout', TIMEOUT_MS),
    },
  );
  return ACKNOWLEDGED;
}

async function reset(request: RestRequest, services: Services): Promise<RestResponse> {
  request.params.time('timeout', TIMEOUT_MS);
  await services.transforms.reset(idOf(request), request.params.boolean('force', false));
  return ACKNOWLEDGED;
}

async function scheduleNow(request: RestRequest, services: Services): Promise<RestResponse> {
  request.params.time('timeout', TIMEOUT_MS);
  services.transforms.get(idOf(request));
  await services.transforms.wake(idOf(request));
  return ACKNOWLEDGED;
}

/** Configurations have one form so far: none needs an upgrade. */
function upgrade({ params }: RestRequest, { transforms }: Services): RestResponse {
  params.boolean('dry_run', false);
  params.time('timeout', TIMEOUT_MS);
  const { total } = transforms.find({ expression: '_all', from: 0, size: 0, allowNoMatch: true });
  return ok({ needs_update: 0, updated: 0, no_action: total });
}

async function preview(request: RestRequest, services: Services): Promise<RestResponse> {
  request.params.time('timeout', TIMEOUT_MS);
  const id = request.pathParams['id'] ?? null;
  const body = id === null ? bodyOf(request) : null;
  return ok(await services.transforms.preview(id, body, callContext(request)));
}

const ADMIN = 'cluster:admin/transform/';
const MONITOR = 'cluster:monitor/transform/';
const PAGE_PARAMETERS = ['from', 'size', 'allow_no_match'];

type Handle = Route<Services>['handle'];

function route(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  name: string,
  privilege: string,
  parameters: readonly string[],
  handle: Handle,
  body: Route<Services>['body'] = 'none',
): Route<Services> {
  return { methods: [method], path, name: `transform.${name}`, body, privilege, parameters, handle };
}

export const routes: readonly Route<Services>[] = [
  ...['/_transform', '/_transform/{id}'].map((path) =>
    route('GET', path, 'get_transform', `${MONITOR}get`, [...PAGE_PARAMETERS, 'exclude_generated'], get),
  ),
  ...['/_transform/_stats', '/_transform/{id}/_stats'].map((path) =>
    route('GET', path, 'get_transform_stats', `${MONITOR}stats/get`, [...PAGE_PARAMETERS, 'timeout'], stats),
  ),
  ...(['GET', 'POST'] as const).flatMap((method) =>
    ['/_transform/_preview', '/_transform/{id}/_preview'].map((path) =>
      route(method, path, 'preview_transform', `${ADMIN}preview`, ['timeout'], preview, 'optional'),
    ),
  ),
  route('PUT', '/_transform/{id}', 'put_transform', `${ADMIN}put`, ['defer_validation', 'timeout'], put, 'required'),
  route(
    'POST',
    '/_transform/{id}/_update',
    'update_transform',
    `${ADMIN}update`,
    ['defer_validation', 'timeout'],
    update,
    'required',
  ),
  route(
    'DELETE',
    '/_transform/{id}',
    'delete_transform',
    `${ADMIN}delete`,
    ['force', 'delete_dest_index', 'timeout'],
    remove,
  ),
  route('POST', '/_transform/{id}/_start', 'start_transform', `${ADMIN}start`, ['from', 'timeout'], start),
  route(
    'POST',
    '/_transform/{id}/_stop',
    'stop_transform',
    `${ADMIN}stop`,
    ['force', 'wait_for_completion', 'wait_for_checkpoint', 'timeout', 'allow_no_match'],
    stop,
  ),
  route('POST', '/_transform/{id}/_reset', 'reset_transform', `${ADMIN}reset`, ['force', 'timeout'], reset),
  route(
    'POST',
    '/_transform/{id}/_schedule_now',
    'schedule_now_transform',
    `${ADMIN}schedule_now`,
    ['timeout'],
    scheduleNow,
  ),
  route('POST', '/_transform/_upgrade', 'upgrade_transforms', `${ADMIN}upgrade`, ['dry_run', 'timeout'], upgrade),
];
