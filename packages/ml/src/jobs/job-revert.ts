import { type ApiError, errors } from '@shoal/errors';
import { VERSION } from '@shoal/values';
import { notify } from '../audit.js';
import type { KeptSnapshot, StoredCheckpoint } from '../checkpoint/checkpoint-store.js';
import { readAlias, resultsIndex } from '../documents/ml-indices.js';
import type { MlDoors } from '../ml-doors.js';
import { removeAnnotations } from '../results/annotations.js';
import type { DoJobWork } from './blocked-job.js';
import { isReadableState } from './job-room.js';
import { loadJobOrNull, type StoredJob } from './stored-job.js';

/** Id of the snapshot that every job has: of a job that has learnt nothing. */
export const EMPTY = 'empty';
export const EMPTY_DESCRIPTION = 'empty snapshot';
const RESULT_TYPES = ['bucket', 'record', 'influencer', 'model_plot'];

export const missingSnapshot = (job: string, id: string): ApiError =>
  errors.resourceNotFound(`No model snapshot with id [${id}] exists for job [${job}]`);

export const snapshotDocumentId = (job: string, id: string): string => `${job}_model_snapshot_${id}`;

interface FoundSnapshot {
  readonly checkpoint: StoredCheckpoint;
  readonly snapshot: KeptSnapshot;
}

/** The state that a snapshot keeps. Throws if there is none: it was made before the job was reset. */
export async function keptSnapshot({ checkpoints }: MlDoors, job: string, id: string): Promise<FoundSnapshot> {
  const checkpoint = await checkpoints.load(job);
  const snapshot = checkpoint?.checkpoint.snapshots[id];
  if (checkpoint === null || snapshot === undefined || snapshot.parts === 0) throw missingSnapshot(job, id);
  return { checkpoint, snapshot };
}

/** Throws if a snapshot is of a version that this one cannot go on from. */
export async function checkReadable(
  { checkpoints }: MlDoors,
  { job, id, minVersion }: { job: string; id: string; minVersion: string },
  snapshot: KeptSnapshot,
): Promise<void> {
  const pieces: Uint8Array[] = [];
  for await (const piece of checkpoints.packedState(job, snapshot)) pieces.push(piece);
  if (isReadableState(pieces)) return;
  throw errors.illegalArgument(
    `Cannot revert job [${job}] to model snapshot [${id}]: its state is of another version (its minimum is ` +
      `[${minVersion}], this is [${VERSION}]); revert to another snapshot, to [${EMPTY}], or reset the job`,
  );
}

/** Makes a job go on from a snapshot, or from nothing; with `deletesResults` what was found since is deleted. */
export function revertJob(doors: MlDoors): DoJobWork {
  return async ({ id, options }, allocationId, signal) => {
    const job = await loadJobOrNull(doors.documents, id);
    if (job === null) return;
    const { snapshot, deletesResults } = options as { snapshot: string; deletesResults: boolean };
    await doors.checkpoints.dropJournal(id, await doors.checkpoints.claim(id, allocationId));
    const { endMs, description } =
      snapshot === EMPTY ? await begin(doors, id) : await goBack(doors, job, snapshot, deletesResults);
    if (signal.aborted) return;
    if (deletesResults) await removeResults(doors, id, endMs);
    await notify(doors, id, 'info', `Job model snapshot reverted to '${description}'`);
  };
}

interface Reverted {
  /** End of the last bucket whose results stay; null for none. */
  readonly endMs: number | null;
  readonly description: string;
}

async function goBack(doors: MlDoors, { id: job, config }: StoredJob, id: string, goesOn: boolean): Promise<Reverted> {
  const { checkpoints, documents } = doors;
  const document = await documents.get(resultsIndex(config.resultsIndexName), snapshotDocumentId(job, id));
  if (document === null) throw missingSnapshot(job, id);
  const { checkpoint: stored, snapshot } = await keptSnapshot(doors, job, id);
  const state = checkpoints.packedState(job, snapshot);
  const known = document.source['latest_result_time_stamp'] as number | undefined;
  const endMs = snapshot.at?.finalizedEndMs ?? known ?? null;
  const before = goesOn ? { positionMs: null, ...snapshot.at, finalizedEndMs: endMs } : {};
  // A copy of the state: the snapshot stays what it was, whatever the job learns from here.
  await checkpoints.commit(job, stored, state, { ...stored.checkpoint, ...before, isClosed: true });
  return { endMs, description: String(document.source['description'] ?? '') };
}

async function begin({ checkpoints }: MlDoors, job: string): Promise<Reverted> {
  const stored = await checkpoints.load(job);
  if (stored !== null) await checkpoints.forget(job, stored);
  return { endMs: null, description: EMPTY_DESCRIPTION };
}

/** Deletes what a job has found from a time in milliseconds on; all of it for null. */
async function removeResults(doors: MlDoors, job: string, fromMs: number | null): Promise<void> {
  const isLater = fromMs === null ? [] : [{ range: { timestamp: { gte: fromMs } } }];
  const filter = [{ term: { job_id: job } }, ...isLater, { terms: { result_type: RESULT_TYPES } }];
  await doors.documents.removeMatching(readAlias(job), { bool: { filter } });
  const events = ['categorization_status_change', 'delayed_data', 'model_change'] as const;
  await removeAnnotations(doors, job, { events, ...(fromMs === null ? {} : { fromMs }) });
}
