import type { Clock, TimerHandle } from '@shoal/doors';
import { type ApiError, errors } from '@shoal/errors';
import { formatTimeValue } from '@shoal/values';
import type { PendingTask } from '../service.js';
import type { Priority, Task } from '../tasks/task.js';

const PRIORITIES: readonly Priority[] = ['IMMEDIATE', 'URGENT', 'HIGH', 'NORMAL', 'LOW', 'LANGUID'];

/** A task that waits for the master or is being published. */
export interface QueuedTask {
  readonly order: number;
  readonly task: Task;
  readonly body: unknown;
  /** For the answer, once the state is committed. */
  readonly ackTimeoutMs: number;
  readonly queuedAt: number;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: ApiError) => void;
  timer: TimerHandle | null;
}

/** Timeouts of a queued task in milliseconds. */
export interface EnqueueOptions {
  readonly ackTimeoutMs: number;
  /** Time for which the task may wait in the queue; negative: no limit. */
  readonly queueTimeoutMs: number;
}

/** The tasks of the elected master in order of priority, then arrival. */
export class MasterQueue {
  readonly #clock: Clock;
  readonly #onWork: () => void;
  #queued: QueuedTask[] = [];
  #running: readonly QueuedTask[] = [];
  #order = 0;

  constructor(clock: Clock, onWork: () => void) {
    this.#clock = clock;
    this.#onWork = onWork;
  }

  get isEmpty(): boolean {
    return this.#queued.length === 0;
  }

  add(task: Task, body: unknown, { ackTimeoutMs, queueTimeoutMs }: EnqueueOptions): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const queued: QueuedTask = {
        order: this.#order++,
        task,
        body,
        ackTimeoutMs,
        queuedAt: this.#clock.monotonic(),
        resolve,
        reject,
        timer: null,
      };
      if (queueTimeoutMs >= 0)
        queued.timer = this.#clock.after(queueTimeoutMs, () => this.#expire(queued, queueTimeoutMs));
      this.#queued.push(queued);
      this.#onWork();
    });
  }

  /** All tasks of the highest priority that is waiting: one batch, one publication. */
  take(): readonly QueuedTask[] {
    const top = Math.min(...this.#queued.map(({ task }) => PRIORITIES.indexOf(task.priority)));
    const batch = this.#queued.filter(({ task }) => PRIORITIES.indexOf(task.priority) === top);
    this.#queued = this.#queued.filter((queued) => !batch.includes(queued));
    for (const { timer } of batch) timer?.cancel();
    this.#running = batch;
    return batch;
  }

  /** The batch that was taken is over. */
  done(): void {
    this.#running = [];
  }

  /** Rejects all that waits: this node is not the master, or ends. */
  failAll(error: ApiError): void {
    const waiting = this.#queued;
    this.#queued = [];
    for (const { timer, reject } of waiting) {
      timer?.cancel();
      reject(error);
    }
  }

  pending(): readonly PendingTask[] {
    const shown = (queued: QueuedTask, executing: boolean): PendingTask => ({
      insertOrder: queued.order,
      priority: queued.task.priority,
      source: queued.task.source(queued.body),
      executing,
      queuedMs: this.#clock.monotonic() - queued.queuedAt,
    });
    return [
      ...this.#running.map((queued) => shown(queued, true)),
      ...this.#queued.map((queued) => shown(queued, false)),
    ];
  }

  #expire(queued: QueuedTask, timeoutMs: number): void {
    this.#queued = this.#queued.filter((other) => other !== queued);
    queued.reject(
      errors.processClusterEventTimeout(
        `failed to process cluster event (${queued.task.source(queued.body)}) within ${formatTimeValue(timeoutMs)}`,
      ),
    );
  }
}
