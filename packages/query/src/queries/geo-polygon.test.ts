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

test('geo_polygon finds points in a polygon, each document with the score 1', () =>
  index.answers([
    [
      {
        geo_polygon: {
          g: {
            points: [
              [10, 54],
              [15, 54],
              [15, 50],
              [10, 50],
            ],
          },
        },
      },
      { ids: ['1', '3'], scores: [1, 1] },
    ],
    [{ geo_polygon: { g: { points: ['49,2', '49,3', '48,3', '48,2'] }, boost: 2 } }, { ids: ['3'], scores: [2] }],
    [
      {
        geo_polygon: {
          nowhere: {
            points: [
              [0, 0],
              [1, 1],
              [1, 0],
            ],
          },
          ignore_unmapped: true,
        },
      },
      { ids: [], scores: [] },
    ],
  ]));

test('geo_polygon refuses polygons that are none', () =>
  index.refuses([
    [
      {
        geo_polygon: {
          g: {
            points: [
              [0, 0],
              [1, 1],
            ],
          },
        },
      },
      'illegal_argument_exception: too few points defined for geo_polygon query',
    ],
    [{ geo_polygon: { g: { points: [] } } }, 'illegal_argument_exception: polygon must not be null or empty'],
    [{ geo_polygon: { g: {} } }, 'illegal_argument_exception: polygon must not be null or empty'],
    [
      {
        geo_polygon: {
          g: {
            points: [
              [0, 0],
              [1, 1],
              [1, 0],
            ],
            holes: [],
          },
        },
      },
      'parsing_exception: [geo_polygon] query does not support [holes]',
    ],
    [{ geo_polygon: {} }, 'illegal_argument_exception: fieldName must not be null'],
    [
      { geo_polygon: { g: { points: Array.from({ length: 100_001 }, () => '1,1') } } },
      'illegal_argument_exception: [geo_polygon] has [100001] points, more than [100000]',
    ],
  ]));
