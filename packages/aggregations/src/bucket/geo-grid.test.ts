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

test('geohash_grid counts points by cell', () =>
  index.answers([
    [
      { geohash_grid: { field: 'g', precision: 3 } },
      {
        buckets: [
          { key: 'u33', doc_count: 2 },
          { key: 'u09', doc_count: 2 },
          { key: 'gcp', doc_count: 1 },
        ],
      },
    ],
    [
      { geohash_grid: { field: 'g' } },
      {
        buckets: [
          { key: 'u09tv', doc_count: 2 },
          { key: 'u33e5', doc_count: 1 },
          { key: 'u33d8', doc_count: 1 },
          { key: 'gcpuv', doc_count: 1 },
        ],
      },
    ],
    [{ geohash_grid: { field: 'g', precision: 7, size: 1 } }, { buckets: [{ key: 'u09tvkz', doc_count: 2 }] }],
    [
      { geohash_grid: { field: 'g', precision: 8 } },
      {
        buckets: [
          { key: 'u09tvkz5', doc_count: 2 },
          { key: 'u33e5pw3', doc_count: 1 },
          { key: 'u33d8vmd', doc_count: 1 },
          { key: 'gcpuvr29', doc_count: 1 },
        ],
      },
    ],
    [
      { geohash_grid: { field: 'g', precision: '1km' } },
      {
        buckets: [
          { key: 'u09tvkz', doc_count: 2 },
          { key: 'u33e5pw', doc_count: 1 },
          { key: 'u33d8vm', doc_count: 1 },
          { key: 'gcpuvr2', doc_count: 1 },
        ],
      },
    ],
  ]));

test('geotile_grid counts points by tile', () =>
  index.answers([
    [
      { geotile_grid: { field: 'g', precision: 6 } },
      {
        buckets: [
          { key: '6/34/20', doc_count: 2 },
          { key: '6/32/22', doc_count: 2 },
          { key: '6/31/21', doc_count: 1 },
        ],
      },
    ],
    [
      { geotile_grid: { field: 'g' } },
      {
        buckets: [
          { key: '7/68/41', doc_count: 2 },
          { key: '7/64/44', doc_count: 2 },
          { key: '7/63/42', doc_count: 1 },
        ],
      },
    ],
    [
      { geotile_grid: { field: 'g', precision: 22 } },
      {
        buckets: [
          { key: '22/2124531/1443076', doc_count: 2 },
          { key: '22/2254438/1374010', doc_count: 1 },
          { key: '22/2253273/1375926', doc_count: 1 },
          { key: '22/2095753/1394851', doc_count: 1 },
        ],
      },
    ],
  ]));

test('grids have metrics and stay inside of their bounds', () =>
  index.answers([
    [
      { geohash_grid: { field: 'g', precision: 2 }, aggs: { y: { sum: { field: 'n' } } } },
      {
        buckets: [
          { key: 'u3', doc_count: 2, y: { value: 6 } },
          { key: 'u0', doc_count: 2, y: { value: 8 } },
          { key: 'gc', doc_count: 1, y: { value: -4 } },
        ],
      },
    ],
    [
      { geohash_grid: { field: 'g', precision: 3, bounds: { top_left: [0, 53], bottom_right: [20, 40] } } },
      {
        buckets: [
          { key: 'u33', doc_count: 2 },
          { key: 'u09', doc_count: 2 },
        ],
      },
    ],
    [
      { geotile_grid: { field: 'g', precision: 6, bounds: { top_left: [0, 53], bottom_right: [5, 40] } } },
      { buckets: [{ key: '6/32/22', doc_count: 2 }] },
    ],
  ]));

test('grids count by bucket', () =>
  index.answers([
    [
      { terms: { field: 'k', size: 2 }, aggs: { z: { geohash_grid: { field: 'g', precision: 2 } } } },
      {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 1,
        buckets: [
          {
            key: 'a',
            doc_count: 3,
            z: {
              buckets: [
                { key: 'u3', doc_count: 2 },
                { key: 'u0', doc_count: 1 },
                { key: 'gc', doc_count: 1 },
              ],
            },
          },
          {
            key: 'b',
            doc_count: 2,
            z: {
              buckets: [
                { key: 'u0', doc_count: 2 },
                { key: 'u3', doc_count: 1 },
              ],
            },
          },
        ],
      },
    ],
  ]));

test('grids of nothing have no buckets', () =>
  index.answers(
    [
      [{ geohash_grid: { field: 'g' } }, { buckets: [] }],
      [{ geotile_grid: { field: 'g' } }, { buckets: [] }],
    ],
    { query: { term: { k: 'none' } } },
  ));

test('grids refuse precisions and sizes out of range, unknown options and other fields', () =>
  index.refuses([
    [{ geotile_grid: {} }, 'illegal_argument_exception: Required one of fields [field], but none were specified. '],
    [{ geohash_grid: { field: 'g', script: '1' } }, 'x_content_parse_exception: [geohash_grid] unknown field [script]'],
    [
      { geohash_grid: { field: 'g', precision: 13 } },
      'x_content_parse_exception: [geohash_grid] failed to parse field [precision] <- ' +
        'illegal_argument_exception: Invalid geohash aggregation precision of 13. Must be between 1 and 12.',
    ],
    [
      { geohash_grid: { field: 'g', precision: 0 } },
      'x_content_parse_exception: [geohash_grid] failed to parse field [precision] <- ' +
        'illegal_argument_exception: Invalid geohash aggregation precision of 0. Must be between 1 and 12.',
    ],
    [
      { geotile_grid: { field: 'g', precision: 30 } },
      'x_content_parse_exception: [geotile_grid] failed to parse field [precision] <- ' +
        'illegal_argument_exception: Invalid geotile_grid precision of 30. Must be between 0 and 29.',
    ],
    [
      { geohash_grid: { field: 'g', size: 0 } },
      'x_content_parse_exception: [geohash_grid] failed to parse field [size] <- illegal_argument_exception: ' +
        '[size] must be greater than 0. Found [0] in [x]',
    ],
    [
      { geohash_grid: { field: 'n' } },
      'illegal_argument_exception: Field [n] of type [long] is not supported for aggregation [geohash_grid]',
    ],
    [{ geohash_grid: { field: 'g', foo: 1 } }, 'x_content_parse_exception: [geohash_grid] unknown field [foo]'],
  ]));

const spread = await aggregationFixture({
  mapping: { g: { type: 'geo_point' } },
  documents: [
    {
      g: [
        { lat: 10, lon: 10 },
        { lat: 50, lon: -70 },
      ],
    },
    { g: { lat: -20, lon: 179.9 } },
    { g: { lat: 55.5, lon: -79.5 } },
  ],
});

test('bounds keep the cells that they touch, with all their points, also across the antimeridian', () =>
  spread.answers([
    [
      {
        geohash_grid: {
          field: 'g',
          precision: 1,
          bounds: { top_left: { lat: 60, lon: -80 }, bottom_right: { lat: 40, lon: 20 } },
        },
      },
      {
        buckets: [
          { key: 'f', doc_count: 2 },
          { key: 's', doc_count: 1 },
        ],
      },
    ],
    [
      { geotile_grid: { field: 'g', precision: 2, bounds: { top_left: [170, 0], bottom_right: [-170, -40] } } },
      { buckets: [{ key: '2/3/2', doc_count: 1 }] },
    ],
    [
      { geohash_grid: { field: 'g', precision: 1, bounds: { top_left: [0, 60], bottom_right: [20, 45] } } },
      { buckets: [] },
    ],
  ]));
