import { Worker } from 'node:worker_threads';
import {
  type Channel,
  type ChannelHandler,
  type Clock,
  type Log,
  type RequestOptions,
  sendMessage,
} from '@shoal/doors';
import { errors } from '@shoal/errors';
import { control } from '@shoal/protocol';
import { createLink, type Link } from '@shoal/transport';
import type { ControlThreadData } from './control-thread-data.js';
import { workerPort } from './worker-port.js';

/** Heap limits of the control thread in MB. The state machine and its links need little; the cluster state grows. */
const HEAP_MB = { old: 192, young: 8 };
/** Milliseconds until a thread that ended by itself is started again. */
const RESTART_MS = 100;
/** Times in a row that a thread may end by itself; a thread that has run for `STEADY_MS` begins a new row. */
const LOSSES_MAX = 5;
const STEADY_MS = 60_000;
/** Milliseconds that a request without a limit of its own waits for a thread that is started again. */
const WAIT_MS = 30_000;

/** A control thread that runs. */
interface Running {
  readonly worker: Worker;
  readonly link: Link;
  readonly startedAtMs: number;
  /** Resolves when the thread has ended: its files and its port are closed. */
  readonly gone: Promise<void>;
}

/** What the main thread gives to each control thread that it starts. */
export interface ControlWorkerOptions {
  readonly data: ControlThreadData;
  readonly clock: Clock;
  readonly log: Log;
  readonly handle: ChannelHandler;
  /** Called when a thread ended by itself, before another one is started in its place. */
  readonly onLost: () => void;
  /** Called when no other thread is started. */
  readonly onFatal: (error: Error) => void;
}

/**
 * The control thread, which is started again when it ends by itself. Meanwhile the node has no master: it reads on, and
 * refuses writes. All that the thread promised to others is in the state log, so the next one goes on as that of a node
 * that was cut off: the others drop the node when its links break, and take it back when it joins. Shards stay as they
 * are until a state says otherwise. A thread that ends over and over ends the node.
 */
export class ControlWorker implements Channel {
  readonly #options: ControlWorkerOptions;
  #data: ControlThreadData;
  #running: Running | null = null;
  #isClosed = false;
  #losses = 0;
  #waiting: (() => void)[] = [];

  constructor(options: ControlWorkerOptions) {
    this.#options = options;
    this.#data = options.data;
    this.#start();
  }

  async request(action: string, payload: Uint8Array, options?: RequestOptions): Promise<Uint8Array> {
    const link = await this.linkWithin(null);
    if (link === null) throw errors.noShardAvailable('the control thread has ended');
    return link.request(action, payload, options);
  }

  /** Returns the link to the thread, waited for while it is started again; null after `timeoutMs` or once closed. */
  async linkWithin(timeoutMs: number | null): Promise<Link | null> {
    if (this.#running === null && !this.#isClosed)
      await new Promise<void>((resolve) => {
        const timer = this.#options.clock.after(timeoutMs ?? WAIT_MS, resolve);
        this.#waiting.push(() => {
          timer.cancel();
          resolve();
        });
      });
    return this.#running?.link ?? null;
  }

  /** Sets what the next thread starts with. */
  change(data: Partial<ControlThreadData>): void {
    this.#data = { ...this.#data, ...data };
  }

  /** Hands over a leadership, then ends the thread for good. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#wake();
    const running = this.#running;
    if (running === null) return;
    await sendMessage(running.link, control.methods.close, {}).catch(() => undefined);
    await running.worker.terminate();
    await running.gone;
  }

  #start(): void {
    const worker = new Worker(new URL('./control-thread.js', import.meta.url), {
      name: 'shoal-control',
      workerData: this.#data,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB.old, maxYoungGenerationSizeMb: HEAP_MB.young },
    });
    const link = createLink(workerPort(worker), this.#options.handle);
    const gone = new Promise<void>((resolve) => {
      worker.on('error', (error) => this.#lost(running, error.message));
      worker.on('exit', (code) => {
        this.#lost(running, `exit code ${code}`);
        resolve();
      });
    });
    const running: Running = { worker, link, startedAtMs: this.#options.clock.monotonic(), gone };
    this.#running = running;
    this.#wake();
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Called when the thread ends, once with the error and once when it is gone; both may be missing. */
  #lost(running: Running, reason: string): void {
    running.link.fail(`the control thread ended: ${reason}`);
    if (this.#running !== running) return;
    this.#running = null;
    if (this.#isClosed) return;
    const { clock, log, onLost, onFatal } = this.#options;
    if (clock.monotonic() - running.startedAtMs > STEADY_MS) this.#losses = 0;
    this.#losses++;
    onLost();
    if (this.#losses > LOSSES_MAX)
      return onFatal(new Error(`the control thread ended ${this.#losses} times in a row: ${reason}`));
    log.write('error', 'the control thread ended by itself, the node has no master until it is started again', {
      'error.message': reason,
      'shoal.restart_ms': RESTART_MS,
    });
    void running.gone.then(() => clock.after(RESTART_MS, () => this.#startAgain()));
  }

  #startAgain(): void {
    if (!this.#isClosed) this.#start();
  }
}
