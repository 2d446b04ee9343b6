import type { Clock, Log, Random, TimerHandle } from '@shoal/doors';
import { type ApiError, errors, toApiError } from '@shoal/errors';
import { nextDelayedRerouteAt } from './allocation/delays.js';
import { reroute } from './allocation/reroute.js';
import { withNextTerms } from './metadata/build-index.js';
import { createIndexMappings } from './metadata/index-mappings.js';
import type { FlatSettings } from './settings/flat-settings.js';
import type { ClusterState, NodeInfo } from './state.js';
import { emptyState, formedState } from './state-edit.js';
import { afterRestart, readLastState, type StateLog, writeNextState, writeWholeState } from './state-log.js';
import { TASKS } from './tasks/catalogue.js';
import { isResult, runBatch, type TaskOutcome } from './tasks/run-batch.js';
import type { Priority, Task, TaskContext } from './tasks/task.js';
import { newUuid } from './uuid.js';

/** Makes a committed state take effect on all threads of the node. */
export interface StateApplier {
  apply(state: ClusterState, previous: ClusterState): Promise<void>;
}

export interface ClusterServiceOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly localNode: NodeInfo;
  readonly clusterName: string;
  readonly stateLog: StateLog;
  readonly applier: StateApplier;
  /** Of the configuration file, flat. */
  readonly nodeSettings: FlatSettings;
}

/** A task that waits for its turn or runs. */
export interface PendingTask {
  readonly insertOrder: number;
  readonly priority: Priority;
  readonly source: string;
  readonly executing: boolean;
  readonly queuedMs: number;
}

export interface ClusterService {
  /** The last applied state. */
  state(): ClusterState;
  /** Runs a task of the catalogue; resolves with its answer once its state is applied and what it waits for has happened or `timeoutMs` is over. */
  submit(task: string, body: unknown, options?: { readonly timeoutMs?: number }): Promise<unknown>;
  /** Resolves as soon as an applied state satisfies the condition; with false when `timeoutMs` is over before. */
  waitFor(condition: (state: ClusterState) => boolean, timeoutMs: number): Promise<boolean>;
  pendingTasks(): readonly PendingTask[];
  close(): Promise<void>;
}

const ACK_TIMEOUT_MS = 30_000;

interface Queued {
  readonly order: number;
  readonly task: Task;
  readonly body: unknown;
  readonly timeoutMs: number;
  readonly queuedAt: number;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: ApiError) => void;
}

interface Waiter {
  readonly condition: (state: ClusterState) => boolean;
  readonly resolve: (met: boolean) => void;
}

/** The state a node goes on with after a start: its own last one with copies to be started again, or a new cluster. */
function firstState(options: ClusterServiceOptions, context: TaskContext): ClusterState {
  const { localNode, clusterName, stateLog, clock } = options;
  const last = readLastState(stateLog);
  if (!last) return formedState({ clusterName, clusterUuid: context.newUuid(), stateUuid: context.newUuid(), localNode });
  const nowMs = clock.now();
  const routing = new Map([...last.routing].map(([uuid, table]) => {
    const isOpen = last.indices.get(uuid)?.state === 'open';
    return [uuid, isOpen ? table.map((copies) => copies.map((copy) => afterRestart(copy, nowMs))) : table];
  }));
  const restarted: ClusterState = {
    ...last,
    clusterName,
    masterNodeId: localNode.id,
    nodes: new Map([[localNode.id, localNode]]),
    indices: new Map([...last.indices].map(([uuid, meta]) => [uuid, meta.state === 'open' ? withNextTerms(meta) : meta])),
    routing,
    term: last.term + 1,
    version: last.version + 1,
    stateUuid: context.newUuid(),
  };
  return reroute(restarted, context);
}

/**
 * The cluster state of a cluster of one node. Tasks run one batch at a time: all queued ones are applied to the state, the result is written to the state log,
 * then applied on all threads, then their answers go out. Rejections of a task leave the state of the others untouched.
 */
class SingleNodeCluster implements ClusterService {
  readonly #options: ClusterServiceOptions;
  readonly #mappings = createIndexMappings();
  #state: ClusterState;
  #queue: Queued[] = [];
  #running: readonly Queued[] = [];
  #waiters: Waiter[] = [];
  #order = 0;
  #delayed: TimerHandle | null = null;
  #isClosed = false;
  /** The batches in progress; null while nothing is queued. */
  #loop: Promise<void> | null = null;

  constructor(options: ClusterServiceOptions) {
    this.#options = options;
    this.#state = firstState(options, this.#context());
  }

  /** Makes the first state durable and applies it. */
  async start(): Promise<void> {
    await writeWholeState(this.#options.stateLog, this.#state);
    await this.#options.applier.apply(this.#state, emptyState());
  }

  state(): ClusterState {
    return this.#state;
  }

  submit(name: string, body: unknown, { timeoutMs = ACK_TIMEOUT_MS }: { readonly timeoutMs?: number } = {}): Promise<unknown> {
    const task = TASKS.get(name);
    if (!task) return Promise.reject(errors.illegalArgument(`unknown cluster task [${name}]`));
    if (this.#isClosed) return Promise.reject(errors.masterNotDiscovered(null));
    return new Promise((resolve, reject) => {
      this.#queue.push({ order: this.#order++, task, body, timeoutMs, queuedAt: this.#options.clock.monotonic(), resolve, reject });
      this.#loop ??= Promise.resolve().then(() => this.#runQueue());
    });
  }

  waitFor(condition: (state: ClusterState) => boolean, timeoutMs: number): Promise<boolean> {
    if (condition(this.#state)) return Promise.resolve(true);
    if (timeoutMs === 0 || this.#isClosed) return Promise.resolve(false);
    return new Promise((resolve) => {
      const waiter: Waiter = { condition, resolve };
      this.#waiters.push(waiter);
      if (timeoutMs < 0) return;
      this.#options.clock.after(timeoutMs, () => {
        this.#waiters = this.#waiters.filter((other) => other !== waiter);
        resolve(false);
      });
    });
  }

  pendingTasks(): readonly PendingTask[] {
    return [...this.#running.map((queued) => this.#pending(queued, true)), ...this.#queue.map((queued) => this.#pending(queued, false))];
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#delayed?.cancel();
    await this.#loop;
    for (const waiter of this.#waiters) waiter.resolve(false);
    this.#waiters = [];
    await this.#options.stateLog.close();
  }

  #context(): TaskContext {
    const { clock, random, nodeSettings } = this.#options;
    return { nowMs: clock.now(), newUuid: () => newUuid(random), mappings: this.#mappings, nodeSettings };
  }

  #pending({ order, task, body, queuedAt }: Queued, executing: boolean): PendingTask {
    return { insertOrder: order, priority: task.priority, source: task.source(body), executing, queuedMs: this.#options.clock.monotonic() - queuedAt };
  }

  async #runQueue(): Promise<void> {
    while (this.#queue.length > 0) {
      this.#running = this.#queue;
      this.#queue = [];
      await this.#runBatch(this.#running);
      this.#running = [];
    }
    this.#loop = null;
  }

  async #runBatch(batch: readonly Queued[]): Promise<void> {
    try {
      const { state, outcomes } = runBatch(this.#state, batch, this.#context());
      if (state !== this.#state) await this.#publish(state);
      outcomes.forEach((outcome, i) => this.#finish(batch[i]!, outcome));
    } catch (error) {
      this.#options.log.write('error', 'cluster state could not be published', { 'error.message': toApiError(error).message });
      for (const queued of batch) queued.reject(toApiError(error));
    }
  }

  async #publish(next: ClusterState): Promise<void> {
    const previous = this.#state;
    const committed = { ...next, version: previous.version + 1, stateUuid: newUuid(this.#options.random) };
    await writeNextState(this.#options.stateLog, previous, committed);
    this.#state = committed;
    await this.#options.applier.apply(committed, previous);
    this.#notify();
    this.#wakeForDelayed();
  }

  /** Copies that wait after a failure are looked at again when their time comes. */
  #wakeForDelayed(): void {
    const { clock } = this.#options;
    this.#delayed?.cancel();
    this.#delayed = null;
    const at = nextDelayedRerouteAt(this.#state);
    if (at === null || this.#isClosed) return;
    this.#delayed = clock.after(Math.max(0, at - clock.now()), () => void this.submit('reroute', {}).catch(() => undefined));
  }

  #notify(): void {
    const met = this.#waiters.filter(({ condition }) => condition(this.#state));
    this.#waiters = this.#waiters.filter((waiter) => !met.includes(waiter));
    for (const waiter of met) waiter.resolve(true);
  }

  #finish(queued: Queued, result: TaskOutcome): void {
    if (!isResult(result)) queued.reject(result);
    else if (!result.until) queued.resolve(result.answer);
    else void this.waitFor(result.until, queued.timeoutMs).then((met) => queued.resolve(met ? result.answer : (result.answerUnmet ?? result.answer)));
  }
}

/** Starts the cluster state of a node that is a cluster by itself. */
export async function createClusterService(options: ClusterServiceOptions): Promise<ClusterService> {
  const service = new SingleNodeCluster(options);
  await service.start();
  return service;
}
