import { type Clock, type Log, pause } from '@shoal/doors';
import { isVersionConflict } from '../documents/ml-documents.js';
import type { RunningJob } from './running-job.js';

const CHECKPOINT_MS = 60_000;
/** Pauses after checkpoints that failed: each encodes the model anew, and a full disk stays full for a while. */
const FAILED_FIRST_MS = 1_000;
const FAILED_MOST_MS = 60_000;

/** What is used of a job that runs. */
export type CheckpointedJob = Pick<
  RunningJob,
  'id' | 'lost' | 'onWork' | 'checkpointPauseMs' | 'hasMuchWork' | 'checkpoint'
>;

/**
 * Makes the checkpoints of a job, each when it is due, until the signal aborts or the model is lost. Returns false if a
 * later assignment has the job.
 */
export async function keepCheckpoints(
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  job: CheckpointedJob,
  ended: AbortSignal,
): Promise<boolean> {
  let failedMs = 0;
  while (!ended.aborted && job.lost === null) {
    await pause(clock, Math.max(failedMs, job.checkpointPauseMs), ended);
    const due = new AbortController();
    job.onWork = () => due.abort();
    if (!job.hasMuchWork) await pause(clock, CHECKPOINT_MS, AbortSignal.any([ended, due.signal]));
    if (ended.aborted || job.lost !== null) break;
    try {
      await job.checkpoint();
      failedMs = 0;
    } catch (error) {
      if (isVersionConflict(error)) return false;
      log.write('warn', 'a checkpoint of a job failed', { 'ml.job': job.id, error });
      failedMs = Math.min(FAILED_MOST_MS, Math.max(FAILED_FIRST_MS, 2 * failedMs));
    }
  }
  return true;
}
