import { parseTemplateRequest } from '@shoal/coordinator';
import { errors } from '@shoal/errors';
import { parseJson, readSource } from '@shoal/json';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';
import { callContext, jsonResponse } from './call-context.js';
import { MULTI_READ_IF_GIVEN, MULTI_SEARCH_PARAMETERS, multiSearch, READ_IF_GIVEN } from './search.js';
import { SEARCH_PARAMETERS, searchRequest } from './search-parameters.js';

type TemplateRequest = ReturnType<typeof parseTemplateRequest>;

function templateRequest(request: RestRequest): TemplateRequest {
  if (!request.hasBody) throw errors.parse('request body or source parameter is required');
  return parseTemplateRequest(request.json(), () => readSource(request.jsonBody()));
}

const encoder = new TextEncoder();

function render(request: RestRequest, services: Services): RestResponse {
  const template = templateRequest(request);
  const id = request.pathParams['id'] ?? request.params.text('id');
  const text = services.coordinator.renderTemplate(
    id === null ? template : { ...template, template: { kind: 'id', text: id } },
  );
  // The text is answered as it is, with its blanks and its forms of numbers; but it must be JSON.
  const bytes = encoder.encode(text);
  parseJson(bytes);
  return { status: 200, bytes: [encoder.encode('{"template_output":'), bytes, encoder.encode('}')] };
}

async function searchTemplate(request: RestRequest, services: Services): Promise<RestResponse> {
  const template = templateRequest(request);
  const search = searchRequest(request);
  return jsonResponse(await services.coordinator.searchTemplate(search, template, callContext(request)));
}

const BOTH = (name: string): string[] => [`/${name}`, `/{index}/${name}`];
const READ = 'indices:data/read';

export const routes: readonly Route<Services>[] = [
  ...['/_render/template', '/_render/template/{id}'].map(
    (path): Route<Services> => ({
      methods: ['GET', 'POST'],
      path,
      name: 'render_search_template',
      body: 'optional',
      privilege: `${READ}/search/template`,
      parameters: ['id'],
      handle: render,
    }),
  ),
  ...BOTH('_search/template').map(
    (path): Route<Services> => ({
      methods: ['GET', 'POST'],
      path,
      name: 'search_template',
      body: 'optional',
      privilege: `${READ}/search/template`,
      parameters: SEARCH_PARAMETERS,
      unhinted: READ_IF_GIVEN,
      handle: searchTemplate,
    }),
  ),
  ...BOTH('_msearch/template').map(
    (path): Route<Services> => ({
      methods: ['GET', 'POST'],
      path,
      name: 'msearch_template',
      body: 'optional',
      largeBody: 'raw',
      privilege: `${READ}/msearch/template`,
      parameters: MULTI_SEARCH_PARAMETERS,
      unhinted: MULTI_READ_IF_GIVEN,
      handle: (request, services) => multiSearch(request, services, true),
    }),
  ),
];
