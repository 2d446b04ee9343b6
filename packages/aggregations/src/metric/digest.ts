/**
 * Samples of numbers, from which quantiles are computed. Few values are kept as they are; many are merged to centroids
 * of a merging t-digest (T. Dunning, "Computing extremely accurate quantiles using t-digests", scale function k1).
 */

import type { ExecutionHint } from './execution-hint.js';

/** Values and their weights, ascending by value. */
export interface Samples {
  readonly values: Float64Array;
  readonly weights: Float64Array;
  /** Whether each value is an original one, whose weight is its number of occurrences. False: values are centroids. */
  readonly isExact: boolean;
}

/** Samples without values. */
export const NO_SAMPLES: Samples = { values: new Float64Array(0), weights: new Float64Array(0), isExact: true };

/** Number of values that are kept as they are, for a compression. */
export const exactLimit = (compression: number): number => compression * 20;

const k1 = (q: number, compression: number): number => (compression / (2 * Math.PI)) * Math.asin(2 * q - 1);

/** Merges weighted values, ascending, to about `compression` centroids or fewer. */
export function compress(values: Float64Array, weights: Float64Array, compression: number): Samples {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const means: number[] = [];
  const sizes: number[] = [];
  let [mean, size, before] = [values[0]!, weights[0]!, 0];
  let limit = k1(0, compression) + 1;
  for (let i = 1; i < values.length; i++) {
    const weight = weights[i]!;
    if (k1(Math.min(1, (before + size + weight) / total), compression) <= limit) {
      size += weight;
      mean += ((values[i]! - mean) * weight) / size;
      continue;
    }
    means.push(mean);
    sizes.push(size);
    before += size;
    limit = k1(Math.min(1, before / total), compression) + 1;
    [mean, size] = [values[i]!, weight];
  }
  means.push(mean);
  sizes.push(size);
  return { values: Float64Array.from(means), weights: Float64Array.from(sizes), isExact: false };
}

/** Merges samples; the result is exact while it has few values. */
export function mergeSamples(parts: readonly Samples[], compression: number): Samples {
  const full = parts.filter((part) => part.values.length > 0);
  if (full.length <= 1) return full[0] ?? NO_SAMPLES;
  const pairs = full
    .flatMap((part) => Array.from(part.values, (value, i) => [value, part.weights[i]!] as const))
    .sort((a, b) => a[0] - b[0]);
  const values = Float64Array.from(pairs, (pair) => pair[0]);
  const weights = Float64Array.from(pairs, (pair) => pair[1]);
  const isExact = full.every((part) => part.isExact);
  return isExact ? { values, weights, isExact } : compress(values, weights, compression * 5);
}

/** Number of values that samples stand for. */
export function sampleCount(samples: Samples): number {
  return samples.weights.reduce((sum, weight) => sum + weight, 0);
}

/** The value at rank `index` (0-based, fractional) of exact samples, linear between neighbours. */
function exactAt(samples: Samples, index: number): number {
  const { values, weights } = samples;
  const low = Math.floor(index);
  let end = 0;
  for (let i = 0; i < values.length; i++) {
    end += weights[i]!;
    if (low >= end) continue;
    if (low + 1 < end || i + 1 === values.length) return values[i]!;
    return values[i]! + (values[i + 1]! - values[i]!) * (index - low);
  }
  return values[values.length - 1]!;
}

/**
 * The value at rank `index` of centroids: linear between the middles of centroids, and the outermost centroid itself at
 * the ends.
 */
function centroidAt(samples: Samples, index: number): number {
  const { values, weights } = samples;
  let middle = weights[0]! / 2;
  if (index < middle) return values[0]!;
  for (let i = 1; i < values.length; i++) {
    const next = middle + (weights[i - 1]! + weights[i]!) / 2;
    if (index < next) return values[i - 1]! + ((values[i]! - values[i - 1]!) * (index - middle)) / (next - middle);
    middle = next;
  }
  return values[values.length - 1]!;
}

/**
 * The quantile `q` in [0, 1]; NaN without values. With `high_accuracy` even exact samples are centroids of one value
 * each, as in the AVL tree of 8.12.
 */
export function quantile(samples: Samples, q: number, hint: ExecutionHint = 'default'): number {
  const count = sampleCount(samples);
  if (count === 0) return Number.NaN;
  if (samples.isExact && hint === 'high_accuracy')
    return exactAt(samples, Math.min(count - 1, Math.max(0, q * count - 0.5)));
  return samples.isExact ? exactAt(samples, q * (count - 1)) : centroidAt(samples, q * count);
}

/**
 * Share of values below `x`, in [0, 1]; NaN without values. The weight of a point is spread evenly from halfway to its
 * left neighbour to halfway to its right neighbour; the outermost points symmetrically.
 */
export function rankOf(samples: Samples, x: number): number {
  const { values } = samples;
  const last = values.length - 1;
  if (last < 0) return Number.NaN;
  if (x < values[0]! || x > values[last]!) return x < values[0]! ? 0 : 1;
  if (last === 0) return 0.5;
  if (samples.isExact && (x === values[0] || x === values[last])) return edgeRank(samples, x);
  return (samples.isExact ? exactBelow(samples, x) : centroidsBelow(samples, x)) / sampleCount(samples);
}

/** The share of values below the least or the greatest one: half of those that equal it count. */
function edgeRank(samples: Samples, x: number): number {
  const equal = samples.weights.reduce((sum, weight, i) => (samples.values[i] === x ? sum + weight : sum), 0);
  const share = equal / 2 / sampleCount(samples);
  return x === samples.values[0] ? share : 1 - share;
}

/** Weight of centroids below `x`. */
function centroidsBelow({ values, weights }: Samples, x: number): number {
  const last = values.length - 1;
  let before = 0;
  for (let i = 0; i <= last; i++) {
    const value = values[i]!;
    const low = i === 0 ? value - (values[1]! - value) / 2 : (values[i - 1]! + value) / 2;
    const high = i === last ? value + (value - values[i - 1]!) / 2 : (value + values[i + 1]!) / 2;
    if (x < low) return before;
    if (x < high) return before + (weights[i]! * (x - low)) / (high - low);
    before += weights[i]!;
  }
  return before;
}

/**
 * Number of values below `x` where each occurrence is a point. Of n equal values the first covers the way to the left
 * neighbour and the last the way to the right neighbour.
 */
function exactBelow({ values, weights }: Samples, x: number): number {
  let before = 0;
  for (let i = 0, next = 0; i < values.length; i = next) {
    const value = values[i]!;
    let count = 0;
    for (; next < values.length && values[next] === value; next++) count += weights[next]!;
    const left = i > 0 ? values[i - 1]! : count > 1 ? value : 2 * value - values[next]!;
    const right = next < values.length ? values[next]! : count > 1 ? value : 2 * value - values[i - 1]!;
    const [low, high] = [(left + value) / 2, (value + right) / 2];
    if (x < low) return before;
    if (x < high) {
      if (count === 1) return before + (x - low) / (high - low);
      return before + (x < value ? (x - low) / (value - low) : count - 1 + (x - value) / (high - value));
    }
    before += count;
  }
  return before;
}
