import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDiskStatistics } from './disk-operations.js';

test('counters of a device are found by its numbers, sectors are half kilobytes', () => {
  const text =
    '   7       0 loop0 1 0 2 0 0 0 0 0 0 0 0\n 254       0 vda 53191 11 1368928 50 219743 22 2771880 60 0 47336 ' +
    '110 0 0 0 0\n';
  assert.deepEqual(parseDiskStatistics(text, '254:0'), {
    name: 'vda',
    reads: 53_191,
    kilobytesRead: 684_464,
    writes: 219_743,
    kilobytesWritten: 1_385_940,
    busyMs: 47_336,
  });
  assert.equal(parseDiskStatistics(text, '254:1'), null);
});
