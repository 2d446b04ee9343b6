import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { inTurns, sortedInSteps } from './steps.js';

test('items are sorted as at a stretch, with pauses', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(50)), fc.integer({ min: 1, max: 5 }), async (some, times) => {
      const items = Array.from({ length: times }, () => some)
        .flat()
        .map((key, at) => ({ key, at }));
      const compare = (a: { key: number }, b: { key: number }): number => a.key - b.key;
      assert.deepEqual(await inTurns(sortedInSteps(items, compare), () => null), [...items].sort(compare));
    }),
  );
  let pauses = 0;
  const many = Array.from({ length: 100_000 }, (_, i) => (i * 7919) % 100_003);
  const sorted = await inTurns(
    sortedInSteps(many, (a, b) => a - b),
    () => (pauses++, null),
  );
  assert.deepEqual(
    sorted,
    [...many].sort((a, b) => a - b),
  );
  assert.ok(pauses > 50);
});
