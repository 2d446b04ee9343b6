import type { TaskBodies } from '@shoal/cluster';
import { type ApiError, errors, isApiError } from '@shoal/errors';
import { bodyReader, isPlainObject, type JsonObject } from '@shoal/json';
import type { RequestOptions } from '@shoal/doors';
import { describeNode, type PersistentTask } from '@shoal/state';
import { parseTimeValue, VERSION } from '@shoal/values';
import { checkWebhook } from '../alerts/alert-config.js';
import { notify } from '../audit.js';
import {
  CONFIG_INDEX,
  ensureAnnotations,
  ensureIndex,
  ensureResultAliases,
  readAlias,
  resultsIndex,
  writeAlias,
  STATE_INDEX,
} from '../documents/ml-indices.js';
import type { MlDoors } from '../ml-doors.js';
import { awaitWork, blockOf, doBlocked, endFailedBlock, shownBlock } from './blocked-job.js';
import type { JobExecutor } from './job-executor.js';
import { updatedCategorization } from './categorization-config.js';
import { namedFilters, updatedDetectors } from './detector-updates.js';
import { type JobConfig, parseJob } from './job-config.js';
import { missingJob, selectByExpression } from './job-id.js';
import { checkSettings } from './job-settings.js';
import { JOB_TASK, jobStateOf, jobTask, jobTaskId, ML_ROLE } from './job-task.js';
import type { FeedbackBody } from './job-room.js';
import type { FlushOptions } from './flush-options.js';
import type { FedStretch } from './running-job.js';
import { allJobs, jobDocumentId, loadJob, loadJobOrNull, type StoredJob } from './stored-job.js';
import { bulkLines } from '../results/result-lines.js';
import { spanText } from '../results/span-text.js';
import { filterItems } from '../calendars/filters.js';

const MB = 1024 * 1024;
const OPEN_TIMEOUT_MS = 1_800_000;
/** Bytes of posted documents that one message to another node carries. */
const MESSAGE_BYTES = 4 * MB;

const idIsUsed = (id: string): ApiError =>
  errors.resourceAlreadyExists(`The job cannot be created with the Id '${id}'. The Id is already used.`);

/** What the API does with anomaly detection jobs. */
export class JobService {
  readonly #doors: MlDoors;
  readonly #executor: JobExecutor;

  constructor(doors: MlDoors, executor: JobExecutor) {
    this.#doors = doors;
    this.#executor = executor;
  }

  /** Returns jobs by ids, groups and patterns. Throws resource_not_found_exception. */
  async find(expression: string, allowNoMatch: boolean): Promise<StoredJob[]> {
    const all = await allJobs(this.#doors.documents);
    return selectByExpression(all, expression, allowNoMatch, missingJob, ({ config }) => config.groups);
  }

  get(id: string): Promise<StoredJob> {
    return loadJob(this.#doors.documents, id);
  }

  stateOf(id: string): ReturnType<typeof jobStateOf> {
    return jobStateOf(jobTask(this.#doors.cluster.state(), id));
  }

  /** Parses the body of a job that is not stored; filters that its rules name are read. */
  async parse(id: string, body: unknown): Promise<JobConfig> {
    if (!isPlainObject(body)) throw errors.parse('request body is required');
    const names = namedFilters(body);
    const filters = new Map<string, ReadonlySet<string>>();
    for (const name of names) filters.set(name, new Set(await filterItems(this.#doors.documents, name)));
    const { datafeed_config: _, ...own } = body;
    const parsed = parseJob(id, own, {
      nowMs: this.#doors.clock.now(),
      memoryMostBytes: this.#doors.modelBytes,
      items: (name) => filters.get(name) ?? new Set(),
    });
    if (parsed.alert?.webhook != null) checkWebhook(parsed.alert.webhook, this.#doors.webhookHosts);
    return parsed;
  }

  /** Checks the body of a job. Throws what `put` would. */
  async validate(body: unknown): Promise<void> {
    await this.parse('validated', { ...(body as JsonObject), job_id: 'validated' });
  }

  /** Returns the job that `put` would make. Throws what it would for a body or an id that is used. */
  async checkNew(id: string, body: unknown): Promise<JobConfig> {
    const config = await this.parse(id, body);
    if ((await loadJobOrNull(this.#doors.documents, id)) !== null) throw idIsUsed(id);
    return config;
  }

  /** Makes a job, with its indices and aliases; returns it with all defaults. */
  async put(id: string, body: unknown): Promise<JsonObject> {
    const config = await this.parse(id, body);
    const { cluster, documents, checkpoints } = this.#doors;
    for (const index of [CONFIG_INDEX, STATE_INDEX]) await ensureIndex(cluster, index);
    if ((await allJobs(documents)).some((job) => job.config.groups.includes(id)))
      throw errors.resourceAlreadyExists(`job and group names must be unique but [${id}] is a group`);
    try {
      await documents.put(CONFIG_INDEX, jobDocumentId(id), config.json, 'new', true);
    } catch (error) {
      if ((error as { status?: number }).status !== 409) throw error;
      throw idIsUsed(id);
    }
    await checkpoints.remove(id);
    await ensureResultAliases(cluster, id, resultsIndex(config.resultsIndexName));
    await ensureAnnotations(cluster);
    await notify(this.#doors, id, 'info', 'Job created');
    return config.json;
  }

  /** Changes what may be changed of a job. */
  async update(id: string, body: unknown): Promise<JsonObject> {
    const job = await this.get(id);
    const reader = bodyReader('job_update', body);
    reader.onlyKeys(UPDATE_KEYS);
    const changes = body as JsonObject;
    const analysis = { ...(job.json['analysis_config'] as JsonObject) };
    if (changes['detectors'] !== undefined)
      analysis['detectors'] = updatedDetectors(
        analysis['detectors'] as JsonObject[],
        reader.optionalList('detectors') ?? [],
      );
    Object.assign(analysis, updatedCategorization(analysis, changes));
    if (changes['model_prune_window'] !== undefined) analysis['model_prune_window'] = changes['model_prune_window'];
    const limits = {
      ...(job.json['analysis_limits'] as JsonObject),
      ...(changes['analysis_limits'] as JsonObject | undefined),
    };
    const plain = Object.fromEntries(
      PLAIN_UPDATES.filter((key) => changes[key] !== undefined).map((key) => [key, changes[key]]),
    );
    const next = { ...job.json, ...plain, analysis_config: analysis, analysis_limits: limits };
    checkSettings(reader, next);
    const filters = new Map<string, ReadonlySet<string>>();
    const site = {
      nowMs: Number(job.json['create_time']),
      memoryMostBytes: this.#doors.modelBytes,
      items: (name: string) => filters.get(name) ?? new Set<string>(),
    };
    const parsed = parseJob(id, next, site, true);
    await this.#checkLimits(job, changes, parsed);
    if (parsed.alert?.webhook != null) checkWebhook(parsed.alert.webhook, this.#doors.webhookHosts);
    await this.#doors.documents.put(CONFIG_INDEX, jobDocumentId(id), parsed.json, job.document, true);
    if (this.stateOf(id) === 'opened') await this.#ask(id, 'ml-job-reconfigure', {});
    await notify(this.#doors, id, 'info', `Job updated: [${Object.keys(changes).join(', ')}]`);
    return parsed.json;
  }

  /** A job that is open keeps its memory limit, and none is given less than its model has. */
  async #checkLimits(job: StoredJob, changes: JsonObject, { memoryLimitBytes }: JobConfig): Promise<void> {
    const limits = changes['analysis_limits'];
    if (!isPlainObject(limits) || limits['model_memory_limit'] == null) return;
    if (this.stateOf(job.id) === 'opened') throw errors.status('Cannot update analysis_limits while the job is open');
    const { checkpoint } = (await this.#doors.checkpoints.load(job.id)) ?? {};
    const size = checkpoint?.stats['model_size_stats'] as JsonObject | undefined;
    const [usedMb, limitMb] = [Number(size?.['model_bytes'] ?? 0), memoryLimitBytes].map((bytes) =>
      Math.floor(bytes / MB),
    );
    if (limitMb! >= usedMb!) return;
    throw errors.status(
      'Invalid update value for analysis_limits: model_memory_limit cannot be decreased below current usage; ' +
        `current usage [${usedMb}mb], update had [${limitMb}mb]`,
    );
  }

  /** Deletes a job, its state and its results. One that is open is refused, unless it is forced. */
  async remove(id: string, force: boolean, includesUsers: boolean, taskId: string): Promise<void> {
    await this.checkRemovable(id, force);
    const { cluster } = this.#doors;
    if (this.stateOf(id) !== 'closed') await this.#removeTask(id);
    await endFailedBlock(cluster, id);
    const others = blockOf(cluster.state(), id);
    // Whatever else is done with the job ends first: what it leaves is deleted.
    if (others !== null) await awaitWork(this.#doors, others);
    if (others?.reason === 'delete') return;
    await doBlocked(this.#doors, { id, reason: 'delete', taskId, options: { includesUsers } });
  }

  /** Throws for a job that is missing, or that is open if it is not forced. */
  async checkRemovable(id: string, force: boolean): Promise<StoredJob> {
    const job = await this.get(id);
    const state = this.stateOf(id);
    if (state === 'closed' || force) return job;
    throw errors.status(`Cannot delete job [${id}] because the job is ${state}`, { status: 409 });
  }

  async #removeTask(id: string): Promise<void> {
    const { cluster } = this.#doors;
    await cluster.submit('remove-persistent-task', { id: jobTaskId(id) });
    await cluster.waitFor((state) => jobTask(state, id) === null, OPEN_TIMEOUT_MS);
  }

  /** Opens a job and waits until it takes data. Returns the node that has it. */
  async open(id: string, timeoutMs: number): Promise<string> {
    const job = await this.get(id);
    const { cluster } = this.#doors;
    const state = this.stateOf(id);
    if (state === 'failed')
      throw errors.illegalState(`Cannot open job [${id}] because it has failed; close it first`, { status: 409 });
    if (state !== 'closed')
      throw errors.illegalState(`Cannot open job [${id}] because it has already been opened`, { status: 409 });
    await endFailedBlock(cluster, id);
    const block = blockOf(cluster.state(), id);
    if (block !== null)
      throw errors.status(`Cannot open job [${id}] because it is executing [${block.reason}]`, { status: 409 });
    await ensureResultAliases(cluster, id, resultsIndex(job.config.resultsIndexName));
    const body = { id: jobTaskId(id), type: JOB_TASK, role: ML_ROLE, params: { id, version: VERSION } };
    await this.#startTask(id, body);
    const known = jobTask(cluster.state(), id);
    if (known?.node === null) {
      if (job.config.allowLazyOpen) return '';
      await this.#removeTask(id);
      throw errors.status(
        `Could not open job because no ML nodes with sufficient capacity were found: ${known.explanation}`,
        { status: 429 },
      );
    }
    const isThere = await cluster.waitFor(
      (next) => ['opened', 'failed'].includes(jobStateOf(jobTask(next, id))),
      timeoutMs,
    );
    const task = jobTask(cluster.state(), id);
    if (!isThere || task === null)
      throw errors.timeout(`Opening job [${id}] timed out after [${timeoutMs}ms]`, { status: 408 });
    if (jobStateOf(task) === 'failed')
      throw errors.illegalState(`Could not open job [${id}]: ${String(task.status!['reason'])}`);
    return task.node ?? '';
  }

  async #startTask(id: string, body: TaskBodies['start-persistent-task']): Promise<void> {
    try {
      await this.#doors.cluster.submit('start-persistent-task', body);
    } catch (error) {
      if (!isApiError(error) || error.type !== 'resource_already_exists_exception') throw error;
      const { reason } = blockOf(this.#doors.cluster.state(), id) ?? {};
      const why = reason === undefined ? 'it has already been opened' : `it is executing [${reason}]`;
      throw errors.status(`Cannot open job [${id}] because ${why}`, { status: 409 });
    }
  }

  /** Closes jobs; those that are closed already stay so. */
  async close(jobs: readonly StoredJob[], force: boolean, timeoutMs: number): Promise<void> {
    const { cluster } = this.#doors;
    for (const { id } of jobs) {
      const task = jobTask(cluster.state(), id);
      if (task === null) continue;
      const state = jobStateOf(task);
      if (state === 'failed' && !force)
        throw errors.illegalState(`Cannot close job [${id}] because it failed, use force close`, { status: 409 });
      await notify(this.#doors, id, 'info', force ? 'Job is closing (forced)' : 'Job is closing');
      if (force || task.node === null) {
        await this.#removeTask(id);
        continue;
      }
      await cluster.submit('merge-persistent-task-params', { id: jobTaskId(id), params: { isClosing: true } });
      await this.#awaitClose(id, timeoutMs);
    }
  }

  /** Waits until a job is closed. It goes on closing where that takes longer, as in 8.12, and the wait is an error. */
  async #awaitClose(id: string, timeoutMs: number): Promise<void> {
    const isClosed = this.#doors.cluster.waitFor((next) => jobTask(next, id) === null, timeoutMs);
    const asked = this.#ask(id, 'ml-job-close', {}, timeoutMs).then(
      () => isClosed,
      (error: unknown) => {
        if (isApiError(error) && error.type === 'receive_timeout_transport_exception') return isClosed;
        throw error;
      },
    );
    if (await Promise.race([isClosed, asked])) return;
    void asked.catch((error: unknown) =>
      this.#doors.log.write('warn', 'a job was not closed that nobody waits for', { 'ml.job': id, error }),
    );
    throw errors.illegalState(`Timed out when waiting for persistent tasks after ${timeoutMs}ms`);
  }

  /** Forgets what a closed job has learnt and found. */
  async reset(id: string, includesUsers: boolean, taskId: string): Promise<void> {
    await this.checkResettable(id);
    const others = blockOf(this.#doors.cluster.state(), id);
    if (others !== null) return awaitWork(this.#doors, others);
    await doBlocked(this.#doors, { id, reason: 'reset', taskId, options: { includesUsers } });
  }

  /** Throws for a job that is missing, open, or blocked by other work than a reset. */
  async checkResettable(id: string): Promise<void> {
    await this.get(id);
    if (this.stateOf(id) !== 'closed') throw errors.status('Can only reset a job when it is closed.', { status: 409 });
    await endFailedBlock(this.#doors.cluster, id);
    const { reason = 'reset' } = blockOf(this.#doors.cluster.state(), id) ?? {};
    if (reason !== 'reset')
      throw errors.status(`cannot reset job while it is blocked with [${reason}]`, { status: 409 });
  }

  /** What a job is, with what keeps it closed. */
  shown({ id, json }: StoredJob): JsonObject {
    return { ...json, ...shownBlock(this.#doors.cluster.state(), id) };
  }

  /** Posts documents to an open job; returns the counts of this call. */
  async post(id: string, bytes: Uint8Array): Promise<JsonObject> {
    await this.get(id);
    if (this.stateOf(id) !== 'opened')
      throw errors.illegalState(`Cannot process data because job [${id}] is not open`, { status: 409 });
    const own = this.#executor.running.get(id);
    if (own !== undefined) return own.post(bytes);
    let answer: JsonObject = {};
    for (let from = 0; from < bytes.length || from === 0; ) {
      let to = Math.min(bytes.length, from + MESSAGE_BYTES);
      if (to < bytes.length) to = Math.max(bytes.indexOf(10, to) + 1, to);
      const data = Buffer.from(bytes.subarray(from, to)).toString('base64');
      answer = mergedCounts(answer, await this.#ask(id, 'ml-job-data', { data }));
      if (to >= bytes.length) break;
      from = to;
    }
    return answer;
  }

  /** Gives an open job documents of its datafeed, or what they add up to. */
  async feed(id: string, stretch: FedStretch): Promise<void> {
    const own = this.#executor.running.get(id);
    if (own !== undefined) return own.feed(stretch);
    const { bytes, ...rest } = stretch;
    const action = stretch.head === null ? 'ml-job-feed' : 'ml-job-feed-columns';
    await this.#ask(id, action, { data: Buffer.from(bytes).toString('base64'), ...rest } as unknown as JsonObject);
  }

  /** End of what a job has of its datafeed, in milliseconds; null for nothing. A datafeed goes on there. */
  async positionOf(id: string): Promise<number | null> {
    return (await this.#ask(id, 'ml-job-position', {}))['positionMs'] as number | null;
  }

  async flush(id: string, options: FlushOptions): Promise<JsonObject> {
    await this.get(id);
    if (this.stateOf(id) !== 'opened')
      throw errors.illegalState(`Cannot flush because job [${id}] is not open`, { status: 409 });
    const { endMs } = (await this.#ask(id, 'ml-job-flush', { options })) as { endMs: number | null };
    return { flushed: true, ...(endMs === null ? {} : { last_finalized_bucket_end: endMs }) };
  }

  /** Tells an open job that events like a record are expected, or are not; false if its model remembers none. */
  async feedback(id: string, body: FeedbackBody): Promise<boolean> {
    if (this.stateOf(id) !== 'opened')
      throw errors.illegalState(`Cannot take feedback because job [${id}] is not open`, { status: 409 });
    return (await this.#ask(id, 'ml-job-feedback', body as unknown as JsonObject))['isKnown'] as boolean;
  }

  /** What an open job has seen of its fields, its series and seasons; null if it is not open. */
  async summary(id: string): Promise<JsonObject | null> {
    const isHere = jobTask(this.#doors.cluster.state(), id)?.node != null && this.stateOf(id) === 'opened';
    return isHere ? this.#ask(id, 'ml-job-summary', {}) : null;
  }

  /** Lets a snapshot of an open job go. */
  async dropSnapshot(id: string, snapshot: string): Promise<void> {
    await this.#ask(id, 'ml-job-drop-snapshot', { snapshot });
  }

  /** Asks the node that has a job. */
  async #ask(id: string, action: string, body: JsonObject, timeoutMs = OPEN_TIMEOUT_MS): Promise<JsonObject> {
    const task = jobTask(this.#doors.cluster.state(), id);
    if (task?.node == null) throw errors.illegalState(`job [${id}] is on no node`, { status: 409 });
    const options: RequestOptions = { timeoutMs };
    const [answer] = await this.#doors.coordinator.callNodes([task.node], action, { ...body, id }, options);
    if (answer!.error !== null) throw answer!.error;
    return answer!.body as JsonObject;
  }

  /** Answers calls of other nodes, and of this one. */
  readonly calls = {
    'ml-job-data': (body: unknown) => {
      const { id, data } = body as { id: string; data: string };
      return this.#executor.jobOf(id).post(Buffer.from(data, 'base64'));
    },
    'ml-job-feed': (body: unknown) => this.#feedHere(body),
    // By a name of its own: a node of an earlier version refuses it, and does not take rows for documents.
    'ml-job-feed-columns': (body: unknown) => this.#feedHere(body),
    'ml-job-position': (body: unknown) => {
      const job = this.#executor.jobOf((body as { id: string }).id);
      job.beginFeed();
      return { positionMs: job.positionMs };
    },
    'ml-job-drop-snapshot': async (body: unknown) => {
      const { id, snapshot } = body as { id: string; snapshot: string };
      await this.#executor.jobOf(id).dropSnapshot(snapshot);
      return {};
    },
    'ml-job-reconfigure': async (body: unknown) => {
      await this.#executor.jobOf((body as { id: string }).id).reconfigure();
      return {};
    },
    'ml-job-flush': async (body: unknown) => {
      const { id, options } = body as { id: string; options: FlushOptions };
      return { endMs: await this.#executor.jobOf(id).flush(options) };
    },
    'ml-job-close': async (body: unknown) => {
      await this.#executor.close((body as { id: string }).id);
      return {};
    },
    'ml-job-ended': async (body: unknown) => {
      await this.#executor.ended((body as { id: string }).id);
      return {};
    },
    'ml-job-forecast': (body: unknown) => {
      const { id, request } = body as { id: string; request: JsonObject };
      return this.#executor.jobOf(id).forecast(request);
    },
    'ml-job-feedback': async (body: unknown) => {
      const { id, ...feedback } = body as FeedbackBody & { id: string };
      return { isKnown: await this.#executor.jobOf(id).feedback(feedback) };
    },
    'ml-job-summary': (body: unknown) => this.#executor.jobOf((body as { id: string }).id).summary(),
    'ml-job-stats': (body: unknown) => {
      const { ids } = body as { ids: readonly string[] };
      return ids.flatMap((id) => {
        const job = this.#executor.running.get(id);
        return job === undefined ? [] : [{ id, openedMs: job.openedMs, stats: job.stats() }];
      });
    },
    'ml-calendars-changed': async () => {
      await Promise.all([...this.#executor.running.values()].map((job) => job.reloadCalendar()));
      return {};
    },
  };

  async #feedHere(body: unknown): Promise<JsonObject> {
    const { id, data, ...rest } = body as Omit<FedStretch, 'bytes'> & { id: string; data: string };
    await this.#executor.jobOf(id).feed({ ...rest, bytes: Buffer.from(data, 'base64') });
    return {};
  }

  /** Tells all nodes that events of calendars have changed. */
  async calendarsChanged(): Promise<void> {
    const nodes = [...this.#doors.cluster.state().nodes.values()].filter(({ roles }) => roles.includes(ML_ROLE));
    const ids = nodes.map(({ id }) => id);
    await this.#doors.coordinator.callNodes(ids, 'ml-calendars-changed', {});
  }

  /** Starts a forecast of an open job and waits for it. */
  async forecast(id: string, duration: string | null, expires: string | null): Promise<JsonObject> {
    const { config } = await this.get(id);
    if (this.stateOf(id) !== 'opened')
      throw errors.illegalState(`Cannot run forecast: job [${id}] is not open`, { status: 409 });
    const durationMs = parseTimeValue(duration ?? '1d', 'duration');
    if (durationMs > FORECAST_MOST_MS)
      throw errors.illegalArgument(`[duration] must be 10 years or less: [${duration}]`);
    if (durationMs < config.spanS * 1000)
      throw errors.illegalArgument(
        `[duration] must be greater or equal to the bucket span: [${duration}/${spanText(config.spanS)}]`,
      );
    const forecastId = Buffer.from(this.#doors.random.bytes(15)).toString('base64url');
    const nowMs = this.#doors.clock.now();
    const expiresMs = nowMs + parseTimeValue(expires ?? '14d', 'expires_in');
    const request = { forecastId, durationMs, expiresMs, nowMs };
    const made = (await this.#ask(id, 'ml-job-forecast', { request })) as {
      series: number;
      startMs: number;
      endMs: number;
    };
    const document = {
      ...{ job_id: id, forecast_id: forecastId, result_type: 'model_forecast_request_stats', forecast_messages: [] },
      ...{ forecast_start_timestamp: made.startMs, forecast_end_timestamp: made.endMs, timestamp: nowMs },
      ...{ forecast_create_timestamp: nowMs, forecast_expiry_timestamp: expiresMs, forecast_progress: 1 },
      ...{ processed_record_count: made.series, forecast_status: 'finished' },
    };
    const line = bulkLines([{ id: `${id}_model_forecast_request_stats_${forecastId}`, source: document }]);
    await this.#doors.documents.bulk(writeAlias(id), Buffer.from(line));
    await this.#doors.documents.refresh(readAlias(id));
    return { acknowledged: true, forecast_id: forecastId };
  }

  /** Deletes forecasts of a job by ids, or all. */
  async removeForecast(id: string, expression: string, allowNoForecasts: boolean): Promise<void> {
    await this.get(id);
    const kinds = { terms: { result_type: ['model_forecast', 'model_forecast_request_stats'] } };
    const isAllOf = ['_all', '*', ''].includes(expression);
    const filter = isAllOf ? [kinds] : [kinds, { terms: { forecast_id: expression.split(',') } }];
    const deleted = await this.#doors.documents.calls.deleteMatching(readAlias(id), { bool: { filter } });
    if (deleted > 0 || (isAllOf && allowNoForecasts)) return;
    throw errors.resourceNotFound(
      isAllOf
        ? `No forecast(s) [${expression}] exists for job [${id}]`
        : `No forecast(s) [${expression}] exists for job [${id}]`,
    );
  }

  /** Returns statistics of jobs: from their nodes while they are open, else from their checkpoints. */
  async stats(jobs: readonly StoredJob[]): Promise<JsonObject[]> {
    const state = this.#doors.cluster.state();
    const tasks = new Map(jobs.map(({ id }) => [id, jobTask(state, id)]));
    const nodes = [...new Set([...tasks.values()].flatMap((task) => task?.node ?? []))];
    const ids = jobs.map(({ id }) => id);
    const answers = nodes.length === 0 ? [] : await this.#doors.coordinator.callNodes(nodes, 'ml-job-stats', { ids });
    const live = new Map(
      answers.flatMap(({ error, body }) => (error === null ? (body as LiveStats[]) : [])).map((one) => [one.id, one]),
    );
    return Promise.all(jobs.map((job) => this.#statsOf(job, tasks.get(job.id) ?? null, live.get(job.id) ?? null)));
  }

  async #statsOf({ id, config }: StoredJob, task: PersistentTask | null, live: LiveStats | null): Promise<JsonObject> {
    const kept = live === null ? ((await this.#doors.checkpoints.load(id))?.checkpoint.stats ?? {}) : live.stats;
    const node = task?.node == null ? undefined : this.#doors.cluster.state().nodes.get(task.node);
    const forecasts = await this.#forecastStats(id);
    const state = jobStateOf(task);
    return {
      job_id: id,
      data_counts: { ...EMPTY_COUNTS, job_id: id, ...(kept['data_counts'] as JsonObject | undefined) },
      model_size_stats: {
        ...EMPTY_SIZE,
        ...{ job_id: id, model_bytes_memory_limit: config.memoryLimitBytes },
        ...(kept['model_size_stats'] as JsonObject | undefined),
      },
      forecasts_stats: forecasts,
      ...(blockOf(this.#doors.cluster.state(), id)?.reason === 'delete' ? { deleting: true } : {}),
      state,
      ...(node === undefined ? {} : { node: nodeOf(node) }),
      ...(task === null ? {} : { assignment_explanation: task.explanation }),
      ...(state === 'failed' ? { assignment_explanation: String(task!.status!['reason']) } : {}),
      ...(live === null ? {} : { open_time: `${Math.floor((this.#doors.clock.now() - live.openedMs) / 1000)}s` }),
      timing_stats: { ...EMPTY_TIMING, ...(kept['timing_stats'] as JsonObject | undefined), job_id: id },
    };
  }

  async #forecastStats(id: string): Promise<JsonObject> {
    const query = { term: { result_type: 'model_forecast_request_stats' } };
    const { total, hits } = await this.#doors.documents.search(readAlias(id), {
      size: 1000,
      track_total_hits: true,
      query,
    });
    if (total === 0) return { total: 0, forecasted_jobs: 0 };
    const records = hits.map(({ source }) => Number(source['processed_record_count']));
    const sum = records.reduce((all, one) => all + one, 0);
    const summary = { min: Math.min(...records), max: Math.max(...records), avg: sum / records.length, total: sum };
    return { total, forecasted_jobs: 1, records: summary, status: { finished: total } };
  }
}

interface LiveStats {
  readonly id: string;
  readonly openedMs: number;
  readonly stats: JsonObject;
}

const FORECAST_MOST_MS = 3650 * 86_400_000;
const PLAIN_UPDATES = [
  ...['description', 'groups', 'model_plot_config', 'renormalization_window_days', 'background_persist_interval'],
  ...['model_snapshot_retention_days', 'daily_model_snapshot_retention_after_days', 'results_retention_days'],
  ...['custom_settings', 'allow_lazy_open', 'alert'],
];
const UPDATE_KEYS = [
  ...[...PLAIN_UPDATES, 'detectors', 'analysis_limits', 'model_prune_window', 'job_id'],
  ...['categorization_filters', 'per_partition_categorization'],
];

const EMPTY_COUNTS: JsonObject = {
  ...{ processed_record_count: 0, processed_field_count: 0, input_bytes: 0, input_field_count: 0 },
  ...{ invalid_date_count: 0, missing_field_count: 0, out_of_order_timestamp_count: 0, empty_bucket_count: 0 },
  ...{ sparse_bucket_count: 0, bucket_count: 0, input_record_count: 0 },
};
const EMPTY_SIZE: JsonObject = {
  ...{ result_type: 'model_size_stats', model_bytes: 0, total_by_field_count: 0, total_over_field_count: 0 },
  ...{ total_partition_field_count: 0, bucket_allocation_failures_count: 0, memory_status: 'ok' },
  ...{ categorized_doc_count: 0, total_category_count: 0, frequent_category_count: 0, rare_category_count: 0 },
  ...{ dead_category_count: 0, failed_category_count: 0, categorization_status: 'ok' },
};
const EMPTY_TIMING: JsonObject = { bucket_count: 0, total_bucket_processing_time_ms: 0 };

function nodeOf(
  node: Parameters<typeof describeNode>[0] & {
    id: string;
    name: string;
    ephemeralId: string;
    transportAddress: string;
  },
): JsonObject {
  const { id, name, ephemeralId, transportAddress } = node;
  return { id, name, ephemeral_id: ephemeralId, transport_address: transportAddress, attributes: {} };
}

function mergedCounts(a: JsonObject, b: JsonObject): JsonObject {
  const merged: Record<string, unknown> = { ...b };
  for (const key of Object.keys(EMPTY_COUNTS)) merged[key] = Number(a[key] ?? 0) + Number(b[key] ?? 0);
  return merged;
}
