import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boundText, rangeWidth, readBounds, readDistribution } from './distribution.js';

test('ranges are few, and as wide as people count', () => {
  assert.equal(rangeWidth({ min: 0, max: 1_199 }), 200);
  assert.equal(rangeWidth({ min: -3, max: 8 }), 1);
  assert.equal(rangeWidth({ min: 0, max: 0.9 }), 0.1);
  assert.equal(rangeWidth({ min: 5, max: 5 }), 1);
  for (const max of [1, 7, 99, 12_345, 1e-7, 1e300]) assert.ok(max / rangeWidth({ min: 0, max }) <= 11, String(max));
});

test('a field without values has no bounds', () => {
  const answer = (values: object) => ({ aggregations: { values } });
  assert.equal(readBounds(answer({ count: 0, min: null, max: null, avg: null })), null);
  assert.deepEqual(readBounds(answer({ count: 2, min: 0, max: 4, avg: 2, sum: 4 })), {
    count: 2,
    min: 0,
    max: 4,
    avg: 2,
  });
});

test('ranges come in order, with bounds that can be read', () => {
  const buckets = [{ key: 0.1 + 0.2, doc_count: 3 }];
  const [range] = readDistribution({ aggregations: { ranges: { buckets } } });
  assert.deepEqual([boundText(range!.from), range!.count], ['0.3', 3]);
});
