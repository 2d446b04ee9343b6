import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kernelContract } from '@shoal/testing';
import fc from 'fast-check';
import { decodePatched, encodePatched, patchedBytesMax, skipPatched } from './patched-block.kernel.js';

const value = fc.oneof(
  { weight: 8, arbitrary: fc.nat(30) },
  { weight: 1, arbitrary: fc.integer() },
  { weight: 1, arbitrary: fc.nat(5000) },
);

kernelContract(
  'a patched block gives back any integers, outliers included, and is skipped in one step',
  ({ raw, at }) => {
    const bytes = new Uint8Array(at + patchedBytesMax(raw.length) + 8);
    const end = encodePatched(Int32Array.from(raw), 0, raw.length, bytes, at, new Int32Array(33));
    const out = new Int32Array(raw.length + 1);
    const decoded = decodePatched(bytes, at, raw.length, out, 1);
    const ends = [decoded === end, skipPatched(bytes, at, raw.length) === end, end <= at + patchedBytesMax(raw.length)];
    return { values: [...out.subarray(1)], ends };
  },
  ({ raw }) => ({ values: raw, ends: [true, true, true] }),
  fc.record({ raw: fc.array(value, { maxLength: 255 }), at: fc.nat(3) }),
);

test('a patched block that is cut off is corrupt_index_exception', () => {
  const bytes = new Uint8Array(600);
  const values = Int32Array.from({ length: 128 }, (_, i) => i * 1000);
  const end = encodePatched(values, 0, 128, bytes, 0, new Int32Array(33));
  assert.throws(() => decodePatched(bytes.subarray(0, end - 1), 0, 128, new Int32Array(128), 0), {
    type: 'corrupt_index_exception',
  });
});

test('a block of small values with a large one is smaller than at the width of the large one', () => {
  const values = Int32Array.from({ length: 128 }, (_, i) => (i === 7 ? 5000 : i % 8));
  const end = encodePatched(values, 0, 128, new Uint8Array(600), 0, new Int32Array(33));
  assert.ok(end < 1 + (128 * 13) / 8, `${end} bytes`);
});
