import { type Clock, type Random, newUuid } from '@shoal/doors';
import { coordination } from '@shoal/protocol';
import { errors, isApiError, toApiError } from '@shoal/errors';
import { decodeJson } from '@shoal/json';
import type { ClusterState } from '@shoal/state';
import type { PendingTask, SubmitOptions } from '../service.js';
import type { IndexMappings } from '../metadata/index-mappings.js';
import { TASKS } from '../tasks/catalogue.js';
import type { Task } from '../tasks/task.js';
import type { ControlPeers } from './control-peers.js';
import type { KnownLeader } from './known-leader.js';
import type { MasterQueue } from './master-queue.js';

const RETRY_MS = 100;
/** Milliseconds that the preparation of a task may use the thread at a time. */
const PREPARE_TURN_MS = 8;
const ACK_TIMEOUT_MS = 30_000;
const MASTER_TIMEOUT_MS = 30_000;
/** A task on a link may take the time of its queue and of its acknowledgements, and this for the link. */
const LINK_MARGIN_MS = 5_000;
const NO_BODY = new Uint8Array(0);

/** Errors after which a task is tried again, possibly at another master: it did not run, or may run again. */
const MASTER_CHANGES: ReadonlySet<string> = new Set([
  'not_master_exception',
  'failed_to_commit_cluster_state_exception',
  'node_not_connected_exception',
  'node_disconnected_exception',
  'node_closed_exception',
]);

/** Where tasks are run. */
export interface SubmitTasksOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly localNodeId: string;
  readonly leader: KnownLeader;
  readonly peers: ControlPeers;
  readonly queue: MasterQueue;
  /** The last applied state, and the mappings service of the master, for what tasks prepare. */
  readonly state: () => ClusterState;
  readonly mappings: IndexMappings;
}

/** Runs tasks on the elected master, wherever it is, and again if the master changes. */
export class SubmitTasks {
  readonly #options: SubmitTasksOptions;
  #isClosed = false;

  constructor(options: SubmitTasksOptions) {
    this.#options = options;
  }

  /** Runs a task on the elected master, waiting for one where there is none. */
  async submit(task: string, body: unknown, options: SubmitOptions): Promise<unknown> {
    const { clock, leader, localNodeId } = this.#options;
    const deadline = clock.monotonic() + (options.masterTimeoutMs ?? MASTER_TIMEOUT_MS);
    const keyed = this.#withKey(task, body);
    for (;;) {
      const leaderId = await leader.before(deadline);
      try {
        return await (leaderId === localNodeId
          ? this.runHere(task, keyed, options)
          : this.#runAt(leaderId, task, keyed, options));
      } catch (error) {
        if (!isApiError(error) || !MASTER_CHANGES.has(error.type)) throw error;
        if (clock.monotonic() >= deadline || this.#isClosed)
          throw errors.masterNotDiscovered(null, { cause: toApiError(error) });
        await new Promise<void>((resolve) => void clock.after(RETRY_MS, resolve));
      }
    }
  }

  /** Queues a task on this node. Rejects with `not_master_exception` if this node is not the elected master. */
  runHere(name: string, body: unknown, options: SubmitOptions): Promise<unknown> {
    const task = TASKS.get(name);
    if (!task) return Promise.reject(errors.illegalArgument(`unknown cluster task [${name}]`));
    const steps = this.#options.leader.isHere
      ? task.prepare?.(this.#options.state(), body, this.#options.mappings)
      : null;
    if (!steps) return this.#enqueue(task, body, options);
    return this.#inTurns(steps).then(() => this.#enqueue(task, body, options));
  }

  /** Runs steps, and lets others run after each turn. A step that fails ends them: the task fails in the same way. */
  async #inTurns(steps: Iterable<void>): Promise<void> {
    const { clock } = this.#options;
    let turnEnds = clock.monotonic() + PREPARE_TURN_MS;
    try {
      for (const _ of steps) {
        if (clock.monotonic() < turnEnds) continue;
        await new Promise<void>((resolve) => void clock.after(0, resolve));
        turnEnds = clock.monotonic() + PREPARE_TURN_MS;
      }
    } catch (error) {
      if (!isApiError(error)) throw error;
    }
  }

  #enqueue(task: Task, body: unknown, options: SubmitOptions): Promise<unknown> {
    const { leader, queue } = this.#options;
    if (!leader.isHere || this.#isClosed) return Promise.reject(errors.notMaster('no longer the elected master'));
    return queue.add(task, body, {
      ackTimeoutMs: options.timeoutMs ?? ACK_TIMEOUT_MS,
      queueTimeoutMs: options.masterTimeoutMs ?? MASTER_TIMEOUT_MS,
    });
  }

  /** The tasks that the elected master has still to do; none if it is unknown or does not answer. */
  async pending(): Promise<readonly PendingTask[]> {
    const { leader, queue, peers } = this.#options;
    if (leader.isHere) return queue.pending();
    if (leader.id === null) return [];
    const answer = await peers
      .request(leader.id, coordination.methods.pending.action, NO_BODY, LINK_MARGIN_MS)
      .catch(() => null);
    return answer === null ? [] : (decodeJson(answer) as PendingTask[]);
  }

  /** No task is taken or tried again from here on. */
  close(): void {
    this.#isClosed = true;
  }

  /**
   * Adds the uuid of what the task makes, if the task cannot be done twice. Story: n1 commits the index and dies before
   * its answer; n2 gets the task again and finds by the uuid that the index is this one.
   */
  #withKey(task: string, body: unknown): unknown {
    return TASKS.get(task)?.createdBefore ? { ...(body as object), newIndexUuid: newUuid(this.#options.random) } : body;
  }

  async #runAt(leaderId: string, task: string, body: unknown, options: SubmitOptions): Promise<unknown> {
    const { action, encodeRequest } = coordination.methods.task;
    const payload = encodeRequest({ task, body, options });
    const waitMs =
      (options.timeoutMs ?? ACK_TIMEOUT_MS) + (options.masterTimeoutMs ?? MASTER_TIMEOUT_MS) + LINK_MARGIN_MS;
    const answer = await this.#options.peers.request(leaderId, action, payload, waitMs);
    return decodeJson(answer);
  }
}
