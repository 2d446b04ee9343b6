import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JsonText } from '@shoal/json';
import { defAdd, defDivide, defMath, defMultiply, defSubtract } from './def-math.js';
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
