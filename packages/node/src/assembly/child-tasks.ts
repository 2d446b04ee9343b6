import type { TaskRegistry } from '@shoal/coordinator';
import { abortCauseOf, LazySignal } from '@shoal/doors';
import { errors } from '@shoal/errors';
import type { Method } from '@shoal/protocol';

/** What a message is as a task. */
export type TaskKind = Pick<Method<object, object>, 'task' | 'isCancellable'>;

/** The parts of requests, of this node's and of others', as tasks below them. */
export interface ChildTasks {
  /** Parts are registered from here on. */
  serve(tasks: TaskRegistry): void;
  /** Does a part; `until` aborts when its caller gave up or the part is cancelled by itself. */
  run<T>(
    method: TaskKind,
    parentTask: string,
    signal: AbortSignal,
    work: (until: AbortSignal) => Promise<T>,
  ): Promise<T>;
}

/** Parts that arrive on this node. */
export function createChildTasks(nodeId: string): ChildTasks {
  let registry: TaskRegistry | null = null;
  return {
    serve: (tasks) => void (registry = tasks),
    async run(method, parentTaskId, signal, work) {
      if (registry === null) return work(signal);
      const until = method.isCancellable ? new LazySignal(abortCauseOf(signal)) : null;
      const task = registry.start({
        action: method.task,
        description: '',
        headers: {},
        parentTaskId,
        type: parentTaskId.startsWith(`${nodeId}:`) ? 'direct' : 'transport',
        ...(until
          ? { cancel: (reason: string): void => until.abort(errors.taskCancelled(`task cancelled [${reason}]`)) }
          : {}),
      });
      try {
        return await work(until ?? signal);
      } finally {
        task.end();
      }
    },
  };
}
