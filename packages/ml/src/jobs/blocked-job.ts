import { attempts, type Backoff, pause } from '@shoal/doors';
import { type ApiError, errors, isApiError, toApiError } from '@shoal/errors';
import type { JsonObject } from '@shoal/json';
import { type ClusterState, ownPersistentTask, type PersistentTask } from '@shoal/state';
import { VERSION } from '@shoal/values';
import { isVersionConflict } from '../documents/ml-documents.js';
import type { MlDoors } from '../ml-doors.js';
import { BLOCKED_JOB_TASK, jobTaskId, ML_ROLE } from './job-task.js';

/** What keeps a job closed while it is done. */
export type BlockReason = 'reset' | 'delete' | 'revert';

/** Work at a closed job. Done once more, it changes nothing: a node goes on where another one died. */
export interface JobWork {
  readonly id: string;
  readonly reason: BlockReason;
  /** Id of the task in `_tasks` that the work was asked for by. */
  readonly taskId: string;
  readonly options: JsonObject;
}

/** Does work of one reason. `allocationId` fences the writes of nodes that had it before. */
export type DoJobWork = (work: JobWork, allocationId: number, signal: AbortSignal) => Promise<void>;

/** Masters do the work: a cluster has one, with or without nodes for machine learning. */
const ROLE = 'master';
const WAIT_MS = 1_800_000;
const BACKOFF: Backoff = { firstMs: 200, mostMs: 30_000 };
/** Time for which work is tried again while shards are not there, in milliseconds. */
const GIVE_UP_MS = 60_000;
/** How long a failure is kept for who asked for the work. */
const FAILURE_KEPT_MS = 30_000;
/** Failures that a node remembers: of the last works that it has done. */
const FAILURES_MAX = 100;
const ASK_MS = 10_000;
/** How long writes of a job whose task was taken away are waited for before it is tried again. */
const ENDED_MS = 30_000;

const workTask = (state: ClusterState, id: string): PersistentTask | null => {
  const task = ownPersistentTask(state, jobTaskId(id));
  return task?.type === BLOCKED_JOB_TASK ? task : null;
};

/** The work that a job is blocked by; null for none. */
export function blockOf(state: ClusterState, id: string): JobWork | null {
  return (workTask(state, id)?.params as unknown as JobWork | undefined) ?? null;
}

/** What `GET` of a job shows of its block. */
export function shownBlock(state: ClusterState, id: string): JsonObject {
  const work = blockOf(state, id);
  if (work === null) return {};
  const { reason, taskId } = work;
  return { ...(reason === 'delete' ? { deleting: true } : {}), blocked: { reason, task_id: taskId } };
}

const failureOf = (task: PersistentTask | null): JsonObject | null =>
  task?.status?.['state'] === 'failed' ? (task.status as JsonObject) : null;

const conflict = (reason: string): ApiError => errors.status(reason, { status: 409 });

/**
 * Has work done at a closed job and waits for its end. The job's task in the cluster state is the block: it is that of
 * open jobs too, so that a job is open, or blocked, or neither, whatever is asked for at once. Throws the error of the
 * work; `status_exception` (409) if the job is open or blocked by other work.
 */
export async function doBlocked(doors: AskedDoors, work: JobWork): Promise<void> {
  const { cluster } = doors;
  const taskId = jobTaskId(work.id);
  const params = { ...work, version: VERSION } as unknown as PersistentTask['params'];
  try {
    await cluster.submit('start-persistent-task', { id: taskId, type: BLOCKED_JOB_TASK, role: ROLE, params });
  } catch (error) {
    if (!isApiError(error) || error.type !== 'resource_already_exists_exception') throw error;
    throw conflict(`Cannot ${work.reason} job [${work.id}] because it was opened or changed meanwhile`);
  }
  await awaitWork(doors, work);
}

/** Ends the block of work that has failed, if nobody has come for the failure: the job can be changed again. */
export async function endFailedBlock(cluster: Pick<MlDoors['cluster'], 'state' | 'submit'>, id: string): Promise<void> {
  const task = workTask(cluster.state(), id);
  if (task === null || failureOf(task) === null) return;
  try {
    await cluster.submit('remove-persistent-task', { id: jobTaskId(id), allocationId: task.allocationId });
  } catch (error) {
    // Another request has ended it.
    if (!isApiError(error) || error.type !== 'resource_not_found_exception') throw error;
  }
}

/** What waiting for work uses of a node. */
export type AskedDoors = Pick<MlDoors, 'cluster' | 'coordinator'>;

interface WorkFailure {
  readonly reason: string;
  readonly status: number;
}

/** Waits for the end of work that somebody asked for. Throws its error. */
export async function awaitWork({ cluster, coordinator }: AskedDoors, { id, taskId }: JobWork): Promise<void> {
  const own = (state: ClusterState): PersistentTask | null => {
    const task = workTask(state, id);
    return task?.params['taskId'] === taskId ? task : null;
  };
  let failure: WorkFailure | null = null;
  const isOver = (state: ClusterState): boolean => {
    const task = own(state);
    failure = failureOf(task) as WorkFailure | null;
    return task === null || failure !== null;
  };
  if (!(await cluster.waitFor(isOver, WAIT_MS))) throw errors.timeout(`work at job [${id}] goes on`, { status: 408 });
  const { allocationId } = own(cluster.state()) ?? {};
  if (failure !== null && allocationId !== undefined)
    // If the master does not hear of it, the node that did the work ends the block.
    await cluster.submit('remove-persistent-task', { id: jobTaskId(id), allocationId }).catch(() => undefined);
  failure ??= await toldFailure({ cluster, coordinator }, taskId);
  if (failure === null) return;
  const { reason, status } = failure as WorkFailure;
  throw errors.status(reason, { status });
}

/**
 * Asks the nodes that do such work for the failure of work whose block is gone: another request may have ended the
 * block in the state after the one that told of the failure, and a node that is behind sees the last one alone.
 */
async function toldFailure({ cluster, coordinator }: AskedDoors, taskId: string): Promise<WorkFailure | null> {
  const masters = [...cluster.state().nodes.values()].filter(({ roles }) => roles.includes(ROLE));
  const ids = masters.map(({ id }) => id);
  const answers = await coordinator.callNodes(ids, 'ml-job-work-failure', { taskId }, { timeoutMs: ASK_MS });
  // A node of an earlier version does not know the call.
  for (const { error, body } of answers) if (error === null && body !== null) return body as WorkFailure;
  return null;
}

/**
 * Waits until no node writes results of a job any more. A forced close takes the task away at once, while a bulk of
 * results is under way: behind the deletion it would be among the results of a later job of the same id. A node that
 * has left the cluster is not waited for.
 */
async function awaitWriters({ cluster, coordinator }: AskedDoors, id: string): Promise<void> {
  const nodes = [...cluster.state().nodes.values()].filter(({ roles }) => roles.includes(ML_ROLE));
  const ids = nodes.map((node) => node.id);
  for (const { error } of await coordinator.callNodes(ids, 'ml-job-ended', { id }, { timeoutMs: ENDED_MS })) {
    // A node of an earlier version does not know the call.
    if (error !== null && error.reason?.startsWith('unknown call') !== true) throw error;
  }
}

/** Does the work at blocked jobs that the master assigns to this node. */
export class BlockedJobExecutor {
  readonly #doors: MlDoors;
  readonly #work: Readonly<Record<BlockReason, DoJobWork>>;
  readonly running = new Map<string, JobWork>();
  /** Why work failed, by the task that asked for it; the oldest first. */
  readonly #failures = new Map<string, WorkFailure>();

  /** Answers calls of other nodes, and of this one. */
  readonly calls = {
    'ml-job-work-failure': (body: unknown): WorkFailure | null =>
      this.#failures.get((body as { taskId: string }).taskId) ?? null,
  };

  constructor(doors: MlDoors, work: Readonly<Record<BlockReason, DoJobWork>>) {
    this.#doors = doors;
    this.#work = work;
  }

  async run(taskId: string, task: PersistentTask, signal: AbortSignal): Promise<void> {
    const work = task.params as unknown as JobWork;
    const { allocationId } = task;
    this.running.set(work.id, work);
    try {
      const error = await this.#tried(taskId, work, allocationId, signal);
      if (error !== null) {
        const { status, reason } = toApiError(error);
        const failed = { state: 'failed', reason: reason ?? 'unknown', status };
        this.#remember(work.taskId, failed);
        const isHeard = await this.#told(signal, () =>
          this.#doors.cluster.submit('update-persistent-task', { id: taskId, allocationId, status: failed }),
        );
        // Another node does the work then, and it may go well there.
        if (!isHeard) this.#failures.delete(work.taskId);
        await pause(this.#doors.clock, FAILURE_KEPT_MS, signal);
      }
      await this.#told(signal, () =>
        this.#doors.cluster.submit('remove-persistent-task', { id: taskId, allocationId }),
      );
    } finally {
      if (this.running.get(work.id) === work) this.running.delete(work.id);
    }
  }

  #remember(taskId: string, { reason, status }: WorkFailure): void {
    this.#failures.set(taskId, { reason, status });
    for (const oldest of this.#failures.keys()) {
      if (this.#failures.size <= FAILURES_MAX) break;
      this.#failures.delete(oldest);
    }
  }

  /** Does the work, again and again while that may help. Returns why it cannot be done; null if it is done or lost. */
  async #tried(taskId: string, work: JobWork, allocationId: number, signal: AbortSignal): Promise<unknown> {
    const { clock, log } = this.#doors;
    const untilMs = clock.monotonic() + GIVE_UP_MS;
    for await (const attempt of attempts(clock, BACKOFF, signal)) {
      try {
        await awaitWriters(this.#doors, work.id);
        await this.#work[work.reason](work, allocationId, signal);
        return null;
      } catch (error) {
        // At a conflict a later assignment has written, whose node does the work, or a write that was under way.
        if (signal.aborted || (isVersionConflict(error) && !this.#isOwn(taskId, allocationId))) return null;
        log.write('warn', `a job cannot be changed: ${work.reason}`, { 'ml.job': work.id, attempt, error });
        if (!(isPassing(error) || isVersionConflict(error)) || clock.monotonic() > untilMs) return error;
      }
    }
    return null;
  }

  /** Whether this node has the task still: a conflict is then one of writes, not with a later assignment. */
  #isOwn(taskId: string, allocationId: number): boolean {
    return ownPersistentTask(this.#doors.cluster.state(), taskId)?.allocationId === allocationId;
  }

  /**
   * Tells the master, again and again until it has heard or the signal aborts: nothing else ends the block of the job.
   * A task that is gone, or that has a later assignment, needs no more to be told. Returns whether it has heard.
   */
  async #told(signal: AbortSignal, tell: () => Promise<unknown>): Promise<boolean> {
    const { clock, log } = this.#doors;
    for await (const attempt of attempts(clock, BACKOFF, signal)) {
      try {
        await tell();
        return true;
      } catch (error) {
        if (isApiError(error) && error.status === 404 && error.type === 'resource_not_found_exception') return false;
        log.write('warn', 'the end of work at a job is not known to the master', { attempt, error });
      }
    }
    return false;
  }
}

/** Whether an error goes away by itself: shards or nodes that are not there yet. */
const isPassing = (error: unknown): boolean => isApiError(error) && (error.status >= 500 || error.status === 429);
