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
      '{"a":1,"r":{"predicted_value":"a,_index,_id,_version,_ingest,b","config":{"regression":{}},"model_id":"m"}}',
    ],
    [
      { model_id: 'm', tag: 't', field_mappings: { '_ingest.timestamp': 'b' } },
      '{}',
      '{"ml":{"inference":{"t":{"predicted_value":"_index,_id,_version,_ingest,b","config":null,"model_id":"m"}}}}',
    ],
    [
      { model_id: 'm', tag: 't', target_field: 'ml.inference' },
      '{"ml":{"inference":1}}',
      '{"ml":{"inference":[1,{"predicted_value":"ml,_index,_id,_version,_ingest","config":null,"model_id":"m"}]}}',
    ],
    [
      { model_id: 'm', input_output: { input_field: 'a', output_field: 'x.y' } },
      '{"a":"abc"}',
      '{"a":"abc","x":{"y":"cba","model_id":"m"}}',
    ],
    [
      {
        model_id: 'm',
        input_output: [
          { input_field: 'a', output_field: 'x' },
          { input_field: 'b', output_field: 'y' },
        ],
      },
      '{"a":"ab","b":null,"x":1}',
      '{"a":"ab","b":null,"x":[1,"ba"],"model_id":"m","y":""}',
    ],
    [{ model_id: 'no' }, '{}', 'resource_not_found_exception: Could not find trained model [no]'],
    [
      { model_id: 'm', input_output: [{ input_field: 'a', output_field: 'x' }] },
      '{}',
      'illegal_argument_exception: field [a] not present as part of path [a]',
    ],
    [
      { model_id: 'm', input_output: [{ input_field: 'a', output_field: 'x' }], ignore_missing: true },
      '{}',
      '{"x":"","model_id":"m"}',
    ],
    [
      { model_id: 'm', input_output: [{ input_field: 'a', output_field: 'x' }] },
      '{"a":1}',
      'illegal_argument_exception: input field [a] cannot be processed because it is not a text field',
    ],
  ]));

test('inference refuses options that do not go together', () =>
  table(
    [
      [{}, 'parse_exception: [model_id] required property is missing'],
      [{ input_output: [] }, 'parse_exception: [input_output] property cannot be empty at least one is required'],
      [{ input_output: 3 }, "parse_exception: [input_output] property isn't a map or list of maps"],
      [{ input_output: [3] }, "parse_exception: [input_output] property isn't a list of maps"],
      [{ input_output: { input_field: 'a' } }, 'parse_exception: [output_field] required property is missing'],
      [
        { input_output: ['x', 'y'].map((output_field) => ({ input_field: 'a', output_field })) },
        'parse_exception: [input_field] names must be unique but [a] is repeated',
      ],
      [
        { input_output: ['a', 'b'].map((input_field) => ({ input_field, output_field: 'x' })) },
        'parse_exception: [output_field] names must be unique but [x] is repeated',
      ],
      [
        { input_output: { input_field: 'a', output_field: 'x' }, target_field: 'x' },
        'parse_exception: [target_field] option is incompatible with [input_output]. ' +
          'Use the [output_field] option to specify where to write the inference results to.',
      ],
      [
        { input_output: { input_field: 'a', output_field: 'x' }, field_map: { a: 'b' } },
        "parse_exception: processor [inference] doesn't support one or more provided configuration parameters " +
          '[field_map]',
      ],
      [
        {
          input_output: { input_field: 'a', output_field: 'x' },
          inference_config: { regression: { results_field: 'r' } },
        },
        'parse_exception: The [inference_config.results_field] setting is incompatible with using [input_output]. ' +
          'Prefer to use the [input_output.output_field] option to specify where to write the inference results to.',
      ],
      ...[{ a: {}, b: {} }, {}, { regression: 3 }].map(
        (inference_config) =>
          [
            { inference_config },
            'status_exception: inference_config must be an object with one inference type mapped to an object.',
          ] as const,
      ),
      [
        { inference_config: { zz: {} } },
        'status_exception: unrecognized inference configuration type [zz]. Supported types [classification, ' +
          'regression, fill_mask, ner, pass_through, question_answering, text_classification, text_embedding, ' +
          'text_expansion, text_similarity, zero_shot_classification]',
      ],
    ].map(([options, error], i) => [
      { ...(i === 0 ? {} : { model_id: 'm' }), ...(options as object) },
      '{}',
      String(error),
    ]),
  ));

test('without machine learning the processor is refused', async () => {
  const text = await outcome([{ inference: { model_id: 'm' } }], '{}');
  assert.match(text, /\[inference\] needs machine learning, which is not in this version/);
});
