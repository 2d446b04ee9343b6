import { errors } from '@shoal/errors';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';
import { callContext } from './call-context.js';

async function analyze(request: RestRequest, services: Services): Promise<RestResponse> {
  if (!request.hasBody) throw errors.parse('request body or source parameter is required');
  const name = request.params.text('index');
  const call = callContext(request);
  const index = name === null ? null : services.coordinator.singleIndex(name, call);
  return { status: 200, json: await services.coordinator.analyze(index, request.json(), call) };
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
