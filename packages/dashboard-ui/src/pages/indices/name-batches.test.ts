import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameBatches } from './name-batches.js';

test('names share a path while they fit, and each is in exactly one', () => {
  assert.deepEqual(nameBatches([]), []);
  assert.deepEqual(nameBatches(['a', 'b/c']), ['a,b%2Fc']);
  assert.deepEqual(nameBatches(['aaaa', 'bbbb', 'cccc'], 9), ['aaaa,bbbb', 'cccc']);
  assert.deepEqual(nameBatches(['a-name-longer-than-all', 'b'], 5), ['a-name-longer-than-all', 'b']);
});
