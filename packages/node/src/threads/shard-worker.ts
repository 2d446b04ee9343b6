import { Worker } from 'node:worker_threads';
import { type Channel, type ChannelHandler, type Log, type RequestOptions, sendMessage } from '@shoal/doors';
import { errors } from '@shoal/errors';
import { answerers, threads } from '@shoal/protocol';
import { createLink, type Link } from '@shoal/transport';
import { fairTurns, systemClock } from '../doors/system-clock.js';
import { writeForwarded } from './forward-log.js';
import { shardThreadName } from './name-this-thread.js';
import { requestMeter } from './request-meters.js';
import type { ShardThreadData } from './shard-thread-data.js';
import { workerPort } from './worker-port.js';

/** Milliseconds until a thread that ended by itself is started again; twice as many each time, up to the second. */
const RESTART_MS = 100;
const RESTART_MS_MAX = 5_000;
/** A thread that has run for so many milliseconds is started again after `RESTART_MS`. */
const STEADY_MS = 60_000;

/** What a shard thread has done since the node started. */
export interface ShardThreadStats {
  readonly thread: number;
  readonly isRunning: boolean;
  /** Requests that it works on. */
  readonly active: number;
  /** Number of its starts. */
  readonly starts: number;
  /** Number of times that it ended by itself. */
  readonly lost: number;
  /** Milliseconds that it has worked. */
  readonly busyMs: number;
}

/** Options of a shard thread. */
export interface ShardWorkerOptions {
  readonly data: Omit<ShardThreadData, 'life'>;
  /** Old-space limit of the thread's heap, in bytes. */
  readonly heapBytesMax: number;
  /** Answers messages of its shards. */
  readonly handler: ChannelHandler;
  readonly log: Log;
  /** Called when the thread was started again; it holds no shards until it gets a state. */
  readonly onRestart: () => void;
}

interface Running {
  readonly worker: Worker;
  readonly link: Link;
  readonly startedAtMs: number;
  /** Resolves when the thread is gone, with its handles of stores. */
  readonly gone: Promise<void>;
}

/**
 * A thread that holds shards, as the channel to it. One that ends by itself, because it needed more memory than its
 * heap or because of an error that nobody caught, takes its shards with it and nothing else: what waits for it is
 * refused as by a node without these shards, and once its stores are closed another one is started. That one reports
 * the shards as failed when it gets the state, and the master assigns them anew. What is done with an answer belongs to
 * the kind of work that asked.
 */
export class ShardWorker implements Channel {
  readonly #options: ShardWorkerOptions;
  #running: Running | null = null;
  #life = 0;
  #isClosed = false;
  #restartMs = RESTART_MS;
  #counts = { lost: 0, busyMs: 0 };

  constructor(options: ShardWorkerOptions) {
    this.#options = options;
    this.#start();
  }

  request(action: string, payload: Uint8Array, options?: RequestOptions): Promise<Uint8Array> {
    if (this.#running !== null) return fairTurns.follow(this.#running.link.request(action, payload, options));
    return Promise.reject(errors.noShardAvailable(`shard thread ${this.#options.data.thread} has ended`));
  }

  /** Counts since the node started. */
  stats(): ShardThreadStats {
    const { lost, busyMs } = this.#counts;
    const now = this.#running?.worker.performance.eventLoopUtilization().active ?? 0;
    return {
      thread: this.#options.data.thread,
      isRunning: this.#running !== null,
      active: this.#running?.link.pendingCount ?? 0,
      starts: this.#life,
      lost,
      busyMs: busyMs + now,
    };
  }

  /** Samples the thread for an interval; returns its name and the stacks in which it was most. */
  async sample(millis: number): Promise<readonly [name: string, stacks: string]> {
    const link = this.#running?.link;
    const stacks = link && (await sendMessage(link, threads.methods.sample, { millis }).catch(() => null));
    return [shardThreadName(this.#options.data.thread), stacks ? Buffer.from(stacks.body).toString('utf8') : ''];
  }

  /** Flushes and closes the shards, then ends the thread for good. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const running = this.#running;
    if (running === null) return;
    await sendMessage(running.link, threads.methods.close, {}).catch((error: unknown) =>
      this.#options.log.write('warn', 'a shard thread did not close cleanly', { error }),
    );
    await running.worker.terminate();
    await running.gone;
  }

  #start(): void {
    const { data, heapBytesMax, handler, log } = this.#options;
    const worker = new Worker(new URL('./shard-thread.js', import.meta.url), {
      name: shardThreadName(data.thread),
      workerData: { ...data, life: this.#life++ } satisfies ShardThreadData,
      resourceLimits: { maxOldGenerationSizeMb: Math.max(64, Math.floor(heapBytesMax / 2 ** 20)) },
    });
    const own = answerers<Pick<threads.ThreadsHandlers, 'log'>>(
      { log: threads.methods.log },
      { log: (line) => writeForwarded(log, line) },
    );
    const link = createLink(workerPort(worker), (action, payload, signal, origin) =>
      (own.get(action) ?? ((...message) => handler(action, ...message)))(payload, signal, origin),
    );
    const gone = new Promise<void>((resolve) => {
      worker.on('error', (error) => this.#lost(running, error.message));
      worker.on('exit', (code) => {
        this.#lost(running, `exit code ${code}`);
        resolve();
      });
    });
    const running: Running = { worker, link, startedAtMs: systemClock.monotonic(), gone };
    this.#running = running;
  }

  /** Called when the thread ends, once with the error and once when it is gone; both may be missing. */
  #lost(running: Running, reason: string): void {
    const { data, log } = this.#options;
    running.link.fail(`shard thread ${data.thread} ended: ${reason}`);
    if (this.#running !== running) return;
    this.#running = null;
    if (this.#isClosed) return;
    requestMeter(data.requestMeters, data.thread)[0] = 0;
    this.#counts.lost++;
    const livedMs = systemClock.monotonic() - running.startedAtMs;
    this.#counts.busyMs += running.worker.performance.eventLoopUtilization().active;
    if (livedMs > STEADY_MS) this.#restartMs = RESTART_MS;
    log.write('error', 'a shard thread ended by itself, its shards fail and it is started again', {
      'shoal.shard_thread': data.thread,
      'error.message': reason,
      'shoal.restart_ms': this.#restartMs,
    });
    void running.gone.then(() => systemClock.after(this.#restartMs, () => this.#startAgain()));
  }

  #startAgain(): void {
    if (this.#isClosed) return;
    this.#restartMs = Math.min(RESTART_MS_MAX, this.#restartMs * 2);
    this.#start();
    this.#options.onRestart();
  }
}
