import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  bitSet,
  bitSetOver,
  byte4ToInt,
  cloneBitSet,
  fullBitSet,
  intToByte4,
  latDegrees,
  NO_MORE_DOCS,
  quantiseLat,
  quantiseLon,
} from './index.js';

test('norm bytes are exact to 39, keep order, and round lengths down', () => {
  for (let length = 0; length < 40; length++) assert.equal(byte4ToInt(intToByte4(length)), length);
  assert.deepEqual(
    [40, 41, 42, 100, 1000, 0x7fffffff].map((n) => byte4ToInt(intToByte4(n))),
    [40, 40, 42, 96, 984, 2013265944],
  );
  assert.equal(intToByte4(0x7fffffff), 255);
  for (let norm = 0; norm < 256; norm++) assert.equal(intToByte4(byte4ToInt(norm)), norm);
});

test('a bit set knows its bits, their number and their neighbours', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(99)), fc.nat(99), (docs, at) => {
      const bits = bitSet(100);
      for (const doc of docs) bits.set(doc);
      const sorted = docs.toSorted((a, b) => a - b);
      assert.equal(bits.cardinality(), docs.length);
      assert.equal(bits.next(at), sorted.find((d) => d >= at) ?? NO_MORE_DOCS);
      assert.equal(bits.previous(at), sorted.findLast((d) => d <= at) ?? -1);
      const copy = cloneBitSet(bits);
      copy.clear(at);
      assert.equal(bits.get(at), docs.includes(at));
      assert.equal(copy.get(at), false);
    }),
  );
});

test('bits beyond the size of a set do not count', () => {
  assert.equal(bitSetOver(new Int32Array([-1, -1]), 40).cardinality(), 40);
  assert.equal(bitSetOver(new Int32Array([0, 256]), 40).next(0), NO_MORE_DOCS);
  assert.equal(fullBitSet(40).cardinality(), 40);
});

test('degrees are quantised as Lucene does, the poles and the antimeridian included', () => {
  assert.equal(quantiseLat(90), 2147483647);
  assert.equal(quantiseLat(-90), -2147483648);
  assert.equal(quantiseLon(180), 2147483647);
  assert.equal(latDegrees(quantiseLat(42.57952)), 42.579519976861775);
});
