import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import murmurhash from 'murmurhash3js-revisited';
import { murmur3Both64, murmur3First64 } from './murmur3-128.js';

test('both halves are those of the published x64_128', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 70 }), (bytes) => {
      const published = murmurhash.x64.hash128(Buffer.from(bytes));
      const halves = murmur3Both64(bytes).map((half) => half.toString(16).padStart(16, '0'));
      assert.equal(halves.join(''), published);
      assert.equal(murmur3First64(bytes), BigInt(`0x${published.slice(0, 16)}`));
    }),
  );
});
