import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { encodeValue } from '@shoal/codec';
import type { Log } from '@shoal/doors';
import { createRequestMeters, requestMeter } from './request-meters.js';
import { SearchWorker } from './search-worker.js';

const { signal } = new AbortController();

/** Waits until the condition holds; a limit is that of the test. */
async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 5));
}

test('a search thread starts with the first wish, tells of its end, and is not started again at once', async (t) => {
  // The thread does not keep the process alive.
  const alive = setInterval(() => undefined, 1_000);
  t.after(() => clearInterval(alive));
  const lines: string[] = [];
  const log: Log = { write: (level, message) => void lines.push(`${level} ${message}`) };
  const requestMeters = createRequestMeters(2);
  const data = { thread: 0, blockCacheBytes: 1 << 20, requestBytesMax: 1 << 20, ownRequestBytesMax: 1 << 20 };
  const thread = new SearchWorker({ ...data, heapMb: 64, requestMeters, meter: 1 }, log);
  assert.deepEqual([thread.stats().starts, thread.stats().isRunning], [0, false]);
  await assert.rejects(thread.search(new Uint8Array(0), signal), /the search thread does not run/);
  await thread.forget('/nowhere');

  let worker: Worker | null = null;
  process.once('worker', (started) => void (worker = started));
  assert.equal(thread.isReady(), false);
  const { life } = thread;
  await until(() => thread.isReady());
  // A message that is no search is refused, and the thread goes on.
  await assert.rejects(thread.search(encodeValue('nothing'), signal));
  thread.clear('/nowhere');
  await thread.forget('/nowhere');
  assert.equal(thread.life, life);

  requestMeter(requestMeters, 1)[0] = 500;
  const asked = assert.rejects(thread.search(encodeValue('nothing'), signal));
  await (worker as Worker | null)!.terminate();
  await asked;
  await until(() => !thread.stats().isRunning);
  assert.notEqual(thread.life, life);
  assert.equal(requestMeter(requestMeters, 1)[0], 0);
  assert.equal(thread.isReady(), false);
  const { starts, lost, failed, active } = thread.stats();
  assert.deepEqual([starts, lost, failed, active], [1, 1, 2, 0]);
  assert.deepEqual(lines, ['warn a search thread ended by itself, its searches run on the thread of their shards']);
  await thread.close();
});
