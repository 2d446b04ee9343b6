import { errors } from '@shoal/errors';
import type { JsonObject } from '@shoal/json';
import { VERSION } from '@shoal/values';
import { notify } from '../audit.js';
import type { KeptDocument } from '../documents/ml-documents.js';
import { readAlias, resultsIndex } from '../documents/ml-indices.js';
import type { MlDoors } from '../ml-doors.js';
import { flag, pageOf, resultTime } from '../results/result-queries.js';
import { blockOf, doBlocked, endFailedBlock } from './blocked-job.js';
import type { JobService } from './job-service.js';
import {
  EMPTY,
  EMPTY_DESCRIPTION,
  checkReadable,
  keptSnapshot,
  missingSnapshot,
  snapshotDocumentId,
} from './job-revert.js';
import type { StoredJob } from './stored-job.js';

const SORTS = ['timestamp', 'description', 'snapshot_id', 'latest_record_time_stamp', 'latest_result_time_stamp'];

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
    const document = await this.#doors.documents.get(index, snapshotDocumentId(job, id));
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
  async revert(job: string, id: string, deletesResults: boolean, taskId: string): Promise<JsonObject> {
    const model = id === EMPTY ? await this.#emptyModel(job) : (await this.#load(job, id)).document.source;
    if (this.#jobs.stateOf(job) !== 'closed')
      throw errors.status('Can only revert to a model snapshot when the job is closed.', { status: 409 });
    await endFailedBlock(this.#doors.cluster, job);
    const { reason } = blockOf(this.#doors.cluster.state(), job) ?? {};
    if (reason !== undefined)
      throw errors.status(`cannot revert job [${job}] to snapshot [${id}] while it is blocked with [${reason}]`, {
        status: 409,
      });
    if (id !== EMPTY) {
      const { snapshot } = await keptSnapshot(this.#doors, job, id);
      await checkReadable(this.#doors, { job, id, minVersion: String(model['min_version'] ?? VERSION) }, snapshot);
    }
    await doBlocked(this.#doors, { id: job, reason: 'revert', taskId, options: { snapshot: id, deletesResults } });
    return { model };
  }

  async #emptyModel(job: string): Promise<JsonObject> {
    await this.#jobs.get(job);
    const description = EMPTY_DESCRIPTION;
    return {
      ...{ job_id: job, min_version: '6.4.0', description, snapshot_id: EMPTY, snapshot_doc_count: 0 },
      retain: false,
    };
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
