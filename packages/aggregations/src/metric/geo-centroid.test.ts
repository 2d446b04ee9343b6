import { test } from 'node:test';
import { aggregationFixture } from '../testing/aggregation-fixture.js';

/** Answers and errors are those of Elasticsearch 8.12.0. */
const index = await aggregationFixture({
  mapping: { n: { type: 'long' }, k: { type: 'keyword' }, g: { type: 'geo_point' } },
  documents: [
    { n: 1, k: 'a', g: [13.4, 52.5] },
    {
      n: [2, 3],
      k: ['a', 'b'],
      g: [
        [13.5, 52.6],
        [2.35, 48.85],
      ],
    },
    { n: 3, k: 'b', g: [2.35, 48.85] },
    { n: 10, k: 'c' },
    { n: -4, k: 'a', g: [-0.12, 51.5] },
    {},
  ],
});

test('geo_centroid is the mean of all points', () =>
  index.answers([
    [{ geo_centroid: { field: 'g' } }, { location: { lat: 50.85999998264015, lon: 6.2959999814629555 }, count: 5 }],
  ]));

test('geo_centroid of nothing has a count alone', () =>
  index.answers(
    [
      [{ geo_centroid: { field: 'g' } }, { count: 0 }],
      [{ geo_centroid: { field: 'nowhere' } }, { count: 0 }],
    ],
    { query: { term: { k: 'none' } } },
  ));

test('geo_centroid counts by bucket', () =>
  index.answers([
    [
      { terms: { field: 'k', size: 2 }, aggs: { y: { geo_centroid: { field: 'g' } } } },
      {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 1,
        buckets: [
          { key: 'a', doc_count: 3, y: { location: { lat: 51.362499981187284, lon: 7.2824999783188105 }, count: 4 } },
          { key: 'b', doc_count: 2, y: { location: { lat: 50.09999998379499, lon: 6.066666645929217 }, count: 3 } },
        ],
      },
    ],
  ]));

test('geo_centroid refuses fields that are no points, unknown options and sub-aggregations', () =>
  index.refuses([
    [
      { geo_centroid: { field: 'n' } },
      'illegal_argument_exception: Field [n] of type [long] is not supported for aggregation [geo_centroid]',
    ],
    [{ geo_centroid: { field: 'g', size: 1 } }, 'x_content_parse_exception: [geo_centroid] unknown field [size]'],
    [
      { geo_centroid: {} },
      'illegal_argument_exception: Required one of fields [field, script], but none were specified. ',
    ],
    [
      { geo_centroid: { field: 'g' }, aggs: { y: { avg: { field: 'n' } } } },
      'aggregation_initialization_exception: Aggregator [x] of type [geo_centroid] cannot accept sub-aggregations',
    ],
  ]));
