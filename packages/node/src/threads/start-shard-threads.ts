import { Worker } from 'node:worker_threads';
import type { ChannelHandler, Log, LogFields, LogLevel } from '@shoal/doors';
import { createLink, type Link, loopbackChannel } from '@shoal/transport';
import { openShardRoom, systemRoomDoors } from './open-shard-room.js';
import type { ShardThreadData } from './shard-thread-data.js';
import { workerPort } from './worker-port.js';

export interface ShardThreads {
  readonly links: readonly Link[];
  /** Of the breaker for searches, all threads together. */
  requestMemory(): { readonly used: number; readonly tripped: number };
  /** Flushes and closes the shards, then ends the threads. */
  close(): Promise<void>;
}

export interface ShardThreadsOptions {
  /** 0: the shards live on the calling thread. */
  readonly count: number;
  readonly data: Omit<ShardThreadData, 'thread' | 'threads' | 'requestMeters'>;
  /** Old-space limit of each thread's heap. */
  readonly heapBytesMax: number;
  /** Answers what the threads ask: `master/task`. */
  readonly handler: ChannelHandler;
  readonly log: Log;
  /** A thread ended by itself: the node cannot go on without its shards. */
  readonly onLost: (error: Error) => void;
}

/**
 * Shards on the calling thread: a request crosses no threads. On a machine of two processors that halves what a small
 * request costs (docs/adr/0001), at the price that a long search and HTTP share a thread, in slices.
 */
function shardsInPlace(options: ShardThreadsOptions): ShardThreads {
  const requestMeters = new SharedArrayBuffer(16);
  const data = { ...options.data, requestMeters, thread: 0, threads: 1 };
  const doors = systemRoomDoors(data, options.log);
  const room = openShardRoom(data, loopbackChannel(options.handler), doors);
  const channel = loopbackChannel(room.handle);
  return {
    links: [{ ...channel, fail: () => undefined, pendingCount: 0 }],
    requestMemory: () => requestMemory(requestMeters),
    async close() {
      await room.close();
      await doors.close();
    },
  };
}

function requestMemory(meters: SharedArrayBuffer): { used: number; tripped: number } {
  const sum = { used: 0, tripped: 0 };
  new Float64Array(meters).forEach((value, i) => (sum[i % 2 === 0 ? 'used' : 'tripped'] += value));
  return sum;
}

/** Starts the threads that hold shards; they come up while the main thread goes on loading. */
export function startShardThreads(options: ShardThreadsOptions): ShardThreads {
  if (options.count === 0) return shardsInPlace(options);
  let closing = false;
  const requestMeters = new SharedArrayBuffer(16 * options.count);
  const started = Array.from({ length: options.count }, (_, thread) => {
    const workerData: ShardThreadData = { ...options.data, requestMeters, thread, threads: options.count };
    const worker = new Worker(new URL('./shard-thread.js', import.meta.url), {
      name: `shoal-shards-${thread}`,
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: Math.max(64, Math.floor(options.heapBytesMax / 2 ** 20)) },
    });
    const link = createLink(workerPort(worker), (action, payload, signal) =>
      action === 'log' ? writeLog(options.log, payload) : options.handler(action, payload, signal),
    );
    const lost = (error: Error): void => {
      link.fail(`shard thread ${thread} ended: ${error.message}`);
      if (!closing) options.onLost(error);
    };
    worker.on('error', lost);
    worker.on('exit', (code) => lost(new Error(`exit code ${code}`)));
    return { worker, link };
  });
  return {
    links: started.map(({ link }) => link),
    requestMemory: () => requestMemory(requestMeters),
    async close() {
      closing = true;
      await Promise.all(
        started.map(({ link }) =>
          link
            .request('thread/close', new Uint8Array(0))
            .catch((error: unknown) => options.log.write('warn', 'a shard thread did not close cleanly', { error })),
        ),
      );
      await Promise.all(started.map(({ worker }) => worker.terminate()));
    },
  };
}

async function writeLog(log: Log, payload: Uint8Array): Promise<Uint8Array> {
  const [level, message, fields] = JSON.parse(Buffer.from(payload).toString('utf8')) as [LogLevel, string, LogFields];
  log.write(level, message, fields);
  return new Uint8Array(0);
}
