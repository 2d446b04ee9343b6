import { type TermVectorsRequest, validationError } from '@shoal/coordinator';
import { isPlainObject } from '@shoal/json';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';
import { callContext } from './call-context.js';
import { applyTermVectors, draftsOf, type TermVectorsDraft } from './term-vectors-body.js';

const PARAMETERS = [
  'term_statistics',
  'field_statistics',
  'fields',
  'offsets',
  'positions',
  'payloads',
  'preference',
  'routing',
  'realtime',
  'version',
  'version_type',
];

function fromParameters(request: RestRequest): TermVectorsDraft {
  const { params } = request;
  params.boolean('payloads', true);
  return {
    index: params.text('index'),
    id: request.pathParams['id'] ?? null,
    doc: undefined,
    routing: params.text('routing'),
    preference: params.text('preference'),
    realtime: params.boolean('realtime', true),
    fields: params.list('fields'),
    positions: params.boolean('positions', true),
    offsets: params.boolean('offsets', true),
    termStatistics: params.boolean('term_statistics', false),
    fieldStatistics: params.boolean('field_statistics', true),
    filter: null,
    analyzers: null,
  };
}

function singleDraft(request: RestRequest): TermVectorsDraft {
  const body = request.json();
  return applyTermVectors(fromParameters(request), isPlainObject(body) ? body : {});
}

function multiDrafts(request: RestRequest): readonly TermVectorsDraft[] {
  const body = request.json();
  return draftsOf(isPlainObject(body) ? body : {}, request.params.list('ids'), fromParameters(request));
}

async function single(request: RestRequest, services: Services): Promise<RestResponse> {
  const draft = singleDraft(request);
  const answer = await services.coordinator.termVectors(draft as TermVectorsRequest, callContext(request));
  return { status: 200, json: answer.json };
}

/** What a document of `_mtermvectors` lacks. */
function problemsOf({ index, id, doc }: TermVectorsDraft, at: number): string[] {
  const lacks = [
    ...(index === null ? ['index is missing'] : []),
    ...(id === null && doc === undefined ? ['id or doc is missing'] : []),
  ];
  return lacks.length === 0 ? [] : [...lacks, `at multi term vectors for doc ${at}`];
}

async function multi(request: RestRequest, services: Services): Promise<RestResponse> {
  const drafts = multiDrafts(request);
  if (drafts.length === 0) throw validationError(['multi term vectors: no documents requested']);
  const problems = drafts.flatMap(problemsOf);
  if (problems.length > 0) throw validationError(problems);
  return {
    status: 200,
    json: await services.coordinator.multiTermVectors(drafts as TermVectorsRequest[], callContext(request)),
  };
}

const READ = 'indices:data/read';

export const routes: readonly Route<Services>[] = [
  ...['/{index}/_termvectors', '/{index}/_termvectors/{id}'].map(
    (path): Route<Services> => ({
      methods: ['GET', 'POST'],
      path,
      name: 'termvectors',
      body: 'optional',
      privilege: `${READ}/tv`,
      parameters: PARAMETERS,
      unhinted: ['version'],
      checkBody: (request) => void singleDraft(request),
      handle: single,
    }),
  ),
  ...['/_mtermvectors', '/{index}/_mtermvectors'].map(
    (path): Route<Services> => ({
      methods: ['GET', 'POST'],
      path,
      name: 'mtermvectors',
      body: 'optional',
      privilege: `${READ}/mtv`,
      parameters: [...PARAMETERS, 'index', 'ids'],
      checkBody: (request) => void multiDrafts(request),
      handle: multi,
    }),
  ),
];
