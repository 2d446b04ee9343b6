import type { ClusterService } from '@shoal/cluster';
import type { Coordinator } from '@shoal/coordinator';
import { isApiError, toApiError } from '@shoal/errors';
import type { Subject } from '@shoal/security';
import { nameIndex, ownPersistentTask, type PersistentTask, sectionEntry } from '@shoal/state';
import { OwnCalls } from '@shoal/coordinator';
import { attempts, type Backoff, type Clock, type Log, pause, pauseBehind } from '@shoal/doors';
import type { TaskExecutor } from '../persistent/task-runner.js';
import { alignedEnd, queryChanged } from './changed-groups.js';
import { CheckpointRun } from './checkpoint-run.js';
import { ensureDestination } from './ensure-destination.js';
import { type ProgressStore, type StoredProgress } from './progress-store.js';
import { deleteExpired } from './retention.js';
import { type StoredTransform, transformOf } from './stored-transform.js';
import type { TransformConfig } from './transform-config.js';
import {
  completeCheckpoint,
  freshProgress,
  type OpenCheckpoint,
  type TransformProgress,
} from './transform-progress.js';

/** Services of the node that transforms use. */
export interface TransformDoors {
  readonly cluster: ClusterService;
  readonly coordinator: Coordinator;
  readonly store: ProgressStore;
  readonly clock: Clock;
  readonly log: Log;
  /** Who the maker of a transform is now. */
  subjectOf(stored: StoredTransform): Subject;
}

/** A transform that this node does. */
export interface RunningTransform {
  progress: TransformProgress;
  isIndexing: boolean;
  /** The last error since something succeeded; null for none. */
  failure: { readonly reason: string; readonly count: number; readonly firstMs: number } | null;
}

/** How often the place is kept while a checkpoint runs. */
const SAVE_EVERY_MS = 10_000;
/** Pauses after which a transform tries again what failed. */
const BACKOFF: Backoff = { firstMs: 1000, mostMs: 60_000 };

/** Does transforms: waits for changes, makes checkpoints, tries again what failed. */
export class TransformExecutor implements TaskExecutor {
  readonly #doors: TransformDoors;
  /** Transforms that run on this node, by id. */
  readonly running = new Map<string, RunningTransform>();
  /** Ends the wait for the next checkpoint of a transform. */
  readonly #wakes = new Map<string, () => void>();

  constructor(doors: TransformDoors) {
    this.#doors = doors;
  }

  /** Looks for changes now instead of when the next look is due. */
  wake(id: string): void {
    this.#wakes.get(id)?.();
  }

  async run(taskId: string, task: PersistentTask, signal: AbortSignal): Promise<void> {
    const id = task.params['id'] as string;
    const fromMs = (task.params['fromMs'] as number | undefined) ?? null;
    const running: RunningTransform = { progress: freshProgress(), isIndexing: false, failure: null };
    this.running.set(id, running);
    try {
      const stored = await this.#claim(id, task.allocationId, running, signal);
      if (stored !== null) await this.#rounds(taskId, task, { id, running, stored, signal, fromMs });
    } finally {
      if (this.running.get(id) === running) this.running.delete(id);
      this.#wakes.delete(id);
    }
  }

  /** The place where the transform is. A claim that fails is tried again: without it all would begin anew. */
  async #claim(
    id: string,
    allocationId: number,
    running: RunningTransform,
    signal: AbortSignal,
  ): Promise<StoredProgress | null> {
    const { clock, log, store } = this.#doors;
    for await (const attempt of attempts(clock, BACKOFF, signal)) {
      try {
        const stored = await store.claim(id, allocationId);
        running.failure = null;
        running.progress = stored.progress;
        return stored;
      } catch (error) {
        noteFailure(running, error, clock.now());
        log.write('warn', 'the progress of a transform cannot be claimed', { 'transform.id': id, attempt, error });
      }
    }
    return null;
  }

  async #rounds(taskId: string, task: PersistentTask, run: Round): Promise<void> {
    const { clock, cluster } = this.#doors;
    while (!run.signal.aborted) {
      const stored = transformOf(sectionEntry(cluster.state(), 'transforms', run.id));
      if (stored === null) return;
      const wait = await this.#attempt(stored, run);
      if (run.signal.aborted) return;
      const params = ownPersistentTask(cluster.state(), taskId)?.params ?? task.params;
      const isDone =
        run.running.failure === null && (stored.config.sync === null || params['stopsAtCheckpoint'] === true);
      if (isDone) return await this.#complete(taskId, task, run.signal);
      if (wait === null) return await this.#fail(taskId, task, run);
      const woken = new AbortController();
      this.#wakes.set(run.id, () => woken.abort());
      await pause(clock, wait, AbortSignal.any([run.signal, woken.signal]));
    }
  }

  /** Makes a checkpoint if there is something new. Returns the wait until the next look; null when it has failed. */
  async #attempt(stored: StoredTransform, run: Round): Promise<number | null> {
    const { config } = stored;
    const { running } = run;
    try {
      await this.#checkpoint(stored, run);
      running.failure = null;
      return config.frequencyMs;
    } catch (error) {
      if (run.signal.aborted) return config.frequencyMs;
      return this.#noteFailure(error, config, run);
    } finally {
      running.isIndexing = false;
    }
  }

  #noteFailure(error: unknown, { settings, id }: TransformConfig, { running }: Round): number | null {
    const { clock, log } = this.#doors;
    const count = noteFailure(running, error, clock.now());
    log.write('warn', 'a transform failed', { 'transform.id': id, attempt: count, error });
    const isLast = settings.failureRetries >= 0 && count > settings.failureRetries;
    if ((isLast || isPermanent(error)) && !settings.unattended) return null;
    return pauseBehind(count, BACKOFF);
  }

  async #checkpoint(stored: StoredTransform, run: Round): Promise<void> {
    const { config } = stored;
    const { progress } = run.running;
    const { clock, coordinator } = this.#doors;
    const subject = this.#doors.subjectOf(stored);
    const calls = new OwnCalls(coordinator, subject, run.signal);
    const open = progress.open ?? (await this.#nextCheckpoint(config, calls, progress));
    if (open === null) return;
    progress.open = open;
    run.running.isIndexing = true;
    progress.stats.trigger_count++;
    await ensureDestination(config, this.#doors, subject);
    const { documents_indexed: indexed, documents_processed: processed } = progress.stats;
    const startedMs = clock.monotonic();
    let savedMs = startedMs;
    const pageDone = async (): Promise<void> => {
      if (clock.monotonic() - savedMs < SAVE_EVERY_MS) return;
      savedMs = clock.monotonic();
      await this.#save(run);
    };
    const site = { config, calls, clock, signal: run.signal, stats: progress.stats, pageDone };
    await new CheckpointRun(site, open, progress.last?.toMs ?? run.fromMs).run();
    if (run.signal.aborted) return;
    await this.#finish(config, calls, run, open, { startedMs, indexed, processed });
  }

  async #finish(
    config: TransformConfig,
    calls: OwnCalls,
    run: Round,
    open: OpenCheckpoint,
    before: { readonly startedMs: number; readonly indexed: number; readonly processed: number },
  ): Promise<void> {
    const { clock, cluster, coordinator } = this.#doors;
    const { progress } = run.running;
    const written = nameIndex(cluster.state()).get(config.dest.index);
    if (written !== undefined) await coordinator.refresh([written]);
    await deleteExpired(config, calls, progress.stats, clock);
    completeCheckpoint(progress, open, {
      durationMs: clock.monotonic() - before.startedMs,
      indexed: progress.stats.documents_indexed - before.indexed,
      processed: progress.stats.documents_processed - before.processed,
    });
    await this.#save(run);
  }

  async #save(run: Round): Promise<void> {
    run.stored = await this.#doors.store.save(run.id, { ...run.stored, progress: run.running.progress });
  }

  /** Returns the checkpoint to make; null while nothing is new. */
  async #nextCheckpoint(
    config: TransformConfig,
    calls: OwnCalls,
    progress: TransformProgress,
  ): Promise<OpenCheckpoint | null> {
    const nowMs = this.#doors.clock.now();
    const toMs = config.sync === null ? nowMs : alignedEnd(config, nowMs - config.sync.delayMs);
    const open: OpenCheckpoint = {
      checkpoint: progress.checkpoint + 1,
      startedMs: nowMs,
      toMs,
      after: null,
      totalDocs: null,
      docsProcessed: 0,
      docsIndexed: 0,
    };
    if (progress.last === null) return open;
    if (toMs <= progress.last.toMs) return null;
    progress.lastSearchMs = nowMs;
    const span = { fromMs: progress.last.toMs, toMs };
    const answer = await calls.search(config.source.index, {
      size: 0,
      track_total_hits: 1,
      query: queryChanged(config, span),
      runtime_mappings: config.source.runtime,
    });
    const { total } = answer['hits'] as { total: { value: number } };
    if (total.value === 0) return null;
    progress.changesDetectedMs = nowMs;
    return open;
  }

  async #complete(taskId: string, { allocationId }: PersistentTask, signal: AbortSignal): Promise<void> {
    const body = { id: taskId, allocationId };
    await this.#tell(() => this.#doors.cluster.submit('remove-persistent-task', body), signal);
  }

  async #fail(taskId: string, { allocationId }: PersistentTask, { running, signal }: Round): Promise<void> {
    const status = { state: 'failed', reason: running.failure?.reason ?? 'unknown' };
    const body = { id: taskId, allocationId, status };
    await this.#tell(() => this.#doors.cluster.submit('update-persistent-task', body), signal);
  }

  /**
   * Tells the master, until it has heard, or the node ends: then another one does the task again. An error of its own
   * means that the task is another's by now.
   */
  async #tell(submit: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#doors;
    for await (const attempt of attempts(clock, BACKOFF, signal)) {
      try {
        await submit();
        return;
      } catch (error) {
        if (isApiError(error) && error.status < 500) return;
        log.write('warn', 'the end of a transform is not known to the master', { attempt, error });
      }
    }
  }
}

/** Counts a failure, and returns how many there were in a row. */
function noteFailure(running: RunningTransform, error: unknown, nowMs: number): number {
  const count = (running.failure?.count ?? 0) + 1;
  const { type, reason } = toApiError(error);
  running.failure = { reason: `${type}: ${reason}`, count, firstMs: running.failure?.firstMs ?? nowMs };
  return count;
}

/** One life of a transform on this node. */
interface Round {
  readonly id: string;
  readonly running: RunningTransform;
  stored: StoredProgress;
  readonly signal: AbortSignal;
  /** The first checkpoint makes only groups with documents since then; null for all groups. */
  readonly fromMs: number | null;
}

/** Statuses of errors that pass: what is missing may come, such as the point in time that a dead node held. */
const PASSING: ReadonlySet<number> = new Set([404, 408, 429]);

/** Whether an error comes again however often the transform tries: its own requests are refused. */
export function isPermanent(error: unknown): boolean {
  return isApiError(error) && error.status >= 400 && error.status < 500 && !PASSING.has(error.status);
}
