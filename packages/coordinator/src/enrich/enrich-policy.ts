import { type ApiError, errors } from '@shoal/errors';
import { isPlainObject, type JsonObject } from '@shoal/json';
import type { EnrichKind } from '@shoal/ingest';
import { type ClusterState, type IndexMetadata, sectionEntry, validateIndexName } from '@shoal/state';

const SUPPORTED = ['match', 'geo_match', 'range'];
const FIELDS = ['query', 'indices', 'match_field', 'enrich_fields', 'elasticsearch_version'];

/** Which documents of which indices a policy keeps, and by which of their fields they are found. */
export interface EnrichPolicy {
  readonly type: EnrichKind;
  readonly query: JsonObject | null;
  readonly indices: readonly string[];
  readonly matchField: string;
  readonly enrichFields: readonly string[];
}

/** Reads the body of a policy. Throws illegal_argument_exception and x_content_parse_exception. */
export function parsePolicy(name: string, body: JsonObject): EnrichPolicy {
  validateName(name);
  const [type, ...others] = Object.keys(body);
  if (type === undefined || others.length > 0) throw errors.parsing('unexpected token');
  const options = body[type];
  if (!isPlainObject(options)) throw errors.parsing('unexpected token');
  const unknown = Object.keys(options).find((key) => !FIELDS.includes(key));
  if (unknown !== undefined) throw errors.xContentParse(`[policy] unknown field [${unknown}]`);
  const missing = FIELDS.slice(1, 4).filter((key) => (options[key] ?? null) === null);
  if (missing.length > 0) throw errors.illegalArgument(`Required [${missing.join(', ')}]`);
  if (!SUPPORTED.includes(type))
    throw errors.illegalArgument(`unsupported policy type [${type}], supported types are [${SUPPORTED.join(', ')}]`);
  return {
    type: type as EnrichKind,
    query: queryOf(options['query'] ?? null),
    indices: strings('indices', options['indices']),
    matchField: text('match_field', options['match_field']),
    enrichFields: strings('enrich_fields', options['enrich_fields']),
  };
}

function validateName(name: string): void {
  if (name !== name.toLowerCase()) throw errors.illegalArgument(`Invalid policy name [${name}], must be lowercase`);
  try {
    validateIndexName(name);
  } catch (thrown) {
    const reason = (thrown as ApiError).reason ?? '';
    throw errors.illegalArgument(`Invalid policy name [${name}], ${reason.slice(reason.indexOf('], ') + 3)}`);
  }
}

function queryOf(json: unknown): JsonObject | null {
  if (json === null || isPlainObject(json)) return json;
  throw errors.xContentParse('[policy] failed to parse field [query]');
}

function text(name: string, json: unknown): string {
  if (typeof json === 'string') return json;
  throw errors.xContentParse(`[policy] ${name} doesn't support values of type: ${typeOf(json)}`);
}

/** A list of texts; a single one counts as a list. */
function strings(name: string, json: unknown): readonly string[] {
  const list = (Array.isArray(json) ? json : [json]).map((item) => text(name, item));
  if (list.length === 0) throw errors.illegalArgument(`at least one ${name} must be specified`);
  return list;
}

function typeOf(json: unknown): string {
  if (Array.isArray(json)) return 'START_ARRAY';
  if (isPlainObject(json)) return 'START_OBJECT';
  return typeof json === 'boolean' ? `VALUE_BOOLEAN` : 'VALUE_NUMBER';
}

/** Returns a policy of the cluster state; null if there is none. */
export function storedPolicy(state: ClusterState, name: string): EnrichPolicy | null {
  return (sectionEntry(state, 'enrichPolicies', name) as EnrichPolicy | undefined) ?? null;
}

/** A policy as the API shows it. */
export function policyJson(name: string, policy: EnrichPolicy): JsonObject {
  const { type, query, indices, matchField, enrichFields } = policy;
  const rest = { indices, match_field: matchField, enrich_fields: enrichFields };
  return { config: { [type]: { name, ...(query === null ? {} : { query }), ...rest } } };
}

/** Checks that an index has the fields of a policy, outside nested ones. Throws `exception` (500) as 8.12 does. */
export function checkSourceMapping(name: string, policy: EnrichPolicy, index: IndexMetadata): void {
  const failed = `Enrich policy execution for [${name}] failed`;
  if (!isPlainObject(index.mapping['properties'])) {
    const pattern = policy.indices.join(',');
    throw errors.exception(
      `${failed}. Could not read mapping for source [${index.name}] included by pattern [${pattern}]`,
    );
  }
  try {
    fieldMapping(index.mapping, policy.matchField, true);
    for (const field of policy.enrichFields) fieldMapping(index.mapping, field, false);
  } catch (cause) {
    const reason = `${failed} while validating field mappings for index [${index.name}]`;
    throw errors.exception(reason, { cause: cause as ApiError });
  }
}

/** Returns the definition of a field of a mapping; null for one that is not there and not required. */
export function fieldMapping(mapping: JsonObject, field: string, isRequired: boolean): JsonObject | null {
  const failed = `Could not traverse mapping to field [${field}].`;
  let current = mapping;
  let parent = 'root';
  for (const part of field.split('.')) {
    const type = current['type'];
    if (type !== undefined && type !== 'object')
      throw errors.exception(`${failed} The [${parent}] field must be regular object but was [${String(type)}].`);
    const properties = current['properties'];
    const next = isPlainObject(properties) && Object.hasOwn(properties, part) ? properties[part] : undefined;
    if (!isPlainObject(next)) {
      if (!isRequired) return null;
      if (!isPlainObject(properties))
        throw errors.exception(`${failed} Expected the [${parent}] field to have sub fields but none were configured.`);
      throw errors.exception(`${failed} Could not find the [${part}] field under [${parent}]`);
    }
    current = next;
    parent = parent === 'root' ? part : `${parent}.${part}`;
  }
  return current;
}
