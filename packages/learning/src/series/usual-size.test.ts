import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sizeCode, sizeOf } from './usual-size.js';

test('a size is kept to a thousandth, whatever its order, and the smallest as none', () => {
  fc.assert(
    fc.property(fc.double({ min: 2 ** -62, max: 2 ** 63, noNaN: true }), (size) => {
      assert.ok(Math.abs(sizeOf(sizeCode(size)) / size - 1) <= 0.001, `${size} as ${sizeOf(sizeCode(size))}`);
    }),
  );
  for (const size of [0, 2 ** -80, 1e-300]) assert.equal(sizeOf(sizeCode(size)), 0);
  assert.equal(sizeOf(sizeCode(1e30)), sizeOf(0xffff));
  assert.equal(sizeOf(sizeCode(1)), 1);
});

test('every code is the code of its size, and a larger one that of a larger size', () => {
  for (let code = 0; code <= 0xffff; code++) {
    assert.equal(sizeCode(sizeOf(code)), code);
    if (code > 0) assert.ok(sizeOf(code) > sizeOf(code - 1));
  }
});
