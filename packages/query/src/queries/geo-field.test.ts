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

test('a point of a query is read in all forms', () =>
  index.finds([
    [{ geo_distance: { distance: '5km', g: { lat: 52.52, lon: 13.4 } } }, ['1']],
    [{ geo_distance: { distance: '5km', g: '52.52,13.4' } }, ['1']],
    [{ geo_distance: { distance: '5km', g: [13.4, 52.52] } }, ['1']],
    [{ geo_distance: { distance: '5km', g: 'POINT (13.4 52.52)' } }, ['1']],
    [{ geo_distance: { distance: '5km', g: 'u33dc1' } }, ['1']],
  ]));

test('what is no point is refused', () =>
  index.refuses([
    [{ geo_distance: { distance: '5km', g: 'x,y' } }, 'parse_exception: latitude must be a number'],
    [{ geo_distance: { distance: '5km', g: 'POINT (1)' } }, 'parse_exception: Invalid WKT format'],
  ]));
