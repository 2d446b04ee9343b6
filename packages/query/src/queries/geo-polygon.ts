import { isPlainObject, type JsonObject } from '@shoal/json';
import { errors } from '@shoal/errors';
import { boolean, checkBoost, float, text } from '../parse/options.js';
import type { ParsedQuery, PlanContext, QueryType } from '../parsed-query.js';
import type { Plan } from '../plan.js';
import { constantPlan, nonePlan } from '../plan-query.js';
import { geoField, onePoint } from './geo-field.js';
import { validationMethod } from './geo-validation.js';

/** Points in a polygon. */
export const geoPolygon: QueryType = { name: 'geo_polygon', parse: (body) => parse(body as JsonObject) };

/** Points of a polygon at most: they are read, and their edges made, at once. */
const POINTS_MAX = 100_000;

type Points = readonly (readonly [lat: number, lon: number])[];

interface PolygonParts {
  field: string | null;
  points: Points;
  ignoreUnmapped: boolean;
  boost: number;
  queryName: string | null;
}

function parse(body: JsonObject): ParsedQuery {
  const found: PolygonParts = { field: null, points: [], ignoreUnmapped: false, boost: 1, queryName: null };
  for (const key of Object.keys(body)) readKey(body, key, found);
  const { field, points } = found;
  if (field === null) throw errors.illegalArgument('fieldName must not be null');
  checkPoints(points);
  return {
    type: 'geo_polygon',
    boost: found.boost,
    queryName: found.queryName,
    plan: (context) => plan(field, points, found.ignoreUnmapped, context),
  };
}

function readKey(body: JsonObject, key: string, found: PolygonParts): void {
  const value = body[key];
  const place = { type: 'geo_polygon', container: body, key };
  if (isPlainObject(value)) {
    found.field = key;
    found.points = readPoints(value);
  } else if (key === '_name') found.queryName = text(value, place);
  else if (key === 'boost') found.boost = checkBoost(float(value, place), 'geo_polygon', body);
  else if (key === 'validation_method') validationMethod(text(value, place));
  else if (key === 'ignore_unmapped') found.ignoreUnmapped = boolean(value, place);
  else throw errors.parsing(`[geo_polygon] query does not support [${key}]`, { location: { container: body, key } });
}

function readPoints(clause: JsonObject): Points {
  const unknown = Object.keys(clause).find((key) => key !== 'points');
  if (unknown !== undefined)
    throw errors.parsing(`[geo_polygon] query does not support [${unknown}]`, {
      location: { container: clause, key: unknown },
    });
  const points = Array.isArray(clause.points) ? clause.points : [];
  if (points.length > POINTS_MAX)
    throw errors.illegalArgument(`[geo_polygon] has [${points.length}] points, more than [${POINTS_MAX}]`);
  return points.map(onePoint).map(({ lat, lon }) => [lat, lon] as const);
}

function checkPoints(points: Points): void {
  if (points.length === 0) throw errors.illegalArgument('polygon must not be null or empty');
  if (points.length < 3) throw errors.illegalArgument('too few points defined for geo_polygon query');
}

function plan(field: string, points: Points, ignoreUnmapped: boolean, context: PlanContext): Plan {
  const type = geoField(field, ignoreUnmapped, 'geo_polygon', context);
  if (type === null) return nonePlan('');
  return constantPlan({ kind: 'geo', field: type.name, area: { kind: 'polygon', points }, boost: 1 });
}
