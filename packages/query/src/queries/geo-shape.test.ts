import { test } from 'node:test';
import { searchFixture } from '../testing/search-fixture.js';

/** Answers, plan texts and errors are those of Elasticsearch 8.12.0. */
const index = await searchFixture({
  mapping: { g: { type: 'geo_point' }, k: { type: 'keyword' } },
  documents: [
    { g: { lat: 52.52, lon: 13.4 } },
    { g: '48.14,11.58' },
    {
      g: [
        [2.35, 48.86],
        [13.7, 51.05],
      ],
    },
    { g: 'POINT (179.5 -17)' },
    { k: 'none' },
  ],
});

test('geo_shape finds points in shapes', () =>
  index.finds([
    [
      {
        geo_shape: {
          g: {
            shape: {
              type: 'envelope',
              coordinates: [
                [10, 53],
                [14, 48],
              ],
            },
          },
        },
      },
      ['1', '2', '3'],
    ],
    [
      {
        geo_shape: {
          g: {
            shape: {
              type: 'polygon',
              coordinates: [
                [
                  [2, 48],
                  [3, 48],
                  [3, 49],
                  [2, 49],
                  [2, 48],
                ],
              ],
            },
          },
        },
      },
      ['3'],
    ],
    [{ geo_shape: { g: { shape: 'POLYGON ((10 52, 15 52, 15 54, 10 54, 10 52))', relation: 'within' } } }, ['1']],
    [
      {
        geo_shape: {
          g: {
            shape: {
              type: 'envelope',
              coordinates: [
                [10, 53],
                [14, 48],
              ],
            },
            relation: 'disjoint',
          },
        },
      },
      ['4'],
    ],
    [{ geo_shape: { nowhere: { shape: { type: 'point', coordinates: [0, 0] } }, ignore_unmapped: true } }, []],
  ]));

test('geo_shape refuses what is no shape', () =>
  index.refuses([
    [{ geo_shape: { g: {} } }, 'illegal_argument_exception: either shape or indexedShapeId is required'],
    [
      {
        geo_shape: {
          g: {
            shape: {
              type: 'envelope',
              coordinates: [
                [10, 53],
                [14, 48],
              ],
            },
            relation: 'near',
          },
        },
      },
      'parsing_exception: Unknown shape operation [near ]',
    ],
    [
      { geo_shape: { k: { shape: { type: 'point', coordinates: [0, 0] } } } },
      'query_shard_exception: Field [k] is of unsupported type [keyword] for [geo_shape] query',
    ],
    [
      { geo_shape: { nowhere: { shape: { type: 'point', coordinates: [0, 0] } } } },
      'query_shard_exception: failed to find type for field [nowhere]',
    ],
  ]));
