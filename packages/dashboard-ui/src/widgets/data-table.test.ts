import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sortedRows } from './data-table.js';

test('rows are sorted both ways, and equal ones keep their order', () => {
  const rows = [
    { name: 'b', size: 2 },
    { name: 'a', size: 10 },
    { name: 'c', size: 2 },
  ];
  const names = (isDown: boolean) => sortedRows(rows, ({ size }) => size, isDown).map(({ name }) => name);
  assert.deepEqual(
    [names(false), names(true)],
    [
      ['b', 'c', 'a'],
      ['a', 'b', 'c'],
    ],
  );
});
