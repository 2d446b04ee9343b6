import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DecimalSum } from './decimal-sum.js';

const sumOf = (values: readonly number[]): DecimalSum => {
  const sum = new DecimalSum();
  for (const value of values) sum.add(value);
  return sum;
};

test('a sum of decimal numbers is the same in each order, and of sums of its parts', () => {
  const decimal = fc.integer({ min: -1e9, max: 1e9 }).map((units) => units / 1e4);
  fc.assert(
    fc.property(fc.array(decimal, { minLength: 2, maxLength: 50 }), fc.nat(), (values, cut) => {
      const whole = sumOf(values).value;
      const at = 1 + (cut % (values.length - 1));
      const exact = values.reduce((units, value) => units + Math.round(value * 1e4), 0) / 1e4;
      assert.equal(whole, exact === 0 ? 0 : exact);
      assert.equal(sumOf(values.toReversed()).value, whole);
      assert.equal(sumOf([sumOf(values.slice(0, at)).value, sumOf(values.slice(at)).value]).value, whole);
      const merged = sumOf(values.slice(0, at));
      merged.merge(sumOf(values.slice(at)));
      assert.equal(merged.value, whole);
    }),
  );
});

test('a sum of sums of shards, which were rounded twice, is the decimal number that it stands for', () => {
  assert.notEqual(0.1 + 0.2, 0.3);
  assert.equal(sumOf([0.1 + 0.2]).value, 0.3);
});

test('numbers that are no decimals of few digits, and sums beyond whole numbers, are added as doubles', () => {
  assert.equal(sumOf([Math.PI, 1 / 3]).value, Math.PI + 1 / 3);
  assert.equal(sumOf([1e308, -1e308, 2.5]).value, 2.5);
  assert.equal(sumOf([2 ** 52, 2 ** 52, 1]).value, 2 ** 53 + 1);
  assert.equal(sumOf(Array.from({ length: 1000 }, () => 4e9)).value, 4e12);
});

test('a sum goes on from what was kept of it, and from the plain number of an earlier version', () => {
  const kept = sumOf([0.1, Math.PI]);
  const next = new DecimalSum();
  next.restore(JSON.parse(JSON.stringify(kept.toJson())) as [number, number]);
  next.add(0.2);
  kept.add(0.2);
  assert.equal(next.value, kept.value);
  const old = new DecimalSum();
  old.restore(Math.E);
  assert.equal(old.value, Math.E);
});
