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

test('geo_distance counts points by distance from its origin, in metres', () =>
  index.answers([
    [
      {
        geo_distance: {
          field: 'g',
          origin: [13.4, 52.5],
          ranges: [{ to: 20000 }, { from: 20000, to: 900000 }, { from: 900000 }],
        },
      },
      {
        buckets: [
          { key: '*-20000.0', from: 0, to: 20000, doc_count: 2 },
          { key: '20000.0-900000.0', from: 20000, to: 900000, doc_count: 2 },
          { key: '900000.0-*', from: 900000, doc_count: 1 },
        ],
      },
    ],
    [
      { geo_distance: { field: 'g', origin: [13.4, 52.5], ranges: [{ key: 'near', to: 20 }], unit: 'km' } },
      { buckets: [{ key: 'near', from: 0, to: 20, doc_count: 2 }] },
    ],
    [
      { geo_distance: { field: 'g', origin: { lat: 48.85, lon: 2.35 }, ranges: [{ to: 20000 }] } },
      { buckets: [{ key: '*-20000.0', from: 0, to: 20000, doc_count: 2 }] },
    ],
    [
      { geo_distance: { field: 'g', origin: [13.4, 52.5], ranges: [{ to: 20 }], unit: 'km', distance_type: 'plane' } },
      { buckets: [{ key: '*-20.0', from: 0, to: 20, doc_count: 2 }] },
    ],
  ]));

test('geo_distance has metrics and keys', () =>
  index.answers([
    [
      {
        geo_distance: { field: 'g', origin: [13.4, 52.5], ranges: [{ to: 20000 }] },
        aggs: { y: { sum: { field: 'n' } } },
      },
      { buckets: [{ key: '*-20000.0', from: 0, to: 20000, doc_count: 2, y: { value: 6 } }] },
    ],
    [
      { geo_distance: { field: 'g', origin: [13.4, 52.5], ranges: [{ to: 20000 }, { from: 20000 }], keyed: true } },
      { buckets: { '*-20000.0': { from: 0, to: 20000, doc_count: 2 }, '20000.0-*': { from: 20000, doc_count: 3 } } },
    ],
  ]));

test('geo_distance of nothing has empty buckets', () =>
  index.answers(
    [
      [
        { geo_distance: { field: 'g', origin: [13.4, 52.5], ranges: [{ to: 20000 }] } },
        { buckets: [{ key: '*-20000.0', from: 0, to: 20000, doc_count: 0 }] },
      ],
    ],
    { query: { term: { k: 'none' } } },
  ));

test('geo_distance refuses no origin, no ranges, unknown units and other fields', () =>
  index.refuses([
    [
      { geo_distance: { field: 'g', origin: [13.4, 52.5], ranges: [] } },
      'illegal_argument_exception: No [ranges] specified for the [x] aggregation',
    ],
    [
      { geo_distance: { field: 'n', origin: [13.4, 52.5], ranges: [{ to: 1 }] } },
      'illegal_argument_exception: Field [n] of type [long] is not supported for aggregation [geo_distance]',
    ],
    [
      { geo_distance: { field: 'g', origin: [13.4, 52.5], ranges: [{ to: 1 }], foo: 1 } },
      'x_content_parse_exception: [geo_distance] unknown field [foo]',
    ],
  ]));
