/**
 * Degrees of latitude of one quantisation step: degrees as 32-bit integers, rounded down (Lucene 9 `GeoEncodingUtils`).
 */
export const LAT_STEP = 1 / (2 ** 32 / 180);
/** Degrees of longitude of one quantisation step. */
export const LON_STEP = 1 / (2 ** 32 / 360);
/** Largest quantised coordinate: the north pole or longitude 180. */
export const QUANTISED_MAX = 0x7fffffff;
const INT_MIN = -0x80000000;

const quantise = (degrees: number, step: number): number =>
  Math.min(QUANTISED_MAX, Math.max(INT_MIN, Math.floor(degrees / step))) + 0;

/** Quantises a latitude in degrees (-90 … 90) to int32. */
export const quantiseLat = (degrees: number): number => quantise(degrees, LAT_STEP);

/** Quantises a longitude in degrees (-180 … 180) to int32. */
export const quantiseLon = (degrees: number): number => quantise(degrees, LON_STEP);

/** Degrees of a quantised latitude, as Elasticsearch's doc values return them. */
export const latDegrees = (quantised: number): number => quantised * LAT_STEP;

/** Degrees of a quantised longitude. */
export const lonDegrees = (quantised: number): number => quantised * LON_STEP;
