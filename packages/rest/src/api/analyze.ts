import { errors } from '@shoal/errors';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';
import { callContext } from './call-context.js';

function analyze(request: RestRequest, services: Services): RestResponse {
  if (!request.hasBody) throw errors.parse('request body or source parameter is required');
  const name = request.params.text('index');
  const index = name === null ? null : services.coordinator.singleIndex(name, callContext(request));
  return { status: 200, json: services.coordinator.analyze(index, request.json()) };
}

export const routes: readonly Route<Services>[] = ['/_analyze', '/{index}/_analyze'].map(
  (path): Route<Services> => ({
    methods: ['GET', 'POST'],
    path,
    name: 'indices.analyze',
    body: 'optional',
    privilege: path === '/_analyze' ? 'cluster:admin/analyze' : 'indices:admin/analyze',
    parameters: ['index'],
    handle: analyze,
  }),
);
