import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errors } from '@shoal/errors';
import { type IngestDatabases, noDatabases } from '../databases.js';
import type { InferenceModels } from '../inference.js';
import { outcome, processorTable } from '../testing/pipeline-table.js';

/** A model that turns texts round, and counts the fields of documents. */
const models: InferenceModels = {
  async infer({ modelId, input, config }) {
    if (modelId !== 'm') throw errors.resourceNotFound(`Could not find trained model [${modelId}]`);
    if (input.kind === 'fields') return [{ predicted_value: Object.keys(input.fields).join(), config }];
    return input.texts.map((text) => ({ predicted_value: [...text].reverse().join('') }));
  },
  predictor: () => Promise.reject(errors.illegalState('not asked for')),
  rankModel: () => Promise.reject(errors.illegalState('not asked for')),
};
const databases: IngestDatabases = { ...noDatabases(), inference: models };
const table = (rows: Parameters<typeof processorTable>[1]): Promise<void> =>
  processorTable('inference', rows, null, databases);

test('inference gives a model fields, or texts', () =>
  table([
    [
      { model_id: 'm', field_map: { a: 'b' }, inference_config: { regression: {} }, target_field: 'r' },
      '{"a":1}',
      '{"a":1,"r":{"predicted_value":"a,b","config":{"regression":{}},"model_id":"m"}}',
    ],
    [
      { model_id: 'm', tag: 't' },
      '{"a":1}',
      '{"a":1,"ml":{"inference":{"t":{"predicted_value":"a","config":null,"model_id":"m"}}}}',
    ],
    [
      { model_id: 'm', input_output: { input_field: 'a', output_field: 'x.y' } },
      '{"a":"abc"}',
      '{"a":"abc","x":{"y":"cba","model_id":"m"}}',
    ],
    [{ model_id: 'no' }, '{}', 'resource_not_found_exception: Could not find trained model [no]'],
    [
      { model_id: 'm', input_output: [{ input_field: 'a', output_field: 'x' }] },
      '{}',
      'illegal_argument_exception: field [a] not present as part of path [a]',
    ],
  ]));

test('inference refuses options that do not go together', () =>
  table([
    [{}, '{}', 'parse_exception: [model_id] required property is missing'],
    [
      { model_id: 'm', input_output: [] },
      '{}',
      'parse_exception: [input_output] cannot be empty at least one is required',
    ],
    [
      { model_id: 'm', input_output: [{ input_field: 'a' }, { input_field: 'b' }] },
      '{}',
      'parse_exception: [input_output] [output_field] is required when there are multiple inputs',
    ],
    [
      { model_id: 'm', input_output: { input_field: 'a' }, target_field: 'x' },
      '{}',
      'parse_exception: [target_field] option is incompatible with [input_output]. Use the [output_field] option to ' +
        'specify where to write the inference results to.',
    ],
    [
      { model_id: 'm', inference_config: { a: {}, b: {} } },
      '{}',
      'parse_exception: [inference_config] must be an object with one inference type mapped to an object',
    ],
  ]));

test('without machine learning the processor is refused', async () => {
  const text = await outcome([{ inference: { model_id: 'm' } }], '{}');
  assert.match(text, /\[inference\] needs machine learning, which is not in this version/);
});
