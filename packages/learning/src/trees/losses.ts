/** What training makes small. Scores are one array for each output; classes are numbers from 0. */

/** Names of losses. */
export type LossName = 'mse' | 'msle' | 'huber' | 'logistic' | 'softmax';

/** A loss over rows. */
export interface Loss {
  /** Scores of a row: one, or one for each class. */
  readonly outputs: number;
  /** Scores before the first tree, from the targets of rows. */
  start(targets: Float64Array, rows: Int32Array): Float64Array;
  /** Writes gradients and curvatures of an output for rows. */
  derive(
    targets: Float64Array,
    scores: readonly Float64Array[],
    output: number,
    rows: Int32Array,
    gradients: Float64Array,
    curvatures: Float64Array,
  ): void;
  /** Mean loss of rows. */
  mean(targets: Float64Array, scores: readonly Float64Array[], rows: Int32Array): number;
}

const CURVATURE_LEAST = 1e-6;

function meanOver(rows: Int32Array, one: (row: number) => number): number {
  let sum = 0;
  for (const row of rows) sum += one(row);
  return rows.length === 0 ? 0 : sum / rows.length;
}

/** Squared error. */
const mse: Loss = {
  outputs: 1,
  start: (targets, rows) => Float64Array.of(meanOver(rows, (row) => targets[row]!)),
  derive(targets, scores, _output, rows, gradients, curvatures) {
    const own = scores[0]!;
    for (const row of rows) {
      gradients[row] = own[row]! - targets[row]!;
      curvatures[row] = 1;
    }
  },
  mean: (targets, scores, rows) => meanOver(rows, (row) => (targets[row]! - scores[0]![row]!) ** 2),
};

/** Squared error of logarithms: scores are logarithms of predictions. Curvature as Gauss and Newton have it. */
const msle = (offset: number): Loss => ({
  outputs: 1,
  start: (targets, rows) => {
    const mean = meanOver(rows, (row) => Math.log(offset + targets[row]!));
    return Float64Array.of(Math.log(Math.max(1e-9, Math.exp(mean) - offset)));
  },
  derive(targets, scores, _output, rows, gradients, curvatures) {
    const own = scores[0]!;
    for (const row of rows) {
      const predicted = Math.exp(own[row]!);
      const slope = predicted / (offset + predicted);
      gradients[row] = (Math.log(offset + predicted) - Math.log(offset + targets[row]!)) * slope;
      curvatures[row] = Math.max(CURVATURE_LEAST, slope * slope);
    }
  },
  mean: (targets, scores, rows) =>
    meanOver(rows, (row) => (Math.log(offset + Math.exp(scores[0]![row]!)) - Math.log(offset + targets[row]!)) ** 2),
});

/**
 * Pseudo-Huber loss (Charbonnier et al. 1997): squares near 0, absolute values beyond `delta`. The curvature is that of
 * the parabola that touches the loss from above (iterated weighted least squares).
 */
const huber = (delta: number): Loss => ({
  outputs: 1,
  start: (targets, rows) => {
    const sorted = Float64Array.from(rows, (row) => targets[row]!).sort();
    return Float64Array.of(sorted[sorted.length >> 1] ?? 0);
  },
  derive(targets, scores, _output, rows, gradients, curvatures) {
    const own = scores[0]!;
    for (const row of rows) {
      const error = own[row]! - targets[row]!;
      const weight = 1 / Math.sqrt(1 + (error / delta) ** 2);
      gradients[row] = error * weight;
      curvatures[row] = weight;
    }
  },
  mean: (targets, scores, rows) =>
    meanOver(rows, (row) => {
      const error = (targets[row]! - scores[0]![row]!) / delta;
      return delta * delta * (Math.sqrt(1 + error * error) - 1);
    }),
});

/** Logarithmic loss of two classes. */
const logistic: Loss = {
  outputs: 1,
  start: (targets, rows) => {
    const share = (meanOver(rows, (row) => targets[row]!) * rows.length + 0.5) / (rows.length + 1);
    return Float64Array.of(Math.log(share / (1 - share)));
  },
  derive(targets, scores, _output, rows, gradients, curvatures) {
    const own = scores[0]!;
    for (const row of rows) {
      const p = 1 / (1 + Math.exp(-own[row]!));
      gradients[row] = p - targets[row]!;
      curvatures[row] = Math.max(CURVATURE_LEAST, p * (1 - p));
    }
  },
  mean: (targets, scores, rows) =>
    meanOver(rows, (row) => {
      const margin = targets[row] === 1 ? -scores[0]![row]! : scores[0]![row]!;
      return margin > 0 ? margin + Math.log1p(Math.exp(-margin)) : Math.log1p(Math.exp(margin));
    }),
};

/** Logarithmic loss of several classes, one score for each (Friedman 2001, section 4.6). */
const softmax = (classes: number): Loss => ({
  outputs: classes,
  start: (targets, rows) => {
    const counts = new Float64Array(classes).fill(1);
    for (const row of rows) counts[targets[row]!]!++;
    return counts.map((count) => Math.log(count / (rows.length + classes)));
  },
  derive(targets, scores, output, rows, gradients, curvatures) {
    for (const row of rows) {
      const p = Math.exp(scores[output]![row]! - logSum(scores, row));
      gradients[row] = p - (targets[row] === output ? 1 : 0);
      curvatures[row] = Math.max(CURVATURE_LEAST, p * (1 - p));
    }
  },
  mean: (targets, scores, rows) => meanOver(rows, (row) => logSum(scores, row) - scores[targets[row]!]![row]!),
});

/** Logarithm of the sum of the powers of a row's scores. */
function logSum(scores: readonly Float64Array[], row: number): number {
  let top = Number.NEGATIVE_INFINITY;
  for (const own of scores) top = Math.max(top, own[row]!);
  let sum = 0;
  for (const own of scores) sum += Math.exp(own[row]! - top);
  return top + Math.log(sum);
}

/** Returns a loss. `parameter`: offset of `msle`, `delta` of `huber`, number of classes of `softmax`. */
export function lossOf(name: LossName, parameter: number): Loss {
  if (name === 'msle') return msle(parameter);
  if (name === 'huber') return huber(parameter);
  if (name === 'softmax') return softmax(parameter);
  return name === 'mse' ? mse : logistic;
}
