import assert from 'node:assert/strict';
import { test } from 'node:test';
import { movesFrom, moveText } from './compare.js';

test('each result tells how it moved', () => {
  const moves = movesFrom(['c', 'a', 'd'], ['a', 'b', 'c']);
  assert.deepEqual(
    moves.map(({ key, by }) => `${key}: ${moveText(by)}`),
    ['c: ▲ 2 up', 'a: ▼ 1 down', 'd: only here'],
  );
  assert.equal(moveText(0), 'same place');
});
