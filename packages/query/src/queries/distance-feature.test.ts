import { test } from 'node:test';
import { searchFixture } from '../testing/search-fixture.js';

/** Answers, plan texts and errors are those of Elasticsearch 8.12.0. */
const index = await searchFixture({
  mapping: { d: { type: 'date' }, g: { type: 'geo_point' }, n: { type: 'long' } },
  documents: [
    { d: '2024-01-10', g: { lat: 52.5, lon: 13.4 } },
    { d: '2024-01-12', g: { lat: 48.1, lon: 11.6 } },
    {
      d: ['2024-01-01', '2024-01-20'],
      g: [
        { lat: 0, lon: 0 },
        { lat: 52, lon: 13 },
      ],
    },
    { n: 1 },
  ],
});

test('distance_feature scores one half at the pivot, more the nearer the nearest date or point is', () =>
  index.answers([
    [
      { distance_feature: { field: 'd', origin: '2024-01-12', pivot: '2d' } },
      { ids: ['2', '1', '3'], scores: [0.666667, 0.4, 0.222222] },
    ],
    [
      { distance_feature: { field: 'd', origin: '2024-01-20', pivot: '10d', boost: 2 } },
      { ids: ['3', '2', '1'], scores: [1.81818, 1.05263, 0.952381] },
    ],
    [
      { distance_feature: { field: 'g', origin: [13.4, 52.5], pivot: '100km' } },
      { ids: ['1', '3', '2'], scores: [1, 0.617637, 0.165114] },
    ],
  ]));

test('distance_feature refuses other fields and pivots', () =>
  index.refuses([
    [
      { distance_feature: { field: 'n', origin: 1, pivot: '1d' } },
      'query_shard_exception: failed to create query: Illegal data type of [long]![distance_feature] ' +
        'query can only be run on a date, date_nanos or geo_point field type! <- ' +
        'illegal_argument_exception: Illegal data type of [long]![distance_feature] query can only be run ' +
        'on a date, date_nanos or geo_point field type!',
    ],
    [
      { distance_feature: { field: 'd', origin: '2024-01-12', pivot: '1km' } },
      'query_shard_exception: failed to create query: failed to parse [1km] <- ' +
        'illegal_argument_exception: failed to parse [1km] <- number_format_exception: For input string: "1k"',
    ],
    [{ distance_feature: { field: 'd', origin: '2024-01-12' } }, 'illegal_argument_exception: Required [pivot]'],
    [
      { distance_feature: { field: 'd', origin: '2024-01-12', pivot: '0d' } },
      'query_shard_exception: failed to create query: pivotDistance must be > 0, got 0 <- ' +
        'illegal_argument_exception: pivotDistance must be > 0, got 0',
    ],
    [
      { distance_feature: { field: 'd', origin: 'x', pivot: '1d' } },
      'query_shard_exception: failed to create query: failed to parse date field [x] with format ' +
        '[strict_date_optional_time||epoch_millis]: [failed to parse date field [x] with format ' +
        '[strict_date_optional_time||epoch_millis]] <- parse_exception: failed to parse date field [x] with ' +
        'format [strict_date_optional_time||epoch_millis]: [failed to parse date field [x] with format ' +
        '[strict_date_optional_time||epoch_millis]] <- illegal_argument_exception: failed to parse date ' +
        'field [x] with format [strict_date_optional_time||epoch_millis] <- date_time_parse_exception: ' +
        'Failed to parse with all enclosed parsers',
    ],
  ]));
