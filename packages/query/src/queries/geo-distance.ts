import { isPlainObject, type JsonObject } from '@shoal/json';
import { errors } from '@shoal/errors';
import { parseDistance } from '@shoal/values';
import { boolean, checkBoost, float, type OptionPlace, text } from '../parse/options.js';
import type { ParsedQuery, PlanContext, QueryType } from '../parsed-query.js';
import type { Plan } from '../plan.js';
import { constantPlan, nonePlan } from '../plan-query.js';
import { geoField, onePoint } from './geo-field.js';
import { validationMethod } from './geo-validation.js';

/** Points within a distance of a place. */
export const geoDistance: QueryType = {
  name: 'geo_distance',
  parse: (body, container) => parse(body as JsonObject, container),
};

interface Circle {
  field: string | null;
  point: { lat: number; lon: number } | null;
  distance: unknown;
  unit: string | null;
  plane: boolean;
  validation: string;
  ignoreUnmapped: boolean;
  boost: number;
  queryName: string | null;
}

type Setter = (circle: Circle, value: unknown, place: OptionPlace) => void;

const options: ReadonlyMap<string, Setter> = new Map<string, Setter>([
  ['distance', (circle, value) => void (circle.distance = value)],
  ['unit', (circle, value, place) => void (circle.unit = text(value, place))],
  ['distance_type', (circle, value, place) => void (circle.plane = isPlane(text(value, place)))],
  ['validation_method', (circle, value, place) => void (circle.validation = validationMethod(text(value, place)))],
  ['ignore_unmapped', (circle, value, place) => void (circle.ignoreUnmapped = boolean(value, place))],
  [
    'boost',
    (circle, value, place) => void (circle.boost = checkBoost(float(value, place), 'geo_distance', place.container)),
  ],
  ['_name', (circle, value, place) => void (circle.queryName = text(value, place))],
]);

/** Parses option `distance_type`: returns false for `arc`, true for `plane`. */
export function isPlane(name: string): boolean {
  const lower = name.toLowerCase();
  if (lower === 'plane' || lower === 'arc') return lower === 'plane';
  throw errors.illegalArgument(`No geo distance for [${name}]`);
}

function parse(body: JsonObject, container: object): ParsedQuery {
  const circle: Circle = {
    field: null,
    point: null,
    distance: undefined,
    unit: null,
    plane: false,
    validation: 'STRICT',
    ignoreUnmapped: false,
    boost: 1,
    queryName: null,
  };
  for (const key of Object.keys(body)) readKey(body, key, circle);
  if (circle.distance === undefined) {
    throw errors.parsing("geo_distance requires 'distance' to be specified", {
      location: { container, key: 'geo_distance', at: 'end' },
    });
  }
  const meters = metersOf(circle.distance, circle.unit);
  return {
    type: 'geo_distance',
    boost: circle.boost,
    queryName: circle.queryName,
    plan: (context) => plan(circle, meters, context),
  };
}

function readKey(body: JsonObject, key: string, circle: Circle): void {
  const value = body[key];
  const set = options.get(key);
  if (set !== undefined) set(circle, value, { type: 'geo_distance', container: body, key });
  else if (key.endsWith('.lat') || key.endsWith('.lon')) readCoordinate(circle, key, Number(value));
  else if (circle.field !== null || !(isPlainObject(value) || Array.isArray(value) || typeof value === 'string')) {
    throw errors.parsing(`failed to parse [geo_distance] query. unexpected field [${key}]`, {
      location: { container: body, key },
    });
  } else setPoint(circle, key, onePoint(value));
}

function setPoint(circle: Circle, field: string, point: { lat: number; lon: number }): void {
  circle.field = field;
  circle.point = { lat: point.lat, lon: point.lon };
}

function readCoordinate(circle: Circle, key: string, value: number): void {
  circle.field = key.slice(0, -'.lat'.length);
  const point = circle.point ?? { lat: 0, lon: 0 };
  circle.point = key.endsWith('.lat') ? { ...point, lat: value } : { ...point, lon: value };
}

function metersOf(distance: unknown, unit: string | null): number {
  const meters = parseDistance(
    unit !== null && /^[\d.]+$/.test(String(distance)) ? `${String(distance)}${unit}` : String(distance),
  );
  if (meters > 0) return meters;
  throw errors.illegalArgument('distance must be greater than zero');
}

function plan({ field, point, plane, validation, ignoreUnmapped }: Circle, meters: number, context: PlanContext): Plan {
  if (field === null) throw errors.illegalArgument('fieldName must not be null or empty');
  const type = geoField(field, ignoreUnmapped, 'geo_distance', context);
  if (type === null) return nonePlan(`unmapped field [${field}]`);
  const { lat, lon } = point ?? { lat: 0, lon: 0 };
  checkCenter(lat, lon, validation);
  return constantPlan({ kind: 'geo', field: type.name, area: { kind: 'distance', lat, lon, meters, plane }, boost: 1 });
}

function checkCenter(lat: number, lon: number, validation: string): void {
  if (validation !== 'STRICT') return;
  if (!(Math.abs(lat) <= 90)) throw errors.illegalArgument(`illegal latitude value [${lat}] for [geo_distance]`);
  if (!(Math.abs(lon) <= 180)) throw errors.illegalArgument(`illegal longitude value [${lon}] for [geo_distance]`);
}
