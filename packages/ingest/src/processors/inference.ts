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

/** Kinds of results that a configuration can ask for. */
const KINDS = [
  ...['classification', 'regression', 'fill_mask', 'ner', 'pass_through', 'question_answering'],
  ...['text_classification', 'text_embedding', 'text_expansion', 'text_similarity', 'zero_shot_classification'],
];

/** Asks a trained model about a document. */
export const inference: ProcessorType = {
  name: 'inference',
  isAvailable: ({ inference: models }) => models !== null,
  parse(config, site) {
    const modelId = config.string('model_id');
    const inferenceConfig = inferenceConfigOf(config);
    const pairs = inputOutputs(config);
    const stepOf = pairs === null ? fieldStepOf(config) : textStepOf(config, pairs, inferenceConfig);
    const { inference: models } = site.databases;
    if (models === null) {
      const reason = '[inference] needs machine learning, which is not in this version';
      throw errors.featureNotEnabled(reason, { meta: { 'disabled.feature': 'ml' } });
    }
    return stepOf({ models, modelId, config: inferenceConfig });
  },
};

/** Reads `inference_config`: an object under the name of a kind of results; null if it is absent. */
function inferenceConfigOf(config: ConfigReader): JsonObject | null {
  const json = config.optionalMap('inference_config');
  if (json === null) return null;
  const kinds = Object.keys(json);
  if (kinds.length !== 1 || !isObject(json[kinds[0]!]))
    throw errors.status('inference_config must be an object with one inference type mapped to an object.');
  if (KINDS.includes(kinds[0]!)) return json;
  const known = KINDS.join(', ');
  throw errors.status(`unrecognized inference configuration type [${kinds[0]}]. Supported types [${known}]`);
}

/** Reads `input_output`, an object or a list of them; null if it is absent. */
function inputOutputs(config: ConfigReader): readonly InputOutput[] | null {
  const json = config.optional('input_output');
  if (json === null) return null;
  if (!Array.isArray(json) && !isObject(json))
    throw config.error('input_output', "property isn't a map or list of maps");
  const list: readonly unknown[] = Array.isArray(json) ? json : [json];
  if (list.length === 0) throw config.error('input_output', 'property cannot be empty at least one is required');
  const pairs = list.map((item): InputOutput => {
    if (!isObject(item)) throw config.error('input_output', "property isn't a list of maps");
    const reader = new ConfigReader(config.type, config.tag, item);
    const pair = { input: reader.string('input_field'), output: reader.string('output_field') };
    reader.finish();
    return pair;
  });
  requireUnique(
    config,
    'input_field',
    pairs.map(({ input }) => input),
  );
  requireUnique(
    config,
    'output_field',
    pairs.map(({ output }) => output),
  );
  return pairs;
}

function requireUnique(config: ConfigReader, option: string, names: readonly string[]): void {
  const repeated = names.find((name, i) => names.indexOf(name) !== i);
  if (repeated !== undefined) throw config.error(option, `names must be unique but [${repeated}] is repeated`);
}

/** Reads what goes with `input_output`: texts are given to the model, and the result of each is written. */
function textStepOf(
  config: ConfigReader,
  pairs: readonly InputOutput[],
  inferenceConfig: JsonObject | null,
): (options: InferenceOptions) => Step {
  const ignoreMissing = config.boolean('ignore_missing', false);
  if (config.optionalString('target_field') !== null) {
    const advice = 'Use the [output_field] option to specify where to write the inference results to.';
    throw config.error('target_field', `option is incompatible with [input_output]. ${advice}`);
  }
  const [kind] = Object.values(inferenceConfig ?? {});
  if (isObject(kind) && kind['results_field'] !== undefined) {
    const advice =
      'Prefer to use the [input_output.output_field] option to specify where to write the inference results to.';
    throw config.error(
      null,
      `The [inference_config.results_field] setting is incompatible with using [input_output]. ${advice}`,
    );
  }
  return ({ models, modelId, config: kindConfig }) =>
    async (document) => {
      const texts = pairs.map(({ input }) => textOf(document, input, ignoreMissing));
      const results = await models.infer({ modelId, input: { kind: 'texts', texts }, config: kindConfig });
      pairs.forEach(({ output }, i) => {
        const { [RESULT]: value, ...rest } = results[i]!;
        const parent = output.slice(0, output.lastIndexOf('.') + 1);
        setOrAppend(document, output, value);
        // Members besides the value stand beside it; the model is named once.
        for (const [name, member] of Object.entries(rest)) setOrAppend(document, `${parent}${name}`, member);
        if (i === 0) setOrAppend(document, `${parent}model_id`, modelId);
      });
    };
}

/** The text of a field; that of a null is empty, and so is that of a missing field that may be missing. */
function textOf(document: IngestDocument, field: string, ignoreMissing: boolean): string {
  const value = document.get(field, ignoreMissing) ?? '';
  if (typeof value === 'string') return value;
  throw errors.illegalArgument(`input field [${field}] cannot be processed because it is not a text field`);
}

/** Results are added to those of an earlier question. */
function setOrAppend(document: IngestDocument, path: string, value: unknown): void {
  const copy = document.copyOf(value);
  if (document.has(path)) document.append(path, copy);
  else document.set(path, copy);
}

/** Reads what goes without `input_output`: the model gets the fields, some under other names. */
function fieldStepOf(config: ConfigReader): (options: InferenceOptions) => Step {
  const target = config.stringOr(
    'target_field',
    config.tag === null ? DEFAULT_TARGET : `${DEFAULT_TARGET}.${config.tag}`,
  );
  const fieldMap = config.optionalMap('field_map') ?? config.optionalMap('field_mappings') ?? {};
  return ({ models, modelId, config: kindConfig }) =>
    async (document) => {
      const fields: Record<string, unknown> = { ...document.source, ...document.metadata, _ingest: document.ingest };
      for (const [from, to] of Object.entries(fieldMap))
        if (document.has(from)) fields[String(to)] = document.get(from);
      const [result] = await models.infer({ modelId, input: { kind: 'fields', fields }, config: kindConfig });
      setOrAppend(document, target, { ...result, model_id: modelId });
    };
}
