import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NumberColumn } from '@shoal/segments';
import { nanosOf } from './nanoseconds.js';

const column = (...docs: readonly (readonly bigint[])[]): NumberColumn =>
  ({ bigs: (doc: number) => docs[doc] ?? [] }) as unknown as NumberColumn;

test('documents that were written without nanoseconds count as whole milliseconds, in merged segments too', () => {
  const millis = column([5n], [6n, 7n], []);
  assert.deepEqual(nanosOf(millis, null, 1), [6_000_000n, 7_000_000n]);
  const merged = column([5_000_001n], [], []);
  assert.deepEqual(
    [0, 1, 2].map((doc) => nanosOf(millis, merged, doc)),
    [[5_000_001n], [6_000_000n, 7_000_000n], []],
  );
  assert.deepEqual(nanosOf(null, merged, 0), [5_000_001n]);
});
