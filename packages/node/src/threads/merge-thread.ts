// Thread that merges sealed segments for a shard thread. Reads immutable segments, writes a new one, and changes
// nothing else.
import { parentPort } from 'node:worker_threads';
import { decodeValue, encodeValue, type Value } from '@shoal/codec';
import { errors } from '@shoal/errors';
import { type MergeTask, runMergeTask } from '@shoal/shard';
import { levelStores } from '@shoal/store';
import { createLink } from '@shoal/transport';
import { workerPort } from './worker-port.js';

const stores = levelStores();
let isCancelled = false;

/** Yields to the event loop, so that a message can cancel the merge. */
async function pause(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  if (isCancelled) throw errors.taskCancelled('the merge was aborted, because its shard is closing');
}

createLink(workerPort(parentPort!), async (action, payload) => {
  isCancelled = action === 'cancel';
  if (isCancelled) return new Uint8Array(0);
  const task = decodeValue(payload) as unknown as MergeTask;
  return encodeValue((await runMergeTask(task, { stores, pause })) as unknown as Value);
});
