import { Worker } from 'node:worker_threads';
import { type Log, sendMessage } from '@shoal/doors';
import { answerers, threads } from '@shoal/protocol';
import { createLink, type Link } from '@shoal/transport';
import type { ShardPart, ShardPartOptions } from '../assembly/placement.js';
import { writeForwarded } from './forward-log.js';
import { systemRoomDoors } from './open-shard-room.js';
import type { ShardThreadData } from './shard-thread-data.js';
import { createRequestMeters, requestMemory } from './request-meters.js';
import { openShardsHere } from './shards-here.js';
import { workerPort } from './worker-port.js';

/** Number and heap of the shard threads. */
export interface ShardThreadsOptions {
  /** Number of threads; 0 keeps the shards on the calling thread. */
  readonly count: number;
  /** Old-space limit of each thread's heap, in bytes. */
  readonly heapBytesMax: number;
}

interface ShardThread {
  readonly worker: Worker;
  readonly link: Link;
}

/** Starts the shard threads; they load while the main thread goes on loading. */
export function startShardThreads(options: ShardPartOptions, { count, heapBytesMax }: ShardThreadsOptions): ShardPart {
  const { data, log, onLost } = options;
  if (count === 0) return openShardsHere(options, (given) => systemRoomDoors(given, log));
  let isClosing = false;
  const requestMeters = createRequestMeters(count);
  const lost = (error: Error): void => {
    if (!isClosing) onLost(error);
  };
  const started = Array.from({ length: count }, (_, thread) =>
    startThread({ ...data, requestMeters, thread, threads: count }, heapBytesMax, { ...options, onLost: lost }),
  );
  return {
    threads: started.map(({ link }) => link),
    requestMemory: () => requestMemory(requestMeters),
    searchStats: () => [],
    async close() {
      isClosing = true;
      await Promise.all(started.map(({ link }) => closeShards(link, log)));
      await Promise.all(started.map(({ worker }) => worker.terminate()));
    },
  };
}

function startThread(
  workerData: ShardThreadData,
  heapBytesMax: number,
  { handler, log, onLost }: Pick<ShardPartOptions, 'handler' | 'log' | 'onLost'>,
): ShardThread {
  const { thread } = workerData;
  const worker = new Worker(new URL('./shard-thread.js', import.meta.url), {
    name: `shoal-shards-${thread}`,
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: Math.max(64, Math.floor(heapBytesMax / 2 ** 20)) },
  });
  const own = answerers<Pick<threads.ThreadsHandlers, 'log'>>(
    { log: threads.methods.log },
    { log: (line) => writeForwarded(log, line) },
  );
  const link = createLink(workerPort(worker), (action, payload, signal, origin) => {
    const answer = own.get(action);
    return answer ? answer(payload, signal, origin) : handler(action, payload, signal, origin);
  });
  const lost = (error: Error): void => {
    link.fail(`shard thread ${thread} ended: ${error.message}`);
    onLost(error);
  };
  worker.on('error', lost);
  worker.on('exit', (code) => lost(new Error(`exit code ${code}`)));
  return { worker, link };
}

async function closeShards(link: Link, log: Log): Promise<void> {
  await sendMessage(link, threads.methods.close, {}).catch((error: unknown) =>
    log.write('warn', 'a shard thread did not close cleanly', { error }),
  );
}
