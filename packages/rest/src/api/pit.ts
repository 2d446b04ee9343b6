import { validationError } from '@shoal/coordinator';
import { errors } from '@shoal/errors';
import { isPlainObject, objectField, readFields } from '@shoal/json';
import { INDICES_PARAMETERS, objectBody } from '../admin/index-options.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';
import { callContext, jsonResponse } from './call-context.js';
import { indexExpression } from './search-parameters.js';

const FIELDS = { index_filter: objectField((query) => query) };

/** Throws for a body of other fields, and for a filter: shards are not chosen by one. */
function checkOpening(request: RestRequest): void {
  const { index_filter: filter } = readFields('open_point_in_time_request', objectBody(request), FIELDS);
  if (filter !== undefined) throw errors.illegalArgument('[index_filter] of a point in time is not supported');
}

async function open(request: RestRequest, services: Services): Promise<RestResponse> {
  const { params } = request;
  checkOpening(request);
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
    checkBody: checkOpening,
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
