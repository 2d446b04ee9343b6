import { test } from 'node:test';
import { aggregationFixture } from '../testing/aggregation-fixture.js';

/** Answers follow the reference of 8.12. */
const index = await aggregationFixture({
  mapping: { n: { type: 'long' }, d: { type: 'double' }, k: { type: 'keyword' } },
  documents: [
    { n: 1, d: 0.5, k: 'a' },
    { n: [2, 3], d: 1.5, k: ['a', 'b'] },
    { n: 3, d: -2.5, k: 'b' },
    { n: 10, d: 4, k: 'c' },
    { n: -4, k: 'a' },
    { d: 100 },
  ],
});

test('bucket_sort orders buckets by values of theirs', () =>
  index.answers([
    [
      {
        histogram: { field: 'n', interval: 2 },
        aggs: { s: { sum: { field: 'd' } }, p: { bucket_sort: { sort: [{ s: { order: 'desc' } }] } } },
      },
      {
        buckets: [
          { key: 10, doc_count: 1, s: { value: 4 } },
          { key: 0, doc_count: 1, s: { value: 0.5 } },
          { key: -4, doc_count: 1, s: { value: 0 } },
          { key: -2, doc_count: 0, s: { value: 0 } },
          { key: 4, doc_count: 0, s: { value: 0 } },
          { key: 6, doc_count: 0, s: { value: 0 } },
          { key: 8, doc_count: 0, s: { value: 0 } },
          { key: 2, doc_count: 2, s: { value: -1 } },
        ],
      },
    ],
  ]));

test('bucket_sort cuts a page out of them', () =>
  index.answers([
    [
      {
        histogram: { field: 'n', interval: 2 },
        aggs: { s: { sum: { field: 'd' } }, p: { bucket_sort: { sort: [{ _key: 'desc' }], from: 1, size: 2 } } },
      },
      {
        buckets: [
          { key: 8, doc_count: 0, s: { value: 0 } },
          { key: 6, doc_count: 0, s: { value: 0 } },
        ],
      },
    ],
    [
      { histogram: { field: 'n', interval: 2 }, aggs: { s: { sum: { field: 'd' } }, p: { bucket_sort: { size: 1 } } } },
      { buckets: [{ key: -4, doc_count: 1, s: { value: 0 } }] },
    ],
  ]));

test('bucket_sort leaves out buckets without the value', () =>
  index.answers([
    [
      {
        histogram: { field: 'n', interval: 2 },
        aggs: { a: { avg: { field: 'd' } }, p: { bucket_sort: { sort: ['a'] } } },
      },
      {
        buckets: [
          { key: 2, doc_count: 2, a: { value: -0.5 } },
          { key: 0, doc_count: 1, a: { value: 0.5 } },
          { key: 10, doc_count: 1, a: { value: 4 } },
        ],
      },
    ],
  ]));

test('bucket_sort refuses a path of none, negative places and unknown options', () =>
  index.refuses([
    [
      {
        histogram: { field: 'n', interval: 2 },
        aggs: { s: { sum: { field: 'd' } }, p: { bucket_sort: { sort: ['zz'] } } },
      },
      'action_request_validation_exception: Validation Failed: 1: No aggregation found for path [zz];',
    ],
    [
      {
        histogram: { field: 'n', interval: 2 },
        aggs: { s: { sum: { field: 'd' } }, p: { bucket_sort: { from: -1 } } },
      },
      'illegal_argument_exception: [from] must be a non-negative integer: [-1]',
    ],
    [
      { histogram: { field: 'n', interval: 2 }, aggs: { s: { sum: { field: 'd' } }, p: { bucket_sort: { size: 0 } } } },
      'illegal_argument_exception: [size] must be a positive integer: [0]',
    ],
    [
      { histogram: { field: 'n', interval: 2 }, aggs: { s: { sum: { field: 'd' } }, p: { bucket_sort: {} } } },
      'action_request_validation_exception: Validation Failed: 1: [p] is configured to perform nothing. Please ' +
        'set either of [sort, size, from] to use bucket_sort;',
    ],
    [
      { histogram: { field: 'n', interval: 2 }, aggs: { s: { sum: { field: 'd' } }, p: { bucket_sort: { foo: 1 } } } },
      'parsing_exception: Unexpected token [foo] in [p].',
    ],
  ]));
