import type { Clock } from '@shoal/doors';
import { type ApiError, toApiError } from '@shoal/errors';
import type { Proposal } from '@shoal/consensus';
import type { ClusterState } from '@shoal/state';
import type { AcknowledgementWaits } from './acknowledgement-waits.js';
import { digestOf } from './candidate-state.js';
import type { CoordinationStatistics } from './coordination-statistics.js';
import type { MasterQueue, QueuedTask } from './master-queue.js';
import { type ProposalInput, type ProposalRequest, proposeNext, type RunTasks } from './propose-next.js';
import type { Publishing } from './publishing.js';
import type { StateWaiters } from './state-waiters.js';

/** A proposal on its way, with the tasks that it answers. */
interface InFlight {
  readonly startedAt: number;
  readonly version: number;
  readonly tasks: RunTasks;
  /** Only primaries were brought back with it: the rest of allocation is a batch of its own. */
  readonly placesLater: boolean;
}

/** What proposals are made of, and where they go. */
export interface ProposalsOptions {
  readonly clock: Clock;
  readonly queue: MasterQueue;
  readonly publishing: Publishing;
  readonly acknowledgements: AcknowledgementWaits;
  readonly waiters: StateWaiters;
  readonly statistics: CoordinationStatistics['updates'];
  /** The committed state that was applied last. */
  readonly applied: () => ClusterState;
  /** All else that the next state is computed from. */
  readonly input: () => Omit<ProposalInput, 'request' | 'base' | 'batch'>;
  /** Hands a proposal to the consensus state machine. */
  readonly propose: (proposal: Proposal) => void;
  /** Queues the batch that places what the membership change left unassigned. */
  readonly reroute: () => void;
}

/**
 * The elected master's proposals, one at a time: each takes the batch of tasks that waits, and answers these tasks once
 * the state is committed and applied (I11).
 */
export class Proposals {
  readonly #options: ProposalsOptions;
  /** The consensus state machine is idle and has asked for a proposal; null on nodes that are not the master. */
  #request: ProposalRequest | null = null;
  #inFlight: InFlight | null = null;

  constructor(options: ProposalsOptions) {
    this.#options = options;
  }

  /** The consensus state machine asks for the next state. */
  request(request: ProposalRequest): void {
    this.#request = request;
    this.soon();
  }

  /** This node is not the master any more. A proposal on its way is answered by `fail` or `applied`. */
  stop(): void {
    this.#request = null;
  }

  /** Proposes in a later turn, so that tasks that arrive together make one publication. */
  soon(): void {
    if (this.#request === null) return;
    void Promise.resolve().then(() => this.#propose());
  }

  /** The state was applied here: answers the tasks of the proposal that it is, or that it contains. */
  applied(state: ClusterState): void {
    if (!this.#inFlight || this.#inFlight.version > state.version) return;
    const { tasks, version, placesLater, startedAt } = this.#inFlight;
    const { clock, statistics, queue, reroute } = this.#options;
    this.#inFlight = null;
    statistics.success++;
    statistics.publishMs += clock.monotonic() - startedAt;
    queue.done();
    this.#answer(tasks, version);
    if (placesLater) reroute();
  }

  /** Rejects the tasks of the proposal on its way: all of them, or those of `version` only. */
  fail(error: ApiError, version = this.#inFlight?.version): void {
    if (this.#inFlight === null || this.#inFlight.version !== version) return;
    const { tasks } = this.#inFlight;
    this.#inFlight = null;
    this.#options.statistics.failure++;
    this.#options.queue.done();
    for (const { reject } of tasks.batch) reject(error);
  }

  #propose(): void {
    const request = this.#request;
    if (request === null || this.#inFlight !== null) return;
    const { clock, queue, publishing, statistics, input, propose } = this.#options;
    const base = publishing.accepted;
    if (base.version !== request.version) return;
    const batch = queue.isEmpty ? [] : queue.take();
    const startedAt = clock.monotonic();
    const { state, config, exclusions, tasks } = proposeNext({ ...input(), request, base, batch });
    const computedAt = clock.monotonic();
    statistics.computeMs += computedAt - startedAt;
    if (state === base) return this.#answerUnchanged(request, tasks);
    this.#request = null;
    const { nodes, version, stateUuid, clusterUuid } = state;
    const placesLater = request.elected || request.leaves.length > 0;
    this.#inFlight = { startedAt: computedAt, version, tasks, placesLater };
    publishing.propose(state);
    const digest = digestOf(state, base);
    propose({ version, stateUuid, digest, nodes: [...nodes.keys()], config, exclusions, clusterUuid });
  }

  /** Tasks that change nothing are answered on the state as it is; the leader stays idle. */
  #answerUnchanged(request: ProposalRequest, tasks: RunTasks): void {
    const { queue, statistics, applied } = this.#options;
    this.#request = { ...request, elected: false, joins: [], leaves: [], config: null };
    statistics.unchanged++;
    queue.done();
    this.#answer(tasks, applied().version);
    if (!queue.isEmpty) this.soon();
  }

  #answer({ batch, outcomes }: RunTasks, version: number): void {
    batch.forEach((queued, i) => {
      const outcome = outcomes[i]!;
      if (!('answer' in outcome)) queued.reject(outcome);
      else this.#answerOne(queued, outcome, version).catch((error: unknown) => queued.reject(toApiError(error)));
    });
  }

  /** Resolves once all nodes have applied the state, or with `acknowledged: false` if the time passes before. */
  async #answerOne(
    queued: QueuedTask,
    outcome: Extract<RunTasks['outcomes'][number], { answer: unknown }>,
    version: number,
  ): Promise<void> {
    const { clock, acknowledgements, waiters, applied } = this.#options;
    const startedAt = clock.monotonic();
    const isAcknowledged = await acknowledgements.wait(applied(), version, queued.ackTimeoutMs);
    const leftMs = Math.max(0, queued.ackTimeoutMs - (clock.monotonic() - startedAt));
    const isMet = outcome.until ? await waiters.wait(applied(), outcome.until, leftMs) : true;
    const answer = isMet ? outcome.answer : (outcome.answerUnmet ?? outcome.answer);
    queued.resolve(isAcknowledged ? answer : unacknowledged(answer));
  }
}

function unacknowledged(answer: unknown): unknown {
  const isFlagged = typeof answer === 'object' && answer !== null && 'acknowledged' in answer;
  return isFlagged ? { ...answer, acknowledged: false } : answer;
}
