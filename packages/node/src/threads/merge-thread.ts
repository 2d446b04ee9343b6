// Thread that merges sealed segments for a shard thread. Reads immutable segments, writes a new one, and changes
// nothing else.
import { parentPort } from 'node:worker_threads';
import { decodeValue, encodeValue, type Value } from '@shoal/codec';
import { errors } from '@shoal/errors';
import { answerers, threads } from '@shoal/protocol';
import { type MergeTask, runMergeTask } from '@shoal/shard';
import { levelStores } from '@shoal/store';
import { createLink } from '@shoal/transport';
import { nameThisThread } from './name-this-thread.js';
import { workerPort } from './worker-port.js';

nameThisThread('shoal-merge');
const stores = levelStores();
let isCancelled = false;

/** Yields to the event loop, so that a message can cancel the merge. */
async function pause(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  if (isCancelled) throw errors.taskCancelled('the merge was aborted, because its shard is closing');
}

const own = answerers<Pick<threads.ThreadsHandlers, 'merge' | 'cancelMerge'>>(
  { merge: threads.methods.merge, cancelMerge: threads.methods.cancelMerge },
  {
    async merge({ body }) {
      isCancelled = false;
      const task = decodeValue(body) as unknown as MergeTask;
      return { body: encodeValue((await runMergeTask(task, { stores, pause })) as unknown as Value) };
    },
    cancelMerge() {
      isCancelled = true;
      return {};
    },
  },
);

createLink(workerPort(parentPort!), async (action, payload, signal) => {
  const answer = own.get(action);
  if (!answer) throw errors.illegalArgument(`unknown action [${action}]`);
  return answer(payload, signal);
});
