import type { Clock } from '@shoal/doors';

/** A running request as `_tasks` shows it. */
export interface TaskInfo {
  readonly id: number;
  /** `indices:data/read/search`. */
  readonly action: string;
  readonly type: string;
  readonly description: string;
  readonly startedAtMs: number;
  readonly runningNanos: number;
  readonly cancellable: boolean;
  readonly cancelled: boolean;
  readonly parentTaskId: string | null;
  /** `X-Opaque-Id`, `trace.id`. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface TaskRequest {
  readonly action: string;
  readonly description: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Called by `cancel`; without it the task cannot be cancelled. */
  readonly cancel?: (reason: string) => void;
  readonly parentTaskId?: string | null;
  /** `direct` for a part of a request of this node itself; `transport` if left out. */
  readonly type?: 'transport' | 'direct';
}

/** A task that ran without anybody waiting for its answer. */
export interface FinishedTask {
  readonly task: TaskInfo;
  readonly outcome: { readonly response: unknown } | { readonly error: unknown };
}

/** Outcomes that are kept; the oldest is forgotten first. */
const OUTCOMES_MAX = 1000;

export interface StartedTask {
  readonly id: number;
  /** With its node, `node:id`: what its parts name as their parent. */
  readonly globalId: string;
  end(): void;
}

export interface TaskRegistry {
  /** Notes that a request runs; the answer ends it. */
  start(request: TaskRequest): StartedTask;
  /** Runs `work` as a task whose outcome is kept instead of answered; returns its id. */
  runBehind(request: TaskRequest, work: () => Promise<unknown>): number;
  /** The outcome of such a task; null while it runs and for others. */
  finished(id: number): FinishedTask | null;
  /** Resolves when the task with an outcome to keep has ended; at once for others. */
  ended(id: number): Promise<void>;
  list(): TaskInfo[];
  get(id: number): TaskInfo | null;
  /** False when there is no such task or it cannot be cancelled. */
  cancel(id: number, reason: string): boolean;
}

interface RunningTask {
  readonly request: TaskRequest;
  readonly startedAtMs: number;
  readonly startedMonotonic: number;
  cancelled: boolean;
}

/** Requests that run on this node. */
export function createTaskRegistry(clock: Clock, nodeId: string): TaskRegistry {
  const running = new Map<number, RunningTask>();
  let lastId = 0;
  const describe = (id: number, task: RunningTask): TaskInfo => ({
    id,
    action: task.request.action,
    type: task.request.type ?? 'transport',
    description: task.request.description,
    startedAtMs: task.startedAtMs,
    runningNanos: Math.round((clock.monotonic() - task.startedMonotonic) * 1e6),
    cancellable: task.request.cancel !== undefined,
    cancelled: task.cancelled,
    parentTaskId: task.request.parentTaskId ?? null,
    headers: task.request.headers,
  });
  const outcomes = new Map<number, FinishedTask>();
  const ends = new Map<number, Promise<void>>();
  const start = (request: TaskRequest): number => {
    const id = ++lastId;
    running.set(id, { request, startedAtMs: clock.now(), startedMonotonic: clock.monotonic(), cancelled: false });
    return id;
  };
  const keep = (id: number, outcome: FinishedTask['outcome']): void => {
    outcomes.set(id, { task: describe(id, running.get(id)!), outcome });
    running.delete(id);
    ends.delete(id);
    if (outcomes.size > OUTCOMES_MAX) outcomes.delete(outcomes.keys().next().value!);
  };
  return {
    start(request) {
      const id = start(request);
      return { id, globalId: `${nodeId}:${id}`, end: () => void running.delete(id) };
    },
    runBehind(request, work) {
      const id = start(request);
      ends.set(id, work().then((response) => keep(id, { response }), (error: unknown) => keep(id, { error })));
      return id;
    },
    finished: (id) => outcomes.get(id) ?? null,
    ended: (id) => ends.get(id) ?? Promise.resolve(),
    list: () => [...running].map(([id, task]) => describe(id, task)),
    get(id) {
      const task = running.get(id);
      return task ? describe(id, task) : null;
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
