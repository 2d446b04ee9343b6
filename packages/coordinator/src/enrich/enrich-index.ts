import { errors } from '@shoal/errors';
import type { JsonObject } from '@shoal/json';
import { aliasIndex, type ClusterState, type IndexMetadata } from '@shoal/state';
import { type EnrichPolicy, fieldMapping } from './enrich-policy.js';

const RANGES = ['integer_range', 'float_range', 'long_range', 'double_range', 'ip_range', 'date_range'];

/** Alias of the index that holds the documents of a policy. */
export const aliasOfPolicy = (policy: string): string => `.enrich-${policy}`;

/** Returns the index of the last execution of a policy; null if there was none. */
export function indexOfPolicy(state: ClusterState, policy: string): IndexMetadata | null {
  return aliasIndex(state).get(aliasOfPolicy(policy))?.at(-1) ?? null;
}

/** Returns all indices of a policy: that of the last execution, and those of unfinished ones. */
export function indicesOfPolicy(state: ClusterState, policy: string): IndexMetadata[] {
  const prefix = `${aliasOfPolicy(policy)}-`;
  return [...state.indices.values()].filter(
    ({ name }) => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)),
  );
}

/** Body of the call that creates the index of a policy: only the match field is searchable. */
export function enrichIndexBody(name: string, policy: EnrichPolicy, sources: readonly IndexMetadata[]): JsonObject {
  const properties = policy.matchField.split('.').reduceRight<JsonObject>(
    (inner, part, i, parts) => ({
      [part]: i === parts.length - 1 ? matchField(policy, sources) : { properties: inner },
    }),
    {},
  );
  return {
    settings: {
      'index.number_of_shards': '1',
      'index.number_of_replicas': '0',
      'index.auto_expand_replicas': '0-all',
      'index.refresh_interval': '-1',
      'index.hidden': 'true',
    },
    mappings: {
      dynamic: 'false',
      _meta: { enrich_policy_name: name, enrich_match_field: policy.matchField, enrich_policy_type: policy.type },
      properties,
    },
  };
}

function matchField({ type, matchField: field }: EnrichPolicy, sources: readonly IndexMetadata[]): JsonObject {
  if (type === 'range') return rangeField(field, sources);
  return { type: type === 'geo_match' ? 'geo_shape' : 'keyword', doc_values: false };
}

/** The type of ranges that all source indices agree on. */
function rangeField(field: string, sources: readonly IndexMetadata[]): JsonObject {
  const found = sources.map(({ mapping }) => fieldMapping(mapping, field, true)!);
  const types = [...new Set(found.map(({ type }) => String(type)))];
  const [type] = types;
  if (types.length > 1)
    throw errors.exception(`Multiple distinct mapping types for field '${field}' - [${types.join(', ')}]`);
  if (!RANGES.includes(type!))
    throw errors.exception(`Field '${field}' has type [${type}] which doesn't appear to be a range type`);
  const [format] = found.flatMap((one) => (one['format'] === undefined ? [] : [one['format']]));
  return { type, ...(format === undefined ? {} : { format }), doc_values: false };
}
