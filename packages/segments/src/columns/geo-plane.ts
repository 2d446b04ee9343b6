import {
  LAT_STEP,
  LON_STEP,
  latDegrees,
  lonDegrees,
  QUANTISED_MAX,
  quantiseLat,
  quantiseLon,
} from '../geo-quantisation.js';
import { encodeNumbers, type NumberEncoder } from '../values/encode-number-block.js';
import { BLOCK_VALUES } from '../values/number-block.kernel.js';

/*
 * Coordinates mostly come as decimal degrees with few digits. If all coordinates of a run are quantised decimals of up
 * to DIGITS_MAX digits, the run stores the decimals: 24 to 25 bits at five digits, instead of 32. The first byte of a
 * run is the number of decimal digits; 0 means that the run stores quantised values.
 */

/** Fewest decimal digits that are tried. */
const DIGITS_MIN = 1;
const DIGITS_MAX = 7;

/** First byte of a run that stores quantised values. */
export const QUANTISED_RUN = 0;

/** Quantisation of one axis. */
export interface Axis {
  /** Degrees of one quantisation step. */
  readonly step: number;
  quantise(degrees: number): number;
  degrees(quantised: number): number;
}

/** Quantisation of latitudes. */
export const LAT: Axis = { step: LAT_STEP, quantise: quantiseLat, degrees: latDegrees };
/** Quantisation of longitudes. */
export const LON: Axis = { step: LON_STEP, quantise: quantiseLon, degrees: lonDegrees };

function decimalOf(axis: Axis, quantised: number, scale: number): number {
  const rounded = Math.round(axis.degrees(quantised + 0.5) * scale);
  return axis.quantise(rounded / scale) === quantised ? rounded + 0 : Number.NaN;
}

function toDecimals(axis: Axis, values: Float64Array, count: number, digits: number, out: Float64Array): boolean {
  const scale = 10 ** digits;
  for (let i = 0; i < count; i++) {
    const decimal = decimalOf(axis, values[i]!, scale);
    if (Number.isNaN(decimal)) return false;
    out[i] = decimal;
  }
  return true;
}

/**
 * Encoder of the quantised coordinates of one axis: writes a byte with the number of decimal digits (or QUANTISED_RUN),
 * then a number block.
 */
export function geoPlane(axis: Axis): (encoder: NumberEncoder, values: Float64Array, count: number) => number {
  const decimals = new Float64Array(BLOCK_VALUES);
  return (encoder, values, count) => {
    let digits = DIGITS_MIN;
    while (digits <= DIGITS_MAX && !toDecimals(axis, values, count, digits, decimals)) digits++;
    const isDecimal = digits <= DIGITS_MAX;
    const bytes = encodeNumbers(encoder, isDecimal ? decimals : values, count);
    encoder.out.copyWithin(1, 0, bytes);
    encoder.out[0] = isDecimal ? digits : QUANTISED_RUN;
    return bytes + 1;
  };
}

/**
 * Converts the decoded values of a run, whose first byte is `digits`, in place to the degrees of the quantised values.
 */
export function toDegrees(axis: Axis, digits: number, values: Float64Array, count: number): void {
  const { step } = axis;
  const scale = 10 ** digits;
  if (digits === QUANTISED_RUN) for (let i = 0; i < count; i++) values[i] = values[i]! * step;
  else
    for (let i = 0; i < count; i++) values[i] = Math.min(Math.floor(values[i]! / scale / step), QUANTISED_MAX) * step;
}
