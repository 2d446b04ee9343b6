import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Predictors } from '../aggregation-type.js';
import { aggregationFixture } from '../testing/aggregation-fixture.js';

const index = await aggregationFixture({
  mapping: { k: { type: 'keyword' }, n: { type: 'long' } },
  documents: [{ k: 'tv', n: 300 }, { k: 'tv', n: 400 }, { k: 'radio', n: 20 }, { k: 'radio' }, { k: 'none' }],
});
/** A model that shows what it is asked. */
const models: Predictors = new Map([
  [
    'm',
    {
      kind: 'regression',
      infer: (fields, config) =>
        fields['price'] === undefined
          ? { warning: 'all fields were missing' }
          : { value: Number(fields['price']) * 2, asked: fields, config },
    },
  ],
]);
const asked = (body: object): object => ({
  x: {
    terms: { field: 'k' },
    aggs: { a: { avg: { field: 'n' } }, y: { terms: { field: 'n' } }, p: { inference: { model_id: 'm', ...body } } },
  },
});

test('inference asks a model for each bucket, by numbers and keys', async () => {
  const paths = { price: 'a', count: '_count', name: '_key', other: "y['20']", lost: "y['7']>_count" };
  const { x } = await index.answer(asked({ buckets_path: paths }), { models });
  const results = x.buckets.map((one: { key: string; p: object }) => [one.key, one.p]);
  const config = { regression: { results_field: 'value' } };
  assert.deepEqual(results, [
    ['radio', { value: 40, asked: { price: 20, count: 2, name: 'radio', other: '20' }, config }],
    ['tv', { value: 700, asked: { price: 350, count: 2, name: 'tv' }, config }],
    ['none', { warning: 'all fields were missing' }],
  ]);
});

test('inference takes options of the model, but no other names for the result', async () => {
  const body = {
    buckets_path: { price: 'a' },
    inference_config: { regression: { num_top_feature_importance_values: 1 } },
  };
  const { x } = await index.answer(asked(body), { models });
  assert.deepEqual(x.buckets[0].p.config, {
    regression: { num_top_feature_importance_values: 1, results_field: 'value' },
  });
  const named = { ...body, inference_config: { regression: { results_field: 'banana' } } };
  await index.refuses([
    [
      (asked(named) as { x: object }).x,
      'action_request_validation_exception: Validation Failed: 1: setting option [results_field] to [banana] is not ' +
        'valid for inference aggregations;',
    ],
    [(asked({ buckets_path: {}, model_id: '' }) as { x: object }).x, 'illegal_argument_exception: Required [model_id]'],
    [(asked({}) as { x: object }).x, 'illegal_argument_exception: Required [buckets_path]'],
    [
      (asked({ buckets_path: { a: 'zz' } }) as { x: object }).x,
      'action_request_validation_exception: Validation Failed: 1: No aggregation found for path [zz];',
    ],
  ]);
});
