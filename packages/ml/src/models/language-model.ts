import type { JsonObject } from '@shoal/json';
import { errors } from '@shoal/errors';
import { LanguageModel, type TreeModel } from '@shoal/learning';

/** The model that tells languages of texts apart, which every node has. */
export const LANGUAGE_MODEL_ID = 'lang_ident_model_1';
/** The field that it reads. */
export const LANGUAGE_FIELD = 'text';
/** As large as it is when loaded, and the trigrams of a text of some lines. */
const MODEL_BYTES = 4_466_588;
const OPERATIONS = 500;

/** Its configuration, as `GET` shows it. */
export const LANGUAGE_CONFIG: JsonObject = {
  ...{ model_id: LANGUAGE_MODEL_ID, model_type: 'lang_ident', created_by: '_xpack', version: '7.6.0' },
  create_time: 1_575_548_914_594,
  ...{ model_size_bytes: MODEL_BYTES, estimated_operations: OPERATIONS, license_level: 'basic' },
  description: 'Model used for identifying language from arbitrary input text.',
  tags: ['lang_ident', 'prepackaged'],
  input: { field_names: [LANGUAGE_FIELD] },
  inference_config: {
    classification: {
      num_top_classes: 5,
      top_classes_results_field: 'top_classes',
      results_field: 'predicted_value',
      num_top_feature_importance_values: 0,
      prediction_field_type: 'string',
    },
  },
};

/** The model, as one of trees that predicts the class of a text. */
export function openLanguageModel(): TreeModel {
  const languages = new LanguageModel();
  const refuse = (): never => {
    throw errors.illegalArgument(`[${LANGUAGE_MODEL_ID}] has no feature importance`);
  };
  return {
    target: 'classification',
    featureNames: [LANGUAGE_FIELD],
    bytes: languages.bytes,
    operations: OPERATIONS,
    labels: languages.codes,
    value: () => Number.NaN,
    classes: (read) =>
      languages
        .of(textOf(read(LANGUAGE_FIELD)))
        .map(({ language, probability }) => ({ name: language, probability, score: probability })),
    shares: refuse,
    baseline: refuse,
  };
}

/** The text of a value, of the first ones of a list. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.slice(0, 100).map(textOf).join(' ');
  return typeof value === 'string' ? value : '';
}
