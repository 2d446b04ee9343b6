import type { Clock } from '@shoal/doors';
import type { shard } from '@shoal/protocol';

/** A running request as `_tasks` shows it. */
export interface TaskInfo {
  readonly id: number;
  /** Name of the action, such as `indices:data/read/search`. */
  readonly action: string;
  readonly type: string;
  readonly description: string;
  readonly startedAtMs: number;
  readonly runningNanos: number;
  readonly cancellable: boolean;
  readonly cancelled: boolean;
  readonly parentTaskId: string | null;
  /** Headers of the request: `X-Opaque-Id`, `trace.id`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Names of the shard threads that got a part of the task; absent if none did. */
  readonly threads?: readonly string[];
  /** How far the task is, in the form of the API; absent for tasks that do not tell. */
  readonly status?: unknown;
}

/** What a running task tells and takes while it runs. */
export interface TaskProgress {
  status(): unknown;
  /** Changes its documents a second. */
  rethrottle(requestsPerSecond: number): void;
}

/** A request to register as a task. */
export interface TaskRequest {
  readonly action: string;
  readonly description: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Called by `cancel`. Absent: the task cannot be cancelled. */
  readonly cancel?: (reason: string) => void;
  readonly parentTaskId?: string | null;
  /** Keeps the outcome of a background task, before the task ends. */
  readonly keep?: (finished: FinishedTask) => Promise<void>;
  /** `direct` for a part of a request that runs on this node; default `transport`. */
  readonly type?: 'transport' | 'direct';
  /** Names of the shard threads that got a part of the task; the caller adds them while it runs. */
  readonly threads?: readonly string[];
}

/** A finished background task with its outcome (`wait_for_completion=false`). */
export interface FinishedTask {
  readonly task: TaskInfo;
  readonly outcome: { readonly response: unknown } | { readonly error: unknown };
}

/** Headers of tasks without headers. */
export const NO_HEADERS: Readonly<Record<string, string>> = {};

/** Limit for stored outcomes; the oldest is dropped first. */
const OUTCOMES_MAX = 1000;

/** A registered task; `end` removes it. */
export interface StartedTask {
  readonly id: number;
  /** Id with its node, `node:id`. Child tasks name it as their parent. */
  readonly globalId: string;
  end(): void;
}

/** The running requests of a node, and the outcomes of background tasks. */
export interface TaskRegistry {
  /** Registers a request until `end` is called on the result. */
  start(request: TaskRequest): StartedTask;
  /** Runs `work` as a background task whose outcome is stored. Returns its id. */
  runBehind(request: TaskRequest, work: (id: number) => Promise<unknown>): number;
  /** Returns the outcome of a background task; null while it runs and for other tasks. */
  finished(id: number): FinishedTask | null;
  /** Resolves when a background task has ended; at once for other tasks. */
  ended(id: number): Promise<void>;
  list(): TaskInfo[];
  /** Lets a running task tell its progress. */
  follow(id: number, progress: TaskProgress): void;
  /** Changes the rate of a running task. Returns false if it does not run or has no rate. */
  rethrottle(id: number, requestsPerSecond: number): boolean;
  /** Returns the client's headers of a running task of this node; undefined if it has none. `globalId` is `node:id`. */
  callerOf(globalId: string | undefined): shard.Caller | undefined;
  get(id: number): TaskInfo | null;
  /** Cancels a task. Returns false if it does not run or cannot be cancelled. */
  cancel(id: number, reason: string): boolean;
}

/**
 * Running tasks in reused slots of an array. A `Map` would be rehashed every few requests, as each one adds and removes
 * an entry.
 */
class RunningTasks {
  readonly #slots: (RunningTask | null)[] = [];
  readonly #free: number[] = [];
  /** Number of tasks with headers. If it is 0, as mostly, `callerOf` does not search. */
  #named = 0;

  add(task: RunningTask): void {
    if (task.hasHeaders) this.#named++;
    task.slot = this.#free.pop() ?? this.#slots.length;
    this.#slots[task.slot] = task;
  }

  remove(task: RunningTask): void {
    if (this.#slots[task.slot] !== task) return;
    this.#slots[task.slot] = null;
    if (task.hasHeaders) this.#named--;
    this.#free.push(task.slot);
  }

  callerOf(globalId: string): shard.Caller | undefined {
    if (this.#named === 0) return undefined;
    const task = this.#slots.find((one) => one?.globalId === globalId);
    if (!task?.hasHeaders) return undefined;
    const { 'X-Opaque-Id': opaqueId, 'trace.id': traceId } = task.request.headers;
    return { opaqueId, traceId };
  }

  /** Returns the tasks in order of their start. */
  list(): RunningTask[] {
    return this.#slots.filter((task) => task !== null).sort((a, b) => a.id - b.id);
  }

  get(id: number): RunningTask | undefined {
    return this.#slots.find((task) => task?.id === id) ?? undefined;
  }
}

class RunningTask implements StartedTask {
  readonly id: number;
  readonly globalId: string;
  readonly request: TaskRequest;
  readonly startedAtMs: number;
  readonly startedMonotonic: number;
  readonly #tasks: RunningTasks;
  readonly hasHeaders: boolean;
  cancelled = false;
  progress: TaskProgress | null = null;
  slot = -1;

  constructor(id: number, nodeId: string, request: TaskRequest, clock: Clock, tasks: RunningTasks) {
    this.id = id;
    this.globalId = `${nodeId}:${id}`;
    this.request = request;
    this.startedAtMs = clock.now();
    this.startedMonotonic = clock.monotonic();
    this.#tasks = tasks;
    this.hasHeaders = request.headers !== NO_HEADERS && Object.keys(request.headers).length > 0;
    tasks.add(this);
  }

  end(): void {
    this.#tasks.remove(this);
  }
}

/** Makes the registry of the requests that run on this node. */
export function createTaskRegistry(clock: Clock, nodeId: string): TaskRegistry {
  const running = new RunningTasks();
  let lastId = 0;
  const describe = (task: RunningTask): TaskInfo => ({
    id: task.id,
    action: task.request.action,
    type: task.request.type ?? 'transport',
    description: task.request.description,
    startedAtMs: task.startedAtMs,
    runningNanos: Math.round((clock.monotonic() - task.startedMonotonic) * 1e6),
    cancellable: task.request.cancel !== undefined,
    cancelled: task.cancelled,
    parentTaskId: task.request.parentTaskId ?? null,
    headers: task.request.headers,
    ...(task.request.threads === undefined || task.request.threads.length === 0
      ? {}
      : { threads: [...task.request.threads] }),
    ...(task.progress === null ? {} : { status: task.progress.status() }),
  });
  const outcomes = new Map<number, FinishedTask>();
  const ends = new Map<number, Promise<void>>();
  const start = (request: TaskRequest): RunningTask => new RunningTask(++lastId, nodeId, request, clock, running);
  const keep = async (task: RunningTask, outcome: FinishedTask['outcome']): Promise<void> => {
    const finished = { task: describe(task), outcome };
    await task.request.keep?.(finished);
    outcomes.set(task.id, finished);
    task.end();
    ends.delete(task.id);
    if (outcomes.size > OUTCOMES_MAX) outcomes.delete(outcomes.keys().next().value!);
  };
  return {
    start,
    runBehind(request, work) {
      const task = start(request);
      ends.set(
        task.id,
        work(task.id).then(
          (response) => keep(task, { response }),
          (error: unknown) => keep(task, { error }),
        ),
      );
      return task.id;
    },
    finished: (id) => outcomes.get(id) ?? null,
    ended: (id) => ends.get(id) ?? Promise.resolve(),
    list: () => running.list().map(describe),
    follow(id, progress) {
      const task = running.get(id);
      if (task) task.progress = progress;
    },
    rethrottle(id, requestsPerSecond) {
      const task = running.get(id);
      if (!task?.progress) return false;
      task.progress.rethrottle(requestsPerSecond);
      return true;
    },
    callerOf: (globalId) => (globalId === undefined ? undefined : running.callerOf(globalId)),
    get(id) {
      const task = running.get(id);
      return task ? describe(task) : null;
    },
    cancel(id, reason) {
      const task = running.get(id);
      if (!task?.request.cancel) return false;
      task.cancelled = true;
      task.request.cancel(reason);
      return true;
    },
  };
}
