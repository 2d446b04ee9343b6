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

async function next(request: RestRequest, services: Services): Promise<RestResponse> {
  const { params } = request;
  let id = params.text('scroll_id');
  let keepAliveMs = params.has('scroll') ? params.time('scroll', 0) : null;
  for (const [key, value] of Object.entries(bodyOf(request))) {
    if (key === 'scroll_id' && typeof value === 'string') id = value;
    else if (key === 'scroll' && typeof value === 'string') keepAliveMs = parseTimeValue(value, 'scroll');
    else unknownKey(key, value);
  }
  if (id === null || id === '') throw validationError(['scrollId is missing']);
  const totalHitsAsInt = params.boolean('rest_total_hits_as_int', false);
  return jsonResponse(
    await services.coordinator.scroll({ scrollId: id, keepAliveMs, totalHitsAsInt }, callContext(request)),
  );
}

async function clear(request: RestRequest, services: Services): Promise<RestResponse> {
  let ids = request.params.list('scroll_id') ?? [];
  for (const [key, value] of Object.entries(bodyOf(request))) {
    if (key !== 'scroll_id') unknownKey(key, value);
    else if (Array.isArray(value)) ids = value.map((one) => scrollIdOf(one, 'array element'));
    else ids = [scrollIdOf(value, 'element')];
  }
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
      handle: next,
    },
    {
      methods: ['DELETE'],
      path,
      name: 'clear_scroll',
      body: 'optional',
      privilege: 'indices:data/read/scroll/clear',
      parameters: ['scroll_id'],
      handle: clear,
    },
  ],
);
