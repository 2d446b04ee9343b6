import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutNames } from './group-numbers.js';

test('groups are numbered as V8 numbers them, whatever stands around', () => {
  const rows: readonly (readonly [named: string, source: string, numbers: Record<string, number>])[] = [
    ['(?<g0>a)(b)(?:c)(?<g1>d)', '(a)(b)(?:c)(d)', { g0: 1, g1: 3 }],
    ['\\((?<g0>[(]\\])', '\\(([(]\\])', { g0: 1 }],
    ['(?=x)(?<!y)(?<=z)(?!w)(?<g0>(?<g1>a)|b)', '(?=x)(?<!y)(?<=z)(?!w)((a)|b)', { g0: 1, g1: 2 }],
    ['(?<g0>a)\\k<g0>', '(?<g0>a)\\k<g0>', { g0: 1 }],
  ];
  for (const [named, source, numbers] of rows) {
    const result = withoutNames(named);
    assert.deepEqual([result.source, Object.fromEntries(result.numbers)], [source, numbers], named);
    assert.doesNotThrow(() => new RegExp(result.source));
  }
});
