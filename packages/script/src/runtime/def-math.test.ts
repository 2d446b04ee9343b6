import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JsonText } from '@shoal/json';
import { boxDouble, boxLong } from './boxes.js';
import * as math from './def-math.js';
import { defAdd, defDivide, defMath, defMultiply, defSubtract } from './def-math.js';
import type { Long } from './longs.js';
import { Boxed, type Value } from './values.js';

const VALUES: readonly Value[] = [
  ...[0, 1, -1, 7, 2 ** 31 - 1, -(2 ** 31), 2 ** 31, 2 ** 53 - 1, -(2 ** 53) + 1],
  ...[0.5, -0.5, 1e300, -1e300, Number.NaN, Infinity, -Infinity, 5e-324],
  ...[-0, 0, 3, 1e300].map((value) => new Boxed('Double', value)),
  ...[0, 5, -(2 ** 31), 2 ** 31 - 1].map((value) => new Boxed('Long', value)),
  ...(['Float', 'Short', 'Byte', 'Character'] as const).map((kind) => new Boxed(kind, 65)),
  new Boxed('Float', 0.5),
  ...[2n ** 62n, -(2n ** 63n)],
  new JsonText('2.0'),
  ...['text', true, null],
];

/** Returns a result, or the text of its error, in a form that can be compared. */
function outcome(run: () => Value): unknown {
  try {
    const value = run();
    return value instanceof Boxed ? [value.kind, value.value] : value;
  } catch (error) {
    return `error: ${(error as { told?: string }).told}`;
  }
}

test('the short ways of arithmetic on boxed values give what the general one gives', () => {
  const ways = { '+': defAdd, '-': defSubtract, '*': defMultiply, '/': defDivide };
  for (const [op, way] of Object.entries(ways))
    for (const a of VALUES)
      for (const b of VALUES)
        assert.deepEqual(
          outcome(() => way(a, b)),
          outcome(() => defMath(op, a, b)),
          `${String(a)} ${op} ${String(b)}`,
        );
});

test('unboxed numbers compare with boxed values as their boxed forms do', () => {
  const ways = [
    [math.defLess, math.numberLess, math.lessNumber],
    [math.defLessEqual, math.numberLessEqual, math.lessEqualNumber],
    [math.defGreater, math.numberGreater, math.greaterNumber],
    [math.defGreaterEqual, math.numberGreaterEqual, math.greaterEqualNumber],
  ] as const;
  const whole = [0, 5, -7, 2 ** 31, 2 ** 53 - 1];
  const numbers: [box: (value: Long) => Value, values: readonly Long[]][] = [
    [(value) => value, [0, 5, -7, 2 ** 31 - 1]],
    [boxLong, [...whole, 2n ** 62n, -(2n ** 63n)]],
    [(value) => boxDouble(Number(value)), [...whole, 0.5, -0.5, 1e300, Number.NaN, Infinity, 65]],
  ];
  for (const [general, left, right] of ways)
    for (const [box, values] of numbers)
      for (const a of values)
        for (const b of VALUES) {
          const text = `${general.name} ${String(a)} ${String(b)}`;
          assert.deepEqual(
            outcome(() => left(a, b, box)),
            outcome(() => general(box(a), b)),
            text,
          );
          assert.deepEqual(
            outcome(() => right(b, a, box)),
            outcome(() => general(b, box(a))),
            text,
          );
        }
});

test('arithmetic of an unboxed double with boxed values gives what that of its boxed form gives', () => {
  const ways = [
    [math.defAdd, math.doubleAdd, math.addDouble],
    [math.defSubtract, math.doubleSubtract, math.subtractDouble],
    [math.defMultiply, math.doubleMultiply, math.multiplyDouble],
  ] as const;
  for (const [general, left, right] of ways)
    for (const a of [0, -0, 5, 0.5, -7.25, 2 ** 53, 1e300, -1e300, Number.NaN, Infinity, -Infinity])
      for (const b of VALUES) {
        const text = `${general.name} ${String(a)} ${String(b)}`;
        assert.deepEqual(
          outcome(() => left(a, b)),
          outcome(() => general(boxDouble(a), b)),
          text,
        );
        assert.deepEqual(
          outcome(() => right(b, a)),
          outcome(() => general(b, boxDouble(a))),
          text,
        );
      }
});
