import { formatDouble, type GeoBox } from '@shoal/values';
import { double } from '../java-values.js';

/** How a shape is written: GeoJSON or Well-Known Text. */
export type ShapeFormat = 'geojson' | 'wkt';

/** Longitude and latitude, or x and y. */
export type Position = readonly [number, number];

/** Writes a closed ring of positions as a polygon. */
export function polygonText(ring: readonly Position[], format: ShapeFormat): unknown {
  if (format === 'geojson') return { type: 'Polygon', coordinates: [ring.map((position) => position.map(double))] };
  return `POLYGON ((${ring.map((position) => position.map(formatDouble).join(' ')).join(', ')}))`;
}

/** Writes a rectangle. */
export function envelopeText({ top, left, bottom, right }: GeoBox, format: ShapeFormat): unknown {
  if (format === 'wkt') return `BBOX (${[left, right, top, bottom].map(formatDouble).join(', ')})`;
  return { type: 'Envelope', coordinates: [[left, top].map(double), [right, bottom].map(double)] };
}
