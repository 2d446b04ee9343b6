import { binnedBytes, type BinnedTable, binTable } from './bins.js';
import { weightsForRecall } from './class-weights.js';
import { definitionOf } from './definition.js';
import { seededDraws } from './draws.js';
import { type FeatureColumn, fitFeatures } from './fit-encoders.js';
import { lossOf } from './losses.js';
import { softmax } from './forest.js';
import { type TrainedTrees, type TrainOptions, type TrainProgress, trainTrees } from './train.js';

/** What is predicted, from which rows. */
export type TrainTarget =
  | {
      readonly kind: 'regression';
      /** Value of each row; NaN where there is none. */
      readonly values: Float64Array;
      readonly loss: 'mse' | 'msle' | 'huber';
      readonly parameter: number;
    }
  | {
      readonly kind: 'classification';
      /** Place of each row's class in `labels`; NaN where there is none. */
      readonly values: Float64Array;
      readonly labels: readonly string[];
      readonly objective: 'maximize_accuracy' | 'maximize_minimum_recall';
    };

/** A trained model as a definition of 8.12, and how it came about. */
export interface TrainedModel {
  readonly definition: Readonly<Record<string, unknown>>;
  readonly settings: TrainedTrees['settings'];
  readonly trees: number;
  readonly rounds: number;
  readonly trials: number;
  readonly loss: number;
}

/** Bytes that a training takes at most, by the size of its table. */
export function trainingBytes(rows: number, features: number, outputs: number): number {
  const scores = rows * outputs * 8 * 4;
  return Math.ceil(rows * features * 8 + binnedBytes(rows, features) + scores + rows * 64 + 4 * 2 ** 20);
}

/** Trains a model on rows; the same table, target, rows and options give the same model. */
export function* trainModel(
  table: readonly FeatureColumn[],
  target: TrainTarget,
  rows: Int32Array,
  options: TrainOptions,
): Generator<TrainProgress, TrainedModel> {
  const { values, scale, shift } = scaled(target, rows);
  const fitted = fitFeatures(table, rows, meanTargets(target, values), seededDraws(options.seed ^ 0x5bd1e995));
  const binned = binTable(fitted.columns, rows);
  const loss = lossFor(target, scale);
  const trained = yield* trainTrees({ table: binned, targets: values, loss }, rows, options);
  return modelOf(target, trained, binned, fitted, values, rows, scale, shift);
}

function modelOf(
  target: TrainTarget,
  trained: TrainedTrees,
  binned: BinnedTable,
  { names, preprocessors }: ReturnType<typeof fitFeatures>,
  values: Float64Array,
  rows: Int32Array,
  scale: number,
  shift: number,
): TrainedModel {
  const isRegression = target.kind === 'regression';
  const regressionOutput = isRegression && target.loss === 'msle' ? 'exponent' : 'weighted_sum';
  const definition = definitionOf(trained, binned, {
    ...{ names, preprocessors, target: target.kind, scale, shift },
    aggregation: isRegression ? regressionOutput : 'logistic_regression',
    labels: isRegression ? null : target.labels,
    weights: isRegression || target.objective === 'maximize_accuracy' ? null : weightsOf(trained, values, rows),
  });
  const { settings, trees, rounds, trials, loss } = trained;
  return {
    definition,
    settings,
    trees: trees.length + 1,
    rounds,
    trials,
    loss: isRegression ? loss * scale * scale : loss,
  };
}

/** Targets with mean 0 and deviation 1, where penalties mean the same for all tables. */
function scaled(target: TrainTarget, rows: Int32Array): { values: Float64Array; scale: number; shift: number } {
  if (target.kind === 'classification' || target.loss === 'msle') return { values: target.values, scale: 1, shift: 0 };
  let [mean, squares] = [0, 0];
  for (const row of rows) mean += target.values[row]! / rows.length;
  for (const row of rows) squares += (target.values[row]! - mean) ** 2 / rows.length;
  const scale = Math.sqrt(squares);
  if (!(scale > 0) || !Number.isFinite(scale))
    return { values: target.values.map((v) => v - mean), scale: 1, shift: mean };
  return { values: target.values.map((v) => (v - mean) / scale), scale, shift: mean };
}

function lossFor(target: TrainTarget, scale: number): ReturnType<typeof lossOf> {
  if (target.kind === 'regression')
    return lossOf(target.loss, target.loss === 'huber' ? target.parameter / scale : target.parameter);
  return target.labels.length === 2 ? lossOf('logistic', 0) : lossOf('softmax', target.labels.length);
}

/** Targets that values of text fields have means of: the target, or one for each class. */
function meanTargets(target: TrainTarget, values: Float64Array): Float64Array[] {
  if (target.kind === 'regression' || target.labels.length === 2) return [values];
  return target.labels.map((_, k) => values.map((own) => (own === k ? 1 : 0)));
}

function weightsOf({ heldScores }: TrainedTrees, values: Float64Array, rows: Int32Array): number[] | null {
  const known = rows.filter((row) => !Number.isNaN(heldScores[0]![row]!));
  if (known.length === 0) return null;
  const classes = Math.max(2, heldScores.length);
  const probabilities = Array.from({ length: classes }, () => new Float64Array(known.length));
  known.forEach((row, i) => {
    const scores = Float64Array.from(heldScores, (own) => own[row]!);
    const p = scores.length > 1 ? softmax(scores) : twoOf(scores[0]!);
    p.forEach((value, k) => (probabilities[k]![i] = value));
  });
  return weightsForRecall(
    probabilities,
    Float64Array.from(known, (row) => values[row]!),
  );
}

function twoOf(score: number): Float64Array {
  const p = 1 / (1 + Math.exp(-score));
  return Float64Array.of(1 - p, p);
}
