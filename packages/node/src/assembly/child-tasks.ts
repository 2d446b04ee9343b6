import type { TaskRegistry } from '@shoal/coordinator';
import { abortCauseOf, LazySignal } from '@shoal/doors';
import { errors } from '@shoal/errors';

/** The parts of requests, of this node's and of others', as tasks below them. */
export interface ChildTasks {
  /** Parts are registered from here on. */
  serve(tasks: TaskRegistry): void;
  /** Does a part; `until` aborts when its caller gave up or the part is cancelled by itself. */
  run<T>(action: string, parentTask: string, signal: AbortSignal, work: (until: AbortSignal) => Promise<T>): Promise<T>;
}

/** Elasticsearch's names of what messages ask for. */
const TASK_ACTIONS: Readonly<Record<string, string>> = {
  // The only call to nodes that has a part on each of them.
  'node/call': 'cluster:monitor/tasks/lists[n]',
  'shard/bulk': 'indices:data/write/bulk[s]',
  'shard/get': 'indices:data/read/get[s]',
  'shard/query': 'indices:data/read/search[phase/query]',
  'shard/fetch': 'indices:data/read/search[phase/fetch/id]',
  'shard/can-match': 'indices:data/read/search[can_match][n]',
  'shard/open-contexts': 'indices:data/read/open_reader_context',
  'shard/free-contexts': 'indices:data/read/search[free_context]',
};

/** Reads may be given up at any time; a write is applied or not, but not withdrawn. */
const CANCELLABLE = new Set(['shard/query', 'shard/fetch', 'shard/can-match']);

/** Parts that arrive on this node. */
export function createChildTasks(nodeId: string): ChildTasks {
  let registry: TaskRegistry | null = null;
  return {
    serve: (tasks) => void (registry = tasks),
    async run(action, parentTaskId, signal, work) {
      if (registry === null) return work(signal);
      const until = CANCELLABLE.has(action) ? new LazySignal(abortCauseOf(signal)) : null;
      const task = registry.start({
        action: TASK_ACTIONS[action] ?? `indices:monitor/${action}[s]`,
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
