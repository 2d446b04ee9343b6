import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shapeOf } from './shape-of.js';

const at = (lon: number, lat: number): unknown => ({ type: 'point', coordinates: [lon, lat] });

test('points are written in all forms that a document may have', () => {
  const square = {
    type: 'envelope',
    coordinates: [
      [0, 1],
      [1, 0],
    ],
  };
  const rows: [value: unknown, shape: unknown][] = [
    [{ lat: 1.5, lon: -2 }, at(-2, 1.5)],
    [[-2, 1.5], at(-2, 1.5)],
    ['1.5, -2', at(-2, 1.5)],
    ['s', at(22.5, 22.5)],
    ['POINT (1 2)', 'POINT (1 2)'],
    [square, square],
    [[square, '1,2'], { type: 'geometrycollection', geometries: [square, at(2, 1)] }],
    ['no shape', 'no shape'],
    [7, 7],
  ];
  for (const [value, shape] of rows) assert.deepEqual(shapeOf(value), shape);
});
