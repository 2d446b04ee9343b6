import { test } from 'node:test';
import { fieldTable, refusesDefinitions } from '../testing/field-table.js';

const point = fieldTable({ type: 'geo_point' });
const lenient = fieldTable({ type: 'geo_point', ignore_malformed: true });
const withNull = fieldTable({ type: 'geo_point', null_value: [1, 2] });

test('geo_point keeps points with an index', () => point.keeps({ terms: null, column: 'geo', points: true }));

test('geo_point reads points in all forms', () =>
  point.indexes([
    [{ lat: 52.5, lon: 13.4 }, { f: [52.5, 13.4] }],
    ['52.5,13.4', { f: [52.5, 13.4] }],
    [[13.4, 52.5], { f: [52.5, 13.4] }],
    ['POINT (13.4 52.5)', { f: [52.5, 13.4] }],
    // The corner of the cell.
    ['u33db', { f: [52.5146484375, 13.359375] }],
    [
      [
        [13.4, 52.5],
        [0, 1],
      ],
      { f: [52.5, 13.4, 1, 0] },
    ],
    [{ type: 'Point', coordinates: [13.4, 52.5] }, { f: [52.5, 13.4] }],
    [null, {}],
  ]));

test('geo_point refuses points off the map', () =>
  point.refuses([
    [{ lat: 91, lon: 0 }, 'illegal_argument_exception: illegal latitude value [91.0] for f'],
    ['0,181', 'illegal_argument_exception: illegal longitude value [181.0] for f'],
    ['x,y', 'parse_exception: latitude must be a number'],
    [{ lat: 1 }, 'parse_exception: Required [lon]'],
    [{ lat: 1, type: 'point' }, 'parse_exception: Required [lon]'],
    [{ type: 'point' }, 'parse_exception: Required [coordinates]'],
    [{ coordinates: [1, 2] }, 'parse_exception: Required [type]'],
    [{ type: 'point', coordinates: [1] }, 'parse_exception: [coordinates] must contain at least two values'],
    [{ type: 'point', coordinates: 1 }, 'parse_exception: [coordinates] must be an array'],
    [
      { lat: 1, lon: 2, a: 1 },
      'parse_exception: field [a] not supported - must be one of: lon, lat, z, type, coordinates, geohash',
    ],
    [{}, 'parse_exception: field must be either lat/lon, geohash string or type/coordinates'],
    [{ geohash: 'u', lat: 1 }, 'parse_exception: field must be either lat/lon, geohash string or type/coordinates'],
    [
      { geohash: 'u', lat: 1, lon: 2 },
      'parse_exception: fields matching more than one point format found: [geohash, lon/lat]',
    ],
    [5, 'parse_exception: geo_point expected'],
    ['LINESTRING (0 0, 1 1)', 'parse_exception: latitude must be a number'],
  ]));

test('geo_point cannot be searched by value', () =>
  point.terms([
    [
      '1,2',
      'illegal_argument_exception: Geometry fields do not support exact searching, use dedicated geometry ' +
        'queries instead: [f]',
    ],
  ]));

test('geo_point has no ranges', () =>
  point.ranges([
    [{ gte: 1 }, 'illegal_argument_exception: Field [f] of type [geo_point] does not support range queries'],
  ]));

test('malformed points are ignored when asked, and those beyond the globe are moved onto it', () =>
  lenient.indexes([
    ['bad', { _ignored: ['f'] }],
    [{ lat: 91, lon: 0 }, { f: [89, 180] }],
    ['-91,10', { f: [-89, -170] }],
    ['0,181', { f: [0, -179] }],
    ['271,10', { f: [-89, 10] }],
    ['181,5', { f: [-1, -175] }],
    ['95,-170', { f: [85, 10] }],
    ['0,540', { f: [0, 180] }],
    ['91,-190', { f: [89, -10] }],
  ]));

test('null_value stands in for null', () => withNull.indexes([[null, { f: [2, 1] }]]));

test('geo_point refuses parameters that it does not take', () =>
  refusesDefinitions([
    [
      { type: 'geo_point', ignore_malformed: 'x' },
      'illegal_argument_exception: Failed to parse value [x] as only [true] or [false] are allowed.',
    ],
    [
      { type: 'geo_point', precision: '1m' },
      'mapper_parsing_exception: unknown parameter [precision] on mapper [f] of type [geo_point]',
    ],
  ]));

test('objects that earlier builds took for points are kept where their documents were accepted', () =>
  fieldTable({ type: 'geo_point' }, { isLogged: true }).indexes([
    [{ type: 'point', coordinates: [2, 1], z: 3, note: 'x' }, { f: [1, 2] }],
    [{ type: 'point', coordinates: [2, 1], lat: 5, lon: 6 }, { f: [1, 2] }],
    [{ geohash: 'u33db', lat: 1 }, { f: [52.5146484375, 13.359375] }],
    [{ geohash: 'u33db', lat: 1, lon: 2 }, { f: [52.5146484375, 13.359375] }],
    [
      [
        { lat: 1, lon: 2, z: 3 },
        { geohash: 'u33db', lon: 1 },
      ],
      { f: [1, 2, 52.5146484375, 13.359375] },
    ],
    // No build took these.
    [{ lat: 1, lon: 2, a: 1 }, {}],
    [{ lat: 91, lon: 2 }, {}],
  ]));

test('what a primary ignores as malformed, copies and replays ignore too', () => {
  const earlierForms = [
    { type: 'Point', coordinates: [1, 2], crs: 'x' },
    { geohash: 'u4pr', lat: 1 },
    { lat: 1, lon: 2, geohash: 'u4pr' },
  ];
  for (const isLogged of [false, true])
    fieldTable({ type: 'geo_point', ignore_malformed: true }, { isLogged }).indexes(
      earlierForms.map((value) => [value, { _ignored: ['f'] }]),
    );
});
