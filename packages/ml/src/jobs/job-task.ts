import { type ClusterState, ownPersistentTask, type PersistentTask } from '@shoal/state';

/** Persistent tasks of machine learning, by type. */
export const JOB_TASK = 'ml-job';
export const DATAFEED_TASK = 'ml-datafeed';
export const ANALYTICS_TASK = 'ml-analytics';
export const ML_ROLE = 'ml';

export const jobTaskId = (id: string): string => `job-${id}`;

export const datafeedTaskId = (id: string): string => `datafeed-${id}`;

export const analyticsTaskId = (id: string): string => `analytics-${id}`;

export type JobState = 'closed' | 'opening' | 'opened' | 'closing' | 'failed';

export const jobTask = (state: ClusterState, id: string): PersistentTask | null =>
  ownPersistentTask(state, jobTaskId(id));

/** State of a job by its task. */
export function jobStateOf(task: PersistentTask | null): JobState {
  if (task === null) return 'closed';
  const state = task.status?.['state'];
  if (state === 'failed') return 'failed';
  if (task.params['isClosing'] === true) return 'closing';
  return state === 'opened' ? 'opened' : 'opening';
}
