import { isPlainObject, type JsonObject } from '@shoal/json';
import { type ApiError, errors } from '@shoal/errors';
import type { ApplicationPrivileges, IndexPrivileges, RoleDescriptor } from '../role-descriptor.js';
import { checkFieldSecurity, type FieldSecurity } from './field-security.js';
import { checkGlobal } from './global-privileges.js';

const ENABLED: JsonObject = { enabled: true };
const CLUSTER_KEYS = new Set([
  'cluster',
  'indices',
  'index',
  'applications',
  'run_as',
  'global',
  'metadata',
  'transient_metadata',
]);
const INDEX_KEYS = new Set(['names', 'privileges', 'field_security', 'query', 'allow_restricted_indices']);
const APPLICATION_KEYS = new Set(['application', 'privileges', 'resources']);

/**
 * Parses a role in the form of the API. Throws parse errors for a wrong form; `validateRole` checks whether privileges
 * exist.
 */
export function parseRoleDescriptor(name: string, json: unknown): RoleDescriptor {
  if (!isPlainObject(json))
    throw errors.parse(`failed to parse role [${name}]. expected an object but found [${token(json)}] instead`);
  for (const key of Object.keys(json))
    if (!CLUSTER_KEYS.has(key)) throw errors.parse(`failed to parse role [${name}]. unexpected field [${key}]`);
  const transient = metadata(name, 'transient_metadata', json['transient_metadata']);
  return {
    name,
    cluster: strings('cluster', json['cluster'] ?? []),
    indices: objects(name, 'indices', json['indices'] ?? json['index']).map((entry) => parseIndices(name, entry)),
    applications: objects(name, 'applications', json['applications']).map((entry) => parseApplication(name, entry)),
    runAs: strings('run_as', json['run_as'] ?? []),
    global: json['global'] === undefined ? null : parseGlobal(name, json['global']),
    metadata: metadata(name, 'metadata', json['metadata']),
    transientMetadata: Object.keys(transient).length === 0 ? ENABLED : transient,
  };
}

function token(value: unknown): string {
  if (value === null || value === undefined) return 'VALUE_NULL';
  if (Array.isArray(value)) return 'START_ARRAY';
  if (typeof value === 'object') return 'START_OBJECT';
  if (typeof value === 'boolean') return 'VALUE_BOOLEAN';
  return typeof value === 'string' ? 'VALUE_STRING' : 'VALUE_NUMBER';
}

/** A string or a list of strings, as a list. */
function strings(field: string, value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  const wrong = Array.isArray(value) ? value.find((entry) => typeof entry !== 'string') : value;
  if (wrong !== undefined || !Array.isArray(value))
    throw errors.parse(
      `could not parse [${field}] field. expected a string array but found [${token(wrong)}] value instead`,
    );
  return value as string[];
}

function objects(name: string, field: string, value: unknown): readonly JsonObject[] {
  if (value === undefined) return [];
  if (!Array.isArray(value))
    throw errors.parse(
      `failed to parse ${field} privileges for role [${name}]. expected field [${field}] value to be an array, but ` +
        `found [${token(value)}] instead`,
    );
  const wrong = value.find((entry) => !isPlainObject(entry));
  if (wrong !== undefined)
    throw errors.parse(
      `failed to parse ${field} privileges for role [${name}]. expected field [${field}] value to be an array of ` +
        `objects, but found an array element of type [${token(wrong)}]`,
    );
  return value as JsonObject[];
}

function metadata(name: string, field: string, value: unknown): JsonObject {
  if (value === undefined) return {};
  if (!isPlainObject(value))
    throw errors.parse(
      `failed to parse role [${name}]. expected field [${field}] to be of type object, but found [${token(value)}] ` +
        'instead',
    );
  return value;
}

function parseGlobal(name: string, value: unknown): JsonObject {
  const global = metadata(name, 'global', value);
  checkGlobal(global);
  return global;
}

function fault(name: string, text: string): ApiError {
  return errors.parse(`failed to parse indices privileges for role [${name}]. ${text}`);
}

function parseIndices(name: string, json: JsonObject): IndexPrivileges {
  for (const key of Object.keys(json)) if (!INDEX_KEYS.has(key)) throw fault(name, `unexpected field [${key}]`);
  for (const key of ['names', 'privileges'])
    if (json[key] === undefined) throw fault(name, `missing required [${key}] field`);
  if (json['names'] === null) throw fault(name, '[names] cannot be null');
  const names = strings('names', json['names']);
  if (names.some((pattern) => pattern === '')) throw fault(name, 'names must not be empty');
  const allowRestrictedIndices = json['allow_restricted_indices'] ?? false;
  if (typeof allowRestrictedIndices !== 'boolean')
    throw fault(
      name,
      'expected field [allow_restricted_indices] value to be a boolean, but found ' +
        `[${token(allowRestrictedIndices)}] instead`,
    );
  return {
    names,
    privileges: strings('privileges', json['privileges']),
    fieldSecurity: parseFieldSecurity(name, json['field_security']),
    query: parseQueryText(name, json['query']),
    allowRestrictedIndices,
  };
}

function parseFieldSecurity(name: string, json: unknown): FieldSecurity | null {
  if (json === undefined || json === null) return null;
  if (!isPlainObject(json))
    throw fault(name, `expected field [field_security] value to be an object, but found [${token(json)}] instead`);
  for (const key of Object.keys(json))
    if (key !== 'grant' && key !== 'except') throw fault(name, `unexpected field [${key}]`);
  const except = json['except'] === undefined || json['except'] === null ? [] : strings('except', json['except']);
  if (json['grant'] === undefined || json['grant'] === null) {
    if (except.length > 0) throw fault(name, 'field_security requires grant if except is given');
    return null;
  }
  const parsed = { grant: strings('grant', json['grant']), except };
  checkFieldSecurity(parsed);
  return parsed;
}

/** Text of the query, as it was given; null if absent or empty. */
function parseQueryText(name: string, value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (isPlainObject(value))
    return JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? Number(inner) : inner));
  if (typeof value === 'string') return value;
  throw fault(
    name,
    `expected field [query] value to be null, a string, an array, or an object, but found [${token(value)}] instead`,
  );
}

function parseApplication(name: string, json: JsonObject): ApplicationPrivileges {
  for (const key of Object.keys(json))
    if (!APPLICATION_KEYS.has(key))
      throw errors.parse(`failed to parse application privileges for role [${name}]. unexpected field [${key}]`);
  for (const key of APPLICATION_KEYS)
    if (json[key] === undefined)
      throw errors.parse(`failed to parse application privileges for role [${name}]. missing required [${key}] field`);
  if (typeof json['application'] !== 'string')
    throw errors.parse(
      `failed to parse application privileges for role [${name}]. expected field [application] value to be a ` +
        `string, but found [${token(json['application'])}] instead`,
    );
  return {
    application: json['application'],
    privileges: strings('privileges', json['privileges']),
    resources: strings('resources', json['resources']),
  };
}
