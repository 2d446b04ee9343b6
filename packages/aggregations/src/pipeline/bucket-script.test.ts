import { test } from 'node:test';
import { aggregationFixture } from '../testing/aggregation-fixture.js';

/** Answers are those of OpenSearch 2.19. */
const index = await aggregationFixture({
  mapping: { n: { type: 'long' }, d: { type: 'double' }, k: { type: 'keyword' } },
  documents: [
    { n: 1, d: 0.5, k: 'k0' },
    { n: 2, d: 1.5, k: 'k1' },
    { n: 3, d: -2.5, k: 'k2' },
    { n: 10, d: 4, k: 'k0' },
    { n: 7, d: 3, k: 'k1' },
    { n: 8, d: 2.25, k: 'k2' },
    { n: 4, d: 9, k: 'k0' },
  ],
});

const ANSWERS: Parameters<typeof index.answers>[0] = [
  [
    {
      histogram: { field: 'n', interval: 2 },
      aggs: {
        s: { sum: { field: 'd' } },
        p: { bucket_script: { buckets_path: { a: 's', c: '_count' }, script: 'params.a / params.c * 100' } },
      },
    },
    {
      buckets: [
        { key: 0, doc_count: 1, s: { value: 0.5 }, p: { value: 50 } },
        { key: 2, doc_count: 2, s: { value: -1 }, p: { value: -50 } },
        { key: 4, doc_count: 1, s: { value: 9 }, p: { value: 900 } },
        { key: 6, doc_count: 1, s: { value: 3 }, p: { value: 300 } },
        { key: 8, doc_count: 1, s: { value: 2.25 }, p: { value: 225 } },
        { key: 10, doc_count: 1, s: { value: 4 }, p: { value: 400 } },
      ],
    },
  ],
  [
    {
      histogram: { field: 'n', interval: 2 },
      aggs: {
        s: { sum: { field: 'd' } },
        p: {
          bucket_script: {
            buckets_path: { a: 's', c: '_count' },
            script: 'params.a + params.c',
            gap_policy: 'insert_zeros',
            format: '0.00',
          },
        },
      },
    },
    {
      buckets: [
        { key: 0, doc_count: 1, s: { value: 0.5 }, p: { value: 1.5, value_as_string: '1.50' } },
        { key: 2, doc_count: 2, s: { value: -1 }, p: { value: 1, value_as_string: '1.00' } },
        { key: 4, doc_count: 1, s: { value: 9 }, p: { value: 10, value_as_string: '10.00' } },
        { key: 6, doc_count: 1, s: { value: 3 }, p: { value: 4, value_as_string: '4.00' } },
        { key: 8, doc_count: 1, s: { value: 2.25 }, p: { value: 3.25, value_as_string: '3.25' } },
        { key: 10, doc_count: 1, s: { value: 4 }, p: { value: 5, value_as_string: '5.00' } },
      ],
    },
  ],
  [
    {
      histogram: { field: 'n', interval: 2 },
      aggs: {
        s: { sum: { field: 'd' } },
        p: { bucket_script: { buckets_path: 's', script: { source: 'params._value * params.f', params: { f: 2 } } } },
      },
    },
    {
      buckets: [
        { key: 0, doc_count: 1, s: { value: 0.5 }, p: { value: 1 } },
        { key: 2, doc_count: 2, s: { value: -1 }, p: { value: -2 } },
        { key: 4, doc_count: 1, s: { value: 9 }, p: { value: 18 } },
        { key: 6, doc_count: 1, s: { value: 3 }, p: { value: 6 } },
        { key: 8, doc_count: 1, s: { value: 2.25 }, p: { value: 4.5 } },
        { key: 10, doc_count: 1, s: { value: 4 }, p: { value: 8 } },
      ],
    },
  ],
  [
    {
      terms: { field: 'k' },
      aggs: {
        s: { sum: { field: 'd' } },
        p: { bucket_script: { buckets_path: { a: 's' }, script: 'Math.round(params.a)' } },
        q: { bucket_selector: { buckets_path: { x: 'p' }, script: 'params.x > 3' } },
      },
    },
    {
      doc_count_error_upper_bound: 0,
      sum_other_doc_count: 0,
      buckets: [
        { key: 'k0', doc_count: 3, s: { value: 13.5 }, p: { value: 14 } },
        { key: 'k1', doc_count: 2, s: { value: 4.5 }, p: { value: 5 } },
      ],
    },
  ],
];

test('bucket_script adds a number to each bucket', () => index.answers(ANSWERS));

test('bucket_script refuses what is malformed', () =>
  index.refuses([
    [
      {
        histogram: { field: 'n', interval: 2 },
        aggs: { s: { sum: { field: 'd' } }, p: { bucket_script: { buckets_path: { a: 's' } } } },
      },
      'illegal_argument_exception: Required [script]',
    ],
  ]));
