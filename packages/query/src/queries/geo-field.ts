import { errors } from '@shoal/errors';
import type { FieldType } from '@shoal/mapping';
import { type GeoPoint, parseGeoPoint } from '@shoal/values';
import type { PlanContext } from '../parsed-query.js';
import { shardError } from '../plan-query.js';

/**
 * Returns the geo_point field of the query named `query`; null when it is not mapped and `ignoreUnmapped`. Throws for
 * fields of other types.
 */
export function geoField(
  field: string,
  ignoreUnmapped: boolean,
  query: string,
  context: PlanContext,
): FieldType | null {
  const type = context.searcher.mapping.field(field);
  if (type === null) {
    if (ignoreUnmapped) return null;
    throw shardError(context.searcher, `failed to find geo field [${field}]`);
  }
  if (type.valueKind === 'geo') return type;
  throw shardError(context.searcher, `Field [${field}] is of unsupported type [${type.typeName}] for [${query}] query`);
}

/** Parses a single point in any of the forms that documents may use. */
export function onePoint(json: unknown): GeoPoint {
  const [point] = parseGeoPoint(json);
  if (point === undefined) throw errors.parse('field must be either lat/lon or geohash');
  return point;
}
