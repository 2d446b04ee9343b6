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
        p: { bucket_selector: { buckets_path: { a: 's' }, script: 'params.a > 1' } },
      },
    },
    {
      buckets: [
        { key: 4, doc_count: 1, s: { value: 9 } },
        { key: 6, doc_count: 1, s: { value: 3 } },
        { key: 8, doc_count: 1, s: { value: 2.25 } },
        { key: 10, doc_count: 1, s: { value: 4 } },
      ],
    },
  ],
  [
    {
      histogram: { field: 'n', interval: 2 },
      aggs: {
        s: { sum: { field: 'd' } },
        p: { bucket_selector: { buckets_path: { c: '_count' }, script: 'params.c == 0' } },
      },
    },
    { buckets: [] },
  ],
];

test('bucket_selector keeps buckets', () => index.answers(ANSWERS));

test('bucket_selector refuses what is malformed', () =>
  index.refuses([
    [
      {
        histogram: { field: 'n', interval: 2 },
        aggs: { s: { sum: { field: 'd' } }, p: { bucket_selector: { buckets_path: { a: 's' } } } },
      },
      'illegal_argument_exception: Required [script]',
    ],
  ]));
