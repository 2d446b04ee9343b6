import type { CallContext } from '@shoal/coordinator';
import { errors, isApiError } from '@shoal/errors';
import { isPlainObject, type JsonObject } from '@shoal/json';
import type { AnalyticsService } from './analytics/analytics-service.js';
import { Calendars } from './calendars/calendars.js';
import { Filters } from './calendars/filters.js';
import type { DatafeedService } from './datafeeds/datafeed-service.js';
import type { JobService } from './jobs/job-service.js';
import { removeExpired } from './jobs/expired-data.js';
import { estimateMemory } from './jobs/estimate-memory.js';
import { infoOf } from './info.js';
import { memoryStats } from './memory.js';
import type { MlDoors } from './ml-doors.js';
import type { TrainedModels } from './models/trained-models.js';
import { ModelSnapshots } from './jobs/model-snapshots.js';
import { filtersOf, loadJobOrNull, type StoredJob } from './jobs/stored-job.js';
import type { JobConfig } from './jobs/job-config.js';
import { bucketCauses, feedFailureOf, jobCauses, surprisingRecords } from './why/job-why.js';
import { previewJob } from './why/preview.js';
import { suggestJobs } from './why/suggest.js';
import { checkNotHeld, isHeld, setUpgradeMode } from './upgrade-mode.js';
import { recordFeedback } from './results/feedback.js';
import { ResultQueries, resultTime } from './results/result-queries.js';

/** What the API of machine learning does. */
export class MlService {
  readonly doors: MlDoors;
  readonly jobs: JobService;
  readonly results: ResultQueries;
  readonly datafeeds: DatafeedService;
  readonly models: TrainedModels;
  readonly analytics: AnalyticsService;
  readonly calendars: Calendars;
  readonly filters: Filters;
  readonly snapshots: ModelSnapshots;

  constructor(doors: MlDoors, parts: Pick<MlService, 'jobs' | 'datafeeds' | 'models' | 'analytics'>) {
    this.doors = doors;
    this.jobs = parts.jobs;
    this.datafeeds = parts.datafeeds;
    this.models = parts.models;
    this.analytics = parts.analytics;
    this.results = new ResultQueries(doors.documents);
    this.calendars = new Calendars(doors.documents, doors.random, () => this.jobs.calendarsChanged());
    this.filters = new Filters(doors.documents);
    this.snapshots = new ModelSnapshots(doors, parts.jobs);
  }

  /**
   * Makes a job, and its datafeed where the body has one (`datafeed_config`): both or neither. The job comes after its
   * datafeed: what a node that died has left is a datafeed without a job, which the next attempt writes over. Of calls
   * at one time the one that makes the job has its own datafeed stay, and those of the others go.
   */
  async putJob(id: string, body: JsonObject, call: CallContext): Promise<JsonObject> {
    const { datafeed_config: given } = body;
    if (given !== undefined && !isPlainObject(given)) throw errors.parse('[datafeed_config] must be an object');
    if (given === undefined) return this.jobs.put(id, body);
    const job = await this.jobs.checkNew(id, body);
    const { datafeed_id: feedId, ...rest } = given;
    if (rest['job_id'] !== undefined && rest['job_id'] !== id)
      throw errors.illegalArgument(`datafeed job_id [${String(rest['job_id'])}] does not equal job id [${id}]`);
    const feed = await this.datafeeds.putBeforeJob(String(feedId ?? id), { ...rest, job_id: id }, job, call);
    try {
      const job = await this.jobs.put(id, body);
      await this.datafeeds.keepOnly(feed);
      return { ...job, datafeed_config: feed.config.json };
    } catch (error) {
      // This call may have made the job without knowing: then the datafeed is its. Else another one has made it.
      const made = await loadJobOrNull(this.doors.documents, id).catch(() => undefined);
      const isOthers = isApiError(error) && error.type === 'resource_already_exists_exception';
      if (made === null || isOthers) await this.datafeeds.takeBack(feed).catch(() => undefined);
      throw error;
    }
  }

  /** Jobs as `GET` shows them: each with its datafeed. */
  async shownJobs(expression: string, allowNoMatch: boolean): Promise<JsonObject[]> {
    const [jobs, feeds] = [await this.jobs.find(expression, allowNoMatch), await this.datafeeds.find('_all', true)];
    const byJob = new Map(feeds.map(({ config, json }) => [config.jobId, json]));
    return jobs.map((job) => {
      const [json, feed] = [this.jobs.shown(job), byJob.get(job.id)];
      return feed === undefined ? json : { ...json, datafeed_config: feed };
    });
  }

  /** Throws if a job cannot be deleted as things are. */
  async checkJobRemovable(id: string, force: boolean): Promise<void> {
    await this.jobs.checkRemovable(id, force);
  }

  /** Deletes a job, and its datafeed before it, as 8.12 does. */
  async removeJob(id: string, force: boolean, includesUsers: boolean, taskId: string): Promise<void> {
    await this.jobs.get(id);
    const feed = await this.datafeeds.ofJob(id);
    if (feed !== null) await this.datafeeds.remove(feed.id, force);
    await this.jobs.remove(id, force, includesUsers, taskId);
  }

  /** Says why a job has no results, or these; of one bucket if `timeMs` is given. */
  async why(id: string, timeMs: number | null): Promise<JsonObject> {
    const job = await this.jobs.get(id);
    const [stats] = await this.jobs.stats([job]);
    const feed = await this.datafeeds.ofJob(id);
    const facts = {
      ...{ id, spanS: job.config.spanS, state: this.jobs.stateOf(id), stats: stats! },
      summary: await this.jobs.summary(id),
      datafeed: feed === null ? null : (await this.datafeeds.stats([feed]))[0]!,
      feedFailure: feed === null ? null : await feedFailureOf(this.doors, id),
      nowMs: this.doors.clock.now(),
    };
    const records = await surprisingRecords(this.doors, facts, timeMs);
    const ofBucket = timeMs === null ? [] : await bucketCauses(this.doors, facts, timeMs, records.length > 0);
    const causes = [...ofBucket, ...jobCauses(facts)];
    const { series, seasons, bytes_per_series } = facts.summary ?? {};
    return {
      ...{ job_id: id, state: facts.state, summary: causes[0]?.why ?? 'the job takes data and judges it' },
      ...{ next: causes[0]?.next ?? null, causes, most_surprising: records },
      ...(facts.summary === null ? {} : { series, seasons, bytes_per_series }),
    };
  }

  /** Tells a job that a record shows what is expected, or is not. */
  feedback(id: string, record: string, body: JsonObject): Promise<JsonObject> {
    return recordFeedback(this.doors, this.jobs, id, record, body);
  }

  /** Runs a job that does not exist on documents that do; nothing is written. */
  preview(body: JsonObject, call: CallContext): Promise<JsonObject> {
    const site = {
      parse: (id: string, given: unknown) => this.jobs.parse(id, given),
      filters: (config: JobConfig) => filtersOf(this.doors.documents, config),
    };
    return previewJob(this.doors, site, body, call);
  }

  /** Proposes jobs for indices. */
  suggest(body: JsonObject, call: CallContext): Promise<JsonObject> {
    return suggestJobs(this.doors, body, call);
  }

  /** Parses a time of a request about results, in milliseconds; null for none. */
  readonly resultTime = resultTime;

  /** Returns defaults and limits. */
  info(): JsonObject {
    return infoOf(this.doors.modelBytes, isHeld(this.doors.cluster.state()));
  }

  /** Throws for an action that changes indices while machine learning is held. */
  checkNotHeld(action: string): void {
    checkNotHeld(this.doors.cluster.state(), action);
  }

  /** Holds machine learning, or lets it go on. */
  setUpgradeMode(enabled: boolean, timeoutMs: number): Promise<void> {
    return setUpgradeMode(this.doors, enabled, timeoutMs);
  }

  /** Deletes results, forecasts and snapshots of jobs that are older than they are kept. */
  removeExpired(jobs: readonly StoredJob[]): Promise<void> {
    return removeExpired(this.doors, this.snapshots, jobs);
  }

  /** Returns the memory of machine learning by node; `nodes` null for all. */
  memoryStats(nodes: readonly string[] | null): Promise<JsonObject> {
    return memoryStats(this.doors, nodes);
  }

  /** Returns the memory that a job needs, by how many values its fields have. */
  estimateMemory(body: unknown): JsonObject {
    return estimateMemory(body, this.doors.clock.now());
  }
}
