/** A box of coordinates in degrees. Its left side is east of its right side if it crosses the antimeridian. */
export interface Box {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

/** The box of the cell of a point: the cells of a grid cover the earth without overlap. */
export type BoxOfCell = (lat: number, lon: number, precision: number) => Box;

const cellOf = (share: number, count: number): number => Math.min(count - 1, Math.max(0, Math.floor(share * count)));

/** The box of a geohash of `precision` characters: each adds five bits, of longitude and latitude in turns. */
export const geohashBox: BoxOfCell = (lat, lon, precision) => {
  const columns = 2 ** Math.ceil((5 * precision) / 2);
  const rows = 2 ** Math.floor((5 * precision) / 2);
  const x = cellOf((lon + 180) / 360, columns);
  const y = cellOf((lat + 90) / 180, rows);
  return {
    left: (x / columns) * 360 - 180,
    right: ((x + 1) / columns) * 360 - 180,
    bottom: (y / rows) * 180 - 90,
    top: ((y + 1) / rows) * 180 - 90,
  };
};

const RADIANS = Math.PI / 180;

/** The latitude at a share of the height of the square of Mercator's projection, from the north. */
const latitudeAt = (share: number): number => Math.atan(Math.sinh(Math.PI * (1 - 2 * share))) / RADIANS;

/** The box of a map tile at a zoom. */
export const geotileBox: BoxOfCell = (lat, lon, zoom) => {
  const tiles = 2 ** zoom;
  const x = cellOf((lon + 180) / 360, tiles);
  const y = cellOf((1 - Math.asinh(Math.tan(lat * RADIANS)) / Math.PI) / 2, tiles);
  return {
    left: (x / tiles) * 360 - 180,
    right: ((x + 1) / tiles) * 360 - 180,
    top: latitudeAt(y / tiles),
    bottom: latitudeAt((y + 1) / tiles),
  };
};

/** Whether a cell and a box share more than an edge. */
export function overlaps(cell: Box, box: Box): boolean {
  if (box.top <= cell.bottom || box.bottom >= cell.top) return false;
  const [east, west] = [box.left < cell.right, box.right > cell.left];
  return box.left <= box.right ? east && west : east || west;
}
