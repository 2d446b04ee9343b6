/** Latitudes and longitudes as 32-bit integers, as Lucene's GeoEncodingUtils 9.9 stores points. */

const LAT_STEP = 180 / 2 ** 32;
const LON_STEP = 360 / 2 ** 32;

/** Integer of a latitude in [-90, 90]; the largest one stands for 90. */
export function encodeLat(lat: number): number {
  return Math.floor(Math.min(lat, LARGEST_LAT) / LAT_STEP);
}

/** Integer of a longitude in [-180, 180]. */
export function encodeLon(lon: number): number {
  return Math.floor(Math.min(lon, LARGEST_LON) / LON_STEP);
}

const LARGEST_LAT = 90 - LAT_STEP;
const LARGEST_LON = 180 - LON_STEP;

/** Reverse of `encodeLat`, the lower edge of its cell. */
export function decodeLat(encoded: number): number {
  return encoded * LAT_STEP;
}

/** Reverse of `encodeLon`, the lower edge of its cell. */
export function decodeLon(encoded: number): number {
  return encoded * LON_STEP;
}
