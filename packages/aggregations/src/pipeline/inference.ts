import { errors, isApiError } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import type { PipelineType, Predictor } from '../aggregation-type.js';
import { objectField, readFields, stringField } from '../parse/body-fields.js';
import {
  type AggregationPath,
  isBucketKey,
  ownerOf,
  parsePath,
  type PathOwner,
  valueOfBucket,
} from '../reduce/paths.js';
import { reduceFailure } from '../reduce/reduce-failure.js';
import type { Reduced, ReducedBucket } from '../reduce/reduced.js';
import { notANumber } from './pipeline-request.js';

type Json = Readonly<Record<string, unknown>>;

/** Member of a result that holds the prediction. */
const VALUE = 'value';

/** Options of `inference_config` that name members of the result, which are given here. */
const NAMES: readonly (readonly [option: string, only: string])[] = [
  ['results_field', VALUE],
  ['top_classes_results_field', 'top_classes'],
];

function checkedConfig(config: Json | undefined): Json | null {
  if (config === undefined) return null;
  const [options] = Object.values(config);
  for (const [option, only] of NAMES) {
    const given = isPlainObject(options) ? options[option] : undefined;
    if (given !== undefined && given !== only)
      throw errors.actionRequestValidation(
        `Validation Failed: 1: setting option [${option}] to [${String(given)}] is not valid for inference ` +
          'aggregations;',
      );
  }
  return config;
}

/** The configuration of a request, with the member that holds the prediction. */
function configFor({ kind }: Predictor, given: Json | null): Json {
  const [name, options] = Object.entries(given ?? { [kind]: {} })[0] ?? [kind, {}];
  return { [name]: { ...(options as Json), results_field: VALUE } };
}

/** The value at a path as an input of a model: a number, or a key as text; undefined for none. */
function inputAt(bucket: ReducedBucket, path: AggregationPath, owner: PathOwner): number | string | undefined {
  try {
    const value = valueOfBucket(bucket, path.names, owner);
    if (value === undefined || Number.isNaN(value)) return undefined;
    if (typeof value === 'number') return value;
    const last = path.names.at(-1);
    if (last === '_key') return bucket.keyText;
    if (isBucketKey(last)) return last.slice(1, -1);
    throw notANumber(value, path, owner);
  } catch (thrown) {
    throw isApiError(thrown) ? reduceFailure(thrown) : thrown;
  }
}

const resultOf = (json: Json): Reduced => ({
  typedName: 'inference',
  buckets: null,
  value(property) {
    if (property !== null && property !== VALUE) return undefined;
    const value = json[VALUE];
    return typeof value === 'number' ? value : null;
  },
  render: () => ({ ...json }),
});

/** `inference`: what a trained model predicts from the values of each bucket. */
export const inference: PipelineType = {
  name: 'inference',
  parse(site) {
    const fields = readFields(site.body, site, {
      model_id: stringField,
      inference_config: objectField,
      buckets_path: objectField,
    });
    const { model_id: modelId, buckets_path: given } = fields;
    if (modelId === undefined || modelId === '') throw errors.illegalArgument('Required [model_id]');
    if (given === undefined) throw errors.illegalArgument('Required [buckets_path]');
    const paths = Object.entries(given).map(([field, path]) => [field, parsePath(String(path))] as const);
    const config = checkedConfig(fields.inference_config);
    return {
      kind: 'parent',
      needsHistogram: false,
      modelId,
      paths: paths.map(([, path]) => path.text),
      *parent(buckets, name, reduced, models) {
        const owner = ownerOf(name, reduced);
        const model = models.get(modelId);
        if (model === undefined) throw errors.resourceNotFound(`Could not find trained model [${modelId}]`);
        const full = configFor(model, config);
        for (const bucket of buckets) {
          const inputs: Record<string, unknown> = {};
          for (const [field, path] of paths) {
            const value = inputAt(bucket, path, owner);
            if (value !== undefined) inputs[field] = value;
          }
          bucket.subs.set(name, resultOf(model.infer(inputs, full)));
          yield;
        }
        return buckets;
      },
    };
  },
};
