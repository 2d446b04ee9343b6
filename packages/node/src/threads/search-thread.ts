// Thread that searches sealed segments of shards that another thread holds. It reads stores and changes nothing.
import { parentPort, workerData } from 'node:worker_threads';
import { levelStores } from '@shoal/store';
import { createLink } from '@shoal/transport';
import { systemClock } from '../doors/system-clock.js';
import { nameThisThread } from './name-this-thread.js';
import { openSearchRoom } from './search-room.js';
import type { SearchThreadData } from './search-thread-data.js';
import { workerPort } from './worker-port.js';

const data = workerData as SearchThreadData;
nameThisThread(`shoal-search-${data.thread}`);
const doors = { stores: levelStores(), clock: systemClock };
createLink(workerPort(parentPort!), openSearchRoom(data, doors));
