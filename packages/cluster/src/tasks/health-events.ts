import { defineTask, type Priority, type Task } from './task.js';

const PRIORITIES: readonly Priority[] = ['IMMEDIATE', 'URGENT', 'HIGH', 'NORMAL', 'LOW', 'LANGUID'];

/** Name of the task that runs after all tasks of this or a higher priority that are queued before it. */
export const healthEventsTask = (priority: Priority): string => `health-events-${priority.toLowerCase()}`;

/**
 * Tasks that change nothing, one for each priority. `_cluster/health` runs one to wait for the queue of the master. The
 * answer is the version of the state.
 */
export const healthEvents: readonly Task[] = PRIORITIES.map((priority) =>
  defineTask<Record<string, never>>({
    name: healthEventsTask(priority),
    priority,
    source: () => `cluster_health (wait_for_events [${priority}])`,
    apply: (state) => ({ state, answer: { version: state.version } }),
  }),
);
