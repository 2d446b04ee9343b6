import { warningHeader } from '../admin/warning-header.js';
import { INDICES_PARAMETERS } from '../admin/index-options.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';
import { callContext, jsonResponse } from './call-context.js';
import { searchRequest } from './search-parameters.js';

const DEPRECATION = 'The kNN search API has been replaced by the `knn` option in the search API.';

async function knnSearch(request: RestRequest, services: Services): Promise<RestResponse> {
  const answer = jsonResponse(await services.coordinator.knnSearch(searchRequest(request), callContext(request)));
  return { ...answer, headers: { ...answer.headers, ...warningHeader(DEPRECATION) } };
}

export const routes: readonly Route<Services>[] = [
  {
    methods: ['GET', 'POST'],
    path: '/{index}/_knn_search',
    name: 'knn_search',
    body: 'optional',
    privilege: 'indices:data/read/search',
    parameters: [...INDICES_PARAMETERS, 'routing'],
    checkBody: (request, { coordinator }) => coordinator.checkKnnSearch(searchRequest(request)),
    handle: knnSearch,
  },
];
