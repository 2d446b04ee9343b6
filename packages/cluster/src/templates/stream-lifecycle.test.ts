import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseStreamLifecycle } from './stream-lifecycle.js';

const HOURLY = { after: '1d', fixed_interval: '1h' };
const parse = (...downsampling: unknown[]): unknown => parseStreamLifecycle({ downsampling })['downsampling'];

test('rounds of downsampling follow each other', () =>
  assert.deepEqual(parse(HOURLY, { after: '7d', fixed_interval: '1d' }), [
    HOURLY,
    { after: '7d', fixed_interval: '1d' },
  ]));

for (const [reason, ...rounds] of [
  [/should have at least one round configured/],
  [/supports maximum 10 configured rounds. Found: 11/, ...Array.from({ length: 11 }, () => HOURLY)],
  [/fixed interval of at least five minutes but found: 1m/, { after: '1d', fixed_interval: '1m' }],
  [/must have a later 'after' value than the proceeding, 1h is not after 1d/, HOURLY, { ...HOURLY, after: '1h' }],
  [/interval \[1h\] must be greater than the source index interval \[1h\]/, HOURLY, { ...HOURLY, after: '2d' }],
  [/must be a multiple of the source index interval \[1h\]/, HOURLY, { after: '2d', fixed_interval: '90m' }],
] as const)
  test(`rounds of downsampling are refused: ${String(reason)}`, () =>
    assert.throws(() => parse(...rounds), { reason }));
