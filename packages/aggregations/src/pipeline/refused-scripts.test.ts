import { test } from 'node:test';
import { aggregationFixture } from '../testing/aggregation-fixture.js';

/** Elasticsearch without a script language answers the same. */
const index = await aggregationFixture({
  mapping: { n: { type: 'long' }, d: { type: 'double' } },
  documents: [{ n: 1, d: 0.5 }, { n: [2, 3], d: 1.5 }, { n: 3, d: -2.5 }, { n: 10, d: 4 }, { n: -4 }, { d: 100 }],
});

test('pipelines that are scripts are refused', () =>
  index.refuses([
    [
      {
        histogram: { field: 'n', interval: 2 },
        aggs: {
          s: { sum: { field: 'd' } },
          p: { bucket_selector: { buckets_path: { a: 's' }, script: 'params.a > 1' } },
        },
      },
      'illegal_argument_exception: script_lang not supported [painless]',
    ],
    [
      {
        histogram: { field: 'n', interval: 2 },
        aggs: {
          s: { sum: { field: 'd' } },
          p: { moving_fn: { buckets_path: 's', window: 2, script: 'MovingFunctions.max(values)' } },
        },
      },
      'illegal_argument_exception: script_lang not supported [painless]',
    ],
  ]));
