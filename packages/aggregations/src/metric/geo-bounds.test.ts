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

test('geo_bounds is the box around all points', () =>
  index.answers([
    [
      { geo_bounds: { field: 'g' } },
      {
        bounds: {
          top_left: { lat: 52.59999997448176, lon: -0.12000001966953278 },
          bottom_right: { lat: 48.8499999884516, lon: 13.499999949708581 },
        },
      },
    ],
    [
      { geo_bounds: { field: 'g', wrap_longitude: false } },
      {
        bounds: {
          top_left: { lat: 52.59999997448176, lon: -0.12000001966953278 },
          bottom_right: { lat: 48.8499999884516, lon: 13.499999949708581 },
        },
      },
    ],
  ]));

test('geo_bounds of nothing is empty', () =>
  index.answers(
    [
      [{ geo_bounds: { field: 'g' } }, {}],
      [{ geo_bounds: { field: 'nowhere' } }, {}],
    ],
    { query: { term: { k: 'none' } } },
  ));

test('geo_bounds boxes by bucket', () =>
  index.answers([
    [
      { terms: { field: 'k', size: 2 }, aggs: { y: { geo_bounds: { field: 'g' } } } },
      {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 1,
        buckets: [
          {
            key: 'a',
            doc_count: 3,
            y: {
              bounds: {
                top_left: { lat: 52.59999997448176, lon: -0.12000001966953278 },
                bottom_right: { lat: 48.8499999884516, lon: 13.499999949708581 },
              },
            },
          },
          {
            key: 'b',
            doc_count: 2,
            y: {
              bounds: {
                top_left: { lat: 52.59999997448176, lon: 2.3499999940395355 },
                bottom_right: { lat: 48.8499999884516, lon: 13.499999949708581 },
              },
            },
          },
        ],
      },
    ],
  ]));

test('geo_bounds refuses fields that are no points, unknown options and sub-aggregations', () =>
  index.refuses([
    [
      { geo_bounds: { field: 'n' } },
      'illegal_argument_exception: Field [n] of type [long] is not supported for aggregation [geo_bounds]',
    ],
    [{ geo_bounds: {} }, 'illegal_argument_exception: Required one of fields [field], but none were specified. '],
    [{ geo_bounds: { field: 'g', size: 1 } }, 'x_content_parse_exception: [geo_bounds] unknown field [size]'],
    [
      { geo_bounds: { field: 'g' }, aggs: { y: { avg: { field: 'n' } } } },
      'aggregation_initialization_exception: Aggregator [x] of type [geo_bounds] cannot accept sub-aggregations',
    ],
  ]));
