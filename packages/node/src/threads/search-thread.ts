// Thread that searches sealed segments of shards that another thread holds. It reads stores and changes nothing.
import fs from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { levelStores } from '@shoal/store';
import { createLink } from '@shoal/transport';
import { systemClock } from '../doors/system-clock.js';
import { openSearchRoom } from './search-room.js';
import type { SearchThreadData } from './search-thread-data.js';
import { workerPort } from './worker-port.js';

/** The system's number of this thread; empty without `/proc`. */
function systemThreadId(): string {
  try {
    return fs.readlinkSync('/proc/thread-self').split('/').pop()!;
  } catch {
    return '';
  }
}

const doors = { stores: levelStores(), clock: systemClock, threadId: systemThreadId() };
createLink(workerPort(parentPort!), openSearchRoom(workerData as SearchThreadData, doors));
