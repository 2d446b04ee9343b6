import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import murmurhash from 'murmurhash3js-revisited';
import { murmur3First64 } from './murmur3-128.js';

test('the first 64 bits are those of the published x64_128', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 70 }), (bytes) => {
      const published = murmurhash.x64.hash128(Buffer.from(bytes)).slice(0, 16);
      assert.equal(murmur3First64(bytes).toString(16).padStart(16, '0'), published);
    }),
  );
});
