import { type ApiError, errors, isApiError } from '@shoal/errors';
import { isPlainObject, type JsonObject, stringify, tokenOf } from '@shoal/json';
import { type InlineScript, isInline, readScript, type ScriptSource } from '@shoal/script';
import { didYouMean } from '@shoal/values';
import { validationError } from '../bulk/validate-operation.js';

/** A body of `_scripts/painless/_execute`. */
export interface ExecuteRequest {
  readonly script: InlineScript;
  readonly context: string;
  /** The document that the script gets; null for the context `painless_test`. */
  readonly setup: ExecuteSetup | null;
}

/** An index and a document that is not stored in it. */
export interface ExecuteSetup {
  readonly index: string;
  /** JSON text. */
  readonly document: string;
  /** Query whose score the script sees; null for none. */
  readonly query: unknown;
}

/** Bytes of a request to run a script: its document is indexed at a stretch. */
const BYTES_MAX = 512 * 1024;

/** Throws illegal_argument_exception if a body has more bytes than one whose script is run may have. */
export function checkExecuteBytes(length: number): void {
  if (length > BYTES_MAX)
    throw errors.illegalArgument(
      `a request of [${length}] bytes to run a script is larger than the limit of [${BYTES_MAX}] bytes`,
    );
}

const TEST = 'painless_test';
const CONTEXTS = new Set([
  ...[TEST, 'filter', 'score', 'boolean_field', 'composite_field', 'date_field', 'double_field', 'geo_point_field'],
  ...['ip_field', 'keyword_field', 'long_field'],
]);

const REQUEST = { script: 'START_OBJECT', context: 'VALUE_STRING', context_setup: 'START_OBJECT' };
const SETUP = { index: 'VALUE_STRING', document: 'START_OBJECT', query: 'START_OBJECT' };

/** The first error of the members of an object: an unknown one, or one of another kind than `tokens` says. */
function memberError(parser: string, body: JsonObject, tokens: Readonly<Record<string, string>>): ApiError | null {
  for (const key of Object.keys(body)) {
    const wanted = Object.hasOwn(tokens, key) ? tokens[key] : undefined;
    const location = { container: body, key };
    if (wanted === undefined)
      return errors.xContentParse(`[${parser}] unknown field [${key}]${didYouMean(key, Object.keys(tokens))}`, {
        location: { ...location, at: 'key' },
      });
    if (tokenOf(body[key]) !== wanted)
      return errors.xContentParse(`[${parser}] ${key} doesn't support values of type: ${tokenOf(body[key])}`, {
        location,
      });
  }
  return null;
}

function setupOf(body: JsonObject, exact: JsonObject): Partial<ExecuteSetup> {
  const setup = body['context_setup'] as JsonObject | undefined;
  if (setup === undefined) return {};
  const cause = memberError('execute_script_context', setup, SETUP);
  if (cause !== null)
    throw errors.xContentParse('[painless_execute_request] failed to parse field [context_setup]', {
      location: { container: setup, key: cause.location!.key! },
      cause,
    });
  const document = (exact['context_setup'] as JsonObject)['document'];
  return {
    ...(setup['index'] === undefined ? {} : { index: setup['index'] as string }),
    ...(document === undefined ? {} : { document: stringify(document) }),
    query: setup['query'] ?? null,
  };
}

function scriptOf(body: JsonObject): ScriptSource {
  const json = body['script'] as JsonObject;
  try {
    return readScript(json);
  } catch (error) {
    if (!isApiError(error)) throw error;
    const { container, key = 'script' } = error.location ?? { container: body };
    throw errors.xContentParse('[painless_execute_request] failed to parse field [script]', {
      location: { container, key },
      cause: error,
    });
  }
}

function contextOf(body: JsonObject): string {
  const context = (body['context'] as string | undefined) ?? TEST;
  if (CONTEXTS.has(context)) return context;
  throw errors.xContentParse('Failed to build [painless_execute_request] after last required field arrived', {
    cause: errors.unsupportedOperation(`unsupported script context name [${context}]`),
  });
}

/**
 * Parses a request to run a script. `exact` returns the same body with whole doubles as `readSource` reads them. Throws
 * the errors of Elasticsearch; a context without its setup is a validation error, not an error 500.
 */
export function parseExecuteRequest(body: unknown, exact: () => unknown = () => body): ExecuteRequest {
  if (!isPlainObject(body))
    throw errors.xContentParse(`[1:1] [painless_execute_request] Expected START_OBJECT but was: ${tokenOf(body)}`);
  const error = memberError('painless_execute_request', body, REQUEST);
  if (error !== null) throw error;
  const whole = exact() as JsonObject;
  const setup = setupOf(body, whole);
  if (body['script'] === undefined) throw errors.illegalArgument('Required [script]');
  const context = contextOf(body);
  const script = scriptOf(body);
  const problems: string[] = [];
  if (!isInline(script)) problems.push('only inline scripts are supported');
  if (context !== TEST)
    for (const name of ['index', 'document'] as const)
      if (setup[name] === undefined) problems.push(`${name} is a required parameter for current context`);
  if (!isInline(script) || problems.length > 0) throw validationError(problems);
  const params = Object.freeze((whole['script'] as JsonObject)['params'] ?? {}) as JsonObject;
  return { script: { ...script, params }, context, setup: context === TEST ? null : (setup as ExecuteSetup) };
}
