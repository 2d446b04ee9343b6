import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aggregationFixture } from '../testing/aggregation-fixture.js';

const ENDS = [0, 105, 225, 445, 665, 885, 1115, 1335, 1555, 1775];
const ranges = [{ to: 0 }, ...ENDS.slice(1).map((to, i) => ({ from: ENDS[i]!, to })), { from: 1775 }];
/** Documents in each range, of two versions; counts and correlations are those of Elasticsearch's reference. */
const COUNTS = {
  '1.0': [0, 1, 9, 0, 0, 0, 10, 20, 20, 20, 20],
  '2.0': [0, 19, 11, 20, 20, 20, 10, 0, 0, 0, 0],
};
const index = await aggregationFixture({
  mapping: { version: { type: 'keyword' }, latency: { type: 'double' } },
  documents: Object.entries(COUNTS).flatMap(([version, counts]) =>
    counts.flatMap((count, i) => new Array<object>(count).fill({ version, latency: (ENDS[i - 1] ?? -9) + 1 })),
  ),
});

const withPipeline = (pipeline: object): object => ({
  v: { terms: { field: 'version' }, aggs: { r: { range: { field: 'latency', ranges } }, p: pipeline } },
});
const correlated = (more: object): object => ({
  bucket_correlation: {
    buckets_path: 'r>_count',
    function: {
      count_correlation: {
        indicator: { expectations: [0, 52.5, 165, 335, 555, 775, 1000, 1225, 1445, 1665, 1775], ...more },
      },
    },
  },
});

test('bucket_correlation correlates counts with an indicator', async () => {
  const { v } = await index.answer(withPipeline(correlated({ doc_count: 200 })));
  const [first, second] = v.buckets.map((bucket: { p: { value: number } }) => bucket.p.value) as number[];
  assert.ok(Math.abs(first! - 0.8402398981360937) < 1e-9, String(first));
  assert.ok(Math.abs(second! + 0.5759855613334943) < 1e-9, String(second));
});

const x = { terms: { field: 'version' }, aggs: { r: { range: { field: 'latency', ranges } } } };
const below = (pipeline: object): object => ({ ...x, aggs: { ...x.aggs, p: pipeline } });

test('bucket_correlation refuses wrong bodies', () =>
  index.refuses([
    [below({ bucket_correlation: { buckets_path: 'r>_count' } }), 'illegal_argument_exception: Required [function]'],
    [
      below(correlated({ doc_count: 10 })),
      'search_phase_execution_exception:  <- illegal_argument_exception: indicator.doc_count [10] is less than the ' +
        'number of documents in the buckets',
    ],
    [
      below(correlated({ doc_count: 200, expectations: [1, 2] })),
      'search_phase_execution_exception:  <- illegal_argument_exception: value lengths do not match; ' +
        'indicator.expectations [2] and number of buckets [11]. Unable to calculate correlation',
    ],
  ]));
