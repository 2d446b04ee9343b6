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
        p: { moving_fn: { buckets_path: 's', window: 2, script: 'MovingFunctions.max(values)' } },
      },
    },
    {
      buckets: [
        { key: 0, doc_count: 1, s: { value: 0.5 }, p: { value: null } },
        { key: 2, doc_count: 2, s: { value: -1 }, p: { value: 0.5 } },
        { key: 4, doc_count: 1, s: { value: 9 }, p: { value: 0.5 } },
        { key: 6, doc_count: 1, s: { value: 3 }, p: { value: 9 } },
        { key: 8, doc_count: 1, s: { value: 2.25 }, p: { value: 9 } },
        { key: 10, doc_count: 1, s: { value: 4 }, p: { value: 3 } },
      ],
    },
  ],
  [
    {
      histogram: { field: 'n', interval: 2 },
      aggs: {
        s: { sum: { field: 'd' } },
        p: { moving_fn: { buckets_path: 's', window: 2, script: 'MovingFunctions.min(values)' } },
      },
    },
    {
      buckets: [
        { key: 0, doc_count: 1, s: { value: 0.5 }, p: { value: null } },
        { key: 2, doc_count: 2, s: { value: -1 }, p: { value: 0.5 } },
        { key: 4, doc_count: 1, s: { value: 9 }, p: { value: -1 } },
        { key: 6, doc_count: 1, s: { value: 3 }, p: { value: -1 } },
        { key: 8, doc_count: 1, s: { value: 2.25 }, p: { value: 3 } },
        { key: 10, doc_count: 1, s: { value: 4 }, p: { value: 2.25 } },
      ],
    },
  ],
  [
    {
      histogram: { field: 'n', interval: 2 },
      aggs: {
        s: { sum: { field: 'd' } },
        p: { moving_fn: { buckets_path: 's', window: 2, script: 'MovingFunctions.sum(values)' } },
      },
    },
    {
      buckets: [
        { key: 0, doc_count: 1, s: { value: 0.5 }, p: { value: 0 } },
        { key: 2, doc_count: 2, s: { value: -1 }, p: { value: 0.5 } },
        { key: 4, doc_count: 1, s: { value: 9 }, p: { value: -0.5 } },
        { key: 6, doc_count: 1, s: { value: 3 }, p: { value: 8 } },
        { key: 8, doc_count: 1, s: { value: 2.25 }, p: { value: 12 } },
        { key: 10, doc_count: 1, s: { value: 4 }, p: { value: 5.25 } },
      ],
    },
  ],
  [
    {
      histogram: { field: 'n', interval: 2 },
      aggs: {
        s: { sum: { field: 'd' } },
        p: { moving_fn: { buckets_path: 's', window: 2, script: 'MovingFunctions.unweightedAvg(values)' } },
      },
    },
    {
      buckets: [
        { key: 0, doc_count: 1, s: { value: 0.5 }, p: { value: null } },
        { key: 2, doc_count: 2, s: { value: -1 }, p: { value: 0.5 } },
        { key: 4, doc_count: 1, s: { value: 9 }, p: { value: -0.25 } },
        { key: 6, doc_count: 1, s: { value: 3 }, p: { value: 4 } },
        { key: 8, doc_count: 1, s: { value: 2.25 }, p: { value: 6 } },
        { key: 10, doc_count: 1, s: { value: 4 }, p: { value: 2.625 } },
      ],
    },
  ],
  [
    {
      histogram: { field: 'n', interval: 2 },
      aggs: {
        s: { sum: { field: 'd' } },
        p: { moving_fn: { buckets_path: 's', window: 2, script: 'MovingFunctions.linearWeightedAvg(values)' } },
      },
    },
    {
      buckets: [
        { key: 0, doc_count: 1, s: { value: 0.5 }, p: { value: null } },
        { key: 2, doc_count: 2, s: { value: -1 }, p: { value: 0.25 } },
        { key: 4, doc_count: 1, s: { value: 9 }, p: { value: -0.375 } },
        { key: 6, doc_count: 1, s: { value: 3 }, p: { value: 4.25 } },
        { key: 8, doc_count: 1, s: { value: 2.25 }, p: { value: 3.75 } },
        { key: 10, doc_count: 1, s: { value: 4 }, p: { value: 1.875 } },
      ],
    },
  ],
  [
    {
      histogram: { field: 'n', interval: 2 },
      aggs: {
        s: { sum: { field: 'd' } },
        p: {
          moving_fn: {
            buckets_path: 's',
            window: 3,
            shift: 1,
            script: 'MovingFunctions.stdDev(values, MovingFunctions.unweightedAvg(values))',
          },
        },
      },
    },
    {
      buckets: [
        { key: 0, doc_count: 1, s: { value: 0.5 }, p: { value: 0 } },
        { key: 2, doc_count: 2, s: { value: -1 }, p: { value: 0.75 } },
        { key: 4, doc_count: 1, s: { value: 9 }, p: { value: 4.403281604540969 } },
        { key: 6, doc_count: 1, s: { value: 3 }, p: { value: 4.109609335312651 } },
        { key: 8, doc_count: 1, s: { value: 2.25 }, p: { value: 3.020761493398643 } },
        { key: 10, doc_count: 1, s: { value: 4 }, p: { value: 0.7168604389202189 } },
      ],
    },
  ],
  [
    {
      histogram: { field: 'n', interval: 2 },
      aggs: {
        s: { sum: { field: 'd' } },
        p: { moving_fn: { buckets_path: 's', window: 3, script: 'MovingFunctions.ewma(values, 0.3)' } },
      },
    },
    {
      buckets: [
        { key: 0, doc_count: 1, s: { value: 0.5 }, p: { value: null } },
        { key: 2, doc_count: 2, s: { value: -1 }, p: { value: 0.5 } },
        { key: 4, doc_count: 1, s: { value: 9 }, p: { value: 0.04999999999999999 } },
        { key: 6, doc_count: 1, s: { value: 3 }, p: { value: 2.735 } },
        { key: 8, doc_count: 1, s: { value: 2.25 }, p: { value: 2.3 } },
        { key: 10, doc_count: 1, s: { value: 4 }, p: { value: 5.714999999999999 } },
      ],
    },
  ],
  [
    {
      histogram: { field: 'n', interval: 2 },
      aggs: {
        s: { sum: { field: 'd' } },
        p: { moving_fn: { buckets_path: 's', window: 4, script: 'MovingFunctions.holt(values, 0.3, 0.1)' } },
      },
    },
    {
      buckets: [
        { key: 0, doc_count: 1, s: { value: 0.5 }, p: { value: null } },
        { key: 2, doc_count: 2, s: { value: -1 }, p: { value: 0.5 } },
        { key: 4, doc_count: 1, s: { value: 9 }, p: { value: 0.04999999999999999 } },
        { key: 6, doc_count: 1, s: { value: 3 }, p: { value: 2.7034999999999996 } },
        { key: 8, doc_count: 1, s: { value: 2.25 }, p: { value: 2.9498449999999994 } },
        { key: 10, doc_count: 1, s: { value: 4 }, p: { value: 2.6567 } },
      ],
    },
  ],
  [
    {
      histogram: { field: 'n', interval: 2 },
      aggs: {
        s: { sum: { field: 'd' } },
        p: {
          moving_fn: {
            buckets_path: 's',
            window: 5,
            script: 'if (values.length > 3) {MovingFunctions.holtWinters(values, 0.3, 0.1, 0.1, 2, false)}',
          },
        },
      },
    },
    {
      buckets: [
        { key: 0, doc_count: 1, s: { value: 0.5 }, p: { value: 0 } },
        { key: 2, doc_count: 2, s: { value: -1 }, p: { value: 0 } },
        { key: 4, doc_count: 1, s: { value: 9 }, p: { value: 0 } },
        { key: 6, doc_count: 1, s: { value: 3 }, p: { value: 0 } },
        { key: 8, doc_count: 1, s: { value: 2.25 }, p: { value: 1.452375 } },
        { key: 10, doc_count: 1, s: { value: 4 }, p: { value: 6.41546625 } },
      ],
    },
  ],
];

test('moving_fn computes over a window of buckets', () => index.answers(ANSWERS));

test('moving_fn refuses what is malformed', () =>
  index.refuses([
    [
      {
        histogram: { field: 'n', interval: 2 },
        aggs: { s: { sum: { field: 'd' } }, p: { moving_fn: { buckets_path: 's', window: 2 } } },
      },
      'illegal_argument_exception: Required [script]',
    ],
  ]));
