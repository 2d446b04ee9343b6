import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeClock, silentLog } from '@shoal/doors';
import { errors } from '@shoal/errors';
import type { MlDoors } from '../ml-doors.js';
import { JobExecutor } from './job-executor.js';
import type { RunningJob } from './running-job.js';

/** An executor with a job that is open; what is asked of the job and of the master. */
function openJob() {
  const asked: string[] = [];
  let withoutMaster = 0;
  const submit = async (task: string): Promise<void> => {
    asked.push(task);
    if (withoutMaster-- > 0) throw errors.status('no master', { status: 503 });
  };
  const doors = { clock: fakeClock(0), log: silentLog, cluster: { submit } } as unknown as MlDoors;
  const executor = new JobExecutor(doors);
  const close = async (): Promise<void> => void asked.push('close');
  executor.running.set('j', { id: 'j', allocationId: 3, close } as unknown as RunningJob);
  return { executor, asked, loseMaster: () => (withoutMaster = 1) };
}

test('all who close a job at one time get the same answer', async () => {
  const { executor, asked } = openJob();
  await Promise.all([executor.close('j'), executor.close('j')]);
  assert.deepEqual(asked, ['close', 'remove-persistent-task']);
});

test('a job whose end the master has not heard of is closed again', async () => {
  const { executor, asked, loseMaster } = openJob();
  loseMaster();
  await assert.rejects(Promise.all([executor.close('j'), executor.close('j')]), { status: 503 });
  await executor.close('j');
  assert.deepEqual(asked, ['close', 'remove-persistent-task', 'close', 'remove-persistent-task']);
  await assert.rejects(executor.close('k'), { status: 409 });
});

test('a job that cannot be opened for a shard that is missing is opened once copies have changed', async () => {
  const clock = fakeClock(0);
  const attempts: number[] = [];
  let state = { indices: new Map(), routing: new Map(), customs: new Map() };
  const waiting: (() => void)[] = [];
  const submit = async (): Promise<never> => {
    attempts.push(clock.now());
    throw errors.status('no shard is there', { status: 503 });
  };
  const waitFor = (isMet: (next: unknown) => boolean): Promise<boolean> =>
    new Promise((resolve) => waiting.push(() => isMet(state) && resolve(true)));
  const room = { call: async () => null };
  const cluster = { state: () => state, submit, waitFor };
  const executor = new JobExecutor({ clock, log: silentLog, cluster, room } as unknown as MlDoors);
  const end = new AbortController();
  const run = executor.run('job-j', { params: { id: 'j' }, allocationId: 1 } as never, end.signal);
  const passMs = async (ms: number): Promise<void> => {
    for (let at = 0; at < ms; at += 100) {
      await new Promise(setImmediate);
      clock.advance(100);
    }
    await new Promise(setImmediate);
  };
  await passMs(2000);
  assert.deepEqual(attempts, [0, 200, 600, 1400]);
  state = { ...state, routing: new Map() };
  for (const look of waiting) look();
  await passMs(100);
  assert.equal(attempts.length, 5);
  end.abort();
  await run;
});

test('a job whose task was taken away has ended once the write that it was in is over', async () => {
  let [isWritten, finishWrite] = [false, (): void => undefined];
  const write = new Promise<void>((resolve) => (finishWrite = resolve)).then(() => void (isWritten = true));
  const documents = { get: () => write.then(() => null) };
  const state = { indices: new Map(), routing: new Map(), customs: new Map() };
  const cluster = { state: () => state, submit: () => write, waitFor: async () => true };
  const room = { call: async () => null };
  const doors = { clock: fakeClock(0), log: silentLog, cluster, room, documents } as unknown as MlDoors;
  const executor = new JobExecutor(doors);
  const end = new AbortController();
  const run = executor.run('job-j', { params: { id: 'j' }, allocationId: 1 } as never, end.signal);
  end.abort();
  const ended = executor.ended('j').then(() => isWritten);
  await executor.ended('another');
  assert.equal(isWritten, false);
  finishWrite();
  assert.equal(await ended, true);
  await run;
  await executor.ended('j');
});
