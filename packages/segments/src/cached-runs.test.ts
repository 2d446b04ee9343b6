import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CachedRuns } from './columns/cached-runs.js';
import type { DecodedRunCache } from './segment-reader.js';

/** A cache of at most one run: adding a run evicts the one before. */
function cacheOfOne(): DecodedRunCache {
  let drop: (() => void) | null = null;
  return {
    admits: (bytes) => bytes <= 16,
    add(_bytes, dropThis) {
      drop?.();
      drop = dropThis;
      return { isUsed: false };
    },
  };
}

test('a decoded run is kept as a copy until the cache lets go of it', () => {
  const runs = new CachedRuns<Int32Array<ArrayBuffer>>(cacheOfOne());
  const own = Int32Array.of(1, 2, 3, 4);
  assert.deepEqual(runs.keep(7, own, 3), Int32Array.of(1, 2, 3));
  own.fill(0);
  assert.deepEqual(runs.find(7), Int32Array.of(1, 2, 3));
  runs.keep(8, own, 2);
  assert.equal(runs.find(7), null);
  assert.deepEqual(runs.find(8), Int32Array.of(0, 0));
});

test('a run that the cache does not take is not kept', () => {
  const runs = new CachedRuns<Float64Array<ArrayBuffer>>(cacheOfOne());
  assert.equal(runs.keep(0, new Float64Array(4), 4), null);
  assert.equal(runs.find(0), null);
  assert.equal(new CachedRuns<Float64Array<ArrayBuffer>>(null).keep(0, new Float64Array(1), 1), null);
});

test('a block read one value at a time is worth decoding once that has cost as much', () => {
  const runs = new CachedRuns<Int32Array<ArrayBuffer>>(cacheOfOne());
  assert.equal(runs.isWorthDecoding(3, 511), false);
  assert.equal(runs.isWorthDecoding(4, 1), false);
  assert.equal(runs.isWorthDecoding(3, 1), true);
  assert.equal(runs.isWorthDecoding(3, 1), false, 'counted anew, for when the cache did not take it');
});

test('without a cache no block is worth more than the values asked for', () => {
  assert.equal(new CachedRuns<Int32Array<ArrayBuffer>>(null).isWorthDecoding(0, 4096), false);
});
