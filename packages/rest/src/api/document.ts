import {
  type GetDocumentRequest,
  inspectUpdate,
  type WriteAnswer,
  type WriteOp,
  type WriteOperation,
} from '@shoal/coordinator';
import { errors } from '@shoal/errors';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';
import { callContext, jsonResponse } from './call-context.js';
import { SOURCE_PARAMETERS, sourceParameters } from './source-parameters.js';
import { WRITE_PARAMETERS, versionType, writeOptions } from './write-parameters.js';

const INDEX_PARAMETERS = [
  ...WRITE_PARAMETERS,
  'op_type',
  'routing',
  'pipeline',
  'version',
  'version_type',
  'if_seq_no',
  'if_primary_term',
  'require_alias',
];
const UPDATE_PARAMETERS = [
  ...WRITE_PARAMETERS,
  ...SOURCE_PARAMETERS,
  'routing',
  'lang',
  'retry_on_conflict',
  'if_seq_no',
  'if_primary_term',
  'version',
  'version_type',
  'require_alias',
];
const DELETE_PARAMETERS = [
  ...WRITE_PARAMETERS.filter((name) => name !== 'quarantine'),
  'routing',
  'version',
  'version_type',
  'if_seq_no',
  'if_primary_term',
];
const GET_SOURCE_PARAMETERS = [...SOURCE_PARAMETERS, 'preference', 'realtime', 'refresh', 'routing'];
const GET_PARAMETERS = [...GET_SOURCE_PARAMETERS, 'stored_fields', 'version', 'version_type', 'force_synthetic_source'];

/** Members that only some writes have. */
type Extras = Partial<
  Pick<WriteOperation, 'requireAlias' | 'pipeline' | 'retryOnConflict' | 'source' | 'updateSource'>
>;

/**
 * Members are written out one by one: object spread would give each object its own hidden class in V8, which slows down
 * every reader.
 */
function operation(request: RestRequest, op: WriteOp, extras: Extras): WriteOperation {
  const { params } = request;
  return {
    op,
    index: request.pathParams['index']!,
    id: request.pathParams['id'] ?? null,
    routing: params.text('routing'),
    requireAlias: extras.requireAlias ?? false,
    pipeline: extras.pipeline ?? null,
    version: params.long('version'),
    versionType: versionType(request),
    ifSeqNo: params.long('if_seq_no'),
    ifPrimaryTerm: params.long('if_primary_term'),
    retryOnConflict: extras.retryOnConflict ?? 0,
    source: extras.source ?? request.rawBody,
    updateSource: extras.updateSource,
    dynamicTemplates: null,
    executedPipelines: null,
  };
}

function written(answer: WriteAnswer): RestResponse {
  if (answer.location === null) return { status: answer.status, bytes: answer.chunks };
  return { status: answer.status, bytes: answer.chunks, headers: { Location: answer.location } };
}

async function write(request: RestRequest, services: Services, op: WriteOp, extras: Extras): Promise<RestResponse> {
  const options = writeOptions(request);
  return written(
    await services.coordinator.write({ ...options, operation: operation(request, op, extras) }, callContext(request)),
  );
}

function parseOpType(text: string): 'index' | 'create' {
  if (text === 'index' || text === 'create') return text;
  throw errors.illegalArgument(`opType must be 'create' or 'index', found: [${text}]`);
}

function indexExtras(request: RestRequest): Extras {
  return { requireAlias: request.params.boolean('require_alias', false), pipeline: request.params.text('pipeline') };
}

function index(request: RestRequest, services: Services): Promise<RestResponse> {
  const opType = request.params.text('op_type');
  return write(request, services, opType === null ? 'index' : parseOpType(opType.toLowerCase()), indexExtras(request));
}

/** Without an id the operation is `create`, which data streams require; a new id cannot exist yet. */
function indexWithoutId(request: RestRequest, services: Services): Promise<RestResponse> {
  const opType = request.params.text('op_type');
  return write(request, services, opType === null ? 'create' : parseOpType(opType.toLowerCase()), indexExtras(request));
}

function create(request: RestRequest, services: Services): Promise<RestResponse> {
  return write(request, services, 'create', indexExtras(request));
}

function update(request: RestRequest, services: Services): Promise<RestResponse> {
  const { params } = request;
  const source = sourceParameters(request);
  if (!request.hasBody) throw errors.actionRequestValidation('Validation Failed: 1: script or doc is missing;');
  const options = writeOptions(request);
  const made = operation(request, 'update', {
    requireAlias: params.boolean('require_alias', false),
    retryOnConflict: params.integer('retry_on_conflict', 0),
    updateSource: source ?? undefined,
  });
  const kept = made.routing === null ? made : { ...made, keepsRouting: true as const };
  return services.coordinator.write({ ...options, operation: kept }, callContext(request)).then(written);
}

function remove(request: RestRequest, services: Services): Promise<RestResponse> {
  return write(request, services, 'delete', { source: request.rawBody.subarray(0, 0) });
}

function getRequest(request: RestRequest, bareSource: boolean): GetDocumentRequest {
  const { params } = request;
  const storedFields = params.list('stored_fields');
  if (params.has('fields'))
    throw errors.illegalArgument(
      'The parameter [fields] is no longer supported, please use [stored_fields] to retrieve stored fields or ' +
        '[_source] to load the field from _source',
    );
  return {
    index: request.pathParams['index']!,
    id: request.pathParams['id']!,
    routing: params.text('routing'),
    source: sourceParameters(request) ?? (storedFields === null || storedFields.includes('_source')),
    storedFields,
    version: params.long('version'),
    versionType: versionType(request),
    realtime: params.boolean('realtime', true),
    refresh: params.boolean('refresh', false),
    preference: params.text('preference'),
    bareSource,
  };
}

async function get(request: RestRequest, services: Services): Promise<RestResponse> {
  return jsonResponse(await services.coordinator.get(getRequest(request, false), callContext(request)));
}

async function source(request: RestRequest, services: Services): Promise<RestResponse> {
  const wanted = getRequest(request, true);
  if (wanted.source === false)
    throw errors.actionRequestValidation('Validation Failed: 1: fetching source can not be disabled;');
  return jsonResponse(await services.coordinator.get(wanted, callContext(request)));
}

type MultiGetRequest = Parameters<Services['coordinator']['multiGet']>[0];

function multiGetRequest(request: RestRequest): MultiGetRequest {
  if (!request.hasBody) throw errors.parse('request body or source parameter is required');
  const { params } = request;
  const storedFields = params.list('stored_fields');
  return {
    index: params.text('index'),
    body: request.json(),
    realtime: params.boolean('realtime', true),
    refresh: params.boolean('refresh', false),
    preference: params.text('preference'),
    defaults: {
      routing: params.text('routing'),
      source: sourceParameters(request) ?? (storedFields === null || storedFields.includes('_source')),
      storedFields,
      version: null,
      versionType: 'internal',
    },
  };
}

async function multiGet(request: RestRequest, services: Services): Promise<RestResponse> {
  return jsonResponse(await services.coordinator.multiGet(multiGetRequest(request), callContext(request)));
}

const WRITE = 'indices:data/write';

export const routes: readonly Route<Services>[] = [
  {
    methods: ['PUT', 'POST'],
    path: '/{index}/_doc/{id}',
    name: 'index',
    body: 'required',
    largeBody: 'raw',
    privilege: `${WRITE}/index`,
    parameters: INDEX_PARAMETERS,
    handle: index,
  },
  {
    methods: ['POST'],
    path: '/{index}/_doc',
    name: 'index',
    body: 'required',
    largeBody: 'raw',
    privilege: `${WRITE}/index`,
    parameters: INDEX_PARAMETERS,
    handle: indexWithoutId,
  },
  {
    methods: ['PUT', 'POST'],
    path: '/{index}/_create/{id}',
    name: 'create',
    body: 'required',
    largeBody: 'raw',
    privilege: `${WRITE}/index`,
    parameters: INDEX_PARAMETERS,
    handle: create,
  },
  {
    methods: ['GET', 'HEAD'],
    path: '/{index}/_doc/{id}',
    name: 'get',
    body: 'optional',
    privilege: 'indices:data/read/get',
    parameters: [...GET_PARAMETERS, 'fields'],
    unhinted: ['version'],
    handle: get,
  },
  {
    methods: ['GET', 'HEAD'],
    path: '/{index}/_source/{id}',
    name: 'get_source',
    body: 'optional',
    privilege: 'indices:data/read/get',
    parameters: GET_SOURCE_PARAMETERS,
    handle: source,
  },
  {
    methods: ['DELETE'],
    path: '/{index}/_doc/{id}',
    name: 'delete',
    body: 'none',
    privilege: `${WRITE}/delete`,
    parameters: DELETE_PARAMETERS,
    handle: remove,
  },
  {
    methods: ['POST'],
    path: '/{index}/_update/{id}',
    name: 'update',
    body: 'optional',
    largeBody: 'raw',
    privilege: `${WRITE}/update`,
    parameters: UPDATE_PARAMETERS,
    checkBody: (request) => {
      if (request.hasBody) inspectUpdate(request.jsonBody());
    },
    handle: update,
  },
  ...['/_mget', '/{index}/_mget'].map(
    (path): Route<Services> => ({
      methods: ['GET', 'POST'],
      path,
      name: 'mget',
      body: 'optional',
      largeBody: 'parsed',
      privilege: 'indices:data/read/mget',
      parameters: [...GET_PARAMETERS, 'index'],
      unhinted: ['version', 'version_type'],
      checkBody: (request, { coordinator }) =>
        coordinator.checkMultiGet(multiGetRequest(request), callContext(request)),
      handle: multiGet,
    }),
  ),
];
