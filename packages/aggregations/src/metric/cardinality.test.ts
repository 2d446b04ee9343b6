import { test } from 'node:test';
import { aggregationFixture, FIELDDATA_OF_X } from '../testing/aggregation-fixture.js';

/** Answers and errors are those of Elasticsearch 8.12.0. */
const index = await aggregationFixture({
  mapping: {
    n: { type: 'long' },
    d: { type: 'double' },
    k: { type: 'keyword' },
    t: { type: 'date' },
    b: { type: 'boolean' },
    ip: { type: 'ip' },
    g: { type: 'geo_point' },
    x: { type: 'text' },
  },
  documents: [
    { n: 1, d: 0.5, k: 'a', t: '2024-01-15T10:00:00Z', b: true, ip: '10.0.0.1', g: [13.4, 52.5], x: 'red fox' },
    {
      n: [2, 3],
      d: 1.5,
      k: ['a', 'b'],
      t: '2024-02-01T00:00:00Z',
      b: false,
      ip: '10.0.0.2',
      g: [
        [13.5, 52.6],
        [2.35, 48.85],
      ],
      x: 'red dog',
    },
    { n: 3, d: -2.5, k: 'b', t: '2024-04-30T23:30:00Z', b: true, ip: '10.0.1.7', g: [2.35, 48.85], x: 'blue fox' },
    {
      n: 10,
      d: 4,
      k: 'c',
      t: ['2024-01-15T11:30:00Z', '2024-04-30T00:00:00Z'],
      b: false,
      ip: '192.168.1.1',
      x: 'red fox fox',
    },
    { n: -4, k: 'a', x: 'green', g: [-0.12, 51.5] },
    { d: 100 },
  ],
});

test('cardinality counts distinct values', () =>
  index.answers([
    [{ cardinality: { field: 'n' } }, { value: 5 }],
    [{ cardinality: { field: 'd' } }, { value: 5 }],
    [{ cardinality: { field: 'k' } }, { value: 3 }],
    [{ cardinality: { field: 't' } }, { value: 5 }],
    [{ cardinality: { field: 'b' } }, { value: 2 }],
    [{ cardinality: { field: 'ip' } }, { value: 4 }],
  ]));

test('cardinality takes missing as a value', () =>
  index.answers([
    [{ cardinality: { field: 'n', missing: 1 } }, { value: 5 }],
    [{ cardinality: { field: 'k', missing: 'z' } }, { value: 4 }],
    [{ cardinality: { field: 'nowhere', missing: 1 } }, { value: 1 }],
  ]));

test('cardinality of nothing is zero', () =>
  index.answers(
    [
      [{ cardinality: { field: 'n' } }, { value: 0 }],
      [{ cardinality: { field: 'nowhere' } }, { value: 0 }],
    ],
    { query: { term: { k: 'none' } } },
  ));

test('cardinality is exact up to its threshold', () =>
  index.answers([
    [{ cardinality: { field: 'n', precision_threshold: 100 } }, { value: 5 }],
    [{ cardinality: { field: 'k', precision_threshold: 40000 } }, { value: 3 }],
  ]));

test('cardinality counts by bucket', () =>
  index.answers([
    [
      { terms: { field: 'k' }, aggs: { y: { cardinality: { field: 'n' } } } },
      {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 0,
        buckets: [
          { key: 'a', doc_count: 3, y: { value: 4 } },
          { key: 'b', doc_count: 2, y: { value: 2 } },
          { key: 'c', doc_count: 1, y: { value: 1 } },
        ],
      },
    ],
  ]));

test('cardinality refuses text, a negative threshold, unknown options and sub-aggregations', () =>
  index.refuses([
    [{ cardinality: { field: 'x' } }, FIELDDATA_OF_X],
    [
      { cardinality: { field: 'n', precision_threshold: -1 } },
      'x_content_parse_exception: [cardinality] failed to parse field [precision_threshold] <- ' +
        'illegal_argument_exception: [precisionThreshold] must be greater than or equal to 0. Found [-1] in [x]',
    ],
    [{ cardinality: { field: 'n', size: 1 } }, 'x_content_parse_exception: [cardinality] unknown field [size]'],
    [
      { cardinality: {} },
      'illegal_argument_exception: Required one of fields [field, script], but none were specified. ',
    ],
    [
      { cardinality: { field: 'n' }, aggs: { y: { avg: { field: 'n' } } } },
      'aggregation_initialization_exception: Aggregator [x] of type [cardinality] cannot accept sub-aggregations',
    ],
  ]));

const shapes = await aggregationFixture({
  mapping: { g: { type: 'geo_point' }, r: { type: 'integer_range' } },
  documents: [
    {
      g: [
        [13.4, 52.5],
        [2.35, 48.85],
      ],
      r: [
        { gte: 1, lte: 2 },
        { gte: 5, lte: 6 },
      ],
    },
    { g: [2.35, 48.85], r: { gte: 1, lte: 2 } },
    {
      r: [
        { gte: 5, lte: 6 },
        { gte: 1, lte: 2 },
      ],
    },
    {},
  ],
});

test('cardinality counts points, and the ranges of a document as one value', () =>
  shapes.answers([
    [{ cardinality: { field: 'g' } }, { value: 2 }],
    [{ cardinality: { field: 'g', missing: '1,1' } }, { value: 3 }],
    [{ cardinality: { field: 'r' } }, { value: 2 }],
  ]));

test('a missing point is a text, and a geohash that is none cannot be parsed', async () => {
  await shapes.answers([[{ cardinality: { field: 'g', missing: 1 } }, { value: 3 }]]);
  await shapes.refuses([
    [
      { cardinality: { field: 'g', missing: 'x-' } },
      'parse_exception: unsupported symbol [-] in geohash [x-] <- illegal_argument_exception: unsupported symbol [-] ' +
        'in geohash [x-]',
    ],
  ]);
});
