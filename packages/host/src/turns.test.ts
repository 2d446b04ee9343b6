import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTurns } from './turns.js';

test('so many run at a time, and one that fails gives its turn on', async () => {
  const inTurn = createTurns(2);
  const ends: ((failure?: Error) => void)[] = [];
  const begun: number[] = [];
  const results = [0, 1, 2, 3].map((i) =>
    inTurn(() => {
      begun.push(i);
      return new Promise<number>((resolve, reject) => ends.push((failure) => (failure ? reject(failure) : resolve(i))));
    }),
  );
  assert.deepEqual(begun, [0, 1]);
  ends[1]!(new Error('broken'));
  await assert.rejects(results[1]!, { message: 'broken' });
  assert.deepEqual(begun, [0, 1, 2]);
  ends[0]!();
  ends[2]!();
  assert.deepEqual([await results[0], await results[2]], [0, 2]);
  ends[3]!();
  assert.equal(await results[3], 3);
});
