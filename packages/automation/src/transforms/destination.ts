import { isPlainObject, type JsonObject } from '@shoal/json';
import { VERSION } from '@shoal/values';
import { aggregationType } from './pivot.js';
import type { LatestConfig, PivotConfig, TransformConfig } from './transform-config.js';

/** Returns the type of a field of the source; null if it has none, or several. */
export type SourceType = (field: string) => string | null;

/** Types of results that do not depend on a field. */
const FIXED: Readonly<Record<string, string>> = {
  avg: 'double',
  weighted_avg: 'double',
  median_absolute_deviation: 'double',
  cardinality: 'long',
  value_count: 'long',
  sum: 'double',
  filter: 'long',
  missing: 'long',
  geo_centroid: 'geo_point',
  terms: 'flattened',
  rare_terms: 'flattened',
  range: 'flattened',
};
/** Aggregations whose results have the type of their field. */
const OF_FIELD: ReadonlySet<string> = new Set(['min', 'max']);

function aggregationField(body: JsonObject, typeOf: SourceType): string | null {
  const type = aggregationType(body);
  if (isPlainObject(body['aggs'] ?? body['aggregations'])) return null;
  const { field } = body[type] as JsonObject;
  if (OF_FIELD.has(type)) return typeof field === 'string' ? (typeOf(field) ?? 'double') : 'double';
  return FIXED[type] ?? null;
}

function membersOf(body: JsonObject): Readonly<Record<string, string>> {
  const type = aggregationType(body);
  if (type === 'stats') return { count: 'long', min: 'double', max: 'double', avg: 'double', sum: 'double' };
  if (type !== 'percentiles') return {};
  const percents = ((body[type] as JsonObject)['percents'] as readonly number[] | undefined) ?? [
    1, 5, 25, 50, 75, 95, 99,
  ];
  return Object.fromEntries(percents.map((percent) => [String(percent).replace('.', '_'), 'double']));
}

/** Returns types of the fields of documents, by path; fields of an unknown type are left to dynamic mapping. */
export function deducedTypes(made: TransformConfig['function'], typeOf: SourceType): Readonly<Record<string, string>> {
  return made.kind === 'pivot' ? pivotTypes(made, typeOf) : latestTypes(made, typeOf);
}

/** Documents are copies: the keys and the time have the types that they have in the source. */
function latestTypes({ uniqueKey, sort }: LatestConfig, typeOf: SourceType): Readonly<Record<string, string>> {
  const known = [...uniqueKey, sort].map((name) => [name, typeOf(name)] as const);
  return Object.fromEntries(known.filter((entry): entry is [string, string] => entry[1] !== null));
}

function pivotTypes({ groups, aggregations }: PivotConfig, typeOf: SourceType): Readonly<Record<string, string>> {
  const types: Record<string, string> = {};
  for (const { name, type, field } of groups) {
    const own = type === 'date_histogram' ? 'date' : field === null ? null : typeOf(field);
    if (type !== 'geotile_grid' && own !== null) types[name] = own;
  }
  for (const [name, given] of Object.entries(aggregations)) {
    if (!isPlainObject(given)) continue;
    const own = aggregationField(given, typeOf);
    if (own !== null) types[name] = own;
    for (const [member, type] of Object.entries(membersOf(given))) types[`${name}.${member}`] = type;
  }
  return types;
}

/** Returns the body of the index that a transform writes to. */
export function destinationBody(
  config: TransformConfig,
  types: Readonly<Record<string, string>>,
  nowMs: number,
): JsonObject {
  const properties: Record<string, { type: string }> = {};
  if (config.settings.deduceMappings) for (const [name, type] of Object.entries(types)) properties[name] = { type };
  return {
    mappings: {
      _meta: {
        created_by: 'transform',
        _transform: {
          transform: config.id,
          version: { created: VERSION },
          creation_date_in_millis: nowMs,
        },
      },
      properties,
    },
    settings: { index: { number_of_shards: '1', auto_expand_replicas: '0-1' } },
    aliases: Object.fromEntries(config.dest.aliases.map(({ alias }) => [alias, {}])),
  };
}
