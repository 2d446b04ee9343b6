import { readAlias, CONFIG_INDEX, removeResultAliases, resultsIndex } from '../documents/ml-indices.js';
import { notify } from '../audit.js';
import type { MlDoors } from '../ml-doors.js';
import { removeAnnotations } from '../results/annotations.js';
import type { DoJobWork } from './blocked-job.js';
import { allJobs, jobDocumentId, loadJobOrNull, type StoredJob } from './stored-job.js';

/** Forgets what a job has learnt and found. */
export function resetJob(doors: MlDoors): DoJobWork {
  return async ({ id, options }, allocationId, signal) => {
    if ((await loadJobOrNull(doors.documents, id)) === null) return;
    await doors.checkpoints.reset(id, await doors.checkpoints.claim(id, allocationId));
    await forgetResults(doors, id, signal, options['includesUsers'] === true);
    if (!signal.aborted) await notify(doors, id, 'info', 'Job has been reset');
  };
}

/** Deletes a job with its state and its results, its configuration last: until then it can be gone on with. */
export function deleteJob(doors: MlDoors): DoJobWork {
  return async ({ id, options }, _, signal) => {
    const { cluster, documents } = doors;
    const job = await loadJobOrNull(documents, id);
    if (job === null) return;
    await doors.checkpoints.remove(id);
    await forgetResults(doors, id, signal, options['includesUsers'] === true);
    if (signal.aborted) return;
    await removeResultAliases(cluster, id);
    await dropOwnIndex(doors, job);
    await documents.remove(CONFIG_INDEX, jobDocumentId(id), true);
    await notify(doors, id, 'info', 'Job deleted');
  };
}

async function forgetResults(doors: MlDoors, id: string, signal: AbortSignal, includesUsers: boolean): Promise<void> {
  if (signal.aborted) return;
  await doors.documents.removeMatching(readAlias(id), { term: { job_id: id } });
  if (signal.aborted) return;
  await removeAnnotations(doors, id, { includesUsers });
}

/** Deletes a custom index of results once no job has its results there. */
async function dropOwnIndex({ documents, cluster }: MlDoors, { config, id }: StoredJob): Promise<void> {
  if (config.resultsIndexName === 'shared') return;
  const others = (await allJobs(documents)).filter((job) => job.id !== id);
  if (others.some((job) => job.config.resultsIndexName === config.resultsIndexName)) return;
  const name = resultsIndex(config.resultsIndexName);
  const uuids = [...cluster.state().indices.values()].filter((one) => one.name === name).map(({ uuid }) => uuid);
  if (uuids.length > 0) await cluster.submit('delete-index', { uuids });
}
