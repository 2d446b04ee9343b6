import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kernelContract } from '@shoal/testing';
import fc from 'fast-check';
import { SERIES } from './constants.js';
import { addSize, BINS, binOf, logTail, scaleCounts, UNIT } from './tail.kernel.js';

const LOWER = [0, 0.5, Math.SQRT1_2, ...Array.from({ length: 17 }, (_, i) => 2 ** (i / 4)), 32, 64];
const sizes = fc.double({ min: 0, max: 1e6, noNaN: true });

kernelContract(
  'the counter of a size is the last whose lower edge is not above it',
  (z) => binOf(z),
  (z) => LOWER.findLastIndex((low) => low <= z),
  sizes,
);

const filled = (values: number[]) => {
  const counts = new Uint16Array(BINS);
  for (const z of values) addSize(counts, 0, z, UNIT);
  return counts;
};

test('probabilities of 20,000 exponential sizes are near their true ones, far beyond the largest as well', () => {
  const n = 20_000;
  const counts = filled(Array.from({ length: n }, (_, i) => -Math.log((i + 0.5) / n)));
  for (const z of [0.6, 1, 2, 4, 7]) {
    const found = logTail(counts, 0, z, n, SERIES.tail);
    assert.ok(Math.abs(found + z) < 0.15 * z + 0.1, `z ${z}: ${found} instead of ${-z}`);
  }
  const beyond = logTail(counts, 0, 20, n, SERIES.tail);
  assert.ok(beyond < -12 && beyond > -21, `${beyond}`);
});

test('a larger size is never more probable', () => {
  fc.assert(
    fc.property(fc.array(sizes, { minLength: 1, maxLength: 300 }), sizes, sizes, (values, a, b) => {
      const counts = filled(values);
      const [low, high] = a < b ? [a, b] : [b, a];
      const p = (z: number) => logTail(counts, 0, Math.max(z, 0.25), values.length, SERIES.tail);
      assert.ok(p(high) <= p(low) + 1e-9);
      assert.ok(p(high) <= 0 && Number.isFinite(p(high)));
    }),
  );
});

test('a counter that is nearly full asks to be halved, and halving keeps half of the observations', () => {
  const counts = new Uint16Array(BINS);
  let isFull = false;
  let added = 0;
  while (!isFull) {
    isFull = addSize(counts, 0, 3, UNIT);
    added++;
  }
  assert.equal(added, 8125);
  assert.equal(scaleCounts(counts, 0, 0.5), 4062.5);
});
