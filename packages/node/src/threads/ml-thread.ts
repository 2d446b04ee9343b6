// Thread that runs the models of machine learning jobs: documents and states in, results out. It reads and writes
// nothing else.
import { parentPort } from 'node:worker_threads';
import { decodeValue, encodeValue } from '@shoal/codec';
import { createJobRoom } from '@shoal/ml/room';
import { createLink } from '@shoal/transport';
import { systemClock } from '../doors/system-clock.js';
import { nameThisThread } from './name-this-thread.js';
import { workerPort } from './worker-port.js';

nameThisThread('shoal-ml');
const room = createJobRoom(() => systemClock.monotonic());

createLink(workerPort(parentPort!), async (action, payload) =>
  encodeValue(await room.call(action, decodeValue(payload))),
);
