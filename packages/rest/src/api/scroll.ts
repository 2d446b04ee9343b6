import { validationError } from '@shoal/coordinator';
import { errors } from '@shoal/errors';
import { isPlainObject, tokenOf } from '@shoal/json';
import { parseTimeValue } from '@shoal/values';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';
import { callContext, jsonResponse } from './call-context.js';

type Body = Readonly<Record<string, unknown>>;

function unknownKey(key: string, value: unknown): never {
  throw errors.illegalArgument(
    `Unknown parameter [${key}] in request body or parameter is of the wrong type[${tokenOf(value)}] `,
  );
}

function bodyOf(request: RestRequest): Body {
  const body = request.json();
  if (body === undefined) return {};
  if (!isPlainObject(body)) throw errors.illegalArgument('Malformed content, must start with an object');
  return body;
}

interface NextPage {
  readonly id: string | null;
  readonly keepAliveMs: number | null;
}

function nextPage(request: RestRequest): NextPage {
  const { params } = request;
  let id = params.text('scroll_id');
  let keepAliveMs = params.has('scroll') ? params.time('scroll', 0) : null;
  for (const [key, value] of Object.entries(bodyOf(request))) {
    if (key === 'scroll_id' && typeof value === 'string') id = value;
    else if (key === 'scroll' && typeof value === 'string') keepAliveMs = parseTimeValue(value, 'scroll');
    else unknownKey(key, value);
  }
  return { id, keepAliveMs };
}

async function next(request: RestRequest, services: Services): Promise<RestResponse> {
  const { id, keepAliveMs } = nextPage(request);
  if (id === null || id === '') throw validationError(['scrollId is missing']);
  const totalHitsAsInt = request.params.boolean('rest_total_hits_as_int', false);
  return jsonResponse(
    await services.coordinator.scroll({ scrollId: id, keepAliveMs, totalHitsAsInt }, callContext(request)),
  );
}

function idsToClear(request: RestRequest): readonly string[] {
  let ids = request.params.list('scroll_id') ?? [];
  for (const [key, value] of Object.entries(bodyOf(request))) {
    if (key !== 'scroll_id') unknownKey(key, value);
    else if (Array.isArray(value)) ids = value.map((one) => scrollIdOf(one, 'array element'));
    else ids = [scrollIdOf(value, 'element')];
  }
  return ids;
}

async function clear(request: RestRequest, services: Services): Promise<RestResponse> {
  const ids = idsToClear(request);
  if (ids.length === 0) throw validationError(['no scroll ids specified']);
  return jsonResponse(await services.coordinator.clearScroll(ids, callContext(request)));
}

function scrollIdOf(value: unknown, place: string): string {
  if (value !== null && typeof value !== 'object') return String(value);
  throw errors.illegalArgument(`scroll_id ${place} should only contain scroll_id`);
}

export const routes: readonly Route<Services>[] = ['/_search/scroll', '/_search/scroll/{scroll_id}'].flatMap(
  (path): Route<Services>[] => [
    {
      methods: ['GET', 'POST'],
      path,
      name: 'scroll',
      body: 'optional',
      privilege: 'indices:data/read/scroll',
      parameters: ['scroll', 'scroll_id', 'rest_total_hits_as_int'],
      checkBody: (request) => void nextPage(request),
      handle: next,
    },
    {
      methods: ['DELETE'],
      path,
      name: 'clear_scroll',
      body: 'optional',
      privilege: 'indices:data/read/scroll/clear',
      parameters: ['scroll_id'],
      checkBody: (request) => void idsToClear(request),
      handle: clear,
    },
  ],
);
