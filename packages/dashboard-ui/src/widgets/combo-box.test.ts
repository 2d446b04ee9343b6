import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchingOptions } from './combo-box.js';

test('options that begin with the text come first, and 100 at most', () => {
  assert.deepEqual(matchingOptions(['my-logs', 'Logs', 'other'], 'log'), ['Logs', 'my-logs']);
  assert.equal(
    matchingOptions(
      Array.from({ length: 10_000 }, (_, i) => `index-${i}`),
      '',
    ).length,
    100,
  );
});
