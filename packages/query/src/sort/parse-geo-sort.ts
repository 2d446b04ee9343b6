import { errors } from '@shoal/errors';
import { isPlainObject, type JsonObject } from '@shoal/json';
import { distanceUnitMeters, parseGeoPoint } from '@shoal/values';
import { boolean, type Reader, text } from '../parse/options.js';
import type { ParseContext } from '../parsed-query.js';
import { isPlane } from '../queries/geo-distance.js';
import { validationMethod } from '../queries/geo-validation.js';
import { parseNestedSort } from './parse-nested-sort.js';
import { sortMode, sortOrder } from './sort-options.js';
import type { GeoDistanceSort, NestedSort } from './sort-spec.js';

type GeoOptions = Partial<
  Pick<GeoDistanceSort, 'order' | 'unitMeters' | 'mode' | 'plane' | 'validation' | 'ignoreUnmapped'>
>;

const OPTIONS: ReadonlyMap<string, Reader<GeoOptions>> = new Map<string, Reader<GeoOptions>>([
  ['order', (value, place) => ({ order: sortOrder(value, place) })],
  ['unit', (value, place) => ({ unitMeters: distanceUnitMeters(text(value, place)) })],
  ['distance_type', (value, place) => ({ plane: isPlane(text(value, place)) })],
  ['validation_method', (value, place) => ({ validation: validationMethod(text(value, place)) })],
  ['mode', (value, place) => ({ mode: sortMode(value, place) })],
  ['ignore_unmapped', (value, place) => ({ ignoreUnmapped: boolean(value, place) })],
]);

/** Points of one criterion at most: the distance of each document to all of them is computed. */
const POINTS_MAX = 1000;

/** Parses `_geo_distance`: a field with points, and options, each refused where it stands as by 8.12. */
export function parseGeoSort(body: JsonObject, context: ParseContext): GeoDistanceSort {
  let options: GeoOptions = {};
  let nested: NestedSort | null = null;
  let field: string | null = null;
  const points: GeoDistanceSort['points'][number][] = [];
  for (const key of Object.keys(body)) {
    const value = body[key];
    const place = { type: '_geo_distance', container: body, key };
    const isScalar = value !== null && typeof value !== 'object';
    const option = isScalar ? OPTIONS.get(key) : undefined;
    if (option !== undefined) options = { ...options, ...option(value, place) };
    else if (key === 'nested' && isPlainObject(value)) nested = parseNestedSort(value, context);
    else if (isScalar && typeof value !== 'string') throw refused(`[_geo_distance] does not support [${key}]`, place);
    else if (field !== null && !Array.isArray(value))
      throw refused(`Trying to reset fieldName to [${key}], already set to [${field}].`, place);
    else {
      checkPointCount(points.length + (Array.isArray(value) ? value.length : 1));
      points.push(...parseGeoPoint(value));
      field = key;
    }
  }
  return geoSpec(field, points, options, nested);
}

function checkPointCount(count: number): void {
  if (count <= POINTS_MAX) return;
  throw errors.illegalArgument(`[_geo_distance] has [${count}] points, more than [${POINTS_MAX}]`);
}

const refused = (reason: string, { container, key }: { container: object; key: string }): Error =>
  errors.parsing(reason, { location: { container, key } });

function geoSpec(
  field: string | null,
  points: GeoDistanceSort['points'],
  options: GeoOptions,
  nested: NestedSort | null,
): GeoDistanceSort {
  const order = options.order ?? 'asc';
  if (options.mode === 'sum')
    throw errors.illegalArgument("sort_mode [sum] isn't supported for sorting by geo distance");
  if (field === null || points.length === 0)
    throw errors.illegalArgument('Geo distance sorting needs at least one point.');
  return {
    kind: 'geoDistance',
    field,
    points,
    order,
    unitMeters: options.unitMeters ?? 1,
    mode: options.mode ?? (order === 'asc' ? 'min' : 'max'),
    plane: options.plane ?? false,
    validation: options.validation ?? 'STRICT',
    ignoreUnmapped: options.ignoreUnmapped ?? false,
    nested,
  };
}
