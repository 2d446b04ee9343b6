import { matchesAny } from '@shoal/values';
import type { Clock } from '@shoal/doors';
import { encodeError, type WireError } from '@shoal/errors';
import type { TaskInfo, TaskRegistry } from './task-registry.js';

/** Selects tasks of a node; an empty list of actions selects all. */
export interface TaskFilter {
  readonly actions: readonly string[];
  readonly parentTaskId: string | null;
}

/** Cancels one task, or the tasks of a filter. */
export interface CancelCall extends TaskFilter {
  readonly id: number | null;
  readonly reason: string;
}

/** Answer of a node to `task`. */
export interface TaskReport {
  /** The task; null if it does not run. */
  readonly running: TaskInfo | null;
  readonly finished: { readonly task: TaskInfo; readonly response?: unknown; readonly error?: WireError } | null;
  /** Whether the task did not end in time. */
  readonly isLate: boolean;
}

/** Answer of a node to `cancel`. */
export interface CancelReport {
  readonly cancelled: readonly TaskInfo[];
  /** Whether the named task runs. */
  readonly exists: boolean;
}

/** Changes the documents a second of a task; null for no limit. */
export interface RethrottleCall {
  readonly id: number;
  readonly requestsPerSecond: number | null;
}

/** The task; null if it does not run or has no rate. */
export interface RethrottleReport {
  readonly task: TaskInfo | null;
}

const CANCEL_ACTION = 'cluster:admin/tasks/cancel';

/** Returns the tasks of this node that a filter selects. */
export function tasksOf(tasks: TaskRegistry, filter: TaskFilter): TaskInfo[] {
  const { actions, parentTaskId } = filter;
  return tasks
    .list()
    .filter(
      (task) =>
        (actions.length === 0 || matchesAny(actions, task.action)) &&
        (parentTaskId === null || task.parentTaskId === parentTaskId),
    );
}

function report(tasks: TaskRegistry, id: number, isLate: boolean): TaskReport {
  const finished = tasks.finished(id);
  if (finished === null) return { running: tasks.get(id), finished: null, isLate };
  const { task, outcome } = finished;
  return {
    running: null,
    finished:
      'response' in outcome ? { task, response: outcome.response } : { task, error: encodeError(outcome.error) },
    isLate,
  };
}

/** Returns one task of this node, after waiting at most `waitMs` milliseconds for its end. */
export async function taskReport(
  tasks: TaskRegistry,
  clock: Pick<Clock, 'after'>,
  id: number,
  waitMs: number,
): Promise<TaskReport> {
  if (waitMs <= 0) return report(tasks, id, false);
  const isLate = await new Promise<boolean>((resolve) => {
    const timer = clock.after(waitMs, () => resolve(true));
    void tasks.ended(id).then(() => {
      timer.cancel();
      resolve(false);
    });
  });
  return report(tasks, id, isLate);
}

/** Cancels tasks of this node. A request to cancel tasks does not cancel itself. */
export function cancelTasks(tasks: TaskRegistry, call: CancelCall): CancelReport {
  if (call.id === null) {
    const found = tasksOf(tasks, call).filter((task) => task.cancellable && task.action !== CANCEL_ACTION);
    return { cancelled: found.flatMap((task) => cancelOne(tasks, task, call.reason)), exists: true };
  }
  const task = tasks.get(call.id);
  return { cancelled: task === null ? [] : cancelOne(tasks, task, call.reason), exists: task !== null };
}

function cancelOne(tasks: TaskRegistry, task: TaskInfo, reason: string): TaskInfo[] {
  return tasks.cancel(task.id, reason) ? [tasks.get(task.id) ?? { ...task, cancelled: true }] : [];
}

/** Handles the calls `tasks`, `task` and `cancel` of `node/call`. */
export function taskCalls(
  tasks: TaskRegistry,
  clock: Pick<Clock, 'after'>,
): Readonly<Record<'tasks' | 'task' | 'cancel' | 'rethrottle', (body: unknown) => unknown>> {
  return {
    tasks: (body) => tasksOf(tasks, body as TaskFilter),
    task(body) {
      const { id, waitMs } = body as { id: number; waitMs: number };
      return taskReport(tasks, clock, id, waitMs);
    },
    cancel: (body) => cancelTasks(tasks, body as CancelCall),
    rethrottle(body) {
      const { id, requestsPerSecond } = body as RethrottleCall;
      const isDone = tasks.rethrottle(id, requestsPerSecond ?? Infinity);
      return { task: isDone ? tasks.get(id) : null } satisfies RethrottleReport;
    },
  };
}
