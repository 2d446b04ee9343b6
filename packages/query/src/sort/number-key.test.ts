import assert from 'node:assert/strict';
import test from 'node:test';
import type { SegmentView } from '../searcher.js';
import { numberKey, type NumberSort } from './number-key.js';

const LONG_MAX = 9223372036854775807n;
const empty = { reader: { numbers: () => null } } as unknown as SegmentView;

function keys(change: Partial<NumberSort>) {
  const sort: NumberSort = {
    field: 'n', isDescending: false, mode: 'min', missing: Infinity, missingValue: LONG_MAX, isFloating: false, nested: null, isWide: false,
    render: (value) => value, parse: (value) => value as number | bigint, ...change,
  };
  return numberKey(sort).segment(empty);
}

test('a page after documents without a value does not begin with them again', () => {
  assert.equal(keys({}).keyOf(0, LONG_MAX), Infinity);
  assert.equal(keys({ isDescending: true, missingValue: -LONG_MAX - 1n }).keyOf(0, -LONG_MAX - 1n), Infinity);
  assert.equal(keys({ missing: -Infinity, missingValue: -LONG_MAX - 1n }).keyOf(0, -LONG_MAX - 1n), -Infinity);
  assert.equal(keys({ isWide: true }).keyOf(0, LONG_MAX), Infinity);
  assert.equal(keys({}).keyOf(0, 5), 5);
  assert.equal(keys({ isFloating: true }).keyOf(0, 1e300), 1e300);
});
