import { attempts, type Backoff } from '@shoal/doors';
import { isApiError, toApiError } from '@shoal/errors';
import type { PersistentTask } from '@shoal/state';
import { notify } from '../audit.js';
import type { MlDoors } from '../ml-doors.js';
import type { TrainedModels } from '../models/trained-models.js';
import { AnalysisRun } from './analysis-run.js';
import { loadAnalytics, readProgress, type StoredAnalytics, writeProgress } from './stored-analytics.js';

const BACKOFF: Backoff = { firstMs: 500, mostMs: 30_000 };
const ATTEMPTS_MAX = 5;

/** Runs the analyses that the master assigns to this node. */
export class AnalyticsExecutor {
  readonly #doors: MlDoors;
  readonly #models: TrainedModels;
  /** Analyses that run on this node, by id. */
  readonly running = new Map<string, AnalysisRun>();

  constructor(doors: MlDoors, models: TrainedModels) {
    this.#doors = doors;
    this.#models = models;
  }

  /** Does the task of an analysis until it is done, has failed, or the signal ends it. */
  async run(taskId: string, task: PersistentTask, signal: AbortSignal): Promise<void> {
    const id = task.params['id'] as string;
    const { clock, cluster, log } = this.#doors;
    for await (const attempt of attempts(clock, BACKOFF, signal)) {
      let run: AnalysisRun | null = null;
      try {
        const analytics = await loadAnalytics(this.#doors.documents, id);
        const earlier = await readProgress(this.#doors.documents, id);
        run = new AnalysisRun(this.#doors, this.#models, analytics, signal, earlier, task.allocationId);
        await this.#once(taskId, task, analytics, run);
        return;
      } catch (error) {
        if (signal.aborted) return;
        const { status, reason } = toApiError(error);
        log.write('warn', 'an analysis failed', { 'ml.analytics': id, error });
        if (status === 404 && reason?.startsWith('No known data frame') === true) {
          await cluster.submit('remove-persistent-task', { id: taskId, allocationId: task.allocationId });
          return;
        }
        if (!isPassing(error) || attempt >= ATTEMPTS_MAX) return this.#fail(id, taskId, task, reason ?? 'unknown');
      } finally {
        if (run !== null) await this.#end(id, run);
      }
    }
  }

  async #once(taskId: string, task: PersistentTask, { id }: StoredAnalytics, run: AnalysisRun): Promise<void> {
    const { cluster } = this.#doors;
    const { allocationId } = task;
    this.running.set(id, run);
    await cluster.submit('update-persistent-task', { id: taskId, allocationId, status: { state: 'started' } });
    if (!(await run.run())) return;
    await writeProgress(this.#doors.documents, id, run.progress.json(this.#doors.clock.now()));
    await notify(this.#doors, id, 'info', 'Finished analysis', 'data_frame_analytics');
    await cluster.submit('remove-persistent-task', { id: taskId, allocationId });
  }

  async #end(id: string, run: AnalysisRun): Promise<void> {
    if (this.running.get(id) !== run) return;
    await writeProgress(this.#doors.documents, id, run.progress.json(this.#doors.clock.now())).catch((error: unknown) =>
      this.#doors.log.write('warn', 'the progress of an analysis was not written', { 'ml.analytics': id, error }),
    );
    this.running.delete(id);
  }

  async #fail(id: string, taskId: string, { allocationId }: PersistentTask, reason: string): Promise<void> {
    const status = { state: 'failed', reason };
    await notify(this.#doors, id, 'error', reason, 'data_frame_analytics');
    await this.#doors.cluster
      .submit('update-persistent-task', { id: taskId, allocationId, status })
      .catch((error: unknown) =>
        this.#doors.log.write('warn', 'the failure of an analysis is not known to the master', { error }),
      );
  }
}

/** Whether an error goes away by itself: shards or nodes that are not there yet. */
function isPassing(error: unknown): boolean {
  if (!isApiError(error)) return false;
  if (error.reason?.startsWith('the thread of models ended') === true) return false;
  return error.status === 503 || error.status === 429;
}
