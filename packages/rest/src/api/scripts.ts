import { checkExecuteBytes, parseExecuteRequest } from '@shoal/coordinator';
import { errors, toApiError } from '@shoal/errors';
import { readSource } from '@shoal/json';
import {
  allowedScripts,
  compile,
  CONTEXT_NAMES,
  describeContext,
  EXPRESSION_CONTEXTS,
  isScriptLanguage,
  parseStoredScript,
  type StoredScript,
  TEMPLATE_CONTEXTS,
} from '@shoal/script';
import { clusterSetting, sectionEntry } from '@shoal/state';
import { isScriptContext, scriptContexts } from '../admin/script-contexts.js';
import { MASTER_PARAMETERS, runTask } from '../admin/index-options.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';
import { callContext } from './call-context.js';

function idOf(request: RestRequest): string {
  const id = request.pathParams['id']!;
  if (id.includes('#'))
    throw errors.actionRequestValidation("Validation Failed: 1: id cannot contain '#' for stored script;");
  return id;
}

/**
 * Throws if a script with a context does not compile, or if no stored scripts run here. Scripts without context are
 * compiled when they are used.
 */
function checkStored(id: string, script: StoredScript, context: string | null): void {
  try {
    const { types, contexts } = allowedScripts();
    if (types !== null && !types.has('stored'))
      throw errors.illegalArgument('cannot put [stored] script, [stored] scripts are not enabled');
    if (contexts?.size === 0)
      throw errors.illegalArgument('cannot put [stored] script, no script contexts are enabled');
    if (context !== null && !isScriptContext(context)) throw errors.illegalArgument(`Unknown context [${context}]`);
    if (context === null) return;
    compile({ lang: script.lang, source: script.source, id: null, params: {}, options: {} }, context);
  } catch (thrown) {
    const error = toApiError(thrown);
    if (error.type === 'script_exception') throw error;
    throw errors.illegalArgument(`failed to parse/compile stored script [${id}]`, { cause: error });
  }
}

function scriptOf(request: RestRequest): StoredScript {
  return parseStoredScript(request.json(), () => readSource(request.jsonBody()));
}

async function put(request: RestRequest, services: Services): Promise<RestResponse> {
  const bytes = request.jsonBody();
  const script = scriptOf(request);
  const id = idOf(request);
  const bytesMax = Number(clusterSetting(services.cluster.state(), 'script.max_size_in_bytes', services.node.settings));
  if (bytes.length > bytesMax)
    throw errors.illegalArgument(
      `exceeded max allowed stored script size in bytes [${bytesMax}] with size [${bytes.length}] for script [${id}]`,
    );
  if (!isScriptLanguage(script.lang))
    throw errors.illegalArgument(`unable to put stored script with unsupported lang [${script.lang}]`);
  const context = request.pathParams['context'] ?? request.params.text('context');
  checkStored(id, script, context);
  return { status: 200, json: await runTask(request, services, 'put-stored-script', { id, script }) };
}

function get(request: RestRequest, services: Services): RestResponse {
  const id = idOf(request);
  const script = sectionEntry(services.cluster.state(), 'storedScripts', id);
  if (script === undefined) return { status: 404, json: { _id: id, found: false } };
  return { status: 200, json: { _id: id, found: true, script } };
}

async function remove(request: RestRequest, services: Services): Promise<RestResponse> {
  return { status: 200, json: await runTask(request, services, 'delete-stored-script', { id: idOf(request) }) };
}

async function execute(request: RestRequest, services: Services): Promise<RestResponse> {
  if (!request.hasBody) throw errors.parse('request body or source parameter is required');
  checkExecuteBytes(request.rawBody.length);
  const parsed = parseExecuteRequest(request.json(), () => readSource(request.jsonBody()));
  return { status: 200, json: { result: await services.coordinator.executeScript(parsed, callContext(request)) } };
}

/** The contexts of Painless, or what the scripts of one may name. */
function painlessContext(request: RestRequest): RestResponse {
  const name = request.params.text('context');
  return { status: 200, json: name === null ? { contexts: [...CONTEXT_NAMES].sort() } : describeContext(name) };
}

const LANGUAGES = [
  { language: 'expression', contexts: EXPRESSION_CONTEXTS },
  { language: 'mustache', contexts: TEMPLATE_CONTEXTS },
  { language: 'painless', contexts: CONTEXT_NAMES },
];

function languages(): RestResponse {
  const { types, contexts } = allowedScripts();
  const shown = LANGUAGES.map(({ language, contexts: all }) => ({
    language,
    contexts: all.filter((name) => contexts?.has(name) ?? true).sort(),
  }));
  return {
    status: 200,
    json: { types_allowed: [...(types ?? ['inline', 'stored'])].sort(), language_contexts: shown },
  };
}

export const routes: readonly Route<Services>[] = [
  {
    methods: ['GET', 'POST'],
    path: '/_scripts/painless/_execute',
    name: 'scripts_painless_execute',
    body: 'optional',
    privilege: 'cluster:admin/scripts/painless/execute',
    parameters: [],
    handle: execute,
  },
  {
    methods: ['GET'],
    path: '/_scripts/painless/_context',
    name: 'scripts_painless_context',
    body: 'none',
    privilege: 'cluster:admin/scripts/painless/context',
    parameters: ['context'],
    handle: painlessContext,
  },
  ...['/_scripts/{id}', '/_scripts/{id}/{context}'].map(
    (path): Route<Services> => ({
      methods: ['POST', 'PUT'],
      path,
      name: 'put_script',
      body: 'required',
      privilege: 'cluster:admin/script/put',
      parameters: [...MASTER_PARAMETERS, 'context'],
      checkBody: (request) => void scriptOf(request),
      handle: put,
    }),
  ),
  {
    methods: ['GET'],
    path: '/_scripts/{id}',
    name: 'get_script',
    body: 'none',
    privilege: 'cluster:admin/script/get',
    parameters: ['master_timeout'],
    handle: get,
  },
  {
    methods: ['DELETE'],
    path: '/_scripts/{id}',
    name: 'delete_script',
    body: 'none',
    privilege: 'cluster:admin/script/delete',
    parameters: MASTER_PARAMETERS,
    handle: remove,
  },
  {
    methods: ['GET'],
    path: '/_script_context',
    name: 'get_script_context',
    body: 'none',
    privilege: 'cluster:admin/script_context/get',
    parameters: [],
    handle: () => ({ status: 200, json: scriptContexts() }),
  },
  {
    methods: ['GET'],
    path: '/_script_language',
    name: 'get_script_languages',
    body: 'none',
    privilege: 'cluster:admin/script_language/get',
    parameters: [],
    handle: languages,
  },
];
