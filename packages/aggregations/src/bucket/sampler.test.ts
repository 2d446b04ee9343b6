import { test } from 'node:test';
import { aggregationFixture } from '../testing/aggregation-fixture.js';

/** Answers and errors are those of Elasticsearch 8.12.0. */
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

test('sampler takes the best documents of each shard', () =>
  index.answers(
    [
      [
        { sampler: { shard_size: 2 }, aggs: { y: { max: { field: 'n' } } } },
        { doc_count: 2, y: { value: 3 } },
      ],
      [
        { diversified_sampler: { field: 'd', shard_size: 10 }, aggs: { y: { sum: { field: 'n' } } } },
        { doc_count: 3, y: { value: 18 } },
      ],
    ],
    { query: { terms: { k: ['b', 'c'] } }, anyLayout: false },
  ));

test('sampler takes all documents when there are few', () =>
  index.answers([
    [
      { sampler: { shard_size: 100 }, aggs: { y: { avg: { field: 'd' } } } },
      { doc_count: 6, y: { value: 20.7 } },
    ],
  ]));

test('sampler of nothing counts zero', () =>
  index.answers(
    [
      [
        { sampler: { shard_size: 2 }, aggs: { y: { avg: { field: 'd' } } } },
        { doc_count: 0, y: { value: null } },
      ],
    ],
    { query: { term: { k: 'none' } } },
  ));

test('a sampler without aggregations below is not refused where terms of numbers have no bucket for it', () =>
  index.answers([
    [
      { terms: { field: 'd', include: [7777] }, aggs: { y: { sampler: {} } } },
      { doc_count_error_upper_bound: 0, sum_other_doc_count: 0, buckets: [] },
    ],
  ]));

test('sampler refuses to stand without aggregations below, sizes that are none and unknown options', () =>
  index.refuses([
    [{ sampler: {} }, 'illegal_argument_exception: Sampler aggregation must be used with child aggregations.'],
    [
      { diversified_sampler: { field: 'k' } },
      'illegal_argument_exception: Sampler aggregation must be used with child aggregations.',
    ],
    [
      { diversified_sampler: {} },
      'illegal_argument_exception: Required one of fields [field, script], but none were specified. ',
    ],
  ]));
