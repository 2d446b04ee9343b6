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

test('points off the map are brought back or matched with nothing as validation_method says', () =>
  index.finds([
    [{ geo_distance: { distance: '100km', g: [373.4, 52.52], validation_method: 'coerce' } }, ['1']],
    [{ geo_distance: { distance: '100km', g: [13.4, 52.52], validation_method: 'ignore_malformed' } }, ['1']],
    [
      { geo_bounding_box: { g: { top: 53, left: 10, bottom: 48, right: 14 }, validation_method: 'strict' } },
      ['1', '2', '3'],
    ],
  ]));
