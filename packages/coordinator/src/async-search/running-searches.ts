import { errors } from '@shoal/errors';
import type { TimerHandle } from '@shoal/doors';
import { clusterSetting } from '@shoal/state';
import { parseByteSize } from '@shoal/values';
import { ownerOf } from '../access.js';
import type { CallContext, JsonAnswer } from '../call.js';
import type { CoordinatorContext } from '../context.js';
import type { SearchRequest } from '../search/parse/search-request.js';
import type { StartedTask } from '../tasks/task-registry.js';
import { type AsyncOutcome, type AsyncState, failedOutcome } from './async-search-answer.js';
import type { AsyncSubmit, RunningQuestion } from './async-search-request.js';
import type { AsyncSearchStore, StoredSearch } from './async-search-store.js';

/** Asynchronous searches that run on a node at once; more are refused. */
const RUNNING_MAX = 500;
/** Action of their tasks. */
const ACTION = 'indices:data/read/async_search/submit';

/** A search that runs, or has just ended on this node. */
export interface RunningSearch {
  readonly docId: string;
  readonly state: AsyncState;
  readonly isRunning: boolean;
  /** Resolves when the search has ended, at the latest after `ms` or when the signal aborts. */
  waited(ms: number, signal: AbortSignal): Promise<void>;
  /** Keeps the search, and its answer once it is there, in the index. Resolves when the index has what there is now. */
  keep(): Promise<void>;
  cancel(reason: string): void;
}

class Run implements RunningSearch {
  readonly docId: string;
  readonly owner: string | null;
  readonly typedKeys: boolean;
  readonly #context: CoordinatorContext;
  readonly #store: AsyncSearchStore;
  readonly #ending = new AbortController();
  readonly #task: StartedTask;
  readonly #startedAtMs: number;
  readonly #shards: number;
  #expiresAtMs: number;
  #outcome: AsyncOutcome | null = null;
  #ended: Promise<void> = Promise.resolve();
  /** Called when the search ends. */
  readonly #waiters = new Set<() => void>();
  /** Writes of this search to the index, one after the other. */
  #written: Promise<void> = Promise.resolve();
  #isKept = false;
  #isRemoved = false;
  #expiry: TimerHandle | null = null;

  constructor(
    context: CoordinatorContext,
    store: AsyncSearchStore,
    { search, keepAliveMs, description, headers }: AsyncSubmit,
    shards: number,
    call: CallContext,
  ) {
    const { clock, random, tasks } = context;
    this.#context = context;
    this.#store = store;
    this.docId = Buffer.from(random.bytes(16)).toString('base64url');
    this.owner = ownerOf(call.subject) ?? null;
    this.typedKeys = search.typedKeys;
    this.#shards = shards;
    this.#startedAtMs = clock.now();
    this.#expiresAtMs = this.#startedAtMs + keepAliveMs;
    this.#task = tasks.start({ action: ACTION, description, headers, cancel: (reason) => this.cancel(reason) });
    this.#expireAfter(keepAliveMs);
  }

  get isRunning(): boolean {
    return this.#outcome === null;
  }

  get state(): AsyncState {
    return {
      startedAtMs: this.#startedAtMs,
      expiresAtMs: this.#expiresAtMs,
      shards: this.#shards,
      outcome: this.#outcome,
    };
  }

  /** Runs the search; `done` is called when it has ended and the index has its answer, if that is kept. */
  run(search: (call: CallContext) => Promise<JsonAnswer>, call: CallContext, done: () => void): void {
    const own: CallContext = {
      signal: this.#ending.signal,
      opaqueId: call.opaqueId,
      withType: call.withType,
      subject: call.subject,
      taskId: this.#task.globalId,
    };
    this.#ended = this.#answered(search(own)).then((outcome) => {
      this.#outcome = outcome;
      this.#expiry?.cancel();
      this.#task.end();
    });
    void this.#ended
      .then(() => {
        const written = this.#isKept ? this.#write() : undefined;
        for (const waiter of this.#waiters) waiter();
        return written;
      })
      .finally(done);
  }

  async #answered(search: Promise<JsonAnswer>): Promise<AsyncOutcome> {
    const { clock, apiError } = this.#context;
    try {
      const { status, chunks } = await search;
      return { kind: 'response', status, chunks, completedAtMs: clock.now() };
    } catch (error) {
      return failedOutcome(apiError(error));
    }
  }

  async waited(ms: number, signal: AbortSignal): Promise<void> {
    if (this.isRunning && ms > 0) await this.#endOr(ms, signal);
    // Where the answer is kept, callers go on when the index has it: they read it there.
    if (!this.isRunning) await this.#written;
  }

  /** Resolves at the end of the search, after `ms`, or when the signal aborts. Nothing of the wait is left then. */
  async #endOr(ms: number, signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const done = (): void => {
        timer.cancel();
        signal.removeEventListener('abort', done);
        this.#waiters.delete(done);
        resolve();
      };
      const timer = this.#context.clock.after(ms, done);
      signal.addEventListener('abort', done);
      this.#waiters.add(done);
    });
  }

  /** Replaces an answer that is too large to be kept by its error. */
  #limitSize(): void {
    if (this.#outcome?.kind !== 'response') return;
    const setting = clusterSetting(this.#context.cluster.state(), 'search.max_async_search_response_size');
    const bytesMax = parseByteSize(String(setting), 'search.max_async_search_response_size');
    const bytes = this.#outcome.chunks.reduce((sum, { length }) => sum + length, 0);
    if (bytes <= bytesMax) return;
    const error = errors.illegalArgument(
      `Can't store an async search response larger than [${bytesMax}] bytes. This limit can be set by changing the ` +
        '[search.max_async_search_response_size] setting.',
    );
    this.#outcome = failedOutcome(error);
  }

  async keep(): Promise<void> {
    this.#isKept = true;
    await this.#write();
  }

  #write(): Promise<void> {
    if (this.#isRemoved) return this.#written;
    this.#limitSize();
    const { log } = this.#context;
    const { owner, typedKeys, state } = this;
    this.#written = this.#written
      .then(() => (this.#isRemoved ? undefined : this.#store.put(this.docId, { state, owner, typedKeys })))
      .catch((error: unknown) =>
        log.write('warn', 'an asynchronous search could not be stored', { 'search.id': this.docId, error }),
      );
    return this.#written;
  }

  async prolong(keepAliveMs: number): Promise<void> {
    this.#expiresAtMs = this.#context.clock.now() + keepAliveMs;
    if (this.isRunning) this.#expireAfter(keepAliveMs);
    await this.#write();
  }

  #expireAfter(ms: number): void {
    this.#expiry?.cancel();
    this.#expiry = this.#context.clock.after(ms, () => this.cancel('the time to live of the search is over'));
  }

  /** Cancels the search. Once this resolves, nothing of it is written any more. */
  async remove(): Promise<void> {
    this.#isRemoved = true;
    this.cancel('the search was deleted');
    await this.#written;
  }

  cancel(reason: string): void {
    this.#ending.abort(new Error(reason));
  }
}

/** The asynchronous searches that run on this node. */
export class RunningSearches {
  readonly #context: CoordinatorContext;
  readonly #store: AsyncSearchStore;
  readonly #search: (request: SearchRequest, call: CallContext) => Promise<JsonAnswer>;
  readonly #runs = new Map<string, Run>();

  constructor(
    context: CoordinatorContext,
    store: AsyncSearchStore,
    search: (request: SearchRequest, call: CallContext) => Promise<JsonAnswer>,
  ) {
    this.#context = context;
    this.#store = store;
    this.#search = search;
  }

  start(submitted: AsyncSubmit, shards: number, call: CallContext): RunningSearch {
    if (this.#runs.size >= RUNNING_MAX)
      throw errors.rejectedExecution(`[${RUNNING_MAX}] asynchronous searches run on this node`);
    const run = new Run(this.#context, this.#store, submitted, shards, call);
    this.#runs.set(run.docId, run);
    run.run(
      (own) => this.#search(submitted.search, own),
      call,
      () => void this.#runs.delete(run.docId),
    );
    return run;
  }

  /** Answers about a search that runs here; null if it does not, or is another user's. */
  async answer(asked: RunningQuestion, signal: AbortSignal): Promise<StoredSearch | null> {
    const { docId, waitMs, keepAliveMs, isRemoved, isAnyOwner } = asked;
    const run = this.#runs.get(docId);
    if (run === undefined || (!isAnyOwner && run.owner !== asked.owner)) return null;
    const { typedKeys, owner } = run;
    if (isRemoved) {
      await run.remove();
      return { state: run.state, owner, typedKeys };
    }
    if (keepAliveMs !== null) await run.prolong(keepAliveMs);
    await run.waited(waitMs, signal);
    return run.isRunning ? { state: run.state, owner, typedKeys } : null;
  }

  close(): void {
    for (const run of this.#runs.values()) run.cancel('the node is stopping');
  }
}
