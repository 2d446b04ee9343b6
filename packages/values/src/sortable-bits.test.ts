import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sortableBits, sortableBound } from './sortable-bits.js';

test("numbers become Lucene's sortable integers", () => {
  const cases: readonly [value: number, bits: 16 | 32 | 64, expected: bigint][] = [
    [14, 16, 19200n],
    [Infinity, 16, 31744n],
    [-3, 16, -16897n],
    [-1.0009766, 16, -15362n],
    [1.001358e-5, 16, 168n],
    [-Infinity, 16, -31745n],
    [0.5, 32, 1056964608n],
    [-3, 32, -1077936129n],
    [Infinity, 32, 2139095040n],
    [2, 64, 4611686018427387904n],
    [-3, 64, -4613937818241073153n],
    [Infinity, 64, 9218868437227405312n],
    [0, 64, 0n],
  ];
  for (const [value, bits, expected] of cases) assert.equal(sortableBits(value, bits), expected, `${value} of ${bits}`);
});

test('the order of numbers is that of their integers', () => {
  const numbers = [-Infinity, -70.5, -1, -(2 ** -20), 0, 2 ** -24, 2 ** -14, 0.5, 1, 65504, Infinity];
  for (const bits of [16, 32, 64] as const)
    for (let i = 1; i < numbers.length; i++)
      assert.ok(sortableBits(numbers[i - 1]!, bits) < sortableBits(numbers[i]!, bits), `${numbers[i]} of ${bits}`);
});

test('ends of ranges become numbers within them', () => {
  const cases: readonly [value: number, bits: 16 | 32 | 64, isLow: boolean, sortable: bigint, inside: number][] = [
    [3.0000000000000004, 32, true, 1077936129n, Math.fround(3.0000002)],
    [-1.0000000000000002, 32, false, -1065353218n, Math.fround(-1.0000001)],
    [2.9999999999999996, 32, false, 1077936127n, Math.fround(2.9999998)],
    [-1.0000000000000002, 16, false, -15362n, -1.0009765625],
    [3.0000000000000004, 16, true, 16897n, 3.001953125],
    [1.5, 64, true, 4609434218613702656n, 1.5],
    [-Infinity, 16, true, -31745n, -Infinity],
    [2 ** -24, 16, true, 1n, 2 ** -24],
  ];
  for (const [value, bits, isLow, sortable, inside] of cases)
    assert.deepEqual(sortableBound(value, bits, isLow), { sortable, value: inside }, `${value} of ${bits}`);
});
