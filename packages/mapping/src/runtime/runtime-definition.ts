import { errors } from '@shoal/errors';
import { isPlainObject, type JsonObject } from '@shoal/json';
import type { RuntimeDefinitions } from '../mapping-api.js';
import { javaText } from '../parameter.js';
import { checkedLookup, LOOKUP_PARAMETERS } from './lookup-field.js';
import { parseRuntimeScript, withScriptJson } from './runtime-script.js';

/** Parameters by type of runtime field, besides those of all types. */
const PARAMETERS: ReadonlyMap<string, readonly string[]> = new Map([
  ['boolean', []],
  ['composite', ['fields']],
  ['date', ['format', 'locale']],
  ['double', []],
  ['geo_point', []],
  ['ip', []],
  ['keyword', []],
  ['long', []],
  ['lookup', LOOKUP_PARAMETERS],
]);
const COMMON_PARAMETERS = ['type', 'meta'];
const SCRIPT_PARAMETERS = ['script', 'on_script_error'];

/** The class of a JSON value in Java, as errors name it. */
function javaClass(value: unknown): string {
  if (Array.isArray(value)) return 'java.util.ArrayList';
  if (typeof value === 'string') return 'java.lang.String';
  if (typeof value === 'boolean') return 'java.lang.Boolean';
  return Number.isInteger(value) ? 'java.lang.Integer' : 'java.lang.Double';
}

/** Whether a type of runtime field exists. */
export const isRuntimeType = (type: string): boolean => PARAMETERS.has(type);

/**
 * Parses the `runtime` section of a mapping; a null in it removes a field. Scripts are returned as objects. Throws
 * parse_exception for what is no object, mapper_parsing_exception or illegal_argument_exception for a definition that
 * no field can have.
 */
export function parseRuntime(value: unknown): ReadonlyMap<string, JsonObject | null> {
  if (!isPlainObject(value)) throw errors.parse('runtime must be a map type');
  return new Map(
    Object.entries(value).map(([name, definition]) => [name, definition === null ? null : checked(name, definition)]),
  );
}

/** Parses `runtime_mappings` of a request, as `parseRuntime`; there is nothing to remove. */
export function parseRuntimeMappings(value: JsonObject): RuntimeDefinitions {
  return new Map(
    Object.entries(value).map(([name, definition]) => {
      if (definition === null)
        throw errors.mapperParsing(
          `Runtime field [${name}] was set to null but its removal is not supported in this context`,
        );
      return [name, checked(name, definition)];
    }),
  );
}

function checked(name: string, definition: unknown): JsonObject {
  if (!isPlainObject(definition))
    throw errors.mapperParsing(
      `Expected map for runtime field [${name}] definition but got a ${javaClass(definition)}`,
    );
  if (definition['type'] === undefined) throw errors.mapperParsing(`No type specified for runtime field [${name}]`);
  const type = javaText(definition['type']);
  const own = PARAMETERS.get(type);
  if (own === undefined)
    throw errors.mapperParsing(`No handler for type [${type}] declared on runtime field [${name}]`);
  checkParameters(name, type, definition, own);
  if (type === 'lookup') return checkedLookup(name, definition);
  checkScriptError(definition);
  if (type === 'composite') checkComposite(name, definition);
  return withScriptJson(definition, parseRuntimeScript(name, type, definition));
}

function checkParameters(name: string, type: string, definition: JsonObject, own: readonly string[]): void {
  const known = [...COMMON_PARAMETERS, ...(type === 'lookup' ? [] : SCRIPT_PARAMETERS), ...own];
  for (const key of Object.keys(definition)) {
    const subject = `on runtime field [${name}] of type [${type}]`;
    if (!known.includes(key)) throw errors.mapperParsing(`unknown parameter [${key}] ${subject}`);
    if (definition[key] === null) throw errors.mapperParsing(`[${key}] ${subject} must not have a [null] value`);
  }
}

const SCRIPT_ERRORS = ['fail', 'continue'];

function checkScriptError(definition: JsonObject): void {
  const value = definition['on_script_error'];
  if (value === undefined) return;
  if (!SCRIPT_ERRORS.includes(javaText(value)))
    throw errors.mapperParsing(
      `Unknown value [${javaText(value)}] for field [on_script_error] - accepted values are [fail, continue]`,
    );
  if (definition['script'] === undefined)
    throw errors.illegalArgument('Field [on_script_error] requires field [script] to be configured');
}

function checkComposite(name: string, { script, fields }: JsonObject): void {
  if (script === undefined) throw errors.illegalArgument(`composite runtime field [${name}] must declare a [script]`);
  if (fields !== undefined && !isPlainObject(fields)) {
    const shown = `${javaClass(fields).split('.').at(-1)}[${javaText(fields)}]`;
    throw errors.mapperParsing(`[fields] must be an object, got ${shown} for field [${name}]`);
  }
  if (fields === undefined || Object.keys(fields).length === 0)
    throw errors.illegalArgument(`composite runtime field [${name}] must declare its [fields]`);
}

/**
 * Returns the fields below a composite field, by full path. Throws as for other runtime fields, and for sub-fields with
 * a script of their own.
 */
export function subFields(name: string, { fields }: JsonObject): RuntimeDefinitions {
  return new Map(
    Object.entries(fields as JsonObject).map(([key, definition]) => {
      const path = `${name}.${key}`;
      const sub = checkedSub(path, definition);
      if (sub['script'] !== undefined)
        throw errors.illegalArgument(
          `Cannot use [script] parameter on sub-field [${key}] of composite field [${name}]`,
        );
      return [path, sub];
    }),
  );
}

function checkedSub(path: string, definition: unknown): JsonObject {
  const sub = checked(path, definition);
  if (sub['type'] === 'composite')
    throw errors.illegalArgument(`Composite field [${path}] cannot be a child of another composite field`);
  return sub;
}
