/**
 * Trees as flat arrays, and how their values are joined: what a definition of a model becomes once it is checked.
 * Values are doubles; a missing value goes to the side that the node names.
 */

/** All trees of a model, one after the other. */
export interface Forest {
  /** First node of each tree. */
  readonly roots: Int32Array;
  /** Feature of a node; -1 for a leaf. */
  readonly feature: Int32Array;
  readonly threshold: Float64Array;
  /** Nodes for values that meet the condition, and for all others. */
  readonly left: Int32Array;
  readonly right: Int32Array;
  /** 1 if a missing value goes left. */
  readonly missingLeft: Uint8Array;
  /** Condition of a node by its number in `CONDITIONS`. */
  readonly condition: Uint8Array;
  /** Values of leaves, `width` numbers for each node. */
  readonly values: Float64Array;
  readonly width: number;
  /** Rows that have reached a node in training; 0 if the definition does not say. */
  readonly counts: Float64Array;
}

/** Conditions of nodes by number. */
export const CONDITIONS: readonly string[] = ['lt', 'lte', 'gt', 'gte'];

/** Bytes of a forest. */
export const forestBytes = ({ feature, values, roots }: Forest): number =>
  feature.length * 30 + values.byteLength + roots.byteLength;

/** Whether a value meets the condition of a node. */
export function goesLeft(x: number, threshold: number, condition: number): boolean {
  if (condition === 0) return x < threshold;
  if (condition === 1) return x <= threshold;
  return condition === 2 ? x > threshold : x >= threshold;
}

/** Returns the leaf of tree `tree` for a row of features; NaN stands for a missing value. */
export function leafOf(forest: Forest, tree: number, row: Float64Array): number {
  const { feature, threshold, left, right, missingLeft, condition } = forest;
  let node = forest.roots[tree]!;
  for (;;) {
    const f = feature[node]!;
    if (f < 0) return node;
    const x = row[f]!;
    const isLeft = Number.isNaN(x) ? missingLeft[node] === 1 : goesLeft(x, threshold[node]!, condition[node]!);
    node = isLeft ? left[node]! : right[node]!;
  }
}

/** How the values of trees become the result of a model. */
export interface Aggregation {
  readonly kind: 'tree' | 'weighted_sum' | 'weighted_mode' | 'logistic_regression' | 'exponent';
  /** Weight of each tree; null for 1. */
  readonly weights: Float64Array | null;
}

/** Sums of the values of all trees, weighted. */
function sums(forest: Forest, weights: Float64Array | null, row: Float64Array): Float64Array {
  const { width, values } = forest;
  const out = new Float64Array(width);
  for (let tree = 0; tree < forest.roots.length; tree++) {
    const at = leafOf(forest, tree, row) * width;
    const weight = weights === null ? 1 : weights[tree]!;
    for (let k = 0; k < width; k++) out[k] = out[k]! + weight * values[at + k]!;
  }
  return out;
}

/** Turns sums into shares of one. */
export function softmax(sum: Float64Array): Float64Array {
  const top = Math.max(...sum);
  const powers = sum.map((v) => Math.exp(v - top));
  const total = powers.reduce((a, b) => a + b, 0);
  return powers.map((v) => v / total);
}

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

/** Returns the value of a regression. */
export function regressionValue(forest: Forest, { kind, weights }: Aggregation, row: Float64Array): number {
  const sum = sums(forest, weights, row)[0]!;
  if (kind === 'exponent') return Math.exp(sum);
  return kind === 'logistic_regression' ? sigmoid(sum) : sum;
}

/** Returns the probabilities of `classes` classes. */
export function classProbabilities(
  forest: Forest,
  { kind, weights }: Aggregation,
  classes: number,
  row: Float64Array,
): Float64Array {
  if (kind === 'weighted_mode') return votes(forest, weights, classes, row);
  const sum = sums(forest, weights, row);
  if (kind === 'logistic_regression') {
    if (sum.length > 1) return softmax(sum);
    const p = sigmoid(sum[0]!);
    return Float64Array.of(1 - p, p);
  }
  if (sum.length > 1) return sum;
  const one = new Float64Array(Math.max(2, classes));
  const index = Math.trunc(sum[0]!);
  if (index >= 0 && index < one.length) one[index] = 1;
  return one;
}

/** Each tree votes for the class that its value names. */
function votes(forest: Forest, weights: Float64Array | null, classes: number, row: Float64Array): Float64Array {
  const counts = new Float64Array(Math.max(2, classes));
  for (let tree = 0; tree < forest.roots.length; tree++) {
    const index = Math.trunc(forest.values[leafOf(forest, tree, row) * forest.width]!);
    if (index >= 0 && index < counts.length) counts[index] = counts[index]! + (weights === null ? 1 : weights[tree]!);
  }
  return softmax(counts);
}
