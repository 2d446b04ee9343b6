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

/**
 * Coordinates mostly come as decimal degrees of few digits. A run whose quantised values are those of decimals is kept
 * as decimals, which take 24 to 25 bits at five digits instead of 32. Quantised values are integers, as are decimals of
 * whole degrees: the first byte of a run tells the two apart.
 */
const DIGITS_MIN = 1;
const DIGITS_MAX = 7;

/** What a plane holds: one more byte before the number block. */
export const RUN = { quantised: 0 } as const;

export interface Axis {
  /** Degrees between two quantised coordinates. */
  readonly step: number;
  quantise(degrees: number): number;
  degrees(quantised: number): number;
}

export const LAT: Axis = { step: LAT_STEP, quantise: quantiseLat, degrees: latDegrees };
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
 * Encodes quantised coordinates of one axis: a byte with the number of decimal digits (0: quantised), then a number
 * block.
 */
export function geoPlane(axis: Axis): (encoder: NumberEncoder, values: Float64Array, count: number) => number {
  const decimals = new Float64Array(BLOCK_VALUES);
  return (encoder, values, count) => {
    let digits = DIGITS_MIN;
    while (digits <= DIGITS_MAX && !toDecimals(axis, values, count, digits, decimals)) digits++;
    const isDecimal = digits <= DIGITS_MAX;
    const bytes = encodeNumbers(encoder, isDecimal ? decimals : values, count);
    encoder.out.copyWithin(1, 0, bytes);
    encoder.out[0] = isDecimal ? digits : RUN.quantised;
    return bytes + 1;
  };
}

/** Turns the decoded values of a run whose first byte is `digits` into the degrees of their quantised coordinates. */
export function toDegrees(axis: Axis, digits: number, values: Float64Array, count: number): void {
  const { step } = axis;
  const scale = 10 ** digits;
  if (digits === RUN.quantised) for (let i = 0; i < count; i++) values[i] = values[i]! * step;
  else
    for (let i = 0; i < count; i++) values[i] = Math.min(Math.floor(values[i]! / scale / step), QUANTISED_MAX) * step;
}
