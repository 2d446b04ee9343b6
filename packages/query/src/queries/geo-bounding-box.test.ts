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

test('geo_bounding_box finds points in a box, each document with the score 1', () =>
  index.answers([
    [
      { geo_bounding_box: { g: { top_left: { lat: 53, lon: 10 }, bottom_right: { lat: 48, lon: 14 } } } },
      {
        ids: ['1', '2', '3'],
        scores: [1, 1, 1],
        plan:
          'IndexOrDocValuesQuery(indexQuery=g:[47.99999998882413 TO ' +
          '52.999999984167516],[9.999999990686774 TO 13.999999919906259], ' +
          'dvQuery=g:box(minLat=47.99999998882413, maxLat=52.999999984167516, ' +
          'minLon=9.999999990686774, maxLon=13.999999919906259))',
      },
    ],
  ]));

test('geo_bounding_box reads boxes in all forms, across the date line too', () =>
  index.finds([
    [{ geo_bounding_box: { g: { top: 49, left: 2, bottom: 48, right: 3 } } }, ['3']],
    [{ geo_bounding_box: { g: { wkt: 'BBOX (10, 14, 53, 50)' } } }, ['1', '3']],
    [{ geo_bounding_box: { g: { top_left: '0,170', bottom_right: '-20,-170' } } }, ['4']],
    [{ geo_bounding_box: { g: { top_right: [14, 53], bottom_left: [10, 51] } } }, ['1', '3']],
    [{ geo_bounding_box: { nowhere: { top: 1, left: 0, bottom: 0, right: 1 }, ignore_unmapped: true } }, []],
  ]));

test('geo_bounding_box refuses boxes that are none', () =>
  index.refuses([
    [{ geo_bounding_box: {} }, 'parse_exception: failed to parse [geo_bounding_box] query. bounding box not provided'],
    [
      { geo_bounding_box: { g: { top: 1, left: 0, bottom: 2, right: 1 } } },
      'illegal_argument_exception: top is below bottom corner: 1.0 vs. 2.0',
    ],
    [
      { geo_bounding_box: { nowhere: { top: 1, left: 0, bottom: 0, right: 1 } } },
      'query_shard_exception: failed to find geo field [nowhere]',
    ],
    [
      { geo_bounding_box: { g: { top: 1, left: 0, bottom: 0, right: 1 }, size: 1 } },
      'parsing_exception: failed to parse [geo_bounding_box] query. unexpected field [size]',
    ],
    [
      { geo_bounding_box: { g: { top: 1, left: 0, bottom: 0, right: 1 }, type: 'indexed' } },
      'parsing_exception: failed to parse [geo_bounding_box] query. unexpected field [type]',
    ],
  ]));
