import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeClock } from '@shoal/doors';
import type { ConsensusMessage, PersistRecord } from '@shoal/consensus';
import { DurableSends } from './durable-sends.js';

const vote: PersistRecord = { type: 'term', term: 4 };
const marker: PersistRecord = { type: 'commit', term: 4, version: 9, sync: false };
const message = { type: 'startJoin', term: 4 } as ConsensusMessage;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Sends whose writes end when the test says so; `happened` has what was done, in order. */
function sends() {
  const clock = fakeClock();
  const happened: string[] = [];
  const writes: { readonly synced: () => void; readonly failed: (error: Error) => void }[] = [];
  const durable = new DurableSends({
    clock,
    write: (record) =>
      record === marker ? null : new Promise((synced, failed) => void writes.push({ synced, failed })),
    send: (to) => void happened.push(`send ${to}`),
    persisted: (seq) => void happened.push(`persisted ${seq}`),
    failed: (error) => void happened.push(`failed ${(error as Error).message}`),
  });
  return { clock, durable, happened, writes };
}

test('a message leaves when its record is synced, before the state machine hears of it', async () => {
  const { durable, happened, writes } = sends();
  durable.persist(1, vote);
  durable.send('n2', message, 1);
  durable.send('n3', message, null);
  assert.deepEqual(happened, ['send n3']);
  writes[0]!.synced();
  await turn();
  assert.deepEqual(happened, ['send n3', 'send n2', 'persisted 1']);
  durable.send('n2', message, 1);
  assert.equal(happened.at(-1), 'send n2');
});

test('a record that need not survive counts as written once all before it are', async () => {
  const { durable, happened, writes } = sends();
  durable.persist(1, marker);
  assert.deepEqual(happened, ['persisted 1']);
  durable.persist(2, vote);
  durable.persist(3, marker);
  durable.send('n2', message, 3);
  assert.deepEqual(happened, ['persisted 1']);
  writes[0]!.synced();
  await turn();
  assert.deepEqual(happened, ['persisted 1', 'persisted 2', 'send n2', 'persisted 3']);
});

test('the stall is the age of the oldest write that is not durable', async () => {
  const { clock, durable, writes } = sends();
  assert.equal(durable.stallMs(clock.monotonic()), 0);
  durable.persist(1, vote);
  clock.advance(2_000);
  durable.persist(2, vote);
  assert.equal(durable.stallMs(clock.monotonic()), 2_000);
  writes[0]!.synced();
  await turn();
  clock.advance(500);
  assert.equal(durable.stallMs(clock.monotonic()), 500);
  writes[1]!.synced();
  await turn();
  assert.equal(durable.stallMs(clock.monotonic()), 0);
});

test('what waits for a failed write is never sent', async () => {
  const { durable, happened, writes } = sends();
  durable.persist(1, vote);
  durable.send('n2', message, 1);
  writes[0]!.failed(new Error('EIO'));
  await turn();
  assert.deepEqual(happened, ['failed EIO']);
});
