import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCron } from './cron.js';

/** Friday. */
const NOW = '2026-11-27T10:20:30.000Z';

const next = (text: string, from = NOW): string | null => {
  const ms = parseCron(text).next(Date.parse(from));
  return ms === null ? null : new Date(ms).toISOString().replace('.000Z', '');
};

for (const [text, expected] of [
  ['0 30 1 * * ?', '2026-11-28T01:30:00'],
  ['0 0/15 * * * ?', '2026-11-27T10:30:00'],
  ['*/10 * * * * ?', '2026-11-27T10:20:40'],
  ['30 20 10 * * ?', '2026-11-28T10:20:30'],
  ['0 0 12 ? * MON-FRI', '2026-11-27T12:00:00'],
  ['0 0 9 ? * MON', '2026-11-30T09:00:00'],
  ['0 0 9 ? * FRI-MON', '2026-11-28T09:00:00'],
  ['0 0 0 1 * ?', '2026-12-01T00:00:00'],
  ['0 0 0 L * ?', '2026-11-30T00:00:00'],
  ['0 0 0 L-2 * ?', '2026-11-28T00:00:00'],
  ['0 0 0 LW * ?', '2026-11-30T00:00:00'],
  ['0 0 0 28W * ?', '2026-12-28T00:00:00'],
  ['0 0 0 29W * ?', '2026-11-30T00:00:00'],
  ['0 0 0 1W * ?', '2026-12-01T00:00:00'],
  ['0 0 0 ? * 6L', '2026-12-25T00:00:00'],
  ['0 0 0 ? * 2#1', '2026-12-07T00:00:00'],
  ['0 0 0 29 2 ?', '2028-02-29T00:00:00'],
  ['0 0 0 1 JAN ? 2027', '2027-01-01T00:00:00'],
  ['0 0 0 1 1 ? 2020', null],
  ['0 0 0 31 2 ?', null],
  ['0 0 22-2/2 * * ?', '2026-11-27T22:00:00'],
] as const)
  test(`after ${NOW} comes [${text}] at ${expected}`, () => assert.equal(next(text), expected));

for (const text of ['', '* * * * *', '60 * * * * ?', '0 0 0 1 * MON', '0 0 0 1 FOO ?', '0/0 * * * * ?', 'a b c d e f'])
  test(`[${text}] is no schedule`, () => assert.throws(() => parseCron(text), { type: 'illegal_argument_exception' }));
