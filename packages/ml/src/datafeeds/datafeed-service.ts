import { OwnCalls, type CallContext } from '@shoal/coordinator';
import { type ApiError, errors, isApiError } from '@shoal/errors';
import { isPlainObject, type JsonObject } from '@shoal/json';
import type { Authentication, Subject } from '@shoal/security';
import {
  type ClusterState,
  type IndexMetadata,
  OPEN_ONLY,
  ownPersistentTask,
  type PersistentTask,
  resolveIndices,
} from '@shoal/state';
import { VERSION } from '@shoal/values';
import { CONFIG_INDEX } from '../documents/ml-indices.js';
import type { KeptDocument } from '../documents/ml-documents.js';
import { type JobConfig, parseJob } from '../jobs/job-config.js';
import { selectByExpression } from '../jobs/job-id.js';
import type { JobService } from '../jobs/job-service.js';
import { DATAFEED_TASK, datafeedTaskId, ML_ROLE } from '../jobs/job-task.js';
import { loadJobOrNull } from '../jobs/stored-job.js';
import type { MlDoors } from '../ml-doors.js';
import { checkDatafeed } from './datafeed-checks.js';
import { type DatafeedConfig, parseDatafeed } from './datafeed-config.js';
import type { DatafeedExecutor, RunningDatafeed } from './datafeed-executor.js';
import { Extractor } from './extract.js';
import {
  allDatafeeds,
  datafeedDocumentId,
  loadDatafeed,
  missingDatafeed,
  type StoredDatafeed,
} from './stored-datafeed.js';
import { checkTimeField } from './time-field.js';

const PREVIEW_SIZE = 1000;
/** Times that a datafeed is written before its job, while other calls write it too. */
const WRITES_MAX = 5;

export type DatafeedState = 'started' | 'stopped' | 'starting' | 'stopping';

/** State of a datafeed by its task. */
export function datafeedStateOf(task: PersistentTask | null): DatafeedState {
  if (task === null) return 'stopped';
  return task.status?.['state'] === 'started' ? 'started' : 'starting';
}

const idIsUsed = (id: string): ApiError => errors.resourceAlreadyExists(`A datafeed with id [${id}] already exists`);

const isUsed = (error: unknown): boolean => isApiError(error) && error.type === 'resource_already_exists_exception';

const taskOf = (state: ClusterState, id: string): PersistentTask | null => ownPersistentTask(state, datafeedTaskId(id));

/** A datafeed that was written, as it was written. */
export interface WrittenDatafeed {
  readonly config: DatafeedConfig;
  readonly document: KeptDocument;
}

/** What the API does with datafeeds. */
export class DatafeedService {
  readonly #doors: MlDoors;
  readonly #jobs: JobService;
  readonly #executor: DatafeedExecutor;

  constructor(doors: MlDoors, jobs: JobService, executor: DatafeedExecutor) {
    this.#doors = doors;
    this.#jobs = jobs;
    this.#executor = executor;
  }

  async find(expression: string, allowNoMatch: boolean): Promise<StoredDatafeed[]> {
    return selectByExpression(await allDatafeeds(this.#doors.documents), expression, allowNoMatch, missingDatafeed);
  }

  async put(id: string, body: unknown, { subject }: CallContext): Promise<JsonObject> {
    const config = parseDatafeed(id, body);
    checkDatafeed(config, (await this.#jobs.get(config.jobId)).config, this.#doors.documents.calls);
    const other = (await allDatafeeds(this.#doors.documents)).find((one) => one.config.jobId === config.jobId);
    if (other !== undefined && other.id !== id)
      throw errors.status(`A datafeed [${other.id}] already exists for job [${config.jobId}]`, { status: 409 });
    return (await this.#write(config, subject, 'new')).config.json;
  }

  /** Makes the datafeed of a job that is about to be made; writes over one that was made for a job that never came. */
  async putBeforeJob(id: string, body: unknown, job: JobConfig, { subject }: CallContext): Promise<WrittenDatafeed> {
    const config = parseDatafeed(id, body);
    checkDatafeed(config, job, this.#doors.documents.calls);
    for (let attempts = 1; ; attempts++) {
      const known = await this.#doors.documents.get(CONFIG_INDEX, datafeedDocumentId(id));
      const jobOfKnown = known === null ? null : String(known.source['job_id']);
      if (jobOfKnown !== null && (await loadJobOrNull(this.#doors.documents, jobOfKnown)) !== null) throw idIsUsed(id);
      try {
        return await this.#write(config, subject, known ?? 'new');
      } catch (error) {
        // Another call was writing, or an earlier one whose answer was lost: that is no job yet.
        if (attempts === WRITES_MAX || !isUsed(error)) throw error;
      }
    }
  }

  /** Has a datafeed be that of the job which was made after it, whatever calls for the same job have written since. */
  async keepOnly({ config, document }: WrittenDatafeed): Promise<void> {
    const { documents } = this.#doors;
    const known = await documents.get(CONFIG_INDEX, document.id);
    if (known?.seqNo !== document.seqNo) await documents.put(CONFIG_INDEX, document.id, document.source, null, true);
    const others = (await allDatafeeds(documents)).filter((one) => one.config.jobId === config.jobId);
    for (const { id } of others.filter((one) => one.id !== config.id))
      await documents.remove(CONFIG_INDEX, datafeedDocumentId(id), true);
  }

  /** Deletes a datafeed whose job was not made, unless another call has written over it. */
  async takeBack({ document }: WrittenDatafeed): Promise<void> {
    await this.#doors.documents.remove(CONFIG_INDEX, document.id, true, document);
  }

  async #write(config: DatafeedConfig, subject: Subject, condition: KeptDocument | 'new'): Promise<WrittenDatafeed> {
    this.#checkIndices(config, subject);
    const authentication = subject.authentication as Authentication | null;
    const who = authentication === null ? {} : { authentication };
    const source = { ...config.json, config_type: 'datafeed', ...who } as JsonObject;
    const { documents } = this.#doors;
    try {
      const document = await documents.put(CONFIG_INDEX, datafeedDocumentId(config.id), source, condition, true);
      return { config, document };
    } catch (error) {
      if ((error as { status?: number }).status !== 409) throw error;
      throw idIsUsed(config.id);
    }
  }

  /** Returns the indices of a datafeed that are open; throws if somebody may not search them. */
  #checkIndices({ indices }: DatafeedConfig, { permissions }: CallContext['subject']): readonly IndexMetadata[] {
    const read = permissions.indexAccess('indices:data/read/search');
    const options = { ...OPEN_ONLY, ignoreUnavailable: true };
    return resolveIndices(this.#doors.cluster.state(), [...indices], options, read, this.#doors.clock.now());
  }

  async update(id: string, body: unknown, { subject }: CallContext): Promise<JsonObject> {
    if (!isPlainObject(body)) throw errors.parse('request body is required');
    const stored = await loadDatafeed(this.#doors.documents, id);
    const state = datafeedStateOf(taskOf(this.#doors.cluster.state(), id));
    if (state !== 'stopped')
      throw errors.status(`Cannot update datafeed [${id}] while its status is ${state}`, { status: 409 });
    if (body['job_id'] !== undefined && body['job_id'] !== stored.config.jobId)
      throw errors.illegalArgument('Cannot change the job_id of a datafeed');
    const config = parseDatafeed(id, { ...stored.json, ...body });
    const job = await loadJobOrNull(this.#doors.documents, config.jobId);
    checkDatafeed(config, job?.config ?? null, this.#doors.documents.calls);
    this.#checkIndices(config, subject);
    const authentication = subject.authentication as Authentication | null;
    const who = authentication === null ? {} : { authentication };
    const source = { ...config.json, config_type: 'datafeed', ...who } as JsonObject;
    await this.#doors.documents.put(CONFIG_INDEX, datafeedDocumentId(id), source, stored.document, true);
    return config.json;
  }

  async remove(id: string, force: boolean): Promise<void> {
    await loadDatafeed(this.#doors.documents, id);
    const state = datafeedStateOf(taskOf(this.#doors.cluster.state(), id));
    if (state !== 'stopped') {
      if (!force) throw errors.status(`Cannot delete datafeed [${id}] while its status is ${state}`, { status: 409 });
      await this.#doors.cluster.submit('remove-persistent-task', { id: datafeedTaskId(id) });
    }
    await this.#doors.documents.remove(CONFIG_INDEX, datafeedDocumentId(id), true);
  }

  /** Starts a datafeed; returns its node. `startMs` null: from the first document, or where the job is. */
  async start(id: string, startMs: number | null, endMs: number | null, timeoutMs: number): Promise<string> {
    const { cluster } = this.#doors;
    const { config, authentication } = await loadDatafeed(this.#doors.documents, id);
    const maker = this.#doors.subjectOf(authentication, `datafeed [${id}]`);
    const jobState = this.#jobs.stateOf(config.jobId);
    if (jobState !== 'opened')
      throw errors.status(`cannot start datafeed [${id}] because job [${config.jobId}] is ${jobState}`, {
        status: 409,
      });
    if (taskOf(cluster.state(), id) !== null)
      throw errors.status(`cannot start datafeed [${id}] because it has already been started`, { status: 409 });
    if (endMs !== null && endMs <= (startMs ?? 0))
      throw errors.illegalArgument(`[start] [${startMs ?? 0}] must be earlier than [end] [${endMs}]`);
    const { timeField } = (await this.#jobs.get(config.jobId)).config;
    checkTimeField(
      config,
      timeField,
      this.#checkIndices(config, maker).map((index) => this.#doors.coordinator.mappingOf(index)),
    );
    const params = { id, version: VERSION, startMs: startMs ?? 0, endMs };
    await cluster.submit('start-persistent-task', {
      id: datafeedTaskId(id),
      type: DATAFEED_TASK,
      role: ML_ROLE,
      params,
    });
    const known = taskOf(cluster.state(), id);
    const isThere = await cluster.waitFor((state) => {
      const task = taskOf(state, id);
      return task === null || datafeedStateOf(task) === 'started';
    }, timeoutMs);
    if (!isThere) throw errors.timeout(`Starting datafeed [${id}] timed out after [${timeoutMs}ms]`, { status: 408 });
    return taskOf(cluster.state(), id)?.node ?? known?.node ?? '';
  }

  async stop(feeds: readonly StoredDatafeed[], timeoutMs: number): Promise<void> {
    const { cluster } = this.#doors;
    for (const { id } of feeds) {
      const task = taskOf(cluster.state(), id);
      if (task === null) continue;
      await cluster.submit('remove-persistent-task', { id: datafeedTaskId(id) });
      const untilMs = this.#doors.clock.monotonic() + timeoutMs;
      while (task.node !== null && this.#doors.clock.monotonic() < untilMs) {
        const live = await this.#live([task.node], [id]);
        if (live.length === 0) break;
        await new Promise<void>((resolve) => void this.#doors.clock.after(50, resolve));
      }
    }
  }

  async #live(nodes: readonly string[], ids: readonly string[]): Promise<readonly LiveDatafeed[]> {
    const answers = await this.#doors.coordinator.callNodes(nodes, 'ml-datafeed-running', { ids });
    return answers.flatMap(({ error, body }) => (error === null ? (body as LiveDatafeed[]) : []));
  }

  /** Answers calls of other nodes, and of this one. */
  readonly calls = {
    'ml-datafeed-running': (body: unknown) => {
      const { ids } = body as { ids: readonly string[] };
      return ids.flatMap((id) => {
        const running = this.#executor.running.get(id);
        return running === undefined ? [] : [{ id, running }];
      });
    },
  };

  async stats(feeds: readonly StoredDatafeed[]): Promise<JsonObject[]> {
    const state = this.#doors.cluster.state();
    const tasks = new Map(feeds.map(({ id }) => [id, taskOf(state, id)]));
    const nodes = [...new Set([...tasks.values()].flatMap((task) => task?.node ?? []))];
    const found =
      nodes.length === 0
        ? []
        : await this.#live(
            nodes,
            feeds.map(({ id }) => id),
          );
    const live = new Map(found.map((one) => [one.id, one.running]));
    return feeds.map(({ id, config }) => statsOf(id, config, tasks.get(id) ?? null, live.get(id) ?? null, state));
  }

  /** Returns the first documents of a datafeed: of a stored one, or of one that is given. Times may be null. */
  async preview(
    id: string | null,
    body: unknown,
    { startMs, endMs }: { readonly startMs: number | null; readonly endMs: number | null },
    call: CallContext,
  ): Promise<readonly JsonObject[]> {
    const given = isPlainObject(body) ? body : {};
    const feed = id === null ? this.#previewed(given) : (await loadDatafeed(this.#doors.documents, id)).config;
    const job = isPlainObject(given['job_config'])
      ? parseJob('preview', given['job_config'], { ...PREVIEW_SITE, nowMs: this.#doors.clock.now() })
      : (await this.#jobs.get(feed.jobId)).config;
    const calls = new OwnCalls(this.#doors.coordinator, call.subject, call.signal);
    return new Extractor(feed, job, calls).preview(PREVIEW_SIZE, startMs ?? undefined, endMs ?? undefined);
  }

  #previewed(given: JsonObject): DatafeedConfig {
    const config = given['datafeed_config'];
    if (!isPlainObject(config))
      throw errors.illegalArgument('[datafeed_config] must be provided when previewing a datafeed without an id');
    const job = given['job_config'];
    return parseDatafeed('preview', { ...(isPlainObject(job) ? { job_id: 'preview' } : {}), ...config });
  }

  /** Id of the datafeed of a job; null for none. */
  async ofJob(jobId: string): Promise<StoredDatafeed | null> {
    return (await allDatafeeds(this.#doors.documents)).find(({ config }) => config.jobId === jobId) ?? null;
  }
}

const PREVIEW_SITE = { memoryMostBytes: Number.MAX_SAFE_INTEGER, items: () => new Set<string>() };

interface LiveDatafeed {
  readonly id: string;
  readonly running: RunningDatafeed;
}

function statsOf(
  id: string,
  { jobId }: DatafeedConfig,
  task: PersistentTask | null,
  running: RunningDatafeed | null,
  state: ClusterState,
): JsonObject {
  const node = task?.node == null ? undefined : state.nodes.get(task.node);
  const explanation = running?.failure ?? task?.explanation;
  return {
    datafeed_id: id,
    state: datafeedStateOf(task),
    ...(node === undefined
      ? {}
      : {
          node: {
            id: node.id,
            name: node.name,
            ephemeral_id: node.ephemeralId,
            transport_address: node.transportAddress,
            attributes: {},
          },
        }),
    ...(explanation === undefined ? {} : { assignment_explanation: explanation }),
    timing_stats: {
      job_id: jobId,
      search_count: running?.searches ?? 0,
      bucket_count: running?.buckets ?? 0,
      total_search_time_ms: running?.searchMs ?? 0,
      average_search_time_per_bucket_ms:
        running === null || running.buckets === 0 ? 0 : running.searchMs / running.buckets,
      exponential_average_search_time_per_hour_ms: 0,
    },
    ...(running === null
      ? {}
      : {
          reading: readingJson(running),
          running_state: { real_time_configured: running.isRealTimeConfigured, real_time_running: running.isRealTime },
        }),
  };
}

/** How the history is read; with `why` if not by columns. */
function readingJson({ reading: { history, why } }: RunningDatafeed): JsonObject {
  return { history, ...(why === null ? {} : { why }) };
}
