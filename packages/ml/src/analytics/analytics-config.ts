import { errors } from '@shoal/errors';
import { type BodyReader, bodyReader, isPlainObject, type JsonObject } from '@shoal/json';
import { type OutlierMethod, parseProcessors, type Processor, type TrainOptions } from '@shoal/learning';
import { parseByteSize } from '@shoal/values';
import { checkId } from '../jobs/job-id.js';
import { hyperparametersIn } from './hyperparameters.js';

/** What an analysis computes. */
export type AnalysisSpec =
  | {
      readonly kind: 'outlier_detection';
      readonly method: OutlierMethod | null;
      readonly neighbours: number | null;
      readonly fraction: number;
      readonly standardizes: boolean;
      readonly wantsInfluence: boolean;
      readonly influenceLeast: number;
    }
  | (TreesSpec & {
      readonly kind: 'regression';
      readonly loss: 'mse' | 'msle' | 'huber';
      readonly lossParameter: number;
    })
  | (TreesSpec & {
      readonly kind: 'classification';
      /** Negative for all. */
      readonly topClasses: number;
      readonly objective: 'maximize_accuracy' | 'maximize_minimum_recall';
    });

/** An analysis that trains a model. */
export type TreeSpec = Extract<AnalysisSpec, { kind: 'regression' | 'classification' }>;

/** What regression and classification have in common. */
export interface TreesSpec {
  readonly dependent: string;
  readonly predictionField: string;
  readonly trainingPercent: number;
  readonly seed: number;
  readonly importances: number;
  readonly fixed: TrainOptions['fixed'];
  readonly treesMost: number | null;
  readonly stopsEarly: boolean;
  readonly fineTrials: number | null;
  /** What makes features of fields before the analysis does. */
  readonly processors: readonly Processor[];
}

/** A data frame analytics job. */
export interface AnalyticsConfig {
  readonly id: string;
  readonly source: {
    readonly indices: readonly string[];
    readonly query: JsonObject;
    readonly runtime: JsonObject | null;
    /** Members of documents that are copied; null for all. */
    readonly fields: { readonly includes: readonly string[]; readonly excludes: readonly string[] } | null;
  };
  readonly dest: { readonly index: string; readonly resultsField: string };
  readonly analysis: AnalysisSpec;
  readonly includes: readonly string[];
  readonly excludes: readonly string[];
  readonly memoryBytes: number;
  /** The analysis as `GET` shows it. */
  readonly json: JsonObject;
}

const KEYS = [
  ...['id', 'source', 'dest', 'analysis', 'analyzed_fields', 'description', 'model_memory_limit', 'max_num_threads'],
  ...['allow_lazy_start', 'create_time', 'version', 'headers', '_meta'],
];
const METHODS: readonly string[] = ['lof', 'ldof', 'distance_kth_nn', 'distance_knn'];
const MB = 1024 * 1024;
const LIMIT_DEFAULT = '1gb';

/** Parses the body of an analysis. `memoryMostBytes` bounds its memory, also where it asks for more by default. */
export function parseAnalytics(id: string, body: unknown, memoryMostBytes: number): AnalyticsConfig {
  const reader = bodyReader('data_frame_analytics_config', body);
  reader.onlyKeys(KEYS);
  checkId('id', id);
  const source = parseSource(reader.object('source'));
  const dest = bodyReader('dest', reader.object('dest'));
  dest.onlyKeys(['index', 'results_field']);
  const index = dest.text('index');
  const resultsField = dest.optionalText('results_field') ?? 'ml';
  if (resultsField === '') throw errors.illegalArgument('[results_field] must be non-empty');
  if (source.indices.includes(index))
    throw errors.actionRequestValidation(
      `Validation Failed: 1: Destination index [${index}] is included in source expression ` +
        `[${source.indices.join(',')}];`,
    );
  const { spec, json: analysis } = parseAnalysis(reader.object('analysis'), id);
  const given = body as JsonObject;
  const [includes, excludes] = analyzedFields(given['analyzed_fields']);
  const { model_memory_limit: size } = given;
  const limit = typeof size === 'number' ? String(size) : reader.optionalText('model_memory_limit');
  const wantedBytes = parseByteSize(limit ?? LIMIT_DEFAULT, 'model_memory_limit');
  if (limit !== null && wantedBytes < 1024)
    throw errors.illegalArgument(`model_memory_limit must be at least 1kb. Value = ${limit}`);
  const threads = reader.optionalNumber('max_num_threads') ?? 1;
  if (!Number.isInteger(threads) || threads < 1)
    throw errors.illegalArgument('[max_num_threads] must be a positive integer');
  const memoryBytes = Math.min(wantedBytes, memoryMostBytes);
  const json: JsonObject = {
    id,
    ...(given['description'] === undefined ? {} : { description: descriptionIn(reader) }),
    source: source.json,
    dest: { index, results_field: resultsField },
    analysis,
    ...(given['analyzed_fields'] === undefined ? {} : { analyzed_fields: { includes, excludes } }),
    model_memory_limit: limit ?? `${Math.max(1, Math.floor(memoryBytes / MB))}mb`,
    ...(isPlainObject(given['_meta']) ? { _meta: given['_meta'] } : {}),
    allow_lazy_start: reader.optionalBoolean('allow_lazy_start') ?? false,
    max_num_threads: threads,
  };
  return { id, source, dest: { index, resultsField }, analysis: spec, includes, excludes, memoryBytes, json };
}

const DESCRIPTION_MAX = 1000;

/** Throws 8.12's error for a description that is too long. */
function descriptionIn(reader: BodyReader): string | null {
  const text = reader.optionalText('description');
  if (text !== null && text.length > DESCRIPTION_MAX)
    throw errors.illegalArgument(`[description] must be less than ${DESCRIPTION_MAX} characters in length`);
  return text;
}

function parseSource(body: JsonObject): AnalyticsConfig['source'] & { json: JsonObject } {
  const reader = bodyReader('source', body);
  reader.onlyKeys(['index', 'query', 'runtime_mappings', '_source']);
  const given = body['index'];
  const indices = typeof given === 'string' ? [given] : reader.texts('index');
  if (indices.length === 0) throw errors.illegalArgument('source.index must specify at least one index');
  const query = reader.optionalObject('query') ?? { match_all: {} };
  const runtime = reader.optionalObject('runtime_mappings');
  const fields = body['_source'] === undefined ? null : filterOf(body['_source']);
  const json: JsonObject = {
    index: [...indices],
    query,
    ...(runtime === null ? {} : { runtime_mappings: runtime }),
    ...(fields === null ? {} : { _source: fields }),
  };
  return { indices, query, runtime, fields, json };
}

function filterOf(given: unknown): { includes: readonly string[]; excludes: readonly string[] } {
  if (typeof given === 'string') return { includes: [given], excludes: [] };
  if (Array.isArray(given)) return { includes: given.map(String), excludes: [] };
  const reader = bodyReader('_source', given);
  reader.onlyKeys(['includes', 'excludes', 'include', 'exclude']);
  return {
    includes: [...reader.texts('includes'), ...reader.texts('include')],
    excludes: [...reader.texts('excludes'), ...reader.texts('exclude')],
  };
}

function analyzedFields(given: unknown): readonly [includes: string[], excludes: string[]] {
  if (given === undefined || given === null) return [[], []];
  if (Array.isArray(given)) return [given.map(String), []];
  const { includes, excludes } = filterOf(given);
  return [[...includes], [...excludes]];
}

function parseAnalysis(body: JsonObject, id: string): { spec: AnalysisSpec; json: JsonObject } {
  const entries = Object.entries(body);
  if (entries.length !== 1)
    throw errors.illegalArgument('[data_frame_analytics_config] must have exactly one analysis', { status: 400 });
  const [kind, options] = entries[0]!;
  const reader = bodyReader(kind, options);
  const given = options as JsonObject;
  if (kind === 'outlier_detection') return outlierSpec(reader);
  if (kind === 'regression') return regressionSpec(reader, given, id);
  if (kind === 'classification') return classificationSpec(reader, given, id);
  throw errors.namedObjectNotFound(
    `unknown field [${kind}], did you mean one of [outlier_detection, regression, classification]?`,
  );
}

function numberIn(reader: BodyReader, key: string, least: number, most: number, fallback: number): number {
  const value = reader.optionalNumber(key) ?? fallback;
  if (!(value >= least && value <= most))
    throw errors.illegalArgument(`[${key}] must be a double in [${least}, ${most}]`);
  return value;
}

function outlierSpec(reader: BodyReader): { spec: AnalysisSpec; json: JsonObject } {
  reader.onlyKeys([
    ...['method', 'n_neighbors', 'outlier_fraction', 'standardization_enabled', 'compute_feature_influence'],
    'feature_influence_threshold',
  ]);
  const name = reader.optionalText('method');
  if (name !== null && name !== 'ensemble' && !METHODS.includes(name))
    throw errors.illegalArgument(`No enum constant of outlier detection methods [${name}]`);
  const method = name === null || name === 'ensemble' ? null : (name as OutlierMethod);
  const neighbours = reader.optionalNumber('n_neighbors');
  if (neighbours !== null && (!Number.isInteger(neighbours) || neighbours < 1))
    throw errors.illegalArgument('[n_neighbors] must be a positive integer');
  if (neighbours !== null && neighbours > NEIGHBOURS_MAX)
    throw errors.illegalArgument(`[n_neighbors] must be at most [${NEIGHBOURS_MAX}]`);
  const least = reader.optionalNumber('feature_influence_threshold');
  const spec = {
    kind: 'outlier_detection' as const,
    ...{ method, neighbours },
    fraction: numberIn(reader, 'outlier_fraction', 0, 1, 0.05),
    standardizes: reader.optionalBoolean('standardization_enabled') ?? true,
    wantsInfluence: reader.optionalBoolean('compute_feature_influence') ?? true,
    influenceLeast: numberIn(reader, 'feature_influence_threshold', 0, 1, 0.1),
  };
  const json = {
    ...(neighbours === null ? {} : { n_neighbors: neighbours }),
    ...(name === null ? {} : { method: name }),
    ...(least === null ? {} : { feature_influence_threshold: least }),
    ...{ compute_feature_influence: spec.wantsInfluence, outlier_fraction: spec.fraction },
    standardization_enabled: spec.standardizes,
  };
  return { spec, json: { outlier_detection: json } };
}

/** Neighbours of a row are kept for all rows. */
const NEIGHBOURS_MAX = 200;

const TREES_KEYS = [
  ...['dependent_variable', 'prediction_field_name', 'training_percent', 'randomize_seed', 'early_stopping_enabled'],
  ...['num_top_feature_importance_values', 'feature_processors', 'alpha', 'lambda', 'gamma', 'eta', 'max_trees'],
  ...['eta_growth_rate_per_tree', 'feature_bag_fraction', 'soft_tree_depth_limit', 'soft_tree_depth_tolerance'],
  ...['downsample_factor', 'max_optimization_rounds_per_hyperparameter'],
];

/** A number that depends on a text alone: the seed of an analysis that names none. */
function seedOf(text: string): number {
  let hash = 2_166_136_261;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16_777_619) >>> 0;
  return hash;
}

function treesSpec(reader: BodyReader, given: JsonObject, id: string): { spec: TreesSpec; json: JsonObject } {
  const dependent = reader.text('dependent_variable');
  const listed = given['feature_processors'] ?? [];
  if (!Array.isArray(listed)) throw errors.illegalArgument('[feature_processors] must be an array');
  const processors = parseProcessors(listed);
  if (processors.some(({ inputs }) => inputs.includes(dependent)))
    throw errors.illegalArgument(`[feature_processors] must not read the dependent variable [${dependent}]`);
  const percent = numberIn(reader, 'training_percent', 0, 100, 100);
  if (percent === 0) throw errors.illegalArgument('[training_percent] must be a positive double in (0, 100]');
  const importances = reader.optionalNumber('num_top_feature_importance_values') ?? 0;
  if (!Number.isInteger(importances) || importances < 0)
    throw errors.illegalArgument('[num_top_feature_importance_values] must be a non-negative integer');
  const seed = reader.optionalNumber('randomize_seed') ?? seedOf(id);
  const { fixed, treesMost, fineRounds, json } = hyperparametersIn(reader);
  const predictionField = reader.optionalText('prediction_field_name') ?? `${dependent}_prediction`;
  const stopsEarly = reader.optionalBoolean('early_stopping_enabled') ?? true;
  const spec = {
    ...{ dependent, predictionField, trainingPercent: percent, importances, fixed, treesMost, stopsEarly },
    ...{ seed: seed % 2 ** 31, fineTrials: fineRounds, processors },
  };
  const shown = {
    dependent_variable: dependent,
    ...json,
    ...(listed.length === 0 ? {} : { feature_processors: listed as JsonObject[] }),
    ...(importances > 0 ? { num_top_feature_importance_values: importances } : {}),
    prediction_field_name: predictionField,
    training_percent: percent,
    randomize_seed: seed,
    early_stopping_enabled: stopsEarly,
  };
  return { spec, json: shown };
}

function regressionSpec(reader: BodyReader, given: JsonObject, id: string): { spec: AnalysisSpec; json: JsonObject } {
  reader.onlyKeys([...TREES_KEYS, 'loss_function', 'loss_function_parameter']);
  const { spec, json } = treesSpec(reader, given, id);
  const loss = reader.optionalText('loss_function') ?? 'mse';
  if (loss !== 'mse' && loss !== 'msle' && loss !== 'huber')
    throw errors.illegalArgument(`unknown [loss_function] [${loss}], known: [mse, msle, huber]`);
  const parameter = reader.optionalNumber('loss_function_parameter');
  if (parameter !== null && !(parameter > 0))
    throw errors.illegalArgument('[loss_function_parameter] must be a positive double');
  const shown = { ...json, loss_function: loss, ...(parameter === null ? {} : { loss_function_parameter: parameter }) };
  return { spec: { ...spec, kind: 'regression', loss, lossParameter: parameter ?? 1 }, json: { regression: shown } };
}

function classificationSpec(
  reader: BodyReader,
  given: JsonObject,
  id: string,
): { spec: AnalysisSpec; json: JsonObject } {
  reader.onlyKeys([...TREES_KEYS, 'num_top_classes', 'class_assignment_objective']);
  const { spec, json } = treesSpec(reader, given, id);
  const topClasses = reader.optionalNumber('num_top_classes') ?? 2;
  if (!Number.isInteger(topClasses) || topClasses < -1 || topClasses > 1000)
    throw errors.illegalArgument('[num_top_classes] must be an integer in [0, 1000] or a special value -1');
  const objective = reader.optionalText('class_assignment_objective') ?? 'maximize_minimum_recall';
  if (objective !== 'maximize_accuracy' && objective !== 'maximize_minimum_recall')
    throw errors.illegalArgument(
      `unknown [class_assignment_objective] [${objective}], known: [maximize_accuracy, maximize_minimum_recall]`,
    );
  const shown = { ...json, class_assignment_objective: objective, num_top_classes: topClasses };
  return { spec: { ...spec, kind: 'classification', topClasses, objective }, json: { classification: shown } };
}
