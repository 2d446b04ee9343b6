import { errors } from '@shoal/errors';
import type { JsonObject } from '@shoal/json';
import {
  type FeatureColumn,
  parseModel,
  processFeatures,
  type TrainedModel,
  type TrainingLog,
  trainingBytes,
  trainModel,
  type TrainProgress,
  type TrainTarget,
  type TreeModel,
  valueIn,
} from '@shoal/learning';
import { classValue } from '../models/inference-config.js';
import type { Analysis, AnalysisModel, AnalysisStep } from './analysis.js';
import type { TreeSpec } from './analytics-config.js';
import type { AnalyzedField } from './field-selection.js';
import { hyperparametersJson } from './hyperparameters.js';
import { importanceJson, ImportanceTotals } from './importance.js';
import type { TableBuilder } from './table-builder.js';
import { trainingRows } from './training-rows.js';
import { checkClassCount } from './class-count.js';

/** Trees of a model at most, over all classes, if a request does not say; a third where shares of fields are wanted. */
const TREES_MOST = 6000;
/** Numbers in the leaves of a model at most: leaves have one for each class. */
const LEAF_NUMBERS_MOST = 6_000_000;
const NODES_OF_TREE = 48;

/** Opens a training on a table whose last column is the dependent variable. */
export function treeAnalysis(
  spec: TreeSpec,
  fields: readonly AnalyzedField[],
  table: TableBuilder,
  isLate: () => boolean,
  log: TrainingLog,
): Analysis {
  const columns = table.columns(fields.length - 1);
  const features = processFeatures(columns, spec.processors, table.rows);
  const target = targetOf(spec, table.column(fields.length - 1));
  const { rows, isTraining, known } = trainingRows(spec, target);
  const outputs = target.kind === 'classification' && target.labels.length > 2 ? target.labels.length : 1;
  const work = trainModel(features, target, rows, {
    ...{ seed: spec.seed, fixed: spec.fixed, stopsEarly: spec.stopsEarly, fineTrials: spec.fineTrials },
    ...{ treesMost: treesMostOf(spec, outputs), log },
  });
  const run = new TreeRun(spec, fields, columns, isTraining);
  return {
    counts: { training: rows.length, test: table.rows - rows.length, skipped: 0 },
    bytes: table.bytes + trainingBytes(table.rows, 2 * features.length, outputs) + known,
    step: () => run.step(work, isLate),
    results: (from, to) =>
      Array.from({ length: Math.max(0, Math.min(to, table.rows) - from) }, (_, i) => run.result(from + i)),
    model: () => run.model(),
  };
}

function treesMostOf({ treesMost, importances }: TreeSpec, outputs: number): number {
  if (treesMost !== null) return treesMost * outputs;
  const byLeaves = Math.floor(LEAF_NUMBERS_MOST / (NODES_OF_TREE * outputs));
  return Math.max(outputs, Math.min(importances > 0 ? TREES_MOST / 3 : TREES_MOST, byLeaves));
}

function targetOf(spec: TreeSpec, column: FeatureColumn): TrainTarget {
  if (spec.kind === 'regression') {
    if (column.kind !== 'number') throw errors.status(`field [${column.name}] is not numeric`, { status: 400 });
    if (spec.loss === 'msle' && column.values.some((value) => value < 0))
      throw errors.status(`[msle] needs values of [${column.name}] that are not negative`, { status: 400 });
    return { kind: 'regression', values: column.values, loss: spec.loss, parameter: spec.lossParameter };
  }
  if (column.kind !== 'category') throw errors.status(`field [${column.name}] is not of classes`, { status: 400 });
  const labels = [...column.texts].sort();
  checkClassCount(column.name, labels.length);
  const places = new Map(labels.map((label, i) => [label, i]));
  const values = Float64Array.from(column.codes, (code) => (code < 0 ? Number.NaN : places.get(column.texts[code]!)!));
  return { kind: 'classification', values, labels, objective: spec.objective };
}

/** A definition with the processors of the analysis before those that training made. */
function withProcessors(definition: JsonObject, processors: TreeSpec['processors']): JsonObject {
  const own = processors.map(({ kind, body }) => ({ [kind]: body }));
  const made = (definition['preprocessors'] ?? []) as readonly unknown[];
  return own.length === 0 ? definition : { ...definition, preprocessors: [...own, ...made] };
}

class TreeRun {
  readonly #spec: TreeSpec;
  readonly #fields: readonly AnalyzedField[];
  readonly #features: readonly FeatureColumn[];
  readonly #isTraining: Uint8Array;
  readonly #places: ReadonlyMap<string, number>;
  readonly #totals = new ImportanceTotals();
  #trained: TrainedModel | null = null;
  #definition: JsonObject = {};
  #model: TreeModel | null = null;

  constructor(
    spec: TreeSpec,
    fields: readonly AnalyzedField[],
    features: readonly FeatureColumn[],
    isTraining: Uint8Array,
  ) {
    this.#spec = spec;
    this.#fields = fields;
    this.#features = features;
    this.#isTraining = isTraining;
    this.#places = new Map(features.map(({ name }, f) => [name, f]));
  }

  step(work: Generator<TrainProgress, TrainedModel>, isLate: () => boolean): AnalysisStep {
    let next = work.next();
    while (next.done !== true && !isLate()) next = work.next();
    if (next.done !== true) {
      const { phase, share, trial, loss } = next.value;
      return { isDone: false, phase, share, stats: { iteration: trial, validation_loss: this.#lossJson(loss) } };
    }
    const trained = next.value as TrainedModel;
    this.#trained = trained;
    this.#definition = withProcessors(trained.definition as JsonObject, this.#spec.processors);
    this.#model = parseModel(this.#definition);
    const stats = {
      iteration: trained.trials,
      hyperparameters: hyperparametersJson(trained.settings, trained.trees),
      validation_loss: this.#lossJson(trained.loss),
    };
    return { isDone: true, phase: 'final_training', share: 1, stats };
  }

  #lossJson(loss: number): JsonObject {
    const type = this.#spec.kind === 'regression' ? this.#spec.loss : 'binomial_logistic';
    return { loss_type: type, fold_values: Number.isFinite(loss) ? [{ fold: 0, values: [loss] }] : [] };
  }

  /** Result of a document, as the model in its stored form gives it. */
  result(row: number): JsonObject {
    const spec = this.#spec;
    const model = this.#model!;
    const read = (field: string): unknown => this.#valueOf(field, row);
    const own =
      spec.kind === 'regression' ? { [spec.predictionField]: model.value(read) } : this.#classResult(spec, model, read);
    const isTraining = this.#isTraining[row] === 1;
    if (spec.importances === 0) return { ...own, is_training: isTraining };
    const shares = model.shares(read);
    if (isTraining) this.#totals.add(shares);
    const shown = importanceJson(model, shares, spec.importances, (name) => this.#typed(name));
    return { ...own, is_training: isTraining, feature_importance: shown };
  }

  #valueOf(field: string, row: number): unknown {
    const f = this.#places.get(field);
    if (f === undefined) return undefined;
    return valueIn(this.#features[f]!, row);
  }

  #classResult(
    spec: Extract<TreeSpec, { kind: 'classification' }>,
    model: TreeModel,
    read: (field: string) => unknown,
  ): JsonObject {
    const classes = model.classes(read);
    const best = classes[0]!;
    const count = spec.topClasses < 0 ? classes.length : Math.min(classes.length, spec.topClasses);
    return {
      [spec.predictionField]: this.#typed(best.name),
      prediction_probability: best.probability,
      prediction_score: best.score,
      ...(count === 0
        ? {}
        : {
            top_classes: classes.slice(0, count).map(({ name, probability, score }) => ({
              ...{ class_name: this.#typed(name), class_probability: probability, class_score: score },
            })),
          }),
    };
  }

  #typed(name: string): string | number | boolean {
    return classValue(name, this.#classType());
  }

  /** Type of the classes: that of the dependent variable. */
  #classType(): 'string' | 'number' | 'boolean' {
    const labels = this.#model!.labels;
    if (labels.every((label) => label === 'true' || label === 'false')) return 'boolean';
    return labels.every((label) => /^-?\d+$/.test(label)) ? 'number' : 'string';
  }

  model(): AnalysisModel {
    const { settings, trees } = this.#trained!;
    const model = this.#model!;
    const inputs = this.#fields.slice(0, -1).map(({ name }) => name);
    const parameters = hyperparametersJson(settings, trees);
    const isFixed = this.#spec.fixed as Readonly<Record<string, number>>;
    const metadata = {
      hyperparameters: Object.entries(parameters).map(([name, value]) => ({
        ...{ name, value, supplied: Object.values(isFixed).includes(value as number) && name !== 'max_trees' },
      })),
      ...(this.#spec.importances === 0
        ? {}
        : {
            total_feature_importance: this.#totals.json(model, (name) => this.#typed(name)),
            feature_importance_baseline: baselineJson(model, (name) => this.#typed(name)),
          }),
    };
    return { definition: this.#definition, inputs, metadata, fieldType: this.#classType() };
  }
}

function baselineJson(model: TreeModel, typed: (name: string) => unknown): JsonObject {
  const baseline = model.baseline();
  if (model.target === 'regression') return { baseline: baseline[0]! };
  const values = baseline.length === 1 ? Float64Array.of(-baseline[0]!, baseline[0]!) : baseline;
  return { classes: Array.from(values, (value, k) => ({ class_name: typed(model.labels[k]!), baseline: value })) };
}
