import { type ClusterState, ownPersistentTask, type PersistentTask } from '@shoal/state';

/** Persistent tasks of machine learning, by type. */
export const JOB_TASK = 'ml-job';
/** Work at a job that must stay closed meanwhile. It has the id of the job's own task: only one of both can be. */
export const BLOCKED_JOB_TASK = 'ml-blocked-job';
export const DATAFEED_TASK = 'ml-datafeed';
export const ANALYTICS_TASK = 'ml-analytics';
export const ML_ROLE = 'ml';

export const jobTaskId = (id: string): string => `job-${id}`;

export const datafeedTaskId = (id: string): string => `datafeed-${id}`;

export const analyticsTaskId = (id: string): string => `analytics-${id}`;

export type JobState = 'closed' | 'opening' | 'opened' | 'closing' | 'failed';

/** The task of a job that is open, opening or closing; null for others. */
export function jobTask(state: ClusterState, id: string): PersistentTask | null {
  const task = ownPersistentTask(state, jobTaskId(id));
  return task?.type === JOB_TASK ? task : null;
}

/** State of a job by its task. */
export function jobStateOf(task: PersistentTask | null): JobState {
  if (task === null) return 'closed';
  const state = task.status?.['state'];
  if (state === 'failed') return 'failed';
  if (task.params['isClosing'] === true) return 'closing';
  return state === 'opened' ? 'opened' : 'opening';
}
