import type { ClusterService } from '@shoal/cluster';
import { attempts, type Backoff, type Clock, type Log } from '@shoal/doors';
import { type ClusterState, type PersistentTask, persistentTasks } from '@shoal/state';

/** The code that does tasks of one type on this node. */
export interface TaskExecutor {
  /**
   * Does a task until it is complete or the signal ends it; then resolves. What it completes or fails it tells the
   * master itself. If it rejects, it is called again after a pause.
   */
  run(id: string, task: PersistentTask, signal: AbortSignal): Promise<void>;
}

interface RunningTask {
  readonly allocationId: number;
  readonly end: AbortController;
  readonly done: Promise<void>;
}

/** How long the runner waits for a state that changes its tasks before it looks again, in milliseconds. */
const LOOK_MS = 60_000;
/** Pauses after which a task is done again that ended with an error. */
const BACKOFF: Backoff = { firstMs: 200, mostMs: 60_000 };

/** Does the persistent tasks that the master assigns to this node: starts new ones, ends those that are gone. */
export class TaskRunner {
  readonly #cluster: ClusterService;
  readonly #nodeId: string;
  readonly #executors: Readonly<Record<string, TaskExecutor>>;
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #running = new Map<string, RunningTask>();
  #isClosed = false;

  constructor(
    cluster: ClusterService,
    nodeId: string,
    executors: Readonly<Record<string, TaskExecutor>>,
    { clock, log }: { readonly clock: Clock; readonly log: Log },
  ) {
    this.#cluster = cluster;
    this.#clock = clock;
    this.#nodeId = nodeId;
    this.#executors = executors;
    this.#log = log;
  }

  /** Follows the cluster state until `close`. */
  async follow(): Promise<void> {
    while (!this.#isClosed) {
      const state = this.#cluster.state();
      this.#reconcile(state);
      const known = state.customs.get('persistentTasks');
      const isNews = (next: ClusterState): boolean =>
        this.#isClosed || next.customs.get('persistentTasks') !== known || next.masterNodeId !== state.masterNodeId;
      await this.#cluster.waitFor(isNews, LOOK_MS).catch(() => false);
    }
  }

  #reconcile(state: ClusterState): void {
    // Without a master the last state may be old: what runs goes on, nothing new begins.
    if (state.masterNodeId === null) return;
    const tasks = persistentTasks(state);
    for (const [id, running] of this.#running) {
      const task = Object.hasOwn(tasks, id) ? tasks[id]! : null;
      if (task?.node !== this.#nodeId || task.allocationId !== running.allocationId) this.#end(id, running);
    }
    for (const [id, task] of Object.entries(tasks))
      if (task.node === this.#nodeId && !this.#running.has(id) && task.status?.['state'] !== 'failed')
        this.#start(id, task);
  }

  #start(id: string, task: PersistentTask): void {
    const executor = this.#executors[task.type];
    if (executor === undefined) {
      this.#log.write('warn', 'a task of a type that this version does not know', { 'task.id': id, type: task.type });
      return;
    }
    const end = new AbortController();
    const done = this.#untilDone(executor, id, task, end.signal).finally(() => {
      if (this.#running.get(id)?.end === end && end.signal.aborted) this.#running.delete(id);
    });
    this.#running.set(id, { allocationId: task.allocationId, end, done });
  }

  /**
   * Does a task, and does it again while it ends with an error. Example: n1 restarts and gets a datafeed before the
   * shard with its configuration is there. The master knows the task as that of n1: nobody else would ever do it.
   */
  async #untilDone(executor: TaskExecutor, id: string, task: PersistentTask, signal: AbortSignal): Promise<void> {
    for await (const attempt of attempts(this.#clock, BACKOFF, signal)) {
      try {
        return await executor.run(id, task, signal);
      } catch (error) {
        this.#log.write('warn', 'a task ended with an error, and is done again', { 'task.id': id, attempt, error });
      }
    }
  }

  /** A task that was ended may come again: it starts when this run has left. */
  #end(id: string, running: RunningTask): void {
    running.end.abort();
    void running.done.then(() => {
      if (this.#running.get(id) === running) this.#running.delete(id);
      if (!this.#isClosed) this.#reconcile(this.#cluster.state());
    });
  }

  /** Ends all tasks of the node, and resolves when they have ended. The master gives them to another node. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { end } of this.#running.values()) end.abort();
    await Promise.all([...this.#running.values()].map(({ done }) => done));
  }
}
