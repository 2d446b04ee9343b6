import { errors } from '@shoal/errors';
import type { GeoBox } from './geohash.js';

/** Largest zoom of a map tile. */
export const GEOTILE_ZOOM_MAX = 29;

/** Largest latitude, in degrees, on the square Web Mercator map; the smallest is its negative. */
export const GEOTILE_LAT_MAX = 85.0511287798066;

/** Column (0 … 2^zoom - 1) of the tile of a longitude. */
export function geotileX(lon: number, zoom: number): number {
  const tiles = 2 ** zoom;
  return Math.min(tiles - 1, Math.max(0, Math.floor(((lon + 180) / 360) * tiles)));
}

/** Row (0 … 2^zoom - 1, from the north) of the tile of a latitude. */
export function geotileY(lat: number, zoom: number): number {
  const tiles = 2 ** zoom;
  const sin = Math.sin((lat * Math.PI) / 180);
  const y = (0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI)) * tiles;
  return Math.min(tiles - 1, Math.max(0, Math.floor(y)));
}

/** Name `zoom/x/y` of the tile that contains a point. */
export function geotileEncode(lat: number, lon: number, zoom: number): string {
  return `${zoom}/${geotileX(lon, zoom)}/${geotileY(lat, zoom)}`;
}

/** Parses a tile name `zoom/x/y`. Throws illegal_argument_exception. */
export function parseGeotile(tile: string): { readonly zoom: number; readonly x: number; readonly y: number } {
  const match = /^(\d{1,2})\/(\d+)\/(\d+)$/.exec(tile);
  const [zoom, x, y] = match ? [Number(match[1]), Number(match[2]), Number(match[3])] : [-1, 0, 0];
  if (!match || zoom > GEOTILE_ZOOM_MAX || x >= 2 ** zoom || y >= 2 ** zoom) {
    throw errors.illegalArgument(
      `Invalid geotile_grid hash string of ${tile}. Must be three integers in a form "zoom/x/y".`,
    );
  }
  return { zoom, x, y };
}

const latOfRow = (y: number, tiles: number): number =>
  (Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / tiles))) * 180) / Math.PI;

/** Edges of a tile, named `zoom/x/y`. Throws illegal_argument_exception. */
export function geotileBox(tile: string): GeoBox {
  const { zoom, x, y } = parseGeotile(tile);
  const tiles = 2 ** zoom;
  return {
    top: latOfRow(y, tiles),
    bottom: latOfRow(y + 1, tiles),
    left: (x / tiles) * 360 - 180,
    right: ((x + 1) / tiles) * 360 - 180,
  };
}
