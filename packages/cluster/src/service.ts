import type { Clock, Log, Random } from '@shoal/doors';
import { type ApiError, errors, toApiError } from '@shoal/errors';
import { allocate } from './allocation/allocate.js';
import { createIndexMappings } from './metadata/index-mappings.js';
import type { FlatSettings } from './settings/flat-settings.js';
import type { ClusterState, NodeInfo } from './state.js';
import { formedState } from './state-edit.js';
import { afterRestart, readLastState, type StateLog, writeNextState, writeWholeState } from './state-log.js';
import { TASKS } from './tasks/catalogue.js';
import type { Priority, Task, TaskContext, TaskResult } from './tasks/task.js';
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

/** Runs all queued tasks over a state: each fails alone. Pure but for ids and time of the context. */
function runBatch(state: ClusterState, batch: readonly Queued[], context: TaskContext): { state: ClusterState; results: readonly (TaskResult | ApiError)[] } {
  let next = state;
  const results = batch.map(({ task, body }): TaskResult | ApiError => {
    try {
      const result = task.apply(next, body, context);
      next = result.state;
      return result;
    } catch (error) {
      return toApiError(error);
    }
  });
  return { state: next, results };
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
    routing,
    term: last.term + 1,
    version: last.version + 1,
    stateUuid: context.newUuid(),
  };
  return allocate(restarted, context);
}

/**
 * The cluster state of a cluster of one node. Tasks run one batch at a time: all queued ones are applied to the state, the result is written to the state log,
 * then applied on all threads, then their answers go out. Rejections of a task leave the state of the others untouched.
 */
export async function createClusterService(options: ClusterServiceOptions): Promise<ClusterService> {
  const { clock, random, log, stateLog, applier } = options;
  const mappings = createIndexMappings();
  const contextNow = (): TaskContext => ({ nowMs: clock.now(), newUuid: () => newUuid(random), mappings, nodeSettings: options.nodeSettings });
  let state = firstState(options, contextNow());
  let queue: Queued[] = [];
  let running: readonly Queued[] = [];
  let waiters: Waiter[] = [];
  let order = 0;
  let closed = false;
  let loop: Promise<void> | null = null;

  const notify = (): void => {
    const met = waiters.filter(({ condition }) => condition(state));
    waiters = waiters.filter((waiter) => !met.includes(waiter));
    for (const waiter of met) waiter.resolve(true);
  };

  const publish = async (next: ClusterState): Promise<void> => {
    const previous = state;
    const committed = { ...next, version: previous.version + 1, stateUuid: newUuid(random) };
    await writeNextState(stateLog, previous, committed);
    state = committed;
    await applier.apply(committed, previous);
    notify();
  };

  const waitFor = (condition: (state: ClusterState) => boolean, timeoutMs: number): Promise<boolean> => {
    if (condition(state)) return Promise.resolve(true);
    if (timeoutMs === 0 || closed) return Promise.resolve(false);
    return new Promise((resolve) => {
      const waiter: Waiter = { condition, resolve };
      waiters.push(waiter);
      if (timeoutMs > 0) {
        clock.after(timeoutMs, () => {
          waiters = waiters.filter((other) => other !== waiter);
          resolve(false);
        });
      }
    });
  };

  const finish = (queued: Queued, result: TaskResult | ApiError): void => {
    if (!('answer' in result)) queued.reject(result);
    else if (!result.until) queued.resolve(result.answer);
    else void waitFor(result.until, queued.timeoutMs).then((met) => queued.resolve(met ? result.answer : (result.answerUnmet ?? result.answer)));
  };

  const runQueue = async (): Promise<void> => {
    while (queue.length > 0) {
      running = queue;
      queue = [];
      const { state: next, results } = runBatch(state, running, contextNow());
      try {
        if (next !== state) await publish(next);
        results.forEach((result, i) => finish(running[i]!, result));
      } catch (error) {
        log.write('error', 'cluster state could not be published', { 'error.message': toApiError(error).message });
        for (const queued of running) queued.reject(toApiError(error));
      }
      running = [];
    }
    loop = null;
  };

  const pending = (queued: Queued, executing: boolean): PendingTask => ({
    insertOrder: queued.order,
    priority: queued.task.priority,
    source: queued.task.source(queued.body),
    executing,
    queuedMs: clock.monotonic() - queued.queuedAt,
  });

  await writeWholeState(stateLog, state);
  await applier.apply(state, { ...state, indices: new Map(), routing: new Map() });

  return {
    state: () => state,
    waitFor,
    submit(name, body, { timeoutMs = ACK_TIMEOUT_MS } = {}) {
      const task = TASKS.get(name);
      if (!task) return Promise.reject(errors.illegalArgument(`unknown cluster task [${name}]`));
      if (closed) return Promise.reject(errors.masterNotDiscovered(null));
      return new Promise((resolve, reject) => {
        queue.push({ order: order++, task, body, timeoutMs, queuedAt: clock.monotonic(), resolve, reject });
        loop ??= Promise.resolve().then(runQueue);
      });
    },
    pendingTasks: () => [...running.map((queued) => pending(queued, true)), ...queue.map((queued) => pending(queued, false))],
    async close() {
      closed = true;
      await loop;
      for (const waiter of waiters) waiter.resolve(false);
      waiters = [];
      await stateLog.close();
    },
  };
}
