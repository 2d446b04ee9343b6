import { parseTermFilter, type TermVectorsRequest, validationError } from '@shoal/coordinator';
import { errors } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import { parseBoolean } from '../routing/params.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';
import { callContext } from './call-context.js';

type Body = Readonly<Record<string, unknown>>;
type Draft = { -readonly [K in Exclude<keyof TermVectorsRequest, 'index'>]: TermVectorsRequest[K] } & {
  index: string | null;
};

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

function fromParameters(request: RestRequest): Draft {
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

const flag = (value: unknown): boolean => (typeof value === 'boolean' ? value : parseBoolean(String(value)));

function objectOf(key: string, value: unknown): Body {
  if (isPlainObject(value)) return value;
  throw errors.parse(`failed to parse term vectors request. unknown field [${key}]`);
}

function setAnalyzers(draft: Draft, value: unknown): void {
  const given = Object.entries(objectOf('per_field_analyzer', value));
  draft.analyzers = Object.fromEntries(given.map(([field, name]) => [field, String(name)]));
}

const SETTERS: ReadonlyMap<string, (draft: Draft, value: unknown) => void> = new Map<
  string,
  (draft: Draft, value: unknown) => void
>([
  ['_index', (draft, value) => (draft.index = String(value))],
  ['_id', (draft, value) => (draft.id = String(value))],
  ['doc', (draft, value) => (draft.doc = value)],
  ['routing', (draft, value) => (draft.routing = String(value))],
  ['fields', (draft, value) => (draft.fields = (Array.isArray(value) ? value : [value]).map(String))],
  ['positions', (draft, value) => (draft.positions = flag(value))],
  ['offsets', (draft, value) => (draft.offsets = flag(value))],
  ['payloads', (_, value) => void flag(value)],
  ['term_statistics', (draft, value) => (draft.termStatistics = flag(value))],
  ['termStatistics', (draft, value) => (draft.termStatistics = flag(value))],
  ['field_statistics', (draft, value) => (draft.fieldStatistics = flag(value))],
  ['fieldStatistics', (draft, value) => (draft.fieldStatistics = flag(value))],
  ['filter', (draft, value) => (draft.filter = parseTermFilter(objectOf('filter', value)))],
  ['per_field_analyzer', setAnalyzers],
  ['perFieldAnalyzer', setAnalyzers],
]);

function apply(draft: Draft, body: Body): Draft {
  const changed = { ...draft };
  for (const [key, value] of Object.entries(body)) {
    const setter = SETTERS.get(key);
    if (!setter) throw errors.parse(`failed to parse term vectors request. unknown field [${key}]`);
    setter(changed, value);
  }
  return changed;
}

async function single(request: RestRequest, services: Services): Promise<RestResponse> {
  const body = request.json();
  const draft = apply(fromParameters(request), isPlainObject(body) ? body : {});
  const answer = await services.coordinator.termVectors(draft as TermVectorsRequest, callContext(request));
  return { status: 200, json: answer.json };
}

function documentsOf(request: RestRequest, body: Body, defaults: Draft): Draft[] {
  const ids = request.params.list('ids') ?? (Array.isArray(body['ids']) ? body['ids'].map(String) : []);
  const parameters = isPlainObject(body['parameters']) ? apply(defaults, body['parameters']) : defaults;
  const docs = Array.isArray(body['docs']) ? body['docs'].filter(isPlainObject) : [];
  for (const key of Object.keys(body))
    if (key !== 'ids' && key !== 'docs' && key !== 'parameters')
      throw errors.parse(
        isPlainObject(body[key])
          ? `no parameter named [${key}] and type OBJECT`
          : Array.isArray(body[key])
            ? `no parameter named [${key}] and type ARRAY`
            : `_mtermvectors: Parameter [${key}] not supported`,
      );
  return [...docs.map((doc) => apply(parameters, doc)), ...ids.map((id) => ({ ...parameters, id }))];
}

async function multi(request: RestRequest, services: Services): Promise<RestResponse> {
  const body = request.json();
  const drafts = documentsOf(request, isPlainObject(body) ? body : {}, fromParameters(request));
  if (drafts.length === 0) throw validationError(['multi term vectors: no documents requested']);
  const missing = drafts.findIndex((draft) => draft.index === null);
  if (missing >= 0) throw validationError(['index is missing']);
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
      handle: multi,
    }),
  ),
];
