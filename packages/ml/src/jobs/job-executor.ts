import { attempts, type Backoff, pause, pauseBehind } from '@shoal/doors';
import { errors, isApiError, toApiError } from '@shoal/errors';
import { type ClusterState, ownPersistentTask, type PersistentTask } from '@shoal/state';
import { notify } from '../audit.js';
import { isVersionConflict } from '../documents/ml-documents.js';
import type { MlDoors } from '../ml-doors.js';
import { jobTaskId } from './job-task.js';
import { keepCheckpoints } from './keep-checkpoints.js';
import { RunningJob } from './running-job.js';

const BACKOFF: Backoff = { firstMs: 200, mostMs: 60_000 };
/** Pauses after which a job that is to be closed is closed again. */
const CLOSE_AGAIN_MS = 30_000;
/** Times that a job is opened again at one place before it has failed. */
const OPENINGS_MAX = 3;

/** Runs the anomaly detection jobs that the master assigns to this node. */
export class JobExecutor {
  readonly #doors: MlDoors;
  /** Jobs that are open on this node, by id. */
  readonly running = new Map<string, RunningJob>();
  /** Jobs that are being closed: who asks meanwhile waits for the same end. */
  readonly #closing = new Map<string, Promise<void>>();
  /** What works at tasks, by job: even without its task it may still write results. */
  readonly #works = new Map<string, Set<Promise<void>>>();

  constructor(doors: MlDoors) {
    this.#doors = doors;
  }

  /** Does the task of a job until it is closed or the signal ends it. */
  async run(taskId: string, task: PersistentTask, signal: AbortSignal): Promise<void> {
    const id = task.params['id'] as string;
    const works = this.#works.get(id) ?? new Set();
    this.#works.set(id, works);
    const work = this.#run(taskId, id, task, signal);
    works.add(work);
    try {
      await work;
    } finally {
      works.delete(work);
      if (works.size === 0 && this.#works.get(id) === works) this.#works.delete(id);
    }
  }

  /** Waits until nothing on this node works at a job: no write of it is under way any more. */
  async ended(id: string): Promise<void> {
    await Promise.allSettled(this.#works.get(id) ?? []);
  }

  async #run(taskId: string, id: string, task: PersistentTask, signal: AbortSignal): Promise<void> {
    let openings = 0;
    while (!signal.aborted) {
      const job = await this.#open(id, task, signal);
      if (job === null) return;
      openings++;
      const positionMs = job.finalizedEndMs;
      const lost = await this.#keep(taskId, job, task, signal);
      if (lost === null || signal.aborted) return;
      this.#doors.log.write('warn', 'a job is opened again', { 'ml.job': id, error: lost });
      if (job.finalizedEndMs !== positionMs) openings = 0;
      if (openings >= OPENINGS_MAX)
        return this.#fail(
          taskId,
          task,
          `${toApiError(lost).reason ?? lost.message}, at bucket [${positionMs ?? 0}]`,
          signal,
        );
    }
  }

  /** Opens a job, again and again while that may help. Null if it is not this node's any more, or has failed. */
  async #open(id: string, task: PersistentTask, signal: AbortSignal): Promise<RunningJob | null> {
    const { cluster, log } = this.#doors;
    for (let attempt = 1; !signal.aborted; attempt++) {
      const { routing } = cluster.state();
      try {
        return await RunningJob.open(this.#doors, id, task.allocationId);
      } catch (error) {
        // A later assignment has written. Without one it was a write of this assignment whose answer was lost.
        if (isVersionConflict(error) && !this.#isOwn(task)) return null;
        if (isApiError(error) && error.status === 404 && error.reason?.startsWith('No known job') === true) {
          const { allocationId } = task;
          await this.#tell(signal, () => cluster.submit('remove-persistent-task', { id: jobTaskId(id), allocationId }));
          return null;
        }
        log.write('warn', 'a job cannot be opened', { 'ml.job': id, attempt, error });
        await this.#doors.room.call('close', { id }).catch(() => undefined);
        if (attempt >= OPENINGS_MAX && !isPassing(error)) {
          await this.#fail(jobTaskId(id), task, toApiError(error).reason ?? 'unknown', signal);
          return null;
        }
      }
      await this.#untilCopiesChange(routing, pauseBehind(attempt, BACKOFF), signal);
    }
    return null;
  }

  /**
   * Waits until copies of shards are others than they were, or for a time. Most openings fail for a shard that is not
   * there yet: after a node has died the next one goes on as soon as the primary of the job's state has moved.
   */
  async #untilCopiesChange(before: ClusterState['routing'], mostMs: number, signal: AbortSignal): Promise<void> {
    const { clock, cluster } = this.#doors;
    await pause(clock, BACKOFF.firstMs, signal);
    const leftMs = mostMs - BACKOFF.firstMs;
    if (leftMs <= 0 || cluster.state().routing !== before) return;
    const isOther = (next: ClusterState): boolean => next.routing !== before;
    await Promise.race([pause(clock, leftMs, signal), cluster.waitFor(isOther, leftMs).catch(() => false)]);
  }

  /** Keeps a job open until the signal ends it (null) or its model is lost (why). */
  async #keep(taskId: string, job: RunningJob, task: PersistentTask, signal: AbortSignal): Promise<Error | null> {
    const { cluster } = this.#doors;
    const woken = new AbortController();
    job.onLost = () => woken.abort();
    this.running.set(job.id, job);
    try {
      const status = { state: 'opened', openedMs: job.openedMs };
      const { allocationId } = task;
      const isHeard = await this.#tell(AbortSignal.any([signal, woken.signal]), () =>
        cluster.submit('update-persistent-task', { id: taskId, allocationId, status }),
      );
      if (!isHeard) return signal.aborted ? null : job.lost;
      void notify(this.#doors, job.id, 'info', `Opened on node [${this.#doors.nodeName}]`);
      const ended = AbortSignal.any([signal, woken.signal]);
      void this.#finishClosing(taskId, job, ended);
      if (!(await keepCheckpoints(this.#doors, job, ended))) return null;
      return signal.aborted ? null : job.lost;
    } catch (error) {
      if (isApiError(error) && error.status < 500) return null;
      return error instanceof Error ? error : new Error(String(error));
    } finally {
      if (this.running.get(job.id) === job) this.running.delete(job.id);
      await job.abandon();
    }
  }

  /** Closes a job that is to be closed and is not: who asked for it has died, or the close has failed. */
  async #finishClosing(taskId: string, { id }: RunningJob, ended: AbortSignal): Promise<void> {
    const { clock, cluster, log } = this.#doors;
    while (!ended.aborted) {
      if (ownPersistentTask(cluster.state(), taskId)?.params['isClosing'] === true && !this.#closing.has(id))
        await this.close(id).catch((error: unknown) =>
          log.write('warn', 'a job was not closed, and is closed again', { 'ml.job': id, error }),
        );
      await pause(clock, CLOSE_AGAIN_MS, ended);
    }
  }

  async #fail(
    taskId: string,
    { allocationId, params }: PersistentTask,
    reason: string,
    signal: AbortSignal,
  ): Promise<void> {
    const status = { state: 'failed', reason };
    void notify(this.#doors, String(params['id']), 'error', `Job failed: ${reason}`);
    await this.#tell(signal, () =>
      this.#doors.cluster.submit('update-persistent-task', { id: taskId, allocationId, status }),
    );
  }

  /**
   * Tells the master how a task is, again and again until it has heard or the signal aborts. Returns false if it has
   * not heard, or the task has a later assignment.
   */
  async #tell(signal: AbortSignal, tell: () => Promise<unknown>): Promise<boolean> {
    const { clock, log } = this.#doors;
    for await (const attempt of attempts(clock, BACKOFF, signal)) {
      try {
        await tell();
        return true;
      } catch (error) {
        if (isApiError(error) && error.type === 'resource_not_found_exception') return false;
        log.write('warn', 'the state of a job is not known to the master', { attempt, error });
      }
    }
    return false;
  }

  /** Whether this node has a task still, as far as it knows. */
  #isOwn({ params, allocationId }: PersistentTask): boolean {
    const known = ownPersistentTask(this.#doors.cluster.state(), jobTaskId(String(params['id'])));
    return known?.allocationId === allocationId;
  }

  /** Returns a job that is open here. Throws illegal_state_exception (409) for another one. */
  jobOf(id: string): RunningJob {
    const job = this.running.get(id);
    if (job === undefined)
      throw errors.illegalState(
        `Cannot process data because job [${id}] does not have a corresponding autodetect process`,
        { status: 409 },
      );
    return job;
  }

  /** Closes a job in order and ends its task. Called again after a failure, it goes on where it was. */
  close(id: string): Promise<void> {
    const ongoing = this.#closing.get(id);
    if (ongoing !== undefined) return ongoing;
    const closing = this.#close(id).finally(() => this.#closing.delete(id));
    this.#closing.set(id, closing);
    return closing;
  }

  async #close(id: string): Promise<void> {
    const job = this.jobOf(id);
    await job.close();
    const { allocationId } = job;
    await this.#doors.cluster.submit('remove-persistent-task', { id: jobTaskId(id), allocationId });
  }
}

/** Whether an error goes away by itself: shards or nodes that are not there yet. */
function isPassing(error: unknown): boolean {
  if (isApiError(error) && error.reason?.startsWith('the thread of models ended') === true) return false;
  return isApiError(error) && (error.status >= 500 || error.status === 429 || error.status === 404);
}
