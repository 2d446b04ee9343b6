import { countUp, seededDraws, shuffle } from '../trees/draws.js';
import { type Distance, OUTLIER_METHODS, type OutlierMethod } from './methods.js';
import { nearestTo } from './neighbours.kernel.js';

/** What outliers are looked for with. */
export interface OutlierOptions {
  /** Null for several methods together. */
  readonly method: OutlierMethod | null;
  /** Null to choose them by the method. */
  readonly neighbours: number | null;
  /** Share of the rows that are outliers, as far as one knows beforehand. */
  readonly fraction: number;
  readonly standardizes: boolean;
  /** Whether the share of each feature is wanted. */
  readonly wantsInfluence: boolean;
  readonly seed: number;
}

/** Scores of rows from 0 to 1, and shares of features, `width` numbers a row, that add up to 1. */
export interface OutlierResult {
  readonly scores: Float64Array;
  readonly influence: Float64Array | null;
}

/** Methods of the ensemble with their numbers of neighbours: local ones see what lies between clusters. */
const ENSEMBLE: readonly (readonly [method: OutlierMethod, neighbours: number])[] = [
  ['lof', 50],
  ['lof', 75],
  ['distance_kth_nn', 20],
];
const NEIGHBOURS: Readonly<Record<OutlierMethod, number>> = {
  ...{ lof: 50, ldof: 35, distance_kth_nn: 20, distance_knn: 50 },
};
/** Rows in which neighbours are looked for: a sample keeps the order of densities (Zimek et al. 2013). */
const SAMPLE_MOST = 4096;
/** Rows between two looks at whether to go on. */
const ROWS_OF_STEP = 64;
const LOG_LEAST = 1e-12;
/** Neighbours by whose places the influence of a feature is measured. */
const INFLUENCE_NEIGHBOURS = 20;

/** Bytes that a detection takes at most. */
export const outlierBytes = (rows: number, features: number): number =>
  Math.ceil(rows * (features * 24 + 76 * 12 + 64) + 4 * 2 ** 20);

/**
 * Scores how much each row is an outlier. Scores of methods are compared on a logarithmic scale with mean 0 and
 * deviation 1 and averaged (Aggarwal and Sathe 2015). Yields the share that is done. `columns`: NaN counts as the mean.
 */
export function* detectOutliers(
  columns: readonly Float64Array[],
  options: OutlierOptions,
): Generator<number, OutlierResult> {
  const rows = columns[0]?.length ?? 0;
  const width = columns.length;
  const points = pointsOf(columns, options.standardizes);
  const plan = planOf(options, rows);
  const k = Math.max(1, ...plan.map(([, count]) => count));
  const near = new Int32Array(rows * k);
  const distances = new Float64Array(rows * k);
  if (rows < 2)
    return {
      scores: new Float64Array(rows),
      influence: options.wantsInfluence ? new Float64Array(rows * width) : null,
    };
  const sample = shuffle(countUp(rows), seededDraws(options.seed)).subarray(0, SAMPLE_MOST).slice().sort();
  for (let row = 0; row < rows; row++) {
    nearestTo(points, width, row, sample, k, near, distances, row * k);
    if (row % ROWS_OF_STEP === 0) yield (0.9 * row) / rows;
  }
  for (let i = 0; i < distances.length; i++) distances[i] = Math.sqrt(distances[i]!);
  const distance = distanceOf(points, width);
  const sums = new Float64Array(rows);
  for (const [i, [method, count]] of plan.entries()) {
    const own = OUTLIER_METHODS[method]({ rows, k, near, distances }, count, distance);
    const even = comparable(own);
    for (let row = 0; row < rows; row++) sums[row] = sums[row]! + even[row]! / plan.length;
    yield 0.9 + (0.05 * (i + 1)) / plan.length;
  }
  const influence = options.wantsInfluence ? influenceOf(points, width, near, k) : null;
  return { scores: asShares(sums, options.fraction), influence };
}

/** Methods and numbers of neighbours; each row has at most as many as there are others in the sample. */
function planOf({ method, neighbours }: OutlierOptions, rows: number): (readonly [OutlierMethod, number])[] {
  const most = Math.max(1, Math.min(rows, SAMPLE_MOST) - 1 - (rows > SAMPLE_MOST ? 1 : 0));
  const wanted =
    method !== null
      ? [[method, neighbours ?? NEIGHBOURS[method]] as const]
      : ENSEMBLE.map(([one, k]) => [one, neighbours ?? k] as const);
  return wanted.map(([one, k]) => [one, Math.min(most, k)] as const);
}

/** Rows one after the other. Each feature has mean 0 and deviation 1 if they are standardised. */
function pointsOf(columns: readonly Float64Array[], standardizes: boolean): Float64Array {
  const width = columns.length;
  const points = new Float64Array((columns[0]?.length ?? 0) * width);
  columns.forEach((column, c) => {
    const known = column.filter((value) => !Number.isNaN(value));
    const mean = known.reduce((sum, value) => sum + value / known.length, 0);
    const variance = known.reduce((sum, value) => sum + (value - mean) ** 2 / known.length, 0);
    const deviation = standardizes && variance > 0 && Number.isFinite(variance) ? Math.sqrt(variance) : 1;
    column.forEach((value, row) => (points[row * width + c] = Number.isNaN(value) ? 0 : (value - mean) / deviation));
  });
  return points;
}

const distanceOf =
  (points: Float64Array, width: number): Distance =>
  (a, b) => {
    let sum = 0;
    for (let c = 0; c < width; c++) sum += (points[a * width + c]! - points[b * width + c]!) ** 2;
    return Math.sqrt(sum);
  };

/** Scores on a logarithmic scale, with mean 0 and deviation 1. */
function comparable(scores: Float64Array): Float64Array {
  const logs = scores.map((score) => Math.log(Math.max(LOG_LEAST, score)));
  const mean = logs.reduce((sum, value) => sum + value / logs.length, 0);
  const deviation = Math.sqrt(logs.reduce((sum, value) => sum + (value - mean) ** 2 / logs.length, 0));
  return logs.map((value) => (deviation > 0 ? (value - mean) / deviation : 0));
}

/**
 * Turns scores into numbers from 0 to 1: the logarithm of the odds of being an outlier rises evenly with the score, and
 * is even where the expected share of outliers begins.
 */
function asShares(scores: Float64Array, fraction: number): Float64Array {
  const sorted = scores.slice().sort();
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
  const edge = at(1 - fraction);
  const width = edge - at(0.5);
  if (!(width > 0)) return scores.map((score) => (score > edge ? 0.5 : 0));
  const odds = Math.log(1 / Math.max(1e-3, fraction) - 1) / width;
  return scores.map((score) => 1 / (1 + Math.exp(-odds * (score - edge))));
}

/** Share of each feature in the distance between a row and the middle of its neighbours, squared. */
function influenceOf(points: Float64Array, width: number, near: Int32Array, k: number): Float64Array {
  const out = new Float64Array(points.length);
  const count = Math.min(k, INFLUENCE_NEIGHBOURS);
  for (let row = 0; row < points.length / width; row++) {
    let total = 0;
    for (let c = 0; c < width; c++) {
      let middle = 0;
      for (let i = 0; i < count; i++) middle += points[near[row * k + i]! * width + c]! / count;
      const own = (points[row * width + c]! - middle) ** 2;
      out[row * width + c] = own;
      total += own;
    }
    for (let c = 0; c < width; c++) out[row * width + c] = total > 0 ? out[row * width + c]! / total : 1 / width;
  }
  return out;
}
