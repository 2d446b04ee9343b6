import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aggregationFixture } from '../testing/aggregation-fixture.js';

const ranges = Array.from({ length: 11 }, (_, i) => ({ from: i, to: i + 1 }));
/** Documents in each range, of two versions. */
const COUNTS = {
  '1.0': [0, 1, 9, 0, 0, 0, 10, 20, 20, 20, 20],
  '2.0': [0, 19, 11, 20, 20, 20, 10, 0, 0, 0, 0],
};
const index = await aggregationFixture({
  mapping: { version: { type: 'keyword' }, latency: { type: 'double' } },
  documents: Object.entries(COUNTS).flatMap(([version, counts]) =>
    counts.flatMap((count, i) => new Array<object>(count).fill({ version, latency: i })),
  ),
});

const x = { terms: { field: 'version' }, aggs: { r: { range: { field: 'latency', ranges } } } };
const below = (pipeline: object): object => ({ ...x, aggs: { ...x.aggs, p: pipeline } });
const withPipeline = (pipeline: object): object => ({ v: below(pipeline) });

test('bucket_count_ks_test compares counts with shares', async () => {
  const { v } = await index.answer(withPipeline({ bucket_count_ks_test: { buckets_path: 'r>_count' } }));
  const [first, second] = v.buckets.map((bucket: { p: object }) => bucket.p) as Record<string, number>[];
  assert.deepEqual(Object.keys(first!), ['less', 'greater', 'two_sided']);
  assert.ok(first!['less']! < 0.001 && first!['greater'] === 1 && first!['two_sided']! < 0.001);
  assert.ok(second!['less']! > 0.9 && second!['greater']! < 1e-6 && second!['two_sided']! < 1e-6);
  const same = await index.answer(
    withPipeline({
      bucket_count_ks_test: {
        buckets_path: 'r>_count',
        fractions: COUNTS['1.0'],
        alternative: ['two_sided'],
        sampling_method: 'uniform',
      },
    }),
  );
  assert.deepEqual(Object.keys(same.v.buckets[0].p), ['two_sided']);
  assert.equal(same.v.buckets[0].p.two_sided, 1);
  assert.ok(same.v.buckets[1].p.two_sided < 1e-9);
});

test('bucket_count_ks_test refuses wrong bodies', () =>
  index.refuses([
    [below({ bucket_count_ks_test: {} }), 'illegal_argument_exception: Required [buckets_path]'],
    [
      below({ bucket_count_ks_test: { buckets_path: 'r>_count', alternative: [] } }),
      'illegal_argument_exception: [alternative] must not be empty for aggregation [p]',
    ],
    [
      below({ bucket_count_ks_test: { buckets_path: 'missing>_count' } }),
      'action_request_validation_exception: Validation Failed: 1: No aggregation found for path [missing>_count];',
    ],
    [
      below({ bucket_count_ks_test: { buckets_path: 'r>_count', fractions: [1, 2] } }),
      'search_phase_execution_exception:  <- illegal_argument_exception: [fractions] has [2] values, but there are ' +
        '[11] buckets',
    ],
  ]));
