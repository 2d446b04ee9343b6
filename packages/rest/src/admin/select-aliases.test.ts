import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missingAliases, selectAliases } from './select-aliases.js';

const NAMES = ['a1', 'a2', 'b1'];

const cases: readonly (readonly [expression: string, selected: string[], missing: string[]])[] = [
  ['a*', ['a1', 'a2'], []],
  ['_all', NAMES, []],
  ['a*,-a1', ['a2'], []],
  ['*,-a*', ['b1'], []],
  ['_all,-a1', ['a2', 'b1'], ['-a1']],
  ['a1,-a1', [], ['-a1', 'a1']],
  ['a1,-a*', [], []],
  ['a1,-a*,a2', ['a2'], []],
  ['a*,-a1,a1', ['a1', 'a2'], []],
  ['a1,x,-*', [], []],
  ['a1,x', ['a1'], ['x']],
  ['y,x,y', [], ['x', 'y']],
  ['x,-y*', [], ['x']],
  ['-a1', [], ['-a1']],
  ['-a1*,a1', ['a1'], []],
  ['x*', [], []],
];

for (const [expression, selected, missing] of cases) {
  test(`[${expression}] selects [${selected}] and misses [${missing}]`, () => {
    const patterns = expression.split(',');
    const found = selectAliases(NAMES, patterns);
    assert.deepEqual(found, selected);
    assert.deepEqual(missingAliases(patterns, new Set(found)), missing);
  });
}
