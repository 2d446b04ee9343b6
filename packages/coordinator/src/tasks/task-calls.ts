import { matchesAny } from '@shoal/state';
import type { Clock } from '@shoal/doors';
import { encodeError, type WireError } from '@shoal/errors';
import type { TaskInfo, TaskRegistry } from './task-registry.js';

/** Which tasks of a node are meant; an empty list of actions means all. */
export interface TaskFilter {
  readonly actions: readonly string[];
  readonly parentTaskId: string | null;
}

/** One task, or those of a filter. */
export interface CancelCall extends TaskFilter {
  readonly id: number | null;
  readonly reason: string;
}

/** How a node answers `task`. */
export interface TaskReport {
  /** Null: it does not run. */
  readonly running: TaskInfo | null;
  readonly finished: { readonly task: TaskInfo; readonly response?: unknown; readonly error?: WireError } | null;
  /** The wait for its end took too long. */
  readonly isLate: boolean;
}

/** How a node answers `cancel`. */
export interface CancelReport {
  readonly cancelled: readonly TaskInfo[];
  /** Whether the task that was named runs. */
  readonly exists: boolean;
}

const CANCEL_ACTION = 'cluster:admin/tasks/cancel';

/** Tasks of this node that pass a filter. */
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

/** One task of this node, after it ended if `waitMs` is more than 0 and it ends that soon. */
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

/** Cancels tasks of this node; a request to cancel is not cancelled by itself. */
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

/** What a node answers about its tasks when others ask: `tasks`, `task`, `cancel` of `node/call`. */
export function taskCalls(
  tasks: TaskRegistry,
  clock: Pick<Clock, 'after'>,
): Readonly<Record<'tasks' | 'task' | 'cancel', (body: unknown) => unknown>> {
  return {
    tasks: (body) => tasksOf(tasks, body as TaskFilter),
    task(body) {
      const { id, waitMs } = body as { id: number; waitMs: number };
      return taskReport(tasks, clock, id, waitMs);
    },
    cancel: (body) => cancelTasks(tasks, body as CancelCall),
  };
}
