import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flushOptions } from './ml-flush.js';

const time = (_: string, value: unknown): number | null => (value === undefined ? null : Number(value));

test('_flush refuses times that contradict each other, and flags that are none', () => {
  const refused: readonly (readonly [object, RegExp])[] = [
    [{ calc_interim: 'maybe' }, /only \[true\] or \[false\] are allowed/],
    [{ start: '1704067200000' }, /unexpected 'start'/],
    [{ calc_interim: 'false', end: '1704067200000' }, /unexpected 'end'/],
    [{ calc_interim: 'true', end: '1704067200000' }, /'start' has not been specified/],
    [{ calc_interim: 'true', start: '1704067200001', end: '1704067200000' }, /is earlier than start time/],
    [
      { calc_interim: 'true', start: '9223372036854775807', end: '1' },
      /is earlier than start time '9223372036854776000'/,
    ],
    [{ advance_time: '1704067200000', skip_time: '1704067200000' }, /must be later than skip_time/],
    [{ advance_time: '1704067200000000' }, /advance_time .* after the year 9999: check that it is in milliseconds/],
    [{ skip_time: '1704067200000000' }, /skip_time .* after the year 9999/],
  ];
  for (const [options, message] of refused) assert.throws(() => flushOptions(options as never, time), { message });
});

test('_flush takes numbers of up to ten digits for seconds', () => {
  assert.equal(flushOptions({ advance_time: '1704067200' }, time).advanceToMs, 1_704_067_200_000);
  assert.equal(flushOptions({ skip_time: 1_704_067_200_000 }, time).skipToMs, 1_704_067_200_000);
});
