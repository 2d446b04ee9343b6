import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COMBINE, firstMissing, firstNegative, MODIFY } from './function-score.kernel.js';

const combined = (mode: string, score: number, factor: number, maxBoost = Number.POSITIVE_INFINITY): number => {
  const scores = Float64Array.of(score);
  assert.equal(COMBINE[mode]!(scores, Float64Array.of(factor), 1, maxBoost), -1);
  return scores[0]!;
};

test('scores and factors are combined by boost mode and rounded to floats', () => {
  const found = Object.fromEntries(
    ['multiply', 'replace', 'sum', 'avg', 'max', 'min'].map((mode) => [mode, combined(mode, 2, 5)]),
  );
  assert.deepEqual(found, { multiply: 10, replace: 5, sum: 7, avg: 3.5, max: 5, min: 2 });
  assert.equal(combined('sum', 0.1, 0.2), Math.fround(0.1 + 0.2));
  assert.equal(combined('multiply', 2, 5, 3), 6, 'at most max_boost');
});

test('the first score that is negative, infinite or no number is told', () => {
  assert.equal(
    COMBINE['multiply']!(Float64Array.of(1, 1, 1), Float64Array.of(1, -1, Number.NaN), 3, Number.POSITIVE_INFINITY),
    1,
  );
  assert.equal(
    COMBINE['replace']!(Float64Array.of(1, 1), Float64Array.of(1, Number.NaN), 2, Number.POSITIVE_INFINITY),
    1,
  );
  assert.equal(COMBINE['multiply']!(Float64Array.of(3e38), Float64Array.of(10), 1, Number.POSITIVE_INFINITY), 0);
});

test('modifiers apply to the value times the factor', () => {
  const value = 9;
  const wanted: Record<string, number> = {
    none: 18,
    log: Math.log10(18),
    log1p: Math.log1p(18) / Math.LN10,
    log2p: Math.log10(20),
    ln: Math.log(18),
    ln1p: Math.log1p(18),
    ln2p: Math.log(20),
    square: 324,
    sqrt: Math.sqrt(18),
    reciprocal: 1 / 18,
  };
  for (const [modifier, result] of Object.entries(wanted)) {
    const values = Float64Array.of(value);
    MODIFY[modifier]!(values, 1, 2);
    assert.equal(values[0], result, modifier);
  }
  assert.deepEqual(Object.keys(MODIFY).sort(), Object.keys(wanted).sort());
});

test('missing and negative values are found', () => {
  assert.equal(firstMissing(Float64Array.of(1, Number.NaN), 2), 1);
  assert.equal(firstMissing(Float64Array.of(1, -1), 2), -1);
  assert.equal(firstNegative(Float64Array.of(0, -1), 2), 1);
  assert.equal(firstNegative(Float64Array.of(0, Number.NaN), 2), -1);
});
