import { errors } from '@shoal/errors';
import { formatDouble, haversineMeters, parseDistance } from '@shoal/values';
import { isNumeric, isObject, javaText, toNumber } from '../java-values.js';
import type { Position, ShapeFormat } from './shape-text.js';

const SIDES_MIN = 4;
const SIDES_MAX = 1000;
/** Metres by which a corner may miss the circle. */
const CORNER_ERROR_METERS = 0.1;

/** A circle on a map or on a plane; the radius in metres or in units of the plane. */
export interface Circle {
  readonly center: Position;
  readonly radius: number;
  /** How the circle was written. */
  readonly format: ShapeFormat;
}

/** Reads a circle in GeoJSON or Well-Known Text. Throws for other shapes and malformed ones. */
export function parseCircle(value: unknown): Circle {
  return typeof value === 'string' ? wktCircle(value) : geoJsonCircle(value as Record<string, unknown>);
}

function wktCircle(text: string): Circle {
  const [, name = '', inner] = /^\s*([A-Za-z]+)\s*(?:\(\s*([^()]*?)\s*\))?/.exec(text) ?? [];
  if (name.toUpperCase() !== 'CIRCLE') throw otherShape(name, text);
  const numbers = (inner ?? '').split(/\s+/).map(Number);
  const [x, y, radius] = numbers;
  if (inner === undefined || numbers.length < 3 || numbers.length > 4 || numbers.some(Number.isNaN))
    throw errors.parse(`failed to parse WKT [${text}]`);
  return { center: [x!, y!], radius: requirePositive(radius!), format: 'wkt' };
}

function geoJsonCircle({ type, coordinates, radius }: Record<string, unknown>): Circle {
  if (typeof type !== 'string') throw errors.parse('shape type [type] is missing');
  if (type.toLowerCase() !== 'circle') throw otherShape(type, type);
  if (!Array.isArray(coordinates) || coordinates.length < 2 || !coordinates.every(isNumeric))
    throw errors.parse('coordinates of a circle are two numbers');
  if (radius === undefined || radius === null) throw errors.illegalArgument('radius is required for circle');
  const [x, y] = coordinates.map(toNumber);
  const meters = isObject(radius) ? Number.NaN : parseDistance(javaText(radius));
  return { center: [x!, y!], radius: requirePositive(meters), format: 'geojson' };
}

function requirePositive(radius: number): number {
  if (radius >= 0) return radius;
  throw errors.illegalArgument(`Circle radius [${radius}] cannot be negative`);
}

const SHAPES =
  /^(?:point|multipoint|linestring|multilinestring|polygon|multipolygon|geometrycollection|envelope|bbox)$/i;

function otherShape(name: string, text: string): Error {
  if (SHAPES.test(name)) return errors.illegalArgument(`found [${name.toUpperCase()}] instead of circle`);
  return errors.illegalArgument(`Unknown geometry type: ${name === '' ? text : name.toLowerCase()}`);
}

/**
 * Number of sides of a regular polygon whose sides are nowhere farther from the circle than `errorDistance`, within 4
 * and 1,000.
 */
export function sidesOf(radius: number, errorDistance: number): number {
  const sides = Math.ceil((2 * Math.PI) / Math.acos(1 - errorDistance / radius));
  return Number.isNaN(sides) ? SIDES_MIN : Math.min(SIDES_MAX, Math.max(SIDES_MIN, sides));
}

/** Corners of a regular polygon on the plane, the first one again at the end. */
export function planeRing({ center, radius }: Circle, sides: number): Position[] {
  return ring(sides, (x, y) => [center[0] + x * radius, center[1] + y * radius]);
}

/**
 * Corners of a regular polygon on the sphere. Longitudes and latitudes are not brought back into their range, so that a
 * polygon over the date line is seen as one. Throws for a circle with a pole in it.
 */
export function sphereRing(circle: Circle, sides: number): Position[] {
  const { center, radius } = circle;
  for (const [pole, lat] of [
    ['north', 90],
    ['south', -90],
  ] as const) {
    if (haversineMeters(center[1], center[0], lat, 0) < radius)
      throw errors.illegalArgument(
        `circle [${circleText(circle)}] contains the ${pole} pole. It cannot be translated to a polygon`,
      );
  }
  return ring(sides, (x, y) => cornerOnSphere(circle, x, y));
}

const circleText = ({ center, radius }: Circle): string =>
  `CIRCLE (${[...center, radius].map(formatDouble).join(' ')})`;

function ring(sides: number, corner: (x: number, y: number) => Position): Position[] {
  const corners = Array.from({ length: sides }, (_none, i) => {
    const angle = (i * (360 / sides) * Math.PI) / 180;
    return corner(Math.cos(angle), Math.sin(angle));
  });
  return [...corners, corners[0]!];
}

/**
 * Finds the corner in the direction (x, y) from the centre by stepping along it with halved steps. Source: Lucene's
 * `GeoTestUtil.createRegularPolygon`, so that corners are those of Elasticsearch.
 */
function cornerOnSphere({ center: [lon, lat], radius }: Circle, x: number, y: number): Position {
  let factor = 2;
  let step = 1;
  let last = 0;
  for (;;) {
    const corner: Position = [lon + x * factor, lat + y * factor];
    const difference = haversineMeters(lat, lon, corner[1], corner[0]) - radius;
    if (Math.abs(difference) < CORNER_ERROR_METERS) return corner;
    const direction = difference > 0 ? -1 : 1;
    if (last === -direction) step /= 2;
    factor += direction * step;
    last = direction;
  }
}
