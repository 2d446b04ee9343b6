/**
 * Combines the score of each document with the factor of its functions, capped at `maxBoost`, and writes the result to
 * `scores`. Returns the index of the first result that is negative, infinite or NaN, -1 when all are valid.
 */
export type Combine = (scores: Float64Array, factors: Float64Array, count: number, maxBoost: number) => number;

/**
 * Rounds `scores` to floats in place. Returns the index of the first score that is negative, infinite or NaN, -1 for
 * none.
 */
function roundChecked(scores: Float64Array, count: number): number {
  for (let i = 0; i < count; i++) {
    const score = Math.fround(scores[i]!);
    scores[i] = score;
    if (!(score >= 0) || score === Number.POSITIVE_INFINITY) return i;
  }
  return -1;
}

/** Combining functions by `boost_mode`. */
export const COMBINE: Readonly<Record<string, Combine>> = {
  multiply(scores, factors, count, maxBoost) {
    for (let i = 0; i < count; i++) scores[i]! *= Math.min(factors[i]!, maxBoost);
    return roundChecked(scores, count);
  },
  replace(scores, factors, count, maxBoost) {
    for (let i = 0; i < count; i++) scores[i] = Math.min(factors[i]!, maxBoost);
    return roundChecked(scores, count);
  },
  sum(scores, factors, count, maxBoost) {
    for (let i = 0; i < count; i++) scores[i]! += Math.min(factors[i]!, maxBoost);
    return roundChecked(scores, count);
  },
  avg(scores, factors, count, maxBoost) {
    for (let i = 0; i < count; i++) scores[i] = (scores[i]! + Math.min(factors[i]!, maxBoost)) / 2;
    return roundChecked(scores, count);
  },
  max(scores, factors, count, maxBoost) {
    for (let i = 0; i < count; i++) scores[i] = Math.max(scores[i]!, Math.min(factors[i]!, maxBoost));
    return roundChecked(scores, count);
  },
  min(scores, factors, count, maxBoost) {
    for (let i = 0; i < count; i++) scores[i] = Math.min(scores[i]!, Math.min(factors[i]!, maxBoost));
    return roundChecked(scores, count);
  },
};

const LN10 = Math.LN10;

/** Applies a modifier to `values` times `factor`, in place. */
export type Modify = (values: Float64Array, count: number, factor: number) => void;

/** Modifiers of field_value_factor. `log` is to base 10, `ln` natural. */
export const MODIFY: Readonly<Record<string, Modify>> = {
  none(values, count, factor) {
    for (let i = 0; i < count; i++) values[i]! *= factor;
  },
  log(values, count, factor) {
    for (let i = 0; i < count; i++) values[i] = Math.log10(values[i]! * factor);
  },
  log1p(values, count, factor) {
    for (let i = 0; i < count; i++) values[i] = Math.log1p(values[i]! * factor) / LN10;
  },
  log2p(values, count, factor) {
    for (let i = 0; i < count; i++) values[i] = Math.log10(values[i]! * factor + 2);
  },
  ln(values, count, factor) {
    for (let i = 0; i < count; i++) values[i] = Math.log(values[i]! * factor);
  },
  ln1p(values, count, factor) {
    for (let i = 0; i < count; i++) values[i] = Math.log1p(values[i]! * factor);
  },
  ln2p(values, count, factor) {
    for (let i = 0; i < count; i++) values[i] = Math.log(values[i]! * factor + 2);
  },
  square(values, count, factor) {
    for (let i = 0; i < count; i++) values[i] = (values[i]! * factor) ** 2;
  },
  sqrt(values, count, factor) {
    for (let i = 0; i < count; i++) values[i] = Math.sqrt(values[i]! * factor);
  },
  reciprocal(values, count, factor) {
    for (let i = 0; i < count; i++) values[i] = 1 / (values[i]! * factor);
  },
};

/** Replaces NaN by `missing`. */
export function fillMissing(values: Float64Array, count: number, missing: number): void {
  for (let i = 0; i < count; i++) if (values[i] !== values[i]) values[i] = missing;
}

/** Returns the index of the first NaN, -1 for none. */
export function firstMissing(values: Float64Array, count: number): number {
  for (let i = 0; i < count; i++) if (values[i] !== values[i]) return i;
  return -1;
}

/** Returns the index of the first negative value, -1 for none. NaN is none: it makes the score invalid later. */
export function firstNegative(values: Float64Array, count: number): number {
  for (let i = 0; i < count; i++) if (values[i]! < 0) return i;
  return -1;
}
