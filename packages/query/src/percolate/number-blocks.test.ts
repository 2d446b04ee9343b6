import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blocksAround, rangeBlocks } from './number-blocks.js';

const NUMBERS = [-Infinity, -1e308, -2.5, -1, -0, 0, 5e-324, 0.1, 1, 2, 3, 100, 2 ** 53, 1e308, Infinity];

test('a number is in a range if and only if one of its blocks is a block of the range', () => {
  const numbers = [...NUMBERS, ...Array.from({ length: 40 }, (_, i) => (((i * 7919) % 1009) - 500) / 4)];
  for (const low of numbers)
    for (const high of numbers) {
      if (low > high) continue;
      const blocks = new Set(rangeBlocks(low, high));
      assert.ok(blocks.size <= 128, `${low} to ${high}: ${blocks.size} blocks`);
      for (const value of numbers)
        assert.equal(
          blocksAround(value).some((block) => blocks.has(block)),
          low <= value && value <= high,
          `${value} in [${low}, ${high}]`,
        );
    }
});

test('an empty range has no blocks, a single number has one', () => {
  assert.deepEqual(rangeBlocks(2, 1), []);
  assert.equal(rangeBlocks(3, 3).length, 1);
});
