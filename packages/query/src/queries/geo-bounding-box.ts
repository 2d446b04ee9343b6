import { isPlainObject, type JsonObject } from '@shoal/json';
import { errors, isApiError } from '@shoal/errors';
import { formatDouble, type GeoPoint, parseGeometry } from '@shoal/values';
import type { FieldType } from '@shoal/mapping';
import { boolean, checkBoost, float, text } from '../parse/options.js';
import type { ParsedQuery, PlanContext, QueryType } from '../parsed-query.js';
import type { Plan } from '../plan.js';
import { constantPlan, nonePlan } from '../plan-query.js';
import { geoField, onePoint } from './geo-field.js';
import { validationMethod } from './geo-validation.js';

/** Points in a rectangle. If its left side lies right of its right side, the rectangle crosses the date line. */
export const geoBoundingBox: QueryType = { name: 'geo_bounding_box', parse: (body) => parse(body as JsonObject) };

interface Box {
  top: number;
  left: number;
  bottom: number;
  right: number;
}

interface BoxParts {
  field: string | null;
  box: Box | null;
  validation: string;
  ignoreUnmapped: boolean;
  boost: number;
  queryName: string | null;
}

function parse(body: JsonObject): ParsedQuery {
  const found: BoxParts = {
    field: null,
    box: null,
    validation: 'STRICT',
    ignoreUnmapped: false,
    boost: 1,
    queryName: null,
  };
  for (const key of Object.keys(body)) readKey(body, key, found);
  const { field, box } = found;
  if (field === null || box === null)
    throw errors.parse('failed to parse [geo_bounding_box] query. bounding box not provided');
  checkBox(box, found.validation);
  return {
    type: 'geo_bounding_box',
    boost: found.boost,
    queryName: found.queryName,
    plan: (context) => plan(field, box, found.ignoreUnmapped, context),
  };
}

function readKey(body: JsonObject, key: string, found: BoxParts): void {
  const value = body[key];
  const place = { type: 'geo_bounding_box', container: body, key };
  if (isPlainObject(value)) {
    found.box = parseBox(value);
    found.field = key;
  } else if (key === '_name') found.queryName = text(value, place);
  else if (key === 'boost') found.boost = checkBoost(float(value, place), 'geo_bounding_box', body);
  else if (key === 'validation_method') found.validation = validationMethod(text(value, place));
  else if (key === 'ignore_unmapped') found.ignoreUnmapped = boolean(value, place);
  else
    throw errors.parsing(`failed to parse [geo_bounding_box] query. unexpected field [${key}]`, {
      location: { container: body, key },
    });
}

const SIDES: ReadonlyMap<string, (box: Box, value: unknown) => void> = new Map<
  string,
  (box: Box, value: unknown) => void
>([
  ['top', (box, value) => void (box.top = Number(value))],
  ['bottom', (box, value) => void (box.bottom = Number(value))],
  ['left', (box, value) => void (box.left = Number(value))],
  ['right', (box, value) => void (box.right = Number(value))],
  ['top_left', (box, value) => corner(box, value, 'top', 'left')],
  ['bottom_right', (box, value) => corner(box, value, 'bottom', 'right')],
  ['top_right', (box, value) => corner(box, value, 'top', 'right')],
  ['bottom_left', (box, value) => corner(box, value, 'bottom', 'left')],
  ['wkt', (box, value) => readWkt(box, String(value))],
]);

function corner(box: Box, value: unknown, lat: 'top' | 'bottom', lon: 'left' | 'right'): void {
  const point = cornerPoint(value);
  box[lat] = point.lat;
  box[lon] = point.lon;
}

function cornerPoint(value: unknown): GeoPoint {
  try {
    return onePoint(value);
  } catch (error) {
    if (!isApiError(error)) throw error;
    const refused = errors.parse(`failed to parse [geo_bounding_box] query. [${error.reason}]`);
    // The parser of 8.12 skips the rest of a point that it refuses.
    if (isPlainObject(value)) refused.parserAt = { container: value, at: 'end' };
    throw refused;
  }
}

/** Parses `BBOX (minLon, maxLon, maxLat, minLat)`. */
function readWkt(box: Box, wkt: string): void {
  const numbers = /^\s*(?:BBOX|ENVELOPE)\s*\(([^)]*)\)\s*$/i.exec(wkt)?.[1]?.split(',').map(Number) ?? [];
  const [left, right, top, bottom] = numbers;
  if (numbers.length !== 4 || numbers.some(Number.isNaN))
    throw errors.parse(`failed to parse WKT bounding box. [${wkt}] found. expected [ENVELOPE]`);
  Object.assign(box, { left, right, top, bottom });
}

function parseBox(value: JsonObject): Box {
  const box: Box = { top: NaN, left: NaN, bottom: NaN, right: NaN };
  for (const key of Object.keys(value)) {
    const set = SIDES.get(key);
    if (set === undefined)
      throw errors.parse(
        `failed to parse [geo_bounding_box] query. [failed to parse bounding box. unexpected field [${key}]]`,
      );
    set(box, value[key]);
  }
  return box;
}

function checkBox(box: Box, validation: string): void {
  if (validation === 'IGNORE_MALFORMED') return;
  for (const [side, value, kind] of [
    ['left', box.left, 'longitude'],
    ['top', box.top, 'latitude'],
    ['right', box.right, 'longitude'],
    ['bottom', box.bottom, 'latitude'],
  ] as const) {
    const max = kind === 'latitude' ? 90 : 180;
    if (Number.isNaN(value) || (validation === 'STRICT' && Math.abs(value) > max)) {
      throw errors.illegalArgument(`${side} ${kind} is invalid: ${formatDouble(value)}`);
    }
  }
  if (box.top < box.bottom)
    throw errors.illegalArgument(
      `top is below bottom corner: ${formatDouble(box.top)} vs. ${formatDouble(box.bottom)}`,
    );
}

/** Plan of the shapes that a box meets. */
function shapesPlan({ name, shapes }: FieldType, { left, top, right, bottom }: Box): Plan {
  const corners = [
    [left, top],
    [right, bottom],
  ];
  const shape = parseGeometry({ type: 'envelope', coordinates: corners }, { coerce: false, ignoresZ: true });
  const { cellsField, isRight } = shapes!;
  return constantPlan({ kind: 'shape', field: name, cellsField, shape, isRight, relation: 'intersects', boost: 1 });
}

function plan(field: string, box: Box, ignoreUnmapped: boolean, context: PlanContext): Plan {
  const mapped = context.searcher.mapping.field(field);
  if (mapped?.shapes !== undefined) return shapesPlan(mapped, box);
  const type = geoField(field, ignoreUnmapped, 'geo_bounding_box', context);
  if (type === null) return nonePlan('');
  return constantPlan({ kind: 'geo', field: type.name, area: { kind: 'box', ...box }, boost: 1 });
}
