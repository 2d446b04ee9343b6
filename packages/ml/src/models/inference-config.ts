import { errors } from '@shoal/errors';
import { bodyReader, isPlainObject, type JsonObject } from '@shoal/json';
import type { TreeModel } from '@shoal/learning';
import { parseRanking, RANKING_KEYS, type RankingConfig, rankingJson } from './ranking-config.js';
import { importanceJson } from '../analytics/importance.js';

/** How results of a model are shown. */
export interface InferenceConfig {
  readonly kind: 'regression' | 'classification' | 'learning_to_rank';
  /** What a model that ranks hits is asked; null for others. */
  readonly ranking: RankingConfig | null;
  readonly resultsField: string;
  readonly topClasses: number;
  readonly topClassesField: string;
  readonly fieldType: 'string' | 'number' | 'boolean';
  /** Fields whose shares in a result are shown. */
  readonly importances: number;
}

/** Kinds of tasks of 8.12 that only models of PyTorch do. */
const TEXT_TASKS = [
  ...['fill_mask', 'ner', 'pass_through', 'text_classification', 'text_embedding', 'text_expansion'],
  ...['question_answering', 'zero_shot_classification', 'text_similarity'],
];

const KEYS = {
  regression: ['results_field', 'num_top_feature_importance_values'],
  classification: [
    ...['results_field', 'num_top_classes', 'top_classes_results_field', 'prediction_field_type'],
    'num_top_feature_importance_values',
  ],
  learning_to_rank: RANKING_KEYS,
};

/** Parses `inference_config`: one member, named for the kind of task; what it does not say is that of `base`. */
export function parseInferenceConfig(json: unknown, base: InferenceConfig | null): InferenceConfig {
  if (!isPlainObject(json)) throw errors.illegalArgument('[inference_config] must be an object');
  const entries = Object.entries(json);
  if (entries.length !== 1)
    throw errors.illegalArgument('[inference_config] must be an object with one inference type mapped to an object');
  const [kind, body] = entries[0]!;
  if (TEXT_TASKS.includes(kind))
    throw errors.illegalArgument(
      `[${kind}] is not supported: models of PyTorch cannot be run; [regression] and [classification] of trees can`,
    );
  if (kind !== 'regression' && kind !== 'classification' && kind !== 'learning_to_rank')
    throw errors.illegalArgument(
      `unknown inference type [${kind}], supported: [classification, regression, learning_to_rank]`,
    );
  if (base !== null && base.kind !== kind)
    throw errors.illegalArgument(`[inference_config] of type [${kind}] does not fit a model of type [${base.kind}]`, {
      status: 403,
    });
  const reader = bodyReader(`${kind}`, body);
  reader.onlyKeys(KEYS[kind]);
  const importances = reader.optionalNumber('num_top_feature_importance_values') ?? base?.importances ?? 0;
  if (!Number.isInteger(importances) || importances < 0)
    throw errors.illegalArgument(
      `[num_top_feature_importance_values] must be greater than or equal to 0, was [${importances}]`,
    );
  const type = reader.optionalText('prediction_field_type') ?? base?.fieldType ?? 'string';
  if (!['string', 'number', 'boolean'].includes(type))
    throw errors.illegalArgument(`unknown prediction_field_type [${type}]`);
  return {
    kind,
    ranking: kind === 'learning_to_rank' ? parseRanking(body as JsonObject) : null,
    resultsField: reader.optionalText('results_field') ?? base?.resultsField ?? 'predicted_value',
    topClasses: reader.optionalNumber('num_top_classes') ?? base?.topClasses ?? 0,
    topClassesField: reader.optionalText('top_classes_results_field') ?? base?.topClassesField ?? 'top_classes',
    fieldType: type as InferenceConfig['fieldType'],
    importances,
  };
}

/** A configuration as `GET` shows it. */
export function configJson(config: InferenceConfig): JsonObject {
  const { kind, resultsField, topClasses, topClassesField, fieldType, importances } = config;
  if (config.ranking !== null)
    return { learning_to_rank: { ...rankingJson(config.ranking), num_top_feature_importance_values: importances } };
  if (kind === 'regression')
    return { regression: { results_field: resultsField, num_top_feature_importance_values: importances } };
  return {
    classification: {
      num_top_classes: topClasses,
      top_classes_results_field: topClassesField,
      results_field: resultsField,
      num_top_feature_importance_values: importances,
      prediction_field_type: fieldType,
    },
  };
}

/** Parses `input`: the names of the fields that a model reads; null if it is not given. */
export function parseInputs(json: unknown): readonly string[] | null {
  if (json === undefined) return null;
  const reader = bodyReader('trained_model_config_input', json);
  reader.onlyKeys(['field_names']);
  if (!isPlainObject(json) || json['field_names'] === undefined || json['field_names'] === null)
    throw errors.illegalArgument('Required [field_names]');
  return reader.texts('field_names');
}

/** Value of a class in the type of the field that it is a value of. */
export function classValue(name: string, type: InferenceConfig['fieldType']): string | number | boolean {
  if (type === 'boolean') return name === 'true' || name === '1' || name === '1.0';
  const number = Number(name);
  return type === 'number' && !Number.isNaN(number) ? number : name;
}

/** Returns the result of a model for the fields of a document. */
export function inferOne(
  model: TreeModel,
  modelId: string,
  config: InferenceConfig,
  inputs: readonly string[],
  read: (field: string) => unknown,
): JsonObject {
  if (inputs.length > 0 && inputs.every((name) => read(name) === undefined || read(name) === null))
    return { warning: `Model [${modelId}] could not be inferred as all fields were missing` };
  const importance =
    config.importances === 0
      ? {}
      : {
          feature_importance: importanceJson(model, model.shares(read), config.importances, (name) =>
            classValue(name, config.fieldType),
          ),
        };
  if (config.kind === 'regression') return { [config.resultsField]: model.value(read), ...importance };
  const classes = model.classes(read);
  const best = classes[0]!;
  const count = config.topClasses < 0 ? classes.length : Math.min(classes.length, config.topClasses);
  return {
    [config.resultsField]: classValue(best.name, config.fieldType),
    ...(count === 0
      ? {}
      : {
          [config.topClassesField]: classes.slice(0, count).map(({ name, probability, score }) => ({
            ...{ class_name: classValue(name, config.fieldType), class_probability: probability, class_score: score },
          })),
        }),
    prediction_probability: best.probability,
    prediction_score: best.score,
    ...importance,
  };
}
