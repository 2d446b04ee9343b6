import { errors } from '@shoal/errors';
import { formatDouble } from '../double-text.js';
import { geoShapeOfWkt } from './shape-wkt.js';

/** Longitude, latitude. */
type Position = readonly [lon: number, lat: number];

/** A shape in the form of GeoJSON, checked; polygons' rings are closed. */
export type Geometry =
  | { readonly type: 'Point'; readonly coordinates: Position }
  | { readonly type: 'MultiPoint' | 'LineString'; readonly coordinates: readonly Position[] }
  | { readonly type: 'MultiLineString' | 'Polygon'; readonly coordinates: readonly (readonly Position[])[] }
  | { readonly type: 'MultiPolygon'; readonly coordinates: readonly (readonly (readonly Position[])[])[] }
  | { readonly type: 'GeometryCollection'; readonly geometries: readonly Geometry[] };

/** How shapes are read. */
export interface GeometryOptions {
  /** Whether rings that are not closed are closed. */
  readonly coerce: boolean;
  /** Whether a third coordinate is ignored and not refused. */
  readonly ignoresZ: boolean;
}

/** Levels of collections in collections. */
const DEPTH_MAX = 32;

const malformed = (reason: string): Error => errors.illegalArgument(reason);

function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw errors.parse('coordinates must be an array');
}

function position(value: unknown, { ignoresZ }: GeometryOptions): Position {
  const [lon, lat, z] = listOf(value);
  if (typeof lon !== 'number' || typeof lat !== 'number' || !Number.isFinite(lon) || !Number.isFinite(lat))
    throw errors.parse('geo coordinates must be numbers');
  if (z !== undefined && typeof z !== 'number') throw errors.parse('geo coordinates must be numbers');
  if (typeof z === 'number' && !ignoresZ)
    throw malformed(`found Z value [${formatDouble(z)}] but [ignore_z_value] parameter is [false]`);
  if (Math.abs(lat) > 90) throw malformed(`invalid latitude ${formatDouble(lat)}; must be between -90.0 and 90.0`);
  if (Math.abs(lon) > 180) throw malformed(`invalid longitude ${formatDouble(lon)}; must be between -180.0 and 180.0`);
  return [lon, lat];
}

function line(value: unknown, options: GeometryOptions): readonly Position[] {
  const points = listOf(value).map((one) => position(one, options));
  if (points.length >= 2) return points;
  throw malformed(`at least two points in the line is required`);
}

function ring(value: unknown, options: GeometryOptions): readonly Position[] {
  const points = listOf(value).map((one) => position(one, options));
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) throw malformed('at least 4 polygon points required');
  const isClosed = first[0] === last[0] && first[1] === last[1];
  if (!isClosed && !options.coerce) {
    const at = (axis: number): string =>
      `${'xy'[axis]}[0]=${formatDouble(first[axis]!)} ${'xy'[axis]}[${points.length - 1}]=${formatDouble(last[axis]!)}`;
    throw malformed(
      `first and last points of the linear ring must be the same (it must close itself): ${at(0)} ${at(1)}`,
    );
  }
  if (!isClosed) points.push(first);
  if (points.length >= 4) return points;
  throw malformed('at least 4 polygon points required');
}

function polygon(value: unknown, options: GeometryOptions): readonly (readonly Position[])[] {
  const rings = listOf(value).map((one) => ring(one, options));
  if (rings.length === 0) throw malformed('at least 4 polygon points required');
  return rings;
}

function envelope(value: unknown, options: GeometryOptions): Geometry {
  const corners = listOf(value).map((one) => position(one, options));
  if (corners.length !== 2)
    throw errors.parse(
      `invalid number of points (${corners.length}) provided for geo_shape [envelope] when expecting an array of 2 ` +
        'coordinates',
    );
  const [[left, y1], [right, y2]] = corners as [Position, Position];
  const [bottom, top] = [Math.min(y1, y2), Math.max(y1, y2)];
  const box = (from: number, to: number): readonly Position[] => [
    [from, bottom],
    [to, bottom],
    [to, top],
    [from, top],
    [from, bottom],
  ];
  if (left <= right) return { type: 'Polygon', coordinates: [box(left, right)] };
  return { type: 'MultiPolygon', coordinates: [[box(left, 180)], [box(-180, right)]] };
}

/**
 * Parses a shape in GeoJSON or Well-Known Text; an envelope becomes one polygon, or two where it crosses the date line.
 * Throws illegal_argument or parse_exception.
 */
export function parseGeometry(value: unknown, options: GeometryOptions, depth = 0): Geometry {
  const json = typeof value === 'string' ? geoShapeOfWkt(value) : value;
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw errors.parse('shape must be an object consisting of type and coordinates');
  const { type, coordinates, geometries } = json as Readonly<Record<string, unknown>>;
  switch (String(type).toLowerCase()) {
    case 'point':
      return { type: 'Point', coordinates: position(coordinates, options) };
    case 'multipoint':
      return { type: 'MultiPoint', coordinates: listOf(coordinates).map((one) => position(one, options)) };
    case 'linestring':
      return { type: 'LineString', coordinates: line(coordinates, options) };
    case 'multilinestring':
      return { type: 'MultiLineString', coordinates: listOf(coordinates).map((one) => line(one, options)) };
    case 'polygon':
      return { type: 'Polygon', coordinates: polygon(coordinates, options) };
    case 'multipolygon':
      return { type: 'MultiPolygon', coordinates: listOf(coordinates).map((one) => polygon(one, options)) };
    case 'envelope':
      return envelope(coordinates, options);
    case 'geometrycollection':
      if (depth === DEPTH_MAX) throw malformed(`a geometry collection has more than ${DEPTH_MAX} levels`);
      return {
        type: 'GeometryCollection',
        geometries: listOf(geometries).map((one) => parseGeometry(one, options, depth + 1)),
      };
    case 'circle':
      throw malformed('Circle geometry is not supported');
    default:
      throw malformed(`unknown geo_shape [${String(type)}]`);
  }
}

/** Writes a shape as Well-Known Text. */
export function geometryWkt(geometry: Geometry): string {
  const at = ([lon, lat]: Position): string => `${formatDouble(lon)} ${formatDouble(lat)}`;
  const list = (points: readonly Position[]): string => `(${points.map(at).join(', ')})`;
  const lists = (rings: readonly (readonly Position[])[]): string => `(${rings.map(list).join(', ')})`;
  const name = geometry.type.toUpperCase();
  switch (geometry.type) {
    case 'Point':
      return `${name} (${at(geometry.coordinates)})`;
    case 'MultiPoint':
    case 'LineString':
      return `${name} ${list(geometry.coordinates)}`;
    case 'MultiLineString':
    case 'Polygon':
      return `${name} ${lists(geometry.coordinates)}`;
    case 'MultiPolygon':
      return `${name} (${geometry.coordinates.map(lists).join(', ')})`;
    case 'GeometryCollection':
      return `${name} (${geometry.geometries.map(geometryWkt).join(',')})`;
  }
}
