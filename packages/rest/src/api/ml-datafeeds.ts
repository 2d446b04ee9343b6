import { parseTimeValue } from '@shoal/values';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';
import { callContext } from './call-context.js';
import { ACKNOWLEDGED, ADMIN, mlRoute, MONITOR, ok, optionsOf, requiredBody } from './ml-route.js';

const FEEDS = '/_ml/datafeeds';
const FEED = `${FEEDS}/{datafeed_id}`;
const START_TIMEOUT_MS = 20_000;
const STOP_TIMEOUT_MS = 300_000;
const idOf = ({ pathParams }: RestRequest): string => pathParams['datafeed_id']!;
const INDICES = ['allow_no_indices', 'expand_wildcards', 'ignore_throttled', 'ignore_unavailable'];

async function put(request: RestRequest, { ml }: Services): Promise<RestResponse> {
  request.params.accept(...INDICES);
  return ok(await ml.datafeeds.put(idOf(request), requiredBody(request), callContext(request)));
}

async function update(request: RestRequest, { ml }: Services): Promise<RestResponse> {
  request.params.accept(...INDICES);
  return ok(await ml.datafeeds.update(idOf(request), requiredBody(request), callContext(request)));
}

async function get({ params, pathParams }: RestRequest, { ml }: Services): Promise<RestResponse> {
  const hidesGenerated = params.boolean('exclude_generated', false);
  const feeds = await ml.datafeeds.find(pathParams['datafeed_id'] ?? '_all', params.boolean('allow_no_match', true));
  const shown = feeds.map(({ json, authentication }) => {
    if (hidesGenerated) {
      const { datafeed_id: _, ...rest } = json;
      return rest;
    }
    return authentication === null ? json : { ...json, authorization: { roles: authentication.user.roles } };
  });
  return ok({ count: feeds.length, datafeeds: shown });
}

async function stats({ params, pathParams }: RestRequest, { ml }: Services): Promise<RestResponse> {
  const feeds = await ml.datafeeds.find(pathParams['datafeed_id'] ?? '_all', params.boolean('allow_no_match', true));
  return ok({ count: feeds.length, datafeeds: await ml.datafeeds.stats(feeds) });
}

async function remove(request: RestRequest, { ml }: Services): Promise<RestResponse> {
  await ml.datafeeds.remove(idOf(request), request.params.boolean('force', false));
  return ACKNOWLEDGED;
}

const timeoutIn = (options: Readonly<Record<string, unknown>>, fallbackMs: number): number =>
  options['timeout'] === undefined ? fallbackMs : parseTimeValue(String(options['timeout']), 'timeout');

async function start(request: RestRequest, { ml, clock }: Services): Promise<RestResponse> {
  const options = optionsOf(request, ['start', 'end', 'timeout', 'datafeed_id']);
  const [startMs, endMs] = ['start', 'end'].map((name) => ml.resultTime(name, options[name], clock.now()));
  const node = await ml.datafeeds.start(idOf(request), startMs!, endMs!, timeoutIn(options, START_TIMEOUT_MS));
  return ok({ started: true, node });
}

async function stop(request: RestRequest, { ml }: Services): Promise<RestResponse> {
  const names = ['force', 'timeout', 'allow_no_match', 'close_job', 'datafeed_id'];
  const options = optionsOf(request, names);
  const allows =
    options['allow_no_match'] === undefined || [true, 'true', ''].includes(options['allow_no_match'] as string);
  const feeds = await ml.datafeeds.find(idOf(request), allows);
  await ml.datafeeds.stop(feeds, timeoutIn(options, STOP_TIMEOUT_MS));
  return ok({ stopped: true });
}

async function preview(request: RestRequest, { ml, clock }: Services): Promise<RestResponse> {
  const [startMs, endMs] = ['start', 'end'].map((name) => ml.resultTime(name, request.params.text(name), clock.now()));
  const id = request.pathParams['datafeed_id'] ?? null;
  const body = request.hasBody ? request.json() : undefined;
  return ok(await ml.datafeeds.preview(id, body, { startMs: startMs!, endMs: endMs! }, callContext(request)));
}

export const routes: readonly Route<Services>[] = [
  ...[FEEDS, FEED].map((path) =>
    mlRoute('GET', path, 'get_datafeeds', `${MONITOR}datafeeds/get`, ['allow_no_match', 'exclude_generated'], get),
  ),
  ...[`${FEEDS}/_stats`, `${FEED}/_stats`].map((path) =>
    mlRoute('GET', path, 'get_datafeed_stats', `${MONITOR}datafeeds/stats/get`, ['allow_no_match'], stats),
  ),
  mlRoute('PUT', FEED, 'put_datafeed', `${ADMIN}datafeeds/put`, INDICES, put, 'required'),
  mlRoute('POST', `${FEED}/_update`, 'update_datafeed', `${ADMIN}datafeeds/update`, INDICES, update, 'required'),
  mlRoute('DELETE', FEED, 'delete_datafeed', `${ADMIN}datafeeds/delete`, ['force'], remove),
  mlRoute(
    'POST',
    `${FEED}/_start`,
    'start_datafeed',
    `${ADMIN}datafeed/start`,
    ['start', 'end', 'timeout', 'datafeed_id'],
    start,
    'optional',
  ),
  mlRoute(
    'POST',
    `${FEED}/_stop`,
    'stop_datafeed',
    `${ADMIN}datafeed/stop`,
    ['force', 'timeout', 'allow_no_match', 'close_job', 'datafeed_id'],
    stop,
    'optional',
  ),
  ...[`${FEEDS}/_preview`, `${FEED}/_preview`].map((path) =>
    mlRoute(
      ['GET', 'POST'],
      path,
      'preview_datafeed',
      `${ADMIN}datafeeds/preview`,
      ['start', 'end'],
      preview,
      'optional',
    ),
  ),
];
