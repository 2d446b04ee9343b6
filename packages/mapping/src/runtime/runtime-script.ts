import { errors } from '@shoal/errors';
import { isPlainObject, type JsonObject } from '@shoal/json';
import type { RuntimeScript } from '../field-type.js';
import { javaText } from '../parameter.js';

const KEYS = ['source', 'id', 'lang', 'params', 'options'];
const DEFAULT_LANG = 'painless';

/**
 * Reads the script of a runtime field `path`; null without one. Throws illegal_argument_exception or parse_exception
 * for what is no inline script.
 */
export function parseRuntimeScript(path: string, type: string, definition: JsonObject): RuntimeScript | null {
  const given = definition['script'];
  if (given === undefined) return null;
  const { source, lang, params } = typeof given === 'string' ? { source: given, ...NONE } : readObject(path, given);
  return {
    field: path,
    context: `${type}_field`,
    source,
    lang,
    params,
    continuesOnError: definition['on_script_error'] === 'continue',
  };
}

/** Returns a definition with its script in the form of the mapping API. */
export function withScriptJson(definition: JsonObject, script: RuntimeScript | null): JsonObject {
  if (script === null) return definition;
  const { source, lang, params } = script;
  const json = { source, lang, ...(Object.keys(params).length === 0 ? {} : { params }) };
  return { ...definition, script: json };
}

const NONE = { lang: DEFAULT_LANG, params: {} as JsonObject };

function readObject(path: string, given: unknown): { source: string; lang: string; params: JsonObject } {
  if (!isPlainObject(given)) throw errors.illegalArgument('Script value should be a String or a Map');
  const unknown = Object.keys(given).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) throw errors.parse(`Unsupported field [${unknown}]`);
  const { source, id, lang, params } = given;
  if (id !== undefined) throw errors.illegalArgument(`stored scripts are not supported for runtime field [${path}]`);
  if (source === undefined) throw errors.parse('Expected one of [source] or [id] fields, but found none');
  return {
    source: typeof source === 'string' ? source : javaText(source),
    lang: lang === undefined ? DEFAULT_LANG : javaText(lang),
    params: isPlainObject(params) ? params : {},
  };
}
