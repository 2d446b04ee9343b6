import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OperationRecord } from './operation.js';
import { createRecentRecords } from './recent-records.js';

const recordsFrom = (first: number, count: number, byteLength = 100): OperationRecord[] =>
  Array.from({ length: count }, (_, i) => ({
    type: 'put',
    seqNo: first + i,
    term: 1,
    key: new Uint8Array(9),
    value: new Uint8Array(0),
    byteLength,
    checksum: 0,
  }));

test('nothing is kept until somebody is about to ask', () => {
  const kept = createRecentRecords();
  kept.add(recordsFrom(0, 5));
  assert.equal(kept.get(0), undefined);
  kept.keepFrom(3);
  kept.add(recordsFrom(5, 2));
  assert.deepEqual(
    [4, 5, 6, 7].map((seqNo) => kept.get(seqNo)?.seqNo),
    [undefined, 5, 6, undefined],
  );
});

test('those that were asked for are let go', () => {
  const kept = createRecentRecords();
  kept.keepFrom(0);
  kept.add(recordsFrom(0, 10));
  kept.keepFrom(4);
  assert.deepEqual(
    [3, 4, 9].map((seqNo) => kept.get(seqNo)?.seqNo),
    [undefined, 4, 9],
  );
  kept.keepFrom(Number.POSITIVE_INFINITY);
  assert.equal(kept.get(9), undefined);
});

test('what is asked for from a later number on is kept from there, whatever was written between', () => {
  const kept = createRecentRecords();
  kept.keepFrom(0);
  kept.add(recordsFrom(0, 2));
  kept.keepFrom(6);
  kept.add(recordsFrom(2, 10));
  assert.deepEqual(
    [0, 5, 6, 11].map((seqNo) => kept.get(seqNo)?.seqNo),
    [undefined, undefined, 6, 11],
  );
});

test('the oldest go when those kept are too much', () => {
  const kept = createRecentRecords();
  kept.keepFrom(0);
  kept.add(recordsFrom(0, 8, 256 * 1024));
  assert.deepEqual(
    [3, 4, 7].map((seqNo) => kept.get(seqNo)?.seqNo),
    [undefined, 4, 7],
  );
  kept.clear();
  assert.equal(kept.get(7), undefined);
});
