// A thread that holds shards: answers the main thread's messages on them (docs/internals/cluster.md §1).
import { parentPort, workerData } from 'node:worker_threads';
import { answerers, threads } from '@shoal/protocol';
import { createLink } from '@shoal/transport';
import { forwardLog } from './forward-log.js';
import { type OpenedRoom, openShardRoom, systemRoomDoors } from './open-shard-room.js';
import type { ShardThreadData } from './shard-thread-data.js';
import { workerPort } from './worker-port.js';

let room: OpenedRoom | null = null;
const main = createLink(workerPort(parentPort!), async (action, payload, signal) => {
  const answer = own.get(action);
  return answer ? answer(payload, signal) : room!.handle(action, payload, signal);
});
const own = answerers<Pick<threads.ThreadsHandlers, 'close'>>(
  { close: threads.methods.close },
  {
    async close() {
      await room!.close();
      await doors.close();
      return {};
    },
  },
);
const doors = systemRoomDoors(workerData as ShardThreadData, forwardLog(main));
room = openShardRoom(workerData as ShardThreadData, main, doors);
