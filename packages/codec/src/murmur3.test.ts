import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import murmurhash from 'murmurhash3js-revisited';
import { murmur3 } from './murmur3.js';

test('murmur3 is the x86_32 of the UTF-16LE bytes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer(), (text, seed) => {
      const expected = murmurhash.x86.hash32(Buffer.from(text, 'utf16le'), seed >>> 0) | 0;
      assert.equal(murmur3(text, seed), expected);
    }),
  );
});
