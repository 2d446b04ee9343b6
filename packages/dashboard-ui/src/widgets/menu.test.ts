import assert from 'node:assert/strict';
import { test } from 'node:test';
import { itemAfterKey } from './menu.js';

test('arrows go round, Home and End to the ends, other keys mean nothing', () => {
  assert.deepEqual(
    [
      itemAfterKey('ArrowDown', 0, 3),
      itemAfterKey('ArrowDown', 2, 3),
      itemAfterKey('ArrowUp', 0, 3),
      itemAfterKey('Home', 2, 3),
      itemAfterKey('End', 0, 3),
      itemAfterKey('a', 0, 3),
    ],
    [1, 0, 2, 0, 2, null],
  );
});
