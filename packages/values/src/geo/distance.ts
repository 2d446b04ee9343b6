import { errors } from '@shoal/errors';

/** Mean radius of the earth in metres, as in Lucene's GeoUtils. */
export const EARTH_RADIUS_METERS = 6_371_008.7714;

const RADIANS = Math.PI / 180;

const UNITS = new Map<string, number>([
  ['in', 0.0254],
  ['inch', 0.0254],
  ['yd', 0.9144],
  ['yards', 0.9144],
  ['ft', 0.3048],
  ['feet', 0.3048],
  ['km', 1000],
  ['kilometers', 1000],
  ['NM', 1852],
  ['nmi', 1852],
  ['nauticalmiles', 1852],
  ['mm', 0.001],
  ['millimeters', 0.001],
  ['cm', 0.01],
  ['centimeters', 0.01],
  ['mi', 1609.344],
  ['miles', 1609.344],
  ['m', 1],
  ['meters', 1],
]);

const SUFFIXES = [...UNITS.keys()].sort((a, b) => b.length - a.length);

/** Metres of one unit of distance. Throws illegal_argument_exception `No distance unit match [x]`. */
export function distanceUnitMeters(unit: string): number {
  const meters = UNITS.get(unit);
  if (meters === undefined) throw errors.illegalArgument(`No distance unit match [${unit}]`);
  return meters;
}

/** Parses a distance such as `10km`, `5nmi` or `300` (in `defaultUnit`) to metres. Throws number_format_exception. */
export function parseDistance(text: string, defaultUnit = 'm'): number {
  const suffix = SUFFIXES.find((unit) => text.endsWith(unit));
  const digits = (suffix ? text.slice(0, text.length - suffix.length) : text).trim();
  if (!/^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/.test(digits))
    throw errors.numberFormat(digits === '' ? 'empty String' : `For input string: "${digits}"`);
  return Number(digits) * distanceUnitMeters(suffix ?? defaultUnit);
}

/**
 * Great-circle distance in metres by the haversine formula; arguments in degrees. Uses 1 - cos instead of squared
 * sines, as Lucene's SloppyMath does: the distance of points a few centimetres apart is 0.
 */
export function haversineMeters(lat1: number, lon1: number, lat2: number, lon2: number): number {
  const lat = 1 - Math.cos((lat1 - lat2) * RADIANS);
  const lon = Math.cos(lat1 * RADIANS) * Math.cos(lat2 * RADIANS) * (1 - Math.cos((lon1 - lon2) * RADIANS));
  return 2 * EARTH_RADIUS_METERS * Math.asin(Math.min(1, Math.sqrt((lat + lon) * 0.5)));
}

/** Distance in metres on an equirectangular projection, for `distance_type: plane`; arguments in degrees. */
export function planeMeters(lat1: number, lon1: number, lat2: number, lon2: number): number {
  const x = (lon2 - lon1) * RADIANS * Math.cos(((lat2 + lat1) / 2) * RADIANS);
  const y = (lat2 - lat1) * RADIANS;
  return Math.sqrt(x * x + y * y) * EARTH_RADIUS_METERS;
}
