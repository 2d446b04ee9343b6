import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLoadQueue } from './load-queue.js';

test('so many works run at once, the others after them, and one that nobody wants does not run', async () => {
  const queue = createLoadQueue(2);
  const { signal } = new AbortController();
  const gone = new AbortController();
  const ends: (() => void)[] = [];
  const log: string[] = [];
  const work = (name: string) => () =>
    new Promise<string>((resolve) => {
      log.push(name);
      ends.push(() => resolve(name));
    });
  const runs = [
    queue.run(work('a'), signal),
    queue.run(work('b'), signal),
    queue.run(work('c'), gone.signal),
    queue.run(work('d'), signal),
  ] as const;
  const refused = assert.rejects(runs[2]);
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(log, ['a', 'b']);
  gone.abort();
  ends[0]!();
  await refused;
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(log, ['a', 'b', 'd']);
  ends[1]!();
  ends[2]!();
  assert.deepEqual(await Promise.all([runs[0], runs[1], runs[3]]), ['a', 'b', 'd']);
});
