import type { TaskRegistry } from '@shoal/coordinator';
import { abortCauseOf, LazySignal } from '@shoal/doors';
import { errors } from '@shoal/errors';
import type { Method } from '@shoal/protocol';
import { shardThreadName } from '../threads/name-this-thread.js';

/** Task action name of a message, and whether the task can be cancelled. */
export type TaskKind = Pick<Method<object, object>, 'task' | 'isCancellable'>;

/** Registers the work that a message causes on this node as a child task of the request that sent it. */
export interface ChildTasks {
  /** Gives the registry; work that began before is not registered. */
  serve(tasks: TaskRegistry): void;
  /**
   * Runs `work` as a child of `parentTask`. `until` aborts when the caller gives up or the child task is cancelled;
   * `onThread` notes a shard thread that got a part of the work.
   */
  run<T>(
    method: TaskKind,
    parentTask: string,
    signal: AbortSignal,
    work: (until: AbortSignal, onThread?: (thread: number) => void) => Promise<T>,
  ): Promise<T>;
}

/**
 * Creates the child tasks of the node `nodeId`. Without a registry work runs unregistered. `hasThreads`: whether shards
 * are on threads of their own.
 */
export function createChildTasks(nodeId: string, hasThreads: boolean): ChildTasks {
  let registry: TaskRegistry | null = null;
  return {
    serve: (tasks) => void (registry = tasks),
    async run(method, parentTaskId, signal, work) {
      if (registry === null) return work(signal);
      const until = method.isCancellable ? new LazySignal(abortCauseOf(signal)) : null;
      const threads: string[] | null = hasThreads ? [] : null;
      const task = registry.start({
        action: method.task,
        description: '',
        headers: {},
        parentTaskId,
        type: parentTaskId.startsWith(`${nodeId}:`) ? 'direct' : 'transport',
        ...(threads === null ? {} : { threads }),
        ...(until
          ? { cancel: (reason: string): void => until.abort(errors.taskCancelled(`task cancelled [${reason}]`)) }
          : {}),
      });
      try {
        return await work(until ?? signal, threads === null ? undefined : noteIn(threads));
      } finally {
        task.end();
      }
    },
  };
}

/** Adds the names of shard threads to `threads`, once each. */
const noteIn =
  (threads: string[]) =>
  (thread: number): void => {
    const name = shardThreadName(thread);
    if (!threads.includes(name)) threads.push(name);
  };
