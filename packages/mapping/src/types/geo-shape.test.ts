import { test } from 'node:test';
import { fieldTable } from '../testing/field-table.js';

const field = fieldTable({ type: 'geo_shape' });

test('geo_shape keeps shapes in a column of bytes', () =>
  field.keeps({ terms: null, column: 'binary', points: false }));

test('geo_shape refuses what is no shape', () =>
  field.refuses([
    [
      {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [1, 0],
            [1, 1],
            [0, 1],
          ],
        ],
      },
      'illegal_argument_exception: first and last points of the linear ring must be the same (it must close itself): ' +
        'x[0]=0.0 x[3]=0.0 y[0]=0.0 y[3]=1.0',
    ],
    ['POINT (0 91)', 'illegal_argument_exception: invalid latitude 91.0; must be between -90.0 and 90.0'],
    ['POINT (181 0)', 'illegal_argument_exception: invalid longitude 181.0; must be between -180.0 and 180.0'],
    [
      { type: 'circle', coordinates: [0, 0], radius: '1m' },
      'illegal_argument_exception: Circle geometry is not supported',
    ],
    [{ type: 'cube' }, 'illegal_argument_exception: unknown geo_shape [cube]'],
    [7, 'parse_exception: shape must be an object consisting of type and coordinates'],
  ]));

const unforgiving = fieldTable({ type: 'geo_shape', ignore_z_value: false });

test('geo_shape refuses a third coordinate if told to', () =>
  unforgiving.refuses([
    [
      { type: 'Point', coordinates: [1, 2, 3] },
      'illegal_argument_exception: found Z value [3.0] but [ignore_z_value] parameter is [false]',
    ],
  ]));
