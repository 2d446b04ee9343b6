import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CheckSource, createCheckQueue } from './check-queue.js';

const from = (name: string, suspicion = 1): CheckSource => ({ name, suspicion });

/** A queue whose checks end when `finish` is called, in the order in which they started. */
function heldQueue() {
  const queue = createCheckQueue();
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const refused: string[] = [];
  const check = (source: CheckSource): Promise<void> =>
    queue
      .run(source, async () => {
        started.push(source.name);
        await new Promise<void>((resolve) => ends.push(resolve));
      })
      .catch(() => void refused.push(source.name));
  const settle = async (): Promise<void> => {
    for (let i = 0; i < 10; i++) await Promise.resolve();
  };
  const finish = async (): Promise<void> => {
    ends.shift()!();
    await settle();
  };
  return { queue, started, refused, check, finish, settle };
}

test('a source that has not failed passes all those that have', async () => {
  const { started, check, finish } = heldQueue();
  for (let i = 0; i < 10; i++) void check(from(`guesser-${i}`, 2 + i));
  void check(from('new'));
  void check(from('known', 0));
  for (let i = 0; i < 4; i++) await finish();
  assert.deepEqual(started, ['guesser-0', 'new', 'known', 'guesser-1', 'guesser-2']);
});

test('sources that have failed never hold all turns', async () => {
  const { started, check, settle } = heldQueue();
  for (let i = 0; i < 5; i++) void check(from(`guesser-${i}`, 3));
  await settle();
  assert.deepEqual(started, ['guesser-0']);
  void check(from('new'));
  await settle();
  assert.deepEqual(started, ['guesser-0', 'new']);
});

test('equal sources take turns, each with one check', async () => {
  const { started, check, finish } = heldQueue();
  for (const name of ['a', 'a', 'a', 'a', 'b', 'c']) void check(from(name));
  for (let i = 0; i < 4; i++) await finish();
  assert.deepEqual(started, ['a', 'a', 'a', 'b', 'c', 'a']);
});

test('a full queue refuses the most suspicious source, not the one that comes last', async () => {
  const { queue, refused, check, settle } = heldQueue();
  for (let i = 0; i < 300; i++) void check(from(`guesser-${i}`, 2 + (i % 3)));
  void check(from('new'));
  void check(from('new'));
  await settle();
  assert.equal(queue.waiting, 256);
  assert.equal(queue.refused, refused.length);
  assert.ok(!refused.includes('new'));
  const suspicion = (name: string): number => 2 + (Number(name.split('-')[1]) % 3);
  assert.ok(refused.every((name) => suspicion(name) === 4));
});

test('one source cannot fill the queue, and of equal sources the one that waits most is refused', async () => {
  const { queue, refused, check, settle } = heldQueue();
  for (let i = 0; i < 100; i++) void check(from('a'));
  await settle();
  assert.deepEqual([queue.waiting, refused.length], [64, 34]);
  for (let i = 0; i < 192; i++) void check(from(`b-${i}`));
  void check(from('c'));
  await settle();
  assert.deepEqual([queue.waiting, refused.length, refused.at(-1)], [256, 35, 'a']);
});

test('a check that fails frees its turn', async () => {
  const queue = createCheckQueue();
  for (let i = 0; i < 3; i++) await assert.rejects(queue.run(from('a'), () => Promise.reject(new Error('broken'))));
  assert.equal(await queue.run(from('a'), async () => 7), 7);
});
