import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import murmurhash from 'murmurhash3js-revisited';
import {
  bitsToList,
  compareTerms,
  decodePatched,
  encodePatched,
  murmur3,
  nextSetBit,
  packBits,
  packedAt,
  packedBytes,
  patchedBytesMax,
  popCountWords,
  previousSetBit,
  radixSort,
  skipPatched,
  unpackBits,
} from './index.js';

for (let width = 0; width <= 32; width++) {
  test(`values of ${width} bits come back from a packed array, one by one and all at once`, () => {
    const mask = width === 32 ? -1 : 2 ** width - 1;
    fc.assert(
      fc.property(fc.array(fc.integer(), { maxLength: 140 }), (raw) => {
        const values = Int32Array.from(raw, (v) => v & mask);
        const bytes = new Uint8Array(packedBytes(values.length, width) + 16);
        assert.equal(packBits(values, 0, values.length, width, bytes, 3), 3 + packedBytes(values.length, width));
        const out = new Int32Array(values.length);
        unpackBits(bytes, 3, width, values.length, out, 0);
        assert.deepEqual(out, values);
        for (let i = 0; i < values.length; i++) assert.equal(packedAt(bytes, 3, width, i), values[i]);
      }),
      { numRuns: 20 },
    );
  });
}

test('patched blocks give back any integers, outliers included', () => {
  const value = fc.oneof(
    { weight: 8, arbitrary: fc.nat(30) },
    { weight: 1, arbitrary: fc.integer() },
    { weight: 1, arbitrary: fc.nat(5000) },
  );
  fc.assert(
    fc.property(fc.array(value, { maxLength: 128 }), (raw) => {
      const values = Int32Array.from(raw);
      const bytes = new Uint8Array(patchedBytesMax(values.length) + 8);
      const end = encodePatched(Int32Array.from(raw), 0, values.length, bytes, 0, new Int32Array(33));
      assert.ok(end <= patchedBytesMax(values.length));
      const out = new Int32Array(values.length);
      assert.equal(decodePatched(bytes, 0, values.length, out, 0), end);
      assert.equal(skipPatched(bytes, 0, values.length), end);
      assert.deepEqual(out, values);
    }),
  );
});

test('a patched block that is cut off is corrupt_index_exception', () => {
  const bytes = new Uint8Array(600);
  const end = encodePatched(
    Int32Array.from({ length: 128 }, (_, i) => i * 1000),
    0,
    128,
    bytes,
    0,
    new Int32Array(33),
  );
  assert.throws(() => decodePatched(bytes.subarray(0, end - 1), 0, 128, new Int32Array(128), 0), {
    type: 'corrupt_index_exception',
  });
});

test('murmur3 is the x86_32 of the UTF-16LE bytes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer(), (text, seed) => {
      const expected = murmurhash.x86.hash32(Buffer.from(text, 'utf16le'), seed >>> 0) | 0;
      assert.equal(murmur3(text, seed), expected);
    }),
  );
});

test('terms are ordered as their UTF-8 bytes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
      assert.equal(Math.sign(compareTerms(a, b)), Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
  );
  assert.ok(compareTerms('\uffee', '\u{10000}') < 0);
});

test('bits of words are found forwards, backwards and in lists', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(199)), fc.nat(199), (bits, at) => {
      const words = new Int32Array(7);
      for (const bit of bits) words[bit >>> 5]! |= 1 << (bit & 31);
      const sorted = bits.toSorted((a, b) => a - b);
      assert.equal(nextSetBit(words, 200, at), sorted.find((b) => b >= at) ?? -1);
      assert.equal(previousSetBit(words, at), sorted.findLast((b) => b <= at) ?? -1);
      assert.equal(popCountWords(words, 0, 7), bits.length);
      const out = new Int32Array(200);
      const count = bitsToList(words, at, 200, out);
      assert.deepEqual(
        [...out.subarray(0, count)],
        sorted.filter((b) => b >= at),
      );
    }),
  );
});

test('radix sort orders items by unsigned 64-bit keys and keeps the order of equal ones', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(3), fc.integer())), (keys) => {
      const high = Int32Array.from(keys, ([h]) => h - 2);
      const low = Int32Array.from(keys, ([, l]) => l);
      const items = Int32Array.from(keys, (_, i) => i);
      const expected = [...items].sort(
        (a, b) => (high[a]! >>> 0) - (high[b]! >>> 0) || (low[a]! >>> 0) - (low[b]! >>> 0) || a - b,
      );
      assert.deepEqual([...radixSort(high, low, items, items.length)], expected);
    }),
  );
});
