import { isPlainObject, type JsonObject } from '@shoal/json';
import { errors } from '@shoal/errors';
import { type Geometry, geoShapeOfWkt, parseDistance, parseGeometry } from '@shoal/values';
import { boolean, checkBoost, float, text } from '../parse/options.js';
import type { ParsedQuery, PlanContext, QueryType } from '../parsed-query.js';
import type { GeoArea, Plan } from '../plan.js';
import { constantPlan, nonePlan, shardError } from '../plan-query.js';
import type { FieldType } from '@shoal/mapping';

/** Points and shapes that have a relation to a shape. */
export const geoShape: QueryType = { name: 'geo_shape', parse: (body) => parse(body as JsonObject) };

/** A shape as areas. A point is in the shape if it is in one of the areas and not in the area's holes. */
type Shape = readonly { readonly area: GeoArea; readonly holes: readonly GeoArea[] }[];

const RELATIONS = ['intersects', 'disjoint', 'within', 'contains'];

interface ShapeParts {
  field: string | null;
  /** As the request has it: an object, or Well-Known Text. */
  shape: unknown;
  relation: string;
  ignoreUnmapped: boolean;
  boost: number;
  queryName: string | null;
}

function parse(body: JsonObject): ParsedQuery {
  const found: ShapeParts = {
    field: null,
    shape: null,
    relation: 'intersects',
    ignoreUnmapped: false,
    boost: 1,
    queryName: null,
  };
  for (const key of Object.keys(body)) readKey(body, key, found);
  const { field, shape } = found;
  if (field === null || shape === null) throw errors.illegalArgument('either shape or indexedShapeId is required');
  return {
    type: 'geo_shape',
    boost: found.boost,
    queryName: found.queryName,
    plan: (context) => plan(field, shape, found, context),
  };
}

function readKey(body: JsonObject, key: string, found: ShapeParts): void {
  const value = body[key];
  const place = { type: 'geo_shape', container: body, key };
  if (isPlainObject(value)) {
    if (found.field !== null)
      throw errors.parsing(`[geo_shape] point specified twice. [${key}]`, { location: { container: body, key } });
    found.field = key;
    readClause(value, found);
  } else if (key === '_name') found.queryName = text(value, place);
  else if (key === 'boost') found.boost = checkBoost(float(value, place), 'geo_shape', body);
  else if (key === 'ignore_unmapped') found.ignoreUnmapped = boolean(value, place);
  else throw unsupported(body, key);
}

const unsupported = (container: JsonObject, key: string): Error =>
  errors.parsing(`query does not support [${key}]`, { location: { container, key } });

function readClause(clause: JsonObject, found: ShapeParts): void {
  for (const key of Object.keys(clause)) {
    if (key === 'shape') found.shape = checkShape(clause[key]);
    else if (key === 'relation') found.relation = readRelation(clause, key);
    else if (key === 'indexed_shape')
      throw errors.illegalArgument('[geo_shape] query does not support [indexed_shape]: give the shape itself');
    else throw unsupported(clause, key);
  }
}

function readRelation(clause: JsonObject, key: string): string {
  const relation = String(clause[key]).toLowerCase();
  if (RELATIONS.includes(relation)) return relation;
  throw errors.parsing(`Unknown shape operation [${String(clause[key])} ]`, { location: { container: clause, key } });
}

/** Refuses what is no shape. A line cannot be asked of points, which the plan says. */
function checkShape(value: unknown): unknown {
  const json = typeof value === 'string' ? geoShapeOfWkt(value) : value;
  if (hasLine(json)) parseGeometry(json, READ_OPTIONS);
  else readShape(json);
  return json;
}

const READ_OPTIONS = { coerce: false, ignoresZ: true };

function hasLine(json: unknown): boolean {
  if (!isPlainObject(json)) return false;
  const { geometries } = json;
  if (Array.isArray(geometries)) return geometries.some(hasLine);
  return /^(?:multi)?linestring$/i.test(String(json['type']));
}

function malformed(reason: string): Error {
  return errors.xContentParse('Failed to build [geojson] after last required field arrived', {
    cause: errors.illegalArgument(reason),
  });
}

function readShape(value: unknown): Shape {
  const json = typeof value === 'string' ? geoShapeOfWkt(value) : value;
  if (!isPlainObject(json)) throw malformed('shape must be an object consisting of type and coordinates');
  const { coordinates } = json;
  switch (String(json['type']).toLowerCase()) {
    case 'point':
      return [pointArea(coordinates)];
    case 'multipoint':
      return list(coordinates).map(pointArea);
    case 'envelope':
      return [envelope(coordinates)];
    case 'polygon':
      return [polygon(coordinates)];
    case 'multipolygon':
      return list(coordinates).map(polygon);
    case 'circle':
      return [circle(coordinates, json['radius'])];
    case 'geometrycollection':
      return list(json['geometries']).flatMap(readShape);
    case 'linestring':
    case 'multilinestring':
      throw errors.illegalArgument(
        `[geo_shape] query does not support shapes of type [${String(json['type'])}] on points`,
      );
    default:
      throw malformed(
        `No enum constant org.elasticsearch.common.geo.GeoShapeType.${String(json['type']).toUpperCase()}`,
      );
  }
}

function list(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw malformed('coordinates must be an array');
}

function position(value: unknown): readonly [lat: number, lon: number] {
  const [lon, lat] = list(value);
  if (typeof lon !== 'number' || typeof lat !== 'number') throw malformed('geo coordinates must be numbers');
  if (Math.abs(lat) > 90) throw malformed(`invalid latitude ${lat}; must be between -90.0 and 90.0`);
  if (Math.abs(lon) > 180) throw malformed(`invalid longitude ${lon}; must be between -180.0 and 180.0`);
  return [lat, lon];
}

const whole = (area: GeoArea): Shape[number] => ({ area, holes: [] });

function pointArea(value: unknown): Shape[number] {
  const [lat, lon] = position(value);
  return whole({ kind: 'box', top: lat, bottom: lat, left: lon, right: lon });
}

function envelope(value: unknown): Shape[number] {
  const corners = list(value).map(position);
  if (corners.length !== 2)
    throw malformed(
      `invalid number of points (${corners.length}) provided for geo_shape [envelope] when expecting an array of 2 ` +
        'coordinates',
    );
  const [[top, left], [bottom, right]] = corners as [readonly [number, number], readonly [number, number]];
  return whole({ kind: 'box', top: Math.max(top, bottom), bottom: Math.min(top, bottom), left, right });
}

function polygon(value: unknown): Shape[number] {
  const rings = list(value).map((ring): GeoArea => ({ kind: 'polygon', points: list(ring).map(position) }));
  const [area, ...holes] = rings;
  if (area === undefined) throw malformed('Invalid LinearRing found. (coordinate_count < 4)');
  return { area, holes };
}

function circle(center: unknown, radius: unknown): Shape[number] {
  const [lat, lon] = position(center);
  if (radius === undefined) throw malformed('[radius] is required for circle');
  return whole({ kind: 'distance', lat, lon, meters: parseDistance(String(radius)) });
}

const NO_PLANS: readonly Plan[] = [];

function areaPlan(field: string, { area, holes }: Shape[number]): Plan {
  const inArea = (own: GeoArea): Plan => ({ kind: 'geo', field, area: own, boost: 1 });
  if (holes.length === 0) return inArea(area);
  return {
    kind: 'bool',
    must: NO_PLANS,
    filter: [inArea(area)],
    should: NO_PLANS,
    mustNot: holes.map(inArea),
    minimumShouldMatch: 0,
    boost: 1,
  };
}

/** Plan of shapes with a relation to a shape. */
function shapePlan(type: FieldType, shape: Geometry, relation: string): Plan {
  const { cellsField, isRight } = type.shapes!;
  const found = (wanted: 'intersects' | 'within' | 'contains'): Plan => ({
    kind: 'shape',
    field: type.name,
    cellsField,
    shape,
    isRight,
    relation: wanted,
    boost: 1,
  });
  if (relation !== 'disjoint') return constantPlan(found(relation as 'intersects' | 'within' | 'contains'));
  return constantPlan(others(type.name, found('intersects')));
}

/** Plan of the documents that have a field and do not match. */
const others = (field: string, matched: Plan): Plan => ({
  kind: 'bool',
  must: NO_PLANS,
  filter: [{ kind: 'exists', field, boost: 1 }],
  should: NO_PLANS,
  mustNot: [matched],
  minimumShouldMatch: 0,
  boost: 1,
});

function plan(name: string, json: unknown, { relation, ignoreUnmapped }: ShapeParts, context: PlanContext): Plan {
  const type = context.searcher.mapping.field(name);
  if (type === null && ignoreUnmapped) return nonePlan('');
  if (type === null) throw shardError(context.searcher, `failed to find type for field [${name}]`);
  if (type.shapes !== undefined && relation === 'within' && hasLine(json))
    throw shardError(
      context.searcher,
      'failed to create query: LatLonShapeQuery does not support WITHIN queries with line geometries',
    );
  if (type.shapes !== undefined) return shapePlan(type, parseGeometry(json, READ_OPTIONS), relation);
  if (type.valueKind !== 'geo')
    throw shardError(
      context.searcher,
      `Field [${name}] is of unsupported type [${type.typeName}] for [geo_shape] query`,
    );
  return pointsPlan(type.name, readShape(json), relation);
}

function pointsPlan(field: string, shape: Shape, relation: string): Plan {
  // A point contains no shape but an equal point.
  const areas =
    relation === 'contains'
      ? shape.filter(({ area }) => area.kind === 'box' && area.top === area.bottom && area.left === area.right)
      : shape;
  if (areas.length === 0) return nonePlan(`no point of [${field}] matches`);
  const plans = areas.map((area) => areaPlan(field, area));
  const any: Plan = {
    kind: 'bool',
    must: NO_PLANS,
    filter: NO_PLANS,
    should: plans,
    mustNot: NO_PLANS,
    minimumShouldMatch: 1,
    boost: 1,
  };
  if (relation !== 'disjoint') return constantPlan(any);
  return constantPlan(others(field, any));
}
