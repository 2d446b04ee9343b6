import { test } from 'node:test';
import { aggregationFixture } from '../testing/aggregation-fixture.js';

/** Answers and errors are those of Elasticsearch 8.12.0. */
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

test('filters has a bucket for each named query, with documents in several', () =>
  index.answers([
    [
      { filters: { filters: { one: { term: { k: 'a' } }, two: { range: { n: { gt: 1 } } } } } },
      { buckets: { one: { doc_count: 3 }, two: { doc_count: 3 } } },
    ],
    [
      { filters: { filters: { one: { term: { k: 'a' } } } }, aggs: { y: { avg: { field: 'd' } } } },
      { buckets: { one: { doc_count: 3, y: { value: 1 } } } },
    ],
  ]));

test('filters that share documents have filters below them', () => {
  const below = { y: { filters: { filters: { k: { term: { k: 'a' } } } } }, z: { filter: { term: { k: 'a' } } } };
  const bucket = (docs: number, ofA: number): object => ({
    doc_count: docs,
    y: { buckets: { k: { doc_count: ofA } } },
    z: { doc_count: ofA },
  });
  return index.answers([
    [
      { filters: { filters: [{ match_all: {} }, { exists: { field: 'n' } }, { term: { n: 1 } }] }, aggs: below },
      { buckets: [bucket(6, 3), bucket(5, 3), bucket(1, 1)] },
    ],
    [
      { filters: { filters: [{ term: { n: 3 } }], other_bucket: true }, aggs: below },
      { buckets: [bucket(2, 1), bucket(4, 2)] },
    ],
  ]);
});

test('filters without names come as a list', () =>
  index.answers([
    [
      { filters: { filters: [{ term: { k: 'b' } }, { term: { k: 'a' } }] } },
      { buckets: [{ doc_count: 2 }, { doc_count: 3 }] },
    ],
    [
      { filters: { filters: { b: { term: { k: 'b' } }, a: { term: { k: 'a' } } }, keyed: false } },
      {
        buckets: [
          { key: 'a', doc_count: 3 },
          { key: 'b', doc_count: 2 },
        ],
      },
    ],
  ]));

test('filters puts the others into a bucket when asked', () =>
  index.answers([
    [
      { filters: { filters: { one: { term: { k: 'a' } } }, other_bucket: true } },
      { buckets: { one: { doc_count: 3 }, _other_: { doc_count: 3 } } },
    ],
    [
      { filters: { filters: { one: { term: { k: 'a' } } }, other_bucket_key: 'rest' } },
      { buckets: { one: { doc_count: 3 }, rest: { doc_count: 3 } } },
    ],
    [
      { filters: { filters: [{ term: { k: 'a' } }], other_bucket: true } },
      { buckets: [{ doc_count: 3 }, { doc_count: 3 }] },
    ],
  ]));

test('filters of nothing has empty buckets', () =>
  index.answers(
    [
      [
        { filters: { filters: { one: { term: { k: 'a' } } }, other_bucket: true } },
        { buckets: { one: { doc_count: 0 }, _other_: { doc_count: 0 } } },
      ],
    ],
    { query: { term: { k: 'none' } } },
  ));

test('filters refuses none, unknown queries and options', () =>
  index.refuses([
    [{ filters: {} }, 'illegal_argument_exception: [filters] cannot be empty.'],
    [{ filters: { filters: {} } }, 'illegal_argument_exception: [filters] cannot be empty.'],
    [
      { filters: { filters: { one: { foo: {} } } } },
      'parsing_exception: unknown query [foo] <- named_object_not_found_exception: unknown field [foo]',
    ],
    ...['__proto__', 'constructor'].map((key): [object, string] => [
      { filters: JSON.parse(`{"filters":{"one":{"match_all":{}}},"${key}":"rest"}`) },
      `parsing_exception: Unknown key for a VALUE_STRING in [x]: [${key}].`,
    ]),
  ]));
