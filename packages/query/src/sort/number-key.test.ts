import assert from 'node:assert/strict';
import test from 'node:test';
import type { SegmentView } from '../searcher.js';
import { numberKey, type NumberSort } from './number-key.js';
import type { SegmentKeys } from './sort-key.js';

const LONG_MAX = 9223372036854775807n;
const empty = { reader: { numbers: () => null } } as unknown as SegmentView;

const SORT: NumberSort = {
  field: 'n',
  nanosField: null,
  isDescending: false,
  mode: 'min',
  missing: Infinity,
  missingValue: LONG_MAX,
  isFloating: false,
  nested: null,
  isWide: false,
  check: null,
  render: (value) => value,
  parse: (value) => value as number | bigint,
};

const keys = (change: Partial<NumberSort>): SegmentKeys => numberKey({ ...SORT, ...change }).segment(empty);

const wide = {
  reader: { numbers: () => ({ bigs: (doc: number) => [[], [2n ** 63n], [2n ** 64n - 1n], [5n, 8n]][doc]! }) },
} as unknown as SegmentView;

/** Returns document numbers in the order of their keys. */
function orderOf(change: Partial<NumberSort>): number[] {
  const segment = numberKey({ ...SORT, isWide: true, ...change }).segment(wide);
  const docs = Int32Array.of(0, 1, 2, 3);
  const slots = [0, 1].map((slot) => {
    const out = new Float64Array(4);
    segment.read(slot, docs, 4, null, out);
    return out;
  });
  return [...docs].sort((a, b) => slots[0]![a]! - slots[0]![b]! || slots[1]![a]! - slots[1]![b]! || a - b);
}

test('unsigned numbers order by all their bits, those without one beside the extreme that stands for them', () => {
  const max = 2n ** 64n - 1n;
  assert.deepEqual(orderOf({ missing: Number(max), missingValue: max }), [3, 1, 0, 2]);
  assert.deepEqual(orderOf({ isDescending: true, missing: -0, missingValue: 0n }), [2, 1, 3, 0]);
  assert.deepEqual(orderOf({ missing: 6, missingValue: 6, mode: 'avg' }), [0, 3, 1, 2]);
  const narrow = keys({ missing: Number(max), missingValue: max });
  assert.equal(narrow.keyOf(0, max), 2 ** 64);
  assert.ok(narrow.keyOf(0, max - 1n) < 2 ** 64);
});

test('a page after documents without a value does not begin with them again', () => {
  assert.equal(keys({}).keyOf(0, LONG_MAX), Infinity);
  assert.equal(keys({ isDescending: true, missingValue: -LONG_MAX - 1n }).keyOf(0, -LONG_MAX - 1n), Infinity);
  assert.equal(keys({ missing: -Infinity, missingValue: -LONG_MAX - 1n }).keyOf(0, -LONG_MAX - 1n), -Infinity);
  assert.equal(keys({ isWide: true }).keyOf(0, LONG_MAX), Infinity);
  assert.ok(keys({}).keyOf(0, LONG_MAX - 1n) < Infinity);
  assert.equal(keys({}).keyOf(0, 5), 5);
  assert.equal(keys({ isFloating: true }).keyOf(0, 1e300), 1e300);
});
