import type { JsonObject } from '@shoal/json';
import type { AnalyticsService } from './analytics/analytics-service.js';
import { Calendars } from './calendars/calendars.js';
import { Filters } from './calendars/filters.js';
import type { DatafeedService } from './datafeeds/datafeed-service.js';
import type { JobService } from './jobs/job-service.js';
import { removeExpired } from './jobs/expired-data.js';
import type { StoredJob } from './jobs/stored-job.js';
import { estimateMemory } from './jobs/estimate-memory.js';
import { infoOf } from './info.js';
import { memoryStats } from './memory.js';
import type { MlDoors } from './ml-doors.js';
import type { TrainedModels } from './models/trained-models.js';
import { ModelSnapshots } from './jobs/model-snapshots.js';
import { checkNotHeld, isHeld, setUpgradeMode } from './upgrade-mode.js';
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
