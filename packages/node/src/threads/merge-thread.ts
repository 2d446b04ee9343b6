// Merges sealed segments beside the shard's thread: reads immutable parts, writes a new segment, changes nothing else.
import { parentPort } from 'node:worker_threads';
import { decodeValue, encodeValue, type Value } from '@shoal/codec';
import { type MergeTask, runMergeTask } from '@shoal/shard';
import { levelStores } from '@shoal/store';
import { createLink } from '@shoal/transport';
import { workerPort } from './worker-port.js';

const stores = levelStores();
createLink(workerPort(parentPort!), async (_action, payload) => {
  const task = decodeValue(payload) as unknown as MergeTask;
  return encodeValue((await runMergeTask(task, { stores })) as unknown as Value);
});
