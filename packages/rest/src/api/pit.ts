import { validationError } from '@shoal/coordinator';
import { errors } from '@shoal/errors';
import { isPlainObject, type JsonObject, objectField, readFields } from '@shoal/json';
import { INDICES_PARAMETERS, objectBody } from '../admin/index-options.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';
import { callContext, jsonResponse } from './call-context.js';
import { checkIndexFilter } from './index-filter.js';
import { indexExpression } from './search-parameters.js';

const PARSER = 'open_point_in_time_request';
const FIELDS = { index_filter: objectField((query) => query) };

/** Returns the filter of the body, if there is one. Throws for other fields, and for a filter that is no query. */
function filterOf(request: RestRequest, { coordinator }: Services): JsonObject | undefined {
  const { index_filter: filter } = readFields(PARSER, objectBody(request), FIELDS);
  if (filter !== undefined) checkIndexFilter(PARSER, filter, coordinator);
  return filter;
}

async function open(request: RestRequest, services: Services): Promise<RestResponse> {
  const { params } = request;
  const filter = filterOf(request, services);
  if (!params.has('keep_alive')) throw validationError(['[keep_alive] is not specified']);
  const keepAliveMs = params.time('keep_alive', 0);
  const choice = { routing: params.text('routing'), preference: params.text('preference') };
  return jsonResponse(
    await services.coordinator.openPointInTime(
      indexExpression(request),
      keepAliveMs,
      filter === undefined ? choice : { ...choice, filter },
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
    checkBody: (request, services) => void filterOf(request, services),
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
