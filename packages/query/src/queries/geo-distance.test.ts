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

test('geo_distance finds points within a distance, each document with the score 1', () =>
  index.answers([
    [{ geo_distance: { distance: '200km', g: { lat: 52.52, lon: 13.4 } } }, { ids: ['1', '3'], scores: [1, 1] }],
    [{ geo_distance: { distance: 300000, g: '48.86,2.35', boost: 2 } }, { ids: ['3'], scores: [2] }],
  ]));

test('geo_distance reads points and distances in all forms', () =>
  index.finds([
    [{ geo_distance: { distance: '10mi', g: [11.58, 48.14] } }, ['2']],
    [{ geo_distance: { distance: 600, unit: 'km', g: 'u33dc0' } }, ['1', '2', '3']],
    [{ geo_distance: { distance: '300km', g: [-179.5, -17] } }, ['4']],
    [{ geo_distance: { distance: '1000km', g: 'POINT (13.4 52.52)', distance_type: 'plane' } }, ['1', '2', '3']],
    [{ geo_distance: { distance: '1km', nowhere: [0, 0], ignore_unmapped: true } }, []],
  ]));

test('geo_distance refuses other fields, distances and points', () =>
  index.refuses([
    [
      { geo_distance: { distance: '1km', g: [0, 0], size: 1 } },
      'parsing_exception: failed to parse [geo_distance] query. unexpected field [size]',
    ],
    [{ geo_distance: { g: [0, 0] } }, "parsing_exception: geo_distance requires 'distance' to be specified"],
    [
      { geo_distance: { distance: '1km', nowhere: [0, 0] } },
      'query_shard_exception: failed to find geo field [nowhere]',
    ],
    [
      { geo_distance: { distance: '1km', k: [0, 0] } },
      'query_shard_exception: Field [k] is of unsupported type [keyword] for [geo_distance] query',
    ],
    [
      { geo_distance: { distance: '0km', g: [0, 0] } },
      'illegal_argument_exception: distance must be greater than zero',
    ],
    [
      { geo_distance: { distance: '1km', g: [0, 0], distance_type: 'round' } },
      'illegal_argument_exception: No geo distance for [round]',
    ],
    [{ geo_distance: { distance: '1x', g: [0, 0] } }, 'number_format_exception: For input string: "1x"'],
  ]));

test('geo_distance takes coordinates one by one and refuses what is missing on the shard', () =>
  index.refuses([
    [{ geo_distance: { distance: '1km' } }, 'illegal_argument_exception: fieldName must not be null or empty'],
    [
      { geo_distance: { distance: '1km', g: { lon: 2 } } },
      "query_shard_exception: couldn't validate latitude/ longitude values <- query_validation_exception: Validation " +
        'Failed: 1: [geo_distance] center point latitude is invalid: NaN;',
    ],
    [
      { geo_distance: { distance: '1km', g: [200, 100] } },
      "query_shard_exception: couldn't validate latitude/ longitude values <- query_validation_exception: Validation " +
        'Failed: 1: [geo_distance] center point latitude is invalid: 100.0;2: [geo_distance] center point longitude ' +
        'is invalid: 200.0;',
    ],
    [
      { geo_distance: { distance: '1km', g: '1,1', k: { lat: 1, lon: 1 } } },
      "parsing_exception: [geo_distance] query doesn't support multiple fields, found [g] and [k]",
    ],
    [
      { geo_distance: { distance: '1km', g: '!!' } },
      'parse_exception: unsupported symbol [!] in geohash [!!] <- illegal_argument_exception: unsupported symbol [!] ' +
        'in geohash [!!]',
    ],
  ]));
