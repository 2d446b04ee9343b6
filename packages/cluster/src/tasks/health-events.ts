import { defineTask, type Priority, type Task } from './task.js';

const PRIORITIES: readonly Priority[] = ['IMMEDIATE', 'URGENT', 'HIGH', 'NORMAL', 'LOW', 'LANGUID'];

/** Name of the task whose turn comes after all that was queued with the priority or a higher one. */
export const healthEventsTask = (priority: Priority): string => `health-events-${priority.toLowerCase()}`;

/**
 * Change nothing: whoever waits for the queue of the master waits for one of them. They answer with the version of the
 * state.
 */
export const healthEvents: readonly Task[] = PRIORITIES.map((priority) =>
  defineTask<Record<string, never>>({
    name: healthEventsTask(priority),
    priority,
    source: () => `cluster_health (wait_for_events [${priority}])`,
    apply: (state) => ({ state, answer: { version: state.version } }),
  }),
);
