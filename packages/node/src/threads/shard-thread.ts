// A thread that holds shards: answers the main thread's messages on them (docs/internals/cluster.md §1).
import { parentPort, workerData } from 'node:worker_threads';
import { createLink } from '@shoal/transport';
import { forwardLog } from './forward-log.js';
import { type OpenedRoom, openShardRoom, systemRoomDoors } from './open-shard-room.js';
import type { ShardThreadData } from './shard-thread-data.js';
import { workerPort } from './worker-port.js';

let room: OpenedRoom | null = null;
const main = createLink(workerPort(parentPort!), async (action, payload, signal) => {
  if (action !== 'thread/close') return room!.handle(action, payload, signal);
  await room!.close();
  await doors.close();
  return new Uint8Array(0);
});
const doors = systemRoomDoors(workerData as ShardThreadData, forwardLog(main));
room = openShardRoom(workerData as ShardThreadData, main, doors);
