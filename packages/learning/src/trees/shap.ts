import { errors } from '@shoal/errors';
import { type Forest, goesLeft } from './forest.js';

/** Features on the way from the root to a node, with the shares of rows that go on if they are known or not. */
interface Path {
  readonly feature: Int32Array;
  readonly zero: Float64Array;
  readonly one: Float64Array;
  readonly weight: Float64Array;
}

/** Levels of a tree at most: paths are quadratic in them. */
const DEPTH_MAX = 128;

/**
 * Adds the shares that features have in a tree's value for a row, times `factor`: exact Shapley values of the tree as a
 * game of features, where a feature that is not known sends rows both ways as in training (Lundberg, Erion, Lee 2018,
 * "Consistent individualized feature attribution for tree ensembles", algorithm 2). `out`: `width` numbers a feature.
 */
export function addShares(forest: Forest, tree: number, row: Float64Array, factor: number, out: Float64Array): void {
  const { feature, threshold, left, right, missingLeft, condition, values, width, counts } = forest;
  const levels: Path[] = [];
  const visit = (node: number, length: number, level: number, zero: number, one: number, split: number): void => {
    if (length >= DEPTH_MAX)
      throw errors.illegalArgument(`feature importance needs trees of at most [${DEPTH_MAX}] levels`);
    const path = (levels[level] ??= emptyPath(level + 1));
    extend(level === 0 ? path : levels[level - 1]!, path, length, zero, one, split);
    const f = feature[node]!;
    if (f < 0) {
      for (let i = 1; i <= length; i++) {
        const share = unwoundSum(path, length, i) * (path.one[i]! - path.zero[i]!) * factor;
        const at = path.feature[i]! * width;
        for (let k = 0; k < width; k++) out[at + k] = out[at + k]! + share * values[node * width + k]!;
      }
      return;
    }
    const x = row[f]!;
    const isLeft = Number.isNaN(x) ? missingLeft[node] === 1 : goesLeft(x, threshold[node]!, condition[node]!);
    const [hot, cold] = isLeft ? [left[node]!, right[node]!] : [right[node]!, left[node]!];
    let [ownZero, ownOne, end] = [1, 1, length];
    for (let i = 1; i <= length; i++)
      if (path.feature[i] === f) {
        [ownZero, ownOne] = [path.zero[i]!, path.one[i]!];
        unwind(path, length, i);
        end = length - 1;
        break;
      }
    const total = counts[node]!;
    const shareOf = (child: number): number => (total > 0 ? counts[child]! / total : 0.5);
    visit(hot, end + 1, level + 1, ownZero * shareOf(hot), ownOne, f);
    visit(cold, end + 1, level + 1, ownZero * shareOf(cold), 0, f);
  };
  visit(forest.roots[tree]!, 0, 0, 1, 1, -1);
}

const emptyPath = (length: number): Path => ({
  feature: new Int32Array(length),
  zero: new Float64Array(length),
  one: new Float64Array(length),
  weight: new Float64Array(length),
});

/** Copies a path and adds a feature to it. */
function extend(above: Path, path: Path, length: number, zero: number, one: number, feature: number): void {
  for (let i = 0; i < length; i++) {
    path.feature[i] = above.feature[i]!;
    path.zero[i] = above.zero[i]!;
    path.one[i] = above.one[i]!;
    path.weight[i] = above.weight[i]!;
  }
  path.feature[length] = feature;
  path.zero[length] = zero;
  path.one[length] = one;
  const { weight } = path;
  weight[length] = length === 0 ? 1 : 0;
  for (let i = length - 1; i >= 0; i--) {
    weight[i + 1] = weight[i + 1]! + (one * weight[i]! * (i + 1)) / (length + 1);
    weight[i] = (zero * weight[i]! * (length - i)) / (length + 1);
  }
}

/** Takes a feature out of a path, as if it had never been on it. */
function unwind(path: Path, length: number, at: number): void {
  const { feature, zero, one, weight } = path;
  const [ownOne, ownZero] = [one[at]!, zero[at]!];
  let next = weight[length]!;
  for (let i = length - 1; i >= 0; i--)
    if (ownOne === 0) weight[i] = (weight[i]! * (length + 1)) / (ownZero * (length - i));
    else {
      const kept = weight[i]!;
      weight[i] = (next * (length + 1)) / ((i + 1) * ownOne);
      next = kept - (weight[i]! * ownZero * (length - i)) / (length + 1);
    }
  for (let i = at; i < length; i++) {
    feature[i] = feature[i + 1]!;
    zero[i] = zero[i + 1]!;
    one[i] = one[i + 1]!;
  }
}

/** Sum of the weights of a path without one of its features. */
function unwoundSum({ zero, one, weight }: Path, length: number, at: number): number {
  const [ownOne, ownZero] = [one[at]!, zero[at]!];
  let next = weight[length]!;
  let sum = 0;
  for (let i = length - 1; i >= 0; i--)
    if (ownOne === 0) sum += (weight[i]! * (length + 1)) / (ownZero * (length - i));
    else {
      const own = (next * (length + 1)) / ((i + 1) * ownOne);
      sum += own;
      next = weight[i]! - (own * ownZero * (length - i)) / (length + 1);
    }
  return sum;
}

/** Mean value of a tree over the rows of its training, added to `out`. */
export function addMeanValue(forest: Forest, tree: number, factor: number, out: Float64Array): void {
  const { feature, left, right, values, width, counts } = forest;
  const open: [node: number, share: number][] = [[forest.roots[tree]!, 1]];
  while (open.length > 0) {
    const [node, share] = open.pop()!;
    if (feature[node]! < 0) {
      for (let k = 0; k < width; k++) out[k] = out[k]! + factor * share * values[node * width + k]!;
      continue;
    }
    const total = counts[node]!;
    for (const child of [left[node]!, right[node]!])
      open.push([child, share * (total > 0 ? counts[child]! / total : 0.5)]);
  }
}
