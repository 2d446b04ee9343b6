import { errors } from '@shoal/errors';
import { stringify, type JsonObject } from '@shoal/json';
import { compileTemplate, type Template } from '@shoal/script';

/** A template with its own parameters. */
export interface SourcedTemplate {
  readonly mustache: Template;
  readonly params: JsonObject;
}

const KEYS = ['source', 'params', 'lang', 'options'];

/**
 * Parses `{"source": …, "params": {…}}`; the source is a text or an object. Throws illegal_argument for stored
 * templates (`id`) and for languages other than mustache, script_exception for malformed templates.
 */
export function parseTemplate(template: unknown): SourcedTemplate {
  if (typeof template !== 'object' || template === null || Array.isArray(template))
    throw errors.illegalArgument('[template] must be an object with [source]');
  const { source, params = {}, lang = 'mustache' } = template as JsonObject;
  if ('id' in template)
    throw errors.illegalArgument('[template] takes [source]: stored templates ([id]) are not supported');
  const unknown = Object.keys(template).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) throw errors.illegalArgument(`[template] unknown field [${unknown}]`);
  if (lang !== 'mustache')
    throw errors.illegalArgument(`[template] must be in the language [mustache] but was in [${String(lang)}]`);
  if (typeof source !== 'string' && (typeof source !== 'object' || source === null))
    throw errors.illegalArgument('[template] must have a [source]');
  if (typeof params !== 'object' || params === null || Array.isArray(params))
    throw errors.illegalArgument('[params] of a template must be an object');
  return {
    mustache: compileTemplate(typeof source === 'string' ? source : stringify(source), { escapesFunctions: true }),
    params: params as JsonObject,
  };
}
