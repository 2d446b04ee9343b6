import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aggregationFixture } from '../testing/aggregation-fixture.js';

/** Answers follow the reference of 8.12: quartiles of the values, whiskers at 1.5 interquartile ranges. */
const index = await aggregationFixture({
  mapping: { n: { type: 'long' }, d: { type: 'double' }, k: { type: 'keyword' }, x: { type: 'text' } },
  documents: [
    { n: 1, d: 0.5, k: 'a', x: 'red fox' },
    { n: [2, 3], d: 1.5, k: ['a', 'b'], x: 'red dog' },
    { n: 3, d: -2.5, k: 'b', x: 'blue fox' },
    { n: 10, d: 4, k: 'c', x: 'red fox fox' },
    { n: -4, k: 'a', x: 'green' },
    { d: 100 },
  ],
});

test('boxplot has quartiles, and whiskers at the last values within one and a half times the range between them', () =>
  index.answers([
    [{ boxplot: { field: 'n' } }, { min: -4, max: 10, q1: 1.25, q2: 2.5, q3: 3, lower: 1, upper: 3 }],
    [{ boxplot: { field: 'd' } }, { min: -2.5, max: 100, q1: 0.5, q2: 1.5, q3: 4, lower: -2.5, upper: 4 }],
  ]));

test('boxplot takes missing for documents without a value', () =>
  index.answers([
    [{ boxplot: { field: 'n', missing: 3 } }, { min: -4, max: 10, q1: 1.5, q2: 3, q3: 3, lower: 1, upper: 3 }],
  ]));

test('boxplot of nothing is infinite', async () => {
  assert.deepEqual(await index.answer({ x: { boxplot: { field: 'nowhere' } } }, { query: { term: { k: 'none' } } }), {
    x: { min: 'Infinity', max: '-Infinity', q1: 'NaN', q2: 'NaN', q3: 'NaN', lower: 'NaN', upper: 'NaN' },
  });
});

test('boxplot counts by bucket', () =>
  index.answers([
    [
      { terms: { field: 'k', size: 1 }, aggs: { y: { boxplot: { field: 'n' } } } },
      {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 3,
        buckets: [
          { key: 'a', doc_count: 3, y: { min: -4, max: 3, q1: -0.25, q2: 1.5, q3: 2.25, lower: -4, upper: 3 } },
        ],
      },
    ],
  ]));

test('boxplot refuses fields that are no numbers, a negative compression and unknown options', () =>
  index.refuses([
    [
      { boxplot: { field: 'k' } },
      'illegal_argument_exception: Field [k] of type [keyword] is not supported for aggregation [boxplot]',
    ],
    [{ boxplot: { field: 'n', size: 1 } }, 'x_content_parse_exception: [boxplot] unknown field [size]'],
    [{ boxplot: {} }, 'illegal_argument_exception: Required one of fields [field, script], but none were specified. '],
    [
      { boxplot: { field: 'n' }, aggs: { y: { avg: { field: 'n' } } } },
      'aggregation_initialization_exception: Aggregator [x] of type [boxplot] cannot accept sub-aggregations',
    ],
  ]));
