import { errors } from '@shoal/errors';
import { parseTimeValue } from '@shoal/values';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';
import { callContext } from './call-context.js';
import { ACKNOWLEDGED, ADMIN, mlRoute, MONITOR, ok, optionsOf, pageIn, requiredBody } from './ml-route.js';

const ALL = '/_ml/data_frame/analytics';
const ONE = `${ALL}/{id}`;
const START_TIMEOUT_MS = 20_000;
const STOP_TIMEOUT_MS = 20_000;
const DELETE_TIMEOUT_MS = 60_000;
const idOf = ({ pathParams }: RestRequest): string => pathParams['id']!;

async function put(request: RestRequest, { ml }: Services): Promise<RestResponse> {
  return ok(await ml.analytics.put(idOf(request), requiredBody(request), callContext(request)));
}

async function update(request: RestRequest, { ml }: Services): Promise<RestResponse> {
  return ok(await ml.analytics.update(idOf(request), requiredBody(request), callContext(request)));
}

async function get({ params, pathParams }: RestRequest, { ml }: Services): Promise<RestResponse> {
  const hidesGenerated = params.boolean('exclude_generated', false);
  const { from, size } = pageIn({ params });
  const all = await ml.analytics.find(pathParams['id'] ?? '_all', params.boolean('allow_no_match', true));
  const shown = all.slice(from, from + size).map(({ json, authentication }) => {
    if (!hidesGenerated)
      return authentication === null ? json : { ...json, authorization: { roles: authentication.user.roles } };
    const { id: _id, create_time: _time, version: _version, ...rest } = json;
    return rest;
  });
  return ok({ count: all.length, data_frame_analytics: shown });
}

async function stats({ params, pathParams }: RestRequest, { ml }: Services): Promise<RestResponse> {
  params.boolean('verbose', false);
  const { from, size } = pageIn({ params });
  const all = await ml.analytics.find(pathParams['id'] ?? '_all', params.boolean('allow_no_match', true));
  return ok({ count: all.length, data_frame_analytics: await ml.analytics.stats(all.slice(from, from + size)) });
}

async function remove(request: RestRequest, { ml }: Services): Promise<RestResponse> {
  const force = request.params.boolean('force', false);
  await ml.analytics.remove(
    idOf(request),
    force,
    request.params.time('timeout', DELETE_TIMEOUT_MS) ?? DELETE_TIMEOUT_MS,
  );
  return ACKNOWLEDGED;
}

async function start(request: RestRequest, { ml }: Services): Promise<RestResponse> {
  const timeoutMs = request.params.time('timeout', START_TIMEOUT_MS) ?? START_TIMEOUT_MS;
  const node = await ml.analytics.start(idOf(request), timeoutMs, callContext(request));
  return ok({ acknowledged: true, node });
}

const isTrue = (value: unknown): boolean => [true, 'true', ''].includes(value as string);

async function stop(request: RestRequest, { ml }: Services): Promise<RestResponse> {
  const options = optionsOf(request, ['allow_no_match', 'force', 'timeout', 'id']);
  const allows = options['allow_no_match'] === undefined || isTrue(options['allow_no_match']);
  const timeout = options['timeout'];
  const timeoutMs = timeout === undefined ? STOP_TIMEOUT_MS : parseTimeValue(String(timeout), 'timeout');
  await ml.analytics.stop(await ml.analytics.find(idOf(request), allows), isTrue(options['force']), timeoutMs);
  return ok({ stopped: true });
}

/** The id of the path and the body, of which one is given. */
function given(request: RestRequest, what: string): readonly [id: string | null, body: unknown] {
  const id = request.pathParams['id'] ?? null;
  const body = request.hasBody ? request.json() : undefined;
  if (id === null && body === undefined)
    throw errors.illegalArgument(`Please provide a job [id] or the config object, to ${what}`);
  if (id !== null && body !== undefined)
    throw errors.illegalArgument(`Please provide either a job [id] or the config object but not both, to ${what}`);
  return [id, body];
}

async function explain(request: RestRequest, { ml }: Services): Promise<RestResponse> {
  return ok(await ml.analytics.explain(...given(request, 'explain it'), callContext(request)));
}

async function preview(request: RestRequest, { ml }: Services): Promise<RestResponse> {
  return ok(await ml.analytics.preview(...given(request, 'preview it'), callContext(request)));
}

async function evaluate(request: RestRequest, { ml }: Services): Promise<RestResponse> {
  return ok(await ml.analytics.evaluate(requiredBody(request), callContext(request)));
}

const ADMIN_ANALYTICS = `${ADMIN}data_frame/analytics/`;
const PAGE = ['from', 'size', 'allow_no_match'];

export const routes: readonly Route<Services>[] = [
  ...[ALL, ONE].map((path) =>
    mlRoute(
      'GET',
      path,
      'get_data_frame_analytics',
      `${MONITOR}data_frame/analytics/get`,
      [...PAGE, 'exclude_generated'],
      get,
    ),
  ),
  ...[`${ALL}/_stats`, `${ONE}/_stats`].map((path) =>
    mlRoute(
      'GET',
      path,
      'get_data_frame_analytics_stats',
      `${MONITOR}data_frame/analytics/stats/get`,
      [...PAGE, 'verbose'],
      stats,
    ),
  ),
  mlRoute('PUT', ONE, 'put_data_frame_analytics', `${ADMIN_ANALYTICS}put`, [], put, 'required'),
  mlRoute('POST', `${ONE}/_update`, 'update_data_frame_analytics', `${ADMIN_ANALYTICS}update`, [], update, 'required'),
  mlRoute('DELETE', ONE, 'delete_data_frame_analytics', `${ADMIN_ANALYTICS}delete`, ['force', 'timeout'], remove),
  mlRoute(
    'POST',
    `${ONE}/_start`,
    'start_data_frame_analytics',
    `${ADMIN_ANALYTICS}start`,
    ['timeout'],
    start,
    'optional',
  ),
  mlRoute(
    'POST',
    `${ONE}/_stop`,
    'stop_data_frame_analytics',
    `${ADMIN_ANALYTICS}stop`,
    ['allow_no_match', 'force', 'timeout', 'id'],
    stop,
    'optional',
  ),
  mlRoute(
    'POST',
    '/_ml/data_frame/_evaluate',
    'evaluate_data_frame',
    `${MONITOR}data_frame/evaluate`,
    [],
    evaluate,
    'required',
  ),
  ...[`${ALL}/_explain`, `${ONE}/_explain`].map((path) =>
    mlRoute(
      ['GET', 'POST'],
      path,
      'explain_data_frame_analytics',
      `${MONITOR}data_frame/analytics/explain`,
      [],
      explain,
      'optional',
    ),
  ),
  ...[`${ALL}/_preview`, `${ONE}/_preview`].map((path) =>
    mlRoute(
      ['GET', 'POST'],
      path,
      'preview_data_frame_analytics',
      `${ADMIN_ANALYTICS}preview`,
      [],
      preview,
      'optional',
    ),
  ),
];
