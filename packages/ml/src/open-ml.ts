import { AnalyticsExecutor } from './analytics/analytics-executor.js';
import { AnalyticsService } from './analytics/analytics-service.js';
import { CheckpointStore } from './checkpoint/checkpoint-store.js';
import { DatafeedExecutor } from './datafeeds/datafeed-executor.js';
import { DatafeedService } from './datafeeds/datafeed-service.js';
import { MlDocuments } from './documents/ml-documents.js';
import { BlockedJobExecutor } from './jobs/blocked-job.js';
import { JobExecutor } from './jobs/job-executor.js';
import { deleteJob, resetJob } from './jobs/job-removal.js';
import { revertJob } from './jobs/job-revert.js';
import { JobService } from './jobs/job-service.js';
import { ANALYTICS_TASK, BLOCKED_JOB_TASK, DATAFEED_TASK, JOB_TASK } from './jobs/job-task.js';
import { memoryCalls } from './memory.js';
import type { MlDoors } from './ml-doors.js';
import { TrainedModels } from './models/trained-models.js';
import { MlService } from './ml-service.js';

/** Machine learning of a node. */
export interface OpenMl {
  readonly service: MlService;
  /** What does persistent tasks, by type. */
  readonly executors: Readonly<Record<string, JobExecutor | BlockedJobExecutor | DatafeedExecutor | AnalyticsExecutor>>;
  /** Answers to calls of other nodes. */
  readonly calls: Readonly<Record<string, (body: unknown) => unknown>>;
}

/** Opens machine learning on the services of a node. */
export function openMl(given: Omit<MlDoors, 'documents' | 'checkpoints'>): OpenMl {
  const documents = new MlDocuments(given.cluster, given.coordinator);
  const doors: MlDoors = { ...given, documents, checkpoints: new CheckpointStore(documents) };
  const executor = new JobExecutor(doors);
  const blocked = new BlockedJobExecutor(doors, {
    ...{ reset: resetJob(doors), delete: deleteJob(doors), revert: revertJob(doors) },
  });
  const jobs = new JobService(doors, executor);
  const feeder = new DatafeedExecutor(doors, jobs);
  const datafeeds = new DatafeedService(doors, jobs, feeder);
  const models = new TrainedModels(doors);
  const analyst = new AnalyticsExecutor(doors, models);
  const analytics = new AnalyticsService(doors, analyst);
  const parts = [executor, feeder, analyst];
  const held = {
    'ml-running-tasks': () => ({ count: parts.reduce((sum, { running }) => sum + running.size, 0) }),
  };
  const memory = memoryCalls({ doors, jobs: executor, analytics: analyst, models });
  return {
    service: new MlService(doors, { jobs, datafeeds, models, analytics }),
    executors: {
      ...{ [JOB_TASK]: executor, [BLOCKED_JOB_TASK]: blocked },
      ...{ [DATAFEED_TASK]: feeder, [ANALYTICS_TASK]: analyst },
    },
    calls: {
      ...{ ...jobs.calls, ...blocked.calls, ...datafeeds.calls, ...models.calls, ...analytics.calls },
      ...{ ...memory, ...held },
    },
  };
}
