import { Worker } from 'node:worker_threads';
import { type Log, sendMessage, type TimerHandle } from '@shoal/doors';
import { errors } from '@shoal/errors';
import type { ViewThread } from '@shoal/host';
import { threads } from '@shoal/protocol';
import { createLink, type Link } from '@shoal/transport';
import { systemClock } from '../doors/system-clock.js';
import { requestMeter } from './request-meters.js';
import type { SearchThreadData } from './search-thread-data.js';
import { workerPort } from './worker-port.js';

/** Milliseconds after which a thread without searches ends, and gives its memory back. Starting one takes 60 ms. */
const IDLE_MS = 60_000;
/** Size of the young generation in MB. */
const YOUNG_MB = 16;
/** Milliseconds until a thread that ended by itself is started again; twice as many each time, up to the second. */
const RESTART_MS = 1_000;
const RESTART_MS_MAX = 60_000;

/** What a search thread has done since the node started. */
export interface SearchThreadStats {
  readonly thread: number;
  readonly isRunning: boolean;
  /** Searches that it works on. */
  readonly active: number;
  /** Most of them at once. */
  readonly largest: number;
  readonly completed: number;
  /** Searches that it did not answer, and that the thread of their shard has run; those that were cancelled too. */
  readonly failed: number;
  /** Number of its starts. */
  readonly starts: number;
  /** Number of times that it ended by itself. */
  readonly lost: number;
  /** Milliseconds that it has worked. */
  readonly busyMs: number;
}

/** A thread that runs. */
interface Running {
  readonly worker: Worker;
  readonly link: Link;
  /** Resolves when the thread is gone, with its handles of stores. */
  readonly gone: Promise<void>;
  readonly startedAtMs: number;
  isReady: boolean;
}

/**
 * A thread that searches views of the shards of the calling thread. It starts when the first search wants it, is given
 * searches once it runs, and ends when idle. When it needs more memory than its heap it ends, not the node: its
 * searches are then run on the calling thread.
 */
export class SearchWorker implements ViewThread {
  readonly #data: SearchThreadData;
  readonly #log: Log;
  #running: Running | null = null;
  /** Ends of threads that still hold stores. */
  readonly #leaving = new Set<Promise<void>>();
  #idle: TimerHandle | null = null;
  #life = 0;
  #isClosed = false;
  #restartAtMs = 0;
  #restartMs = RESTART_MS;
  readonly #counts = { active: 0, largest: 0, completed: 0, failed: 0, starts: 0, lost: 0, busyMs: 0 };

  constructor(data: SearchThreadData, log: Log) {
    this.#data = data;
    this.#log = log;
  }

  get life(): number {
    return this.#life;
  }

  isReady(): boolean {
    if (this.#running === null && !this.#isClosed && systemClock.monotonic() >= this.#restartAtMs) this.#start();
    return this.#running?.isReady === true;
  }

  async search(message: Uint8Array, signal: AbortSignal): Promise<Uint8Array> {
    const running = this.#running;
    if (running === null) throw errors.illegalState('the search thread does not run');
    const counts = this.#counts;
    this.#idle?.cancel();
    counts.largest = Math.max(counts.largest, ++counts.active);
    try {
      const answer = await sendMessage(running.link, threads.methods.search, { body: message }, { signal });
      counts.completed++;
      return answer.body;
    } catch (error) {
      counts.failed++;
      throw error;
    } finally {
      if (--counts.active === 0) this.#endWhenIdle();
    }
  }

  async forget(location: string): Promise<void> {
    const running = this.#running;
    if (running !== null) {
      const closed = sendMessage(running.link, threads.methods.forgetStore, { body: Buffer.from(location) });
      await closed.then(
        () => undefined,
        () => running.gone,
      );
    }
    await Promise.all(this.#leaving);
  }

  clear(location: string): void {
    if (this.#running === null) return;
    const { link } = this.#running;
    void sendMessage(link, threads.methods.clearStore, { body: Buffer.from(location) }).catch(() => undefined);
  }

  /** Counts since the node started. */
  stats(): SearchThreadStats {
    const { busyMs, ...counts } = this.#counts;
    const running = this.#running;
    const now = running === null ? 0 : running.worker.performance.eventLoopUtilization().active;
    return { thread: this.#data.thread, isRunning: running !== null, ...counts, busyMs: busyMs + now };
  }

  #start(): void {
    const worker = new Worker(new URL('./search-thread.js', import.meta.url), {
      name: `shoal-search-${this.#data.thread}`,
      workerData: this.#data,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB, maxOldGenerationSizeMb: this.#data.heapMb },
    });
    const link = createLink(workerPort(worker), () =>
      Promise.reject(errors.illegalState('a search thread asks nothing')),
    );
    let reason: string | null = null;
    const gone = new Promise<void>((resolve) => {
      worker.on('error', (error) => {
        reason = error.message;
        this.#lost(running, reason);
      });
      worker.on('exit', (code) => {
        this.#lost(running, reason ?? `exit code ${code}`);
        resolve();
      });
    });
    const running: Running = { worker, link, gone, startedAtMs: systemClock.monotonic(), isReady: false };
    worker.unref();
    this.#counts.starts++;
    this.#life++;
    this.#running = running;
    const ready = (): void => {
      running.isReady = true;
      this.#endWhenIdle();
    };
    sendMessage(link, threads.methods.ready, {}).then(ready, () => undefined);
  }

  #endWhenIdle(): void {
    this.#idle?.cancel();
    this.#idle = systemClock.after(IDLE_MS, () => void this.#end());
  }

  /** Called when a thread has ended, also after `#end`. */
  #lost(running: Running, reason: string): void {
    running.link.fail(`the search thread ended: ${reason}`);
    if (this.#running !== running) return;
    this.#leave(running);
    // What its searches held is gone with them.
    requestMeter(this.#data.requestMeters, this.#data.meter)[0] = 0;
    this.#counts.lost++;
    const now = systemClock.monotonic();
    if (now - running.startedAtMs > RESTART_MS_MAX) this.#restartMs = RESTART_MS;
    this.#restartAtMs = now + this.#restartMs;
    this.#log.write('warn', 'a search thread ended by itself, its searches run on the thread of their shards', {
      'shoal.search_thread': this.#data.thread,
      'error.message': reason,
      'shoal.restart_ms': this.#restartMs,
    });
    this.#restartMs = Math.min(RESTART_MS_MAX, this.#restartMs * 2);
  }

  #leave(running: Running): void {
    this.#running = null;
    this.#life++;
    this.#idle?.cancel();
    this.#leaving.add(running.gone);
    void running.gone.then(() => this.#leaving.delete(running.gone));
  }

  async #end(): Promise<void> {
    const running = this.#running;
    if (running === null) return;
    this.#counts.busyMs += running.worker.performance.eventLoopUtilization().active;
    this.#leave(running);
    await running.worker.terminate();
  }

  /** Ends the thread for good. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#idle?.cancel();
    await this.#end();
    await Promise.all(this.#leaving);
  }
}
