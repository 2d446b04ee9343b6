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

test('shapes in well-known text', () =>
  index.finds([
    [{ geo_shape: { g: { shape: 'POINT (13.4 52.52)' } } }, ['1']],
    [{ geo_shape: { g: { shape: 'MULTIPOINT (179.5 -17, 2.35 48.86)' } } }, ['3', '4']],
    [{ geo_shape: { g: { shape: 'POLYGON ((10 50, 15 50, 15 54, 10 54, 10 50))' } } }, ['1', '3']],
    [
      {
        geo_shape: {
          g: { shape: 'POLYGON ((10 47, 15 47, 15 54, 10 54, 10 47), (13 52, 14 52, 14 53, 13 53, 13 52))' },
        },
      },
      ['2', '3'],
    ],
    [
      {
        geo_shape: {
          g: { shape: 'MULTIPOLYGON (((2 48, 3 48, 3 49, 2 49, 2 48)), ((11 48, 12 48, 12 49, 11 49, 11 48)))' },
        },
      },
      ['2', '3'],
    ],
    [{ geo_shape: { g: { shape: 'BBOX (10, 14, 53, 48)' } } }, ['1', '2', '3']],
  ]));
