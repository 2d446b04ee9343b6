import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cellAfterKey, rowsInSight } from './document-grid.js';

test('keys move within the grid and stop at its edges', () => {
  const size = { rows: 100, columns: 3, page: 10 };
  const from = { row: 5, column: 1 };
  const after = (key: string, isControl = false): readonly number[] | null => {
    const cell = cellAfterKey(key, isControl, from, size);
    return cell === null ? null : [cell.row, cell.column];
  };
  assert.deepEqual(
    ['ArrowDown', 'ArrowUp', 'ArrowLeft', 'ArrowRight', 'PageDown', 'PageUp', 'Home', 'End'].map((key) => after(key)),
    [
      [6, 1],
      [4, 1],
      [5, 0],
      [5, 2],
      [15, 1],
      [0, 1],
      [5, 0],
      [5, 2],
    ],
  );
  assert.deepEqual([after('Home', true), after('End', true), after('x')], [[0, 0], [100, 2], null]);
  assert.deepEqual(cellAfterKey('ArrowDown', false, { row: 100, column: 0 }, size), { row: 100, column: 0 });
});

test('of 10,000 lines those in sight are in the page, 120 at most', () => {
  assert.deepEqual(rowsInSight(0, 640, 10_000, 32), [0, 40]);
  assert.deepEqual(rowsInSight(32_000, 640, 10_000, 32), [990, 1030]);
  assert.deepEqual(rowsInSight(32_000, 640, 5, 32), [0, 5]);
  assert.deepEqual(rowsInSight(0, 640, 0, 32), [0, 0]);
  const [first, end] = rowsInSight(100_000, 100_000, 10_000, 32);
  assert.equal(end - first, 120);
});
