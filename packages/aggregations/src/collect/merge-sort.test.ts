import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sortedNumbers } from './merge-sort.js';

/** Keys of `count` numbers, many of them equal, the same in each run of the test. */
const keysOf = (count: number): Int32Array => Int32Array.from({ length: count }, (_, i) => (i * 7919) % 1009);

test('numbers are sorted as by a stable sort at a stretch, whatever their count', async () => {
  for (const count of [0, 1, 2, 4095, 4096, 4097, 12_288, 50_001]) {
    const keys = keysOf(count);
    const byKey = (a: number, b: number): number => keys[a]! - keys[b]!;
    const wanted = Array.from({ length: count }, (_, i) => i).sort(byKey);
    assert.deepEqual([...(await sortedNumbers(count, byKey, () => null))], wanted, `${count} numbers`);
  }
});

test('sorting looks at the clock at least each few ten thousand comparisons, and ends with its request', async () => {
  const keys = keysOf(100_000);
  let [compared, comparedAtOnce] = [0, 0];
  const byKey = (a: number, b: number): number => (compared++, keys[a]! - keys[b]!);
  await sortedNumbers(keys.length, byKey, () => {
    comparedAtOnce = Math.max(comparedAtOnce, compared);
    compared = 0;
    return Promise.resolve();
  });
  assert.ok(comparedAtOnce < 100_000, `${comparedAtOnce} comparisons at a stretch`);
  await assert.rejects(
    sortedNumbers(keys.length, byKey, () => Promise.reject(new Error('cancelled'))),
    /cancelled/,
  );
});
