import { analyzeBody } from '@shoal/coordinator';
import { errors } from '@shoal/errors';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';
import { callContext } from './call-context.js';

function bodyOf(request: RestRequest): unknown {
  if (!request.hasBody) throw errors.parse('request body or source parameter is required');
  return request.json();
}

async function analyze(request: RestRequest, services: Services): Promise<RestResponse> {
  const body = bodyOf(request);
  const name = request.params.text('index');
  const call = callContext(request);
  const index = name === null ? null : services.coordinator.singleIndex(name, call);
  return { status: 200, json: await services.coordinator.analyze(index, body, call) };
}

export const routes: readonly Route<Services>[] = ['/_analyze', '/{index}/_analyze'].map(
  (path): Route<Services> => ({
    methods: ['GET', 'POST'],
    path,
    name: 'indices.analyze',
    body: 'optional',
    privilege: path === '/_analyze' ? 'cluster:admin/analyze' : 'indices:admin/analyze',
    parameters: ['index'],
    checkBody: (request) => void analyzeBody(bodyOf(request)),
    handle: analyze,
  }),
);
