import assert from 'node:assert/strict';
import { test } from 'node:test';
import { untilRound } from './round-times.js';

const FREQUENCY_MS = 5000;
const momentOf = (id: string, nowMs: number): number => (nowMs + untilRound(id, nowMs, FREQUENCY_MS)) % FREQUENCY_MS;

test('rounds of a datafeed begin at one moment of each stretch of time, however long one takes', () => {
  const moment = momentOf('a', 0);
  for (const nowMs of [1, 4999, 5000, 1_700_000_001_234.5, moment, moment + 1]) {
    assert.equal(momentOf('a', nowMs), moment);
    const waitMs = untilRound('a', nowMs, FREQUENCY_MS);
    assert.ok(waitMs > 0 && waitMs <= FREQUENCY_MS, `${waitMs} ms at ${nowMs}`);
  }
});

test('rounds of datafeeds that were started together are spread over the time', () => {
  const moments = Array.from({ length: 400 }, (_, i) => momentOf(`job-${i}`, 0));
  for (let from = 0; from < FREQUENCY_MS; from += 500) {
    const inIt = moments.filter((moment) => moment >= from && moment < from + 500).length;
    assert.ok(inIt > 20 && inIt < 60, `${inIt} of 400 in a tenth`);
  }
});
