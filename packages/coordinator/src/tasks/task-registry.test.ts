import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeClock } from '@shoal/doors';
import { createTaskRegistry } from './task-registry.js';

const request = { action: 'indices:admin/forcemerge', description: 'Force-merge', headers: {} };

test('a task behind is listed while it runs, and its answer or error is kept when it has ended', async () => {
  const tasks = createTaskRegistry(fakeClock(), 'n1');
  let finish: (answer: unknown) => void = () => undefined;
  const id = tasks.runBehind(request, () => new Promise((resolve) => (finish = resolve)));
  assert.equal(tasks.finished(id), null);
  assert.deepEqual(
    tasks.list().map((task) => task.id),
    [id],
  );
  finish({ ok: true });
  await tasks.ended(id);
  assert.deepEqual(tasks.list(), []);
  assert.deepEqual(tasks.finished(id)?.outcome, { response: { ok: true } });
  const failed = tasks.runBehind(request, () => Promise.reject(new Error('no')));
  await tasks.ended(failed);
  const outcome = tasks.finished(failed)?.outcome;
  assert.ok(outcome && 'error' in outcome);
  assert.match(String(outcome.error), /no/);
});

test('only the newest thousand outcomes are kept', async () => {
  const tasks = createTaskRegistry(fakeClock(), 'n1');
  const first = tasks.runBehind(request, async () => 0);
  for (let i = 0; i < 1000; i++) await tasks.ended(tasks.runBehind(request, async () => i));
  assert.equal(tasks.finished(first), null);
  assert.notEqual(tasks.finished(first + 1), null);
});

test('a task names the threads that got a part of it, once there are any', () => {
  const tasks = createTaskRegistry(fakeClock(), 'n1');
  const threads: string[] = [];
  const task = tasks.start({ ...request, threads });
  assert.equal('threads' in tasks.get(task.id)!, false);
  threads.push('shoal-shards-1');
  assert.deepEqual(tasks.get(task.id)!.threads, ['shoal-shards-1']);
});
