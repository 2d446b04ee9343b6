import { validationError } from '@shoal/coordinator';
import { errors } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import { INDICES_PARAMETERS } from '../admin/index-options.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';
import { callContext, jsonResponse } from './call-context.js';
import { indexExpression } from './search-parameters.js';

async function open(request: RestRequest, services: Services): Promise<RestResponse> {
  const { params } = request;
  if (!params.has('keep_alive')) throw validationError(['[keep_alive] is not specified']);
  const keepAliveMs = params.time('keep_alive', 0);
  return jsonResponse(
    await services.coordinator.openPointInTime(
      indexExpression(request),
      keepAliveMs,
      { routing: params.text('routing'), preference: params.text('preference') },
      callContext(request),
    ),
  );
}

async function close(request: RestRequest, services: Services): Promise<RestResponse> {
  const id = idToClose(request);
  return jsonResponse(await services.coordinator.closePointInTime(id, callContext(request)));
}

function idToClose(request: RestRequest): string {
  if (!request.hasBody) throw errors.parse('request body or source parameter is required');
  return idOf(request.json());
}

function idOf(body: unknown): string {
  if (!isPlainObject(body)) throw errors.illegalArgument('Malformed content, must start with an object');
  let id = '';
  for (const key of Object.keys(body)) {
    const value = body[key];
    if (key !== 'id')
      throw errors.illegalArgument(
        `Unknown parameter [${key}] in request body or parameter is of the wrong type[FIELD_NAME] `,
      );
    if (value === null || typeof value === 'object')
      throw errors.illegalArgument('the request must contain only [id field');
    id = String(value);
  }
  if (id === '') throw errors.illegalArgument('search context id is is not provided');
  return id;
}

export const routes: readonly Route<Services>[] = [
  {
    methods: ['POST'],
    path: '/{index}/_pit',
    name: 'open_point_in_time',
    body: 'optional',
    privilege: 'indices:data/read/open_point_in_time',
    parameters: [...INDICES_PARAMETERS, 'keep_alive', 'routing', 'preference'],
    handle: open,
  },
  {
    methods: ['DELETE'],
    path: '/_pit',
    name: 'close_point_in_time',
    body: 'optional',
    privilege: 'indices:data/read/close_point_in_time',
    parameters: [],
    checkBody: (request) => void idToClose(request),
    handle: close,
  },
];
