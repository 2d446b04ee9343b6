// A thread that holds shards: answers the main thread's messages on them (docs/internals/cluster.md §1).
import { parentPort, workerData } from 'node:worker_threads';
import { answerers, threads } from '@shoal/protocol';
import { createLink } from '@shoal/transport';
import { hotStacks } from '../facts/hot-stacks.js';
import { forwardLog } from './forward-log.js';
import { nameThisThread, shardThreadName } from './name-this-thread.js';
import { type OpenedRoom, openShardRoom, systemRoomDoors } from './open-shard-room.js';
import type { ShardThreadData } from './shard-thread-data.js';
import { workerPort } from './worker-port.js';

const data = workerData as ShardThreadData;
nameThisThread(shardThreadName(data.thread));
let room: OpenedRoom | null = null;
const main = createLink(workerPort(parentPort!), async (action, payload, signal) => {
  const answer = own.get(action);
  return answer ? answer(payload, signal) : room!.handle(action, payload, signal);
});
const own = answerers<Pick<threads.ThreadsHandlers, 'close' | 'sample'>>(
  { close: threads.methods.close, sample: threads.methods.sample },
  {
    sample: async ({ millis }) => ({ body: Buffer.from(await hotStacks(millis)) }),
    async close() {
      await room!.close();
      await doors.close();
      return {};
    },
  },
);
const doors = systemRoomDoors(data, forwardLog(main));
room = openShardRoom(data, main, doors);
