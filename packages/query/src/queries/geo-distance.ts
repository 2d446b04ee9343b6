import { isPlainObject, type JsonObject } from '@shoal/json';
import { errors, isApiError } from '@shoal/errors';
import { formatDouble, parseDistance } from '@shoal/values';
import { boolean, checkBoost, double, float, multipleFields, type OptionPlace, text } from '../parse/options.js';
import type { ParsedQuery, PlanContext, QueryType } from '../parsed-query.js';
import type { Plan } from '../plan.js';
import { constantPlan, nonePlan, shardError } from '../plan-query.js';
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
  validation: string;
  ignoreUnmapped: boolean;
  boost: number;
  queryName: string | null;
}

type Setter = (circle: Circle, value: unknown, place: OptionPlace) => void;

const options: ReadonlyMap<string, Setter> = new Map<string, Setter>([
  ['distance', (circle, value) => void (circle.distance = value)],
  ['unit', (circle, value, place) => void (circle.unit = text(value, place))],
  // Checked only: 8.12 searches on the sphere whatever it says.
  ['distance_type', (_circle, value, place) => void isPlane(text(value, place))],
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
  if (circle.field === null) throw errors.illegalArgument('fieldName must not be null or empty');
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
  if (value === null) return;
  const set = options.get(key);
  if (set !== undefined) set(circle, value, { type: 'geo_distance', container: body, key });
  else if (isPlainObject(value)) setObject(circle, key, value, body);
  else if (Array.isArray(value)) setPoint(circle, key, value.length === 0 ? NOWHERE : pointOfArray(value));
  else if (key.endsWith('.lat') || key.endsWith('.lon')) readCoordinate(circle, key, Number(value));
  else if (circle.field === null) setPoint(circle, key, pointOfText(String(value)));
  else
    throw errors.parsing(`failed to parse [geo_distance] query. unexpected field [${key}]`, {
      location: { container: body, key },
    });
}

/** Coordinates that were not given; validation refuses them on the shard. */
const NOWHERE = { lat: Number.NaN, lon: Number.NaN };

function setObject(circle: Circle, field: string, value: JsonObject, body: JsonObject): void {
  if (circle.field !== null) throw multipleFields('geo_distance', circle.field, field, body);
  let point = NOWHERE;
  for (const key of Object.keys(value)) {
    if (typeof value[key] === 'object') continue;
    const place = { type: 'geo_distance', container: value, key };
    if (key === 'lat' || key === 'lon') point = { ...point, [key]: double(value[key], place) };
    else if (key === 'geohash') point = pointOfText(String(value[key]));
    else throw errors.parsing(`[geo_distance] query does not support [${field}]`, { location: place });
  }
  setPoint(circle, field, point);
}

function pointOfArray(value: readonly unknown[]): { lat: number; lon: number } {
  if (value.some((entry) => typeof entry !== 'number')) throw errors.parse('numeric value expected');
  return onePoint(value);
}

/** Parses a point's text. A wrong geohash is the cause of a parse_exception with the same words. */
function pointOfText(value: string): { lat: number; lon: number } {
  try {
    return onePoint(value);
  } catch (error) {
    throw isApiError(error) && error.type === 'illegal_argument_exception'
      ? errors.parse(error.reason, { cause: error })
      : error;
  }
}

function setPoint(circle: Circle, field: string, point: { lat: number; lon: number }): void {
  circle.field = field;
  circle.point = { lat: point.lat, lon: point.lon };
}

function readCoordinate(circle: Circle, key: string, value: number): void {
  circle.field = key.slice(0, -'.lat'.length);
  const point = circle.point ?? NOWHERE;
  circle.point = key.endsWith('.lat') ? { ...point, lat: value } : { ...point, lon: value };
}

function metersOf(distance: unknown, unit: string | null): number {
  const meters = parseDistance(
    unit !== null && /^[\d.]+$/.test(String(distance)) ? `${String(distance)}${unit}` : String(distance),
  );
  if (meters > 0) return meters;
  throw errors.illegalArgument('distance must be greater than zero');
}

function plan({ field, point, validation, ignoreUnmapped }: Circle, meters: number, context: PlanContext): Plan {
  const type = geoField(field!, ignoreUnmapped, 'geo_distance', context);
  if (type === null) return nonePlan('');
  const { lat, lon } = point ?? NOWHERE;
  if (validation === 'STRICT') checkCenter(lat, lon, context);
  return constantPlan({ kind: 'geo', field: type.name, area: { kind: 'distance', lat, lon, meters }, boost: 1 });
}

function checkCenter(lat: number, lon: number, { searcher }: PlanContext): void {
  const faults = [
    ...(Math.abs(lat) <= 90 ? [] : [`[geo_distance] center point latitude is invalid: ${formatDouble(lat)};`]),
    ...(Math.abs(lon) <= 180 ? [] : [`[geo_distance] center point longitude is invalid: ${formatDouble(lon)};`]),
  ];
  if (faults.length === 0) return;
  const numbered = faults.map((fault, i) => `${i + 1}: ${fault}`).join('');
  throw shardError(
    searcher,
    "couldn't validate latitude/ longitude values",
    errors.queryValidation(`Validation Failed: ${numbered}`),
  );
}
