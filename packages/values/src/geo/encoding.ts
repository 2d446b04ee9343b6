/* Latitudes and longitudes quantised to signed 32-bit integers, as in Lucene 9.9's GeoEncodingUtils. */

const LAT_STEP = 180 / 2 ** 32;
const LON_STEP = 360 / 2 ** 32;

/** Quantises a latitude in [-90, 90]; 90 gets the largest integer. */
export function encodeLat(lat: number): number {
  return Math.floor(Math.min(lat, LARGEST_LAT) / LAT_STEP);
}

/** Quantises a longitude in [-180, 180]; 180 gets the largest integer. */
export function encodeLon(lon: number): number {
  return Math.floor(Math.min(lon, LARGEST_LON) / LON_STEP);
}

const LARGEST_LAT = 90 - LAT_STEP;
const LARGEST_LON = 180 - LON_STEP;

/** Reverse of `encodeLat`: latitude of the lower edge of the quantisation step. */
export function decodeLat(encoded: number): number {
  return encoded * LAT_STEP;
}

/** Reverse of `encodeLon`: longitude of the lower edge of the quantisation step. */
export function decodeLon(encoded: number): number {
  return encoded * LON_STEP;
}
