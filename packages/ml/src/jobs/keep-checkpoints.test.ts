import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeClock, silentLog } from '@shoal/doors';
import { errors } from '@shoal/errors';
import { type CheckpointedJob, keepCheckpoints } from './keep-checkpoints.js';

const SECOND = 1000;

/** A job with much work whose checkpoints fail at first; notes the times of checkpoints in seconds. */
function busyJob(failures: number, end: AbortController, type = 'full') {
  const clock = fakeClock(0);
  const at: number[] = [];
  const job: CheckpointedJob = {
    id: 'j',
    lost: null,
    onWork: () => undefined,
    checkpointPauseMs: 0,
    hasMuchWork: true,
    checkpoint: async () => {
      at.push(clock.now() / SECOND);
      if (at.length > failures + 1) end.abort();
      else if (at.length <= failures)
        throw type === 'full' ? errors.status('no space', { status: 503 }) : errors.versionConflict('j');
    },
  };
  return { at, clock, done: keepCheckpoints({ clock, log: silentLog }, job, end.signal) };
}

test('a checkpoint that failed is tried again after pauses of a second up to a minute', async () => {
  const { at, clock, done } = busyJob(8, new AbortController());
  let isOver = false;
  void done.then(() => (isOver = true));
  for (let i = 0; i < 400 && !isOver; i++) {
    await new Promise(setImmediate);
    // One that does not pause must not go on for ever.
    assert.ok(at.length <= i + 3);
    clock.advance(SECOND);
  }
  assert.equal(await done, true);
  // After the first one that is made the next follows at once.
  assert.deepEqual(at, [0, 1, 3, 7, 15, 31, 63, 123, 183, 183]);
});

test('the pause after a failure ends with the job; a later assignment ends the checkpoints', async () => {
  const end = new AbortController();
  const { at, done } = busyJob(8, end);
  await new Promise(setImmediate);
  end.abort();
  assert.equal(await done, true);
  assert.deepEqual(at, [0]);
  assert.equal(await busyJob(1, new AbortController(), 'conflict').done, false);
});
