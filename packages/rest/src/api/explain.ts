import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';
import { callContext, jsonResponse } from './call-context.js';
import { QUERY_PARAMETERS, queryParameter } from './query-parameters.js';
import { READ_WITH_Q } from './search-parameters.js';
import { SOURCE_PARAMETERS, sourceParameters } from './source-parameters.js';

async function explain(request: RestRequest, services: Services): Promise<RestResponse> {
  const { params } = request;
  const answer = await services.coordinator.explain(
    {
      index: request.pathParams['index']!,
      id: request.pathParams['id']!,
      routing: params.text('routing'),
      body: request.jsonBody(),
      json: request.parsedBody,
      queryParameter: queryParameter(request),
      preference: params.text('preference'),
      source: sourceParameters(request),
      storedFields: params.list('stored_fields'),
    },
    callContext(request),
  );
  return jsonResponse(answer);
}

export const routes: readonly Route<Services>[] = [
  {
    methods: ['GET', 'POST'],
    path: '/{index}/_explain/{id}',
    name: 'explain',
    body: 'optional',
    privilege: 'indices:data/read/explain',
    parameters: [...QUERY_PARAMETERS, ...SOURCE_PARAMETERS, 'stored_fields', 'routing', 'preference'],
    unhinted: READ_WITH_Q,
    checkBody: (request, { coordinator }) => coordinator.checkQuery(request.jsonBody()),
    handle: explain,
  },
];
