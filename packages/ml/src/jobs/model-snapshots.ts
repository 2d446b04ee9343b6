import { type ApiError, errors } from '@shoal/errors';
import type { JsonObject } from '@shoal/json';
import { VERSION } from '@shoal/values';
import { notify } from '../audit.js';
import type { KeptSnapshot, StoredCheckpoint } from '../checkpoint/checkpoint-store.js';
import type { KeptDocument } from '../documents/ml-documents.js';
import { readAlias, resultsIndex } from '../documents/ml-indices.js';
import type { MlDoors } from '../ml-doors.js';
import { removeAnnotations } from '../results/annotations.js';
import { flag, pageOf, resultTime } from '../results/result-queries.js';
import type { JobService } from './job-service.js';
import type { StoredJob } from './stored-job.js';

const SORTS = ['timestamp', 'description', 'snapshot_id', 'latest_record_time_stamp', 'latest_result_time_stamp'];
/** Id of the snapshot that every job has: of a job that has learnt nothing. */
const EMPTY = 'empty';
const RESULT_TYPES = ['bucket', 'record', 'influencer', 'model_plot'];

const missingSnapshot = (job: string, id: string): ApiError =>
  errors.resourceNotFound(`No model snapshot with id [${id}] exists for job [${job}]`);

const documentId = (job: string, id: string): string => `${job}_model_snapshot_${id}`;

/** What the API does with kept states of a job's model. */
export class ModelSnapshots {
  readonly #doors: MlDoors;
  readonly #jobs: JobService;

  constructor(doors: MlDoors, jobs: JobService) {
    this.#doors = doors;
    this.#jobs = jobs;
  }

  /** Returns the snapshots of a job, or the one of an id (null for all), newest first. */
  async list(job: string, id: string | null, options: JsonObject): Promise<JsonObject> {
    const stored = await this.#jobs.get(job);
    await this.#doors.documents.refresh(readAlias(job));
    const nowMs = this.#doors.clock.now();
    const time = (name: string): number | null => resultTime(name, options[name], nowMs);
    const [startMs, endMs, { from, size }] = [time('start'), time('end'), pageOf(options)];
    const sort = String(options['sort'] ?? 'timestamp');
    if (!SORTS.includes(sort)) throw errors.illegalArgument(`[sort] must be one of [${SORTS.join(', ')}]`);
    const between = {
      range: { timestamp: { ...(startMs === null ? {} : { gte: startMs }), ...(endMs === null ? {} : { lt: endMs }) } },
    };
    const named = id === null || id === '_all' || id === '*' ? [] : [{ terms: { snapshot_id: id.split(',') } }];
    const isSnapshot = [{ exists: { field: 'snapshot_id' } }, { exists: { field: 'snapshot_doc_count' } }];
    const { total, hits } = await this.#doors.documents.search(readAlias(stored.id), {
      ...{ from, size, track_total_hits: true },
      query: { bool: { filter: [{ term: { job_id: job } }, ...isSnapshot, ...named, between] } },
      sort: [{ [sort]: { order: flag(options, 'desc', options['sort'] === undefined) ? 'desc' : 'asc' } }],
    });
    if (named.length > 0 && total === 0) throw missingSnapshot(job, id!);
    return { count: total, model_snapshots: hits.map(({ source }) => source) };
  }

  async #load(job: string, id: string): Promise<{ stored: StoredJob; document: KeptDocument; index: string }> {
    const stored = await this.#jobs.get(job);
    const index = resultsIndex(stored.config.resultsIndexName);
    const document = await this.#doors.documents.get(index, documentId(job, id));
    if (document === null) throw missingSnapshot(job, id);
    return { stored, document, index };
  }

  /** Changes the description of a snapshot, and whether it is kept for good. */
  async update(job: string, id: string, change: JsonObject): Promise<JsonObject> {
    const unknown = Object.keys(change).find((key) => key !== 'description' && key !== 'retain');
    if (unknown !== undefined) throw errors.xContentParse(`[update_model_snapshot_request] unknown field [${unknown}]`);
    const { description, retain } = change;
    if (description !== undefined && typeof description !== 'string')
      throw errors.illegalArgument('[description] must be a string');
    if (retain !== undefined && typeof retain !== 'boolean') throw errors.illegalArgument('[retain] must be a boolean');
    const { document, index } = await this.#load(job, id);
    const source = { ...document.source, ...change };
    await this.#doors.documents.put(index, document.id, source, document, true);
    return { acknowledged: true, model: source };
  }

  /** The state that a snapshot keeps. Throws if there is none: it was made before the job was reset. */
  async #kept(job: string, id: string): Promise<{ checkpoint: StoredCheckpoint; snapshot: KeptSnapshot }> {
    const checkpoint = await this.#doors.checkpoints.load(job);
    const snapshot = checkpoint?.checkpoint.snapshots[id];
    if (checkpoint === null || snapshot === undefined || snapshot.parts === 0) throw missingSnapshot(job, id);
    return { checkpoint, snapshot };
  }

  /** Deletes a snapshot that is not the one that the job goes on from. */
  async remove(job: string, id: string): Promise<void> {
    const { document, index } = await this.#load(job, id);
    const stored = await this.#doors.checkpoints.load(job);
    const kept = stored?.checkpoint.snapshots[id];
    if (kept !== undefined && kept.generation === stored!.checkpoint.state?.generation)
      throw errors.illegalArgument(
        `Model snapshot '${id}' is the active snapshot for job '${job}', so cannot be deleted`,
      );
    if (kept !== undefined && this.#jobs.stateOf(job) === 'opened') await this.#jobs.dropSnapshot(job, id);
    else if (kept !== undefined) await this.#doors.checkpoints.dropSnapshot(job, stored!, id);
    await this.#doors.documents.remove(index, document.id, true);
    const description = String(document.source['description'] ?? '');
    const message = `Model snapshot [${id}] with description '${description}' deleted`;
    await notify(this.#doors, job, 'info', message);
  }

  /**
   * Makes a closed job go on from a snapshot. With `deletesResults` what was found since is deleted, and its datafeed
   * gives it the data since again; else results stay, and the datafeed goes on where it was.
   */
  async revert(job: string, id: string, deletesResults: boolean): Promise<JsonObject> {
    if (id === EMPTY) return this.#begin(job, deletesResults);
    const { document } = await this.#load(job, id);
    this.#checkClosed(job);
    const { checkpoint: stored, snapshot } = await this.#kept(job, id);
    const { checkpoints } = this.#doors;
    const { checkpoint } = stored;
    const state = await checkpoints.readState(job, snapshot);
    const known = document.source['latest_result_time_stamp'] as number | undefined;
    const endMs = snapshot.at?.finalizedEndMs ?? known ?? null;
    const before = deletesResults ? { positionMs: null, ...snapshot.at, finalizedEndMs: endMs } : {};
    // A copy of the state: the snapshot stays what it was, whatever the job learns from here.
    await checkpoints.commit(job, stored, state, { ...checkpoint, ...before, isClosed: true });
    if (deletesResults) await this.#removeResults(job, endMs);
    const description = String(document.source['description'] ?? '');
    await notify(this.#doors, job, 'info', `Job model snapshot reverted to '${description}'`);
    return { model: document.source };
  }

  #checkClosed(job: string): void {
    if (this.#jobs.stateOf(job) === 'closed') return;
    throw errors.status('Can only revert to a model snapshot when the job is closed.', { status: 409 });
  }

  /** Makes a closed job begin anew, with the snapshots that it has. */
  async #begin(job: string, deletesResults: boolean): Promise<JsonObject> {
    await this.#jobs.get(job);
    this.#checkClosed(job);
    const stored = await this.#doors.checkpoints.load(job);
    if (stored !== null) await this.#doors.checkpoints.forget(job, stored);
    if (deletesResults) await this.#removeResults(job, null);
    const description = 'empty snapshot';
    await notify(this.#doors, job, 'info', `Job model snapshot reverted to '${description}'`);
    const model = { job_id: job, min_version: '6.4.0', description, snapshot_id: EMPTY, snapshot_doc_count: 0 };
    return { model: { ...model, retain: false } };
  }

  /** Deletes what a job has found from a time in milliseconds on; all of it for null. */
  async #removeResults(job: string, fromMs: number | null): Promise<void> {
    const isLater = fromMs === null ? [] : [{ range: { timestamp: { gte: fromMs } } }];
    const filter = [{ term: { job_id: job } }, ...isLater, { terms: { result_type: RESULT_TYPES } }];
    await this.#doors.documents.calls.deleteMatching(readAlias(job), { bool: { filter } });
    const events = ['categorization_status_change', 'delayed_data', 'model_change'] as const;
    await removeAnnotations(this.#doors, job, { events, ...(fromMs === null ? {} : { fromMs }) });
  }

  /** Says that a snapshot needs no upgrade: states of all versions of 8.12 are read as they are. */
  async upgrade(job: string, id: string): Promise<never> {
    await this.#load(job, id);
    throw errors.status(
      `Cannot upgrade job [${job}] snapshot [${id}] as it is already compatible with current version ${VERSION}`,
      { status: 409 },
    );
  }
}
