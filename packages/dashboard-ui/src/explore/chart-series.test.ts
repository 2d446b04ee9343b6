import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSeries } from './chart-series.js';

const answer = (...series: readonly string[]): string => `{"aggregations":{"series":{"buckets":[${series.join()}]}}}`;
const one = (key: string, ...counts: readonly number[]): string =>
  `{"key":${key},"time":{"buckets":[${counts.map((count, i) => `{"key":${i},"doc_count":${count}}`).join()}]}}`;
const BUCKETS = [
  { at: 0, count: 5 },
  { at: 1, count: 0 },
  { at: 2, count: 2 },
];

test('parts of a bucket are its most frequent values and the others', () => {
  assert.deepEqual(readSeries(answer(one('"a"', 3, 0, 1), one('"b"', 1)), BUCKETS), {
    names: ['a', 'b', 'Others'],
    parts: [
      [3, 1, 1],
      [0, 0, 0],
      [1, 0, 1],
    ],
  });
});

test('without others there is no part for them, and numbers are named as they are', () => {
  assert.deepEqual(readSeries(answer(one('9007199254740993', 5, 0, 2)), BUCKETS), {
    names: ['9007199254740993'],
    parts: [[5], [0], [2]],
  });
  // Documents with several values count in several parts.
  assert.deepEqual(readSeries(answer(one('1', 5, 0, 2), one('2', 5, 0, 2)), BUCKETS).parts[0], [5, 5]);
});
