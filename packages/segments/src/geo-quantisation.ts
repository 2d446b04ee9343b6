/** Degrees of latitude a step. Lucene 9 `GeoEncodingUtils`: degrees as 32-bit integers, rounding down. */
export const LAT_STEP = 1 / (2 ** 32 / 180);
/** Degrees of longitude a step. */
export const LON_STEP = 1 / (2 ** 32 / 360);
/** Largest quantised coordinate: that of the north pole and the antimeridian. */
export const QUANTISED_MAX = 0x7fffffff;
const INT_MIN = -0x80000000;

const quantise = (degrees: number, step: number): number =>
  Math.min(QUANTISED_MAX, Math.max(INT_MIN, Math.floor(degrees / step))) + 0;

/** Latitude in degrees (-90 … 90) as int32. */
export const quantiseLat = (degrees: number): number => quantise(degrees, LAT_STEP);

/** Longitude in degrees (-180 … 180) as int32. */
export const quantiseLon = (degrees: number): number => quantise(degrees, LON_STEP);

/** Degrees of a quantised latitude, as Elasticsearch's doc values give them. */
export const latDegrees = (quantised: number): number => quantised * LAT_STEP;

/** Degrees of a quantised longitude. */
export const lonDegrees = (quantised: number): number => quantised * LON_STEP;
