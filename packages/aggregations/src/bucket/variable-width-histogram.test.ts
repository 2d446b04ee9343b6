import { test } from 'node:test';
import { aggregationFixture } from '../testing/aggregation-fixture.js';

/** Answers and errors are those of Elasticsearch 8.12.0; sub-aggregations are those of the documents of the buckets. */
const index = await aggregationFixture({
  mapping: {
    n: { type: 'long' },
    d: { type: 'double' },
    k: { type: 'keyword' },
    t: { type: 'date' },
  },
  documents: Array.from({ length: 50 }, (_, i) => ({ n: ((i + 1) * (i + 1)) % 37, d: i + 1.5, k: `k${i % 2}` })),
});

const onOneShard = { anyLayout: false } as const;
const histogram = (options: object = {}, more: object = {}): object => ({
  variable_width_histogram: { field: 'n', ...options },
  ...more,
});

test('variable_width_histogram merges the nearest values until there are as many buckets as wanted', () =>
  index.answers(
    [
      [
        histogram({ buckets: 3 }),
        {
          buckets: [
            { min: 0, key: 6.826086956521739, max: 12, doc_count: 23 },
            { min: 16, key: 18.5, max: 21, doc_count: 6 },
            { min: 25, key: 29.761904761904763, max: 36, doc_count: 21 },
          ],
        },
      ],
      [histogram({ field: 'none' }), { buckets: [] }],
    ],
    onOneShard,
  ));

test('values after the initial buffer join clusters', () =>
  index.answers(
    [
      [
        histogram(
          { field: 'd', buckets: 4, shard_size: 10, initial_buffer: 12 },
          { aggs: { a: { sum: { field: 'n' } } } },
        ),
        {
          buckets: [
            { min: 1.5, key: 6, max: 10.5, doc_count: 10, a: { value: 163 } },
            { min: 11.5, key: 16.5, max: 21.5, doc_count: 11, a: { value: 262 } },
            { min: 22.5, key: 31.5, max: 40.5, doc_count: 19, a: { value: 255 } },
            { min: 41.5, key: 46, max: 50.5, doc_count: 10, a: { value: 213 } },
          ],
        },
      ],
    ],
    onOneShard,
  ));

test('sub-aggregations see the documents of their bucket, whose order does not matter', () =>
  index.answers(
    [
      [
        { filter: { match_all: {} }, aggs: { h: histogram({ buckets: 2 }, { aggs: { m: { max: { field: 'n' } } } }) } },
        {
          doc_count: 50,
          h: {
            buckets: [
              { min: 0, key: 6.826086956521739, max: 12, doc_count: 23, m: { value: 12 } },
              { min: 16, key: 27.25925925925926, max: 36, doc_count: 27, m: { value: 36 } },
            ],
          },
        },
      ],
    ],
    onOneShard,
  ));

test('a format prints all three numbers of a bucket', () =>
  index.answers(
    [
      [
        histogram({ field: 'd', buckets: 1, format: '0.0' }),
        {
          buckets: [
            {
              min: 1.5,
              min_as_string: '1.5',
              key: 26,
              key_as_string: '26.0',
              max: 50.5,
              max_as_string: '50.5',
              doc_count: 50,
            },
          ],
        },
      ],
    ],
    onOneShard,
  ));

test('variable_width_histogram refuses sizes that do not fit together', () => {
  const failed = (field: string): string =>
    `x_content_parse_exception: [variable_width_histogram] failed to parse field [${field}] <- ` +
    'illegal_argument_exception: ';
  return index.refuses([
    [histogram({ buckets: 0 }), `${failed('buckets')}buckets must be greater than [0] for [x]`],
    [histogram({ shard_size: 1 }), `${failed('shard_size')}shard_size must be greater than [1] for [x]`],
    [histogram({ initial_buffer: 0 }), `${failed('initial_buffer')}initial_buffer must be greater than [0] for [x]`],
    [
      histogram({ buckets: 5, shard_size: 4 }),
      'illegal_argument_exception: 3/4 of shard_size must be at least buckets but was [3<5] for [x]',
    ],
    [
      histogram({ buckets: 60000 }),
      'illegal_argument_exception: initial_buffer must be at least buckets but was [50000<60000] for [x]',
    ],
    [
      histogram({ field: 't' }),
      'illegal_argument_exception: Field [t] of type [date] is not supported for aggregation ' +
        '[variable_width_histogram]',
    ],
    [
      { terms: { field: 'k' }, aggs: { h: histogram() } },
      'illegal_argument_exception: [variable_width_histogram] cannot be nested inside an aggregation that collects ' +
        'more than a single bucket.',
    ],
    [histogram({ keyed: true }), 'x_content_parse_exception: [variable_width_histogram] unknown field [keyed]'],
  ]);
});
