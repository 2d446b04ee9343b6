import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';
import { callContext, jsonResponse } from './call-context.js';
import { SOURCE_PARAMETERS, sourceParameters } from './source-parameters.js';
import { WRITE_PARAMETERS, writeOptions } from './write-parameters.js';

type BulkRequest = Parameters<Services['coordinator']['bulk']>[0];

function bulkRequest(request: RestRequest): BulkRequest {
  const { params } = request;
  return {
    ...writeOptions(request),
    body: request.rawBody,
    index: params.text('index'),
    routing: params.text('routing'),
    pipeline: params.text('pipeline'),
    requireAlias: params.optionalBoolean('require_alias'),
    updateSource: sourceParameters(request) ?? undefined,
    listsPipelines: params.boolean('list_executed_pipelines', false),
    allowType: request.compatibleWith7,
  };
}

async function bulk(request: RestRequest, services: Services): Promise<RestResponse> {
  return jsonResponse(await services.coordinator.bulk(bulkRequest(request), callContext(request)));
}

const PARAMETERS = [
  ...WRITE_PARAMETERS,
  ...SOURCE_PARAMETERS,
  'index',
  'routing',
  'pipeline',
  'require_alias',
  'list_executed_pipelines',
];

export const routes: readonly Route<Services>[] = ['/_bulk', '/{index}/_bulk'].map(
  (path): Route<Services> => ({
    methods: ['POST', 'PUT'],
    path,
    name: 'bulk',
    body: 'required',
    largeBody: 'raw',
    privilege: 'indices:data/write/bulk',
    parameters: PARAMETERS,
    checkBody: (request, { coordinator }) => coordinator.checkBulk(bulkRequest(request), callContext(request)),
    handle: bulk,
  }),
);
