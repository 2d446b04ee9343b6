import { errors } from '@shoal/errors';
import type { JsonObject } from '@shoal/json';
import { ConfigReader } from '../config-reader.js';
import type { IngestDocument } from '../document.js';
import type { InferenceModels } from '../inference.js';
import { isObject } from '../java-values.js';
import type { Step } from '../processor.js';
import type { ProcessorType } from '../processor-type.js';

const DEFAULT_TARGET = 'ml.inference';
const RESULT = 'predicted_value';

/** A field whose text is given to the model, and the field that gets its result. */
interface InputOutput {
  readonly input: string;
  readonly output: string;
}

interface InferenceOptions {
  readonly models: InferenceModels;
  readonly modelId: string;
  readonly config: JsonObject | null;
}

/** Asks a trained model about a document. */
export const inference: ProcessorType = {
  name: 'inference',
  isAvailable: ({ inference: models }) => models !== null,
  parse(config, site) {
    const modelId = config.string('model_id');
    const inferenceConfig = config.optionalMap('inference_config');
    if (inferenceConfig !== null && Object.keys(inferenceConfig).length > 1)
      throw config.error('inference_config', 'must be an object with one inference type mapped to an object');
    const pairs = inputOutputs(config);
    const incompatible = ['target_field', 'field_map', 'field_mappings'].find((name) => config.has(name));
    if (pairs !== null && incompatible !== undefined)
      throw config.error(incompatible, `option is incompatible with [input_output]. ${ADVICE[incompatible]}`);
    const target = config.stringOr('target_field', DEFAULT_TARGET);
    const fieldMap = config.optionalMap('field_map') ?? config.optionalMap('field_mappings') ?? {};
    const ignoreMissing = config.boolean('ignore_missing', false);
    const { inference: models } = site.databases;
    if (models === null) {
      const reason = '[inference] needs machine learning, which is not in this version';
      throw errors.featureNotEnabled(reason, { meta: { 'disabled.feature': 'ml' } });
    }
    const options = { models, modelId, config: inferenceConfig };
    if (pairs !== null) return textStep(options, pairs, ignoreMissing);
    const path = config.tag === null || target !== DEFAULT_TARGET ? target : `${target}.${config.tag}`;
    return fieldStep(options, fieldMap, path);
  },
};

const ADVICE: Readonly<Record<string, string>> = {
  target_field: 'Use the [output_field] option to specify where to write the inference results to.',
  field_map: 'Use the [input_field] option to specify the input fields.',
  field_mappings: 'Use the [input_field] option to specify the input fields.',
};

/** Reads `input_output`, an object or a list of them; null if it is absent. */
function inputOutputs(config: ConfigReader): readonly InputOutput[] | null {
  const json = config.optional('input_output');
  if (json === null) return null;
  const list: readonly unknown[] = Array.isArray(json) ? json : [json];
  if (list.length === 0) throw config.error('input_output', 'cannot be empty at least one is required');
  const pairs = list.map((item): InputOutput => {
    if (!isObject(item)) throw config.error('input_output', 'property must be an object or a list of objects');
    const reader = new ConfigReader(config.type, config.tag, item);
    const input = reader.string('input_field');
    const output = reader.stringOr('output_field', '');
    reader.finish();
    return { input, output };
  });
  if (pairs.length > 1 && pairs.some(({ output }) => output === ''))
    throw config.error('input_output', '[output_field] is required when there are multiple inputs');
  const outputs = pairs.map(({ output }) => (output === '' ? DEFAULT_TARGET : output));
  const repeated = outputs.find((output, i) => outputs.indexOf(output) !== i);
  if (repeated !== undefined)
    throw config.error('input_output', `names [output_field] must be unique but [${repeated}] is used more than once`);
  return pairs.map(({ input }, i) => ({ input, output: outputs[i]! }));
}

/** Gives texts to the model and writes the result of each. */
function textStep(
  { models, modelId, config }: InferenceOptions,
  pairs: readonly InputOutput[],
  ignoreMissing: boolean,
): Step {
  return async (document) => {
    const texts = pairs.map(({ input }) => {
      const text = document.text(input, ignoreMissing);
      if (text === null && !ignoreMissing) throw errors.illegalArgument(`field [${input}] is null, cannot process it.`);
      return text ?? '';
    });
    const results = await models.infer({ modelId, input: { kind: 'texts', texts }, config });
    pairs.forEach(({ output }, i) => {
      const { [RESULT]: value, ...rest } = results[i]!;
      document.set(output, document.copyOf(value));
      // Members besides the value stand beside it, as `model_id` does.
      setBeside(document, output, { ...rest, model_id: modelId });
    });
  };
}

function setBeside(document: IngestDocument, output: string, members: JsonObject): void {
  const parent = output.includes('.') ? output.slice(0, output.lastIndexOf('.') + 1) : '';
  for (const [name, value] of Object.entries(members)) document.set(`${parent}${name}`, document.copyOf(value));
}

/** Gives the fields of the document to the model, some under other names, and writes the object of its results. */
function fieldStep({ models, modelId, config }: InferenceOptions, fieldMap: JsonObject, target: string): Step {
  return async (document) => {
    const fields: Record<string, unknown> = { ...document.source };
    for (const [from, to] of Object.entries(fieldMap)) if (document.has(from)) fields[String(to)] = document.get(from);
    const [result] = await models.infer({ modelId, input: { kind: 'fields', fields }, config });
    document.set(target, document.copyOf({ ...result, model_id: modelId }));
  };
}
