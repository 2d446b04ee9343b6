import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeValue, encodeValue } from './index.js';

test('whole numbers of 64 bits come back as they were, signed or unsigned', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }), (value) => {
      assert.deepEqual(decodeValue(encodeValue([value, null])), [value, null]);
    }),
  );
  for (const value of [-(2n ** 63n), 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 1n])
    assert.equal(decodeValue(encodeValue(value)), value);
});
