import { errors } from '@shoal/errors';
import { parseSourceInTurns } from '@shoal/json';
import { searchTargets } from '@shoal/state';
import { ACTIONS, accessOf, ownerOf } from '../access.js';
import type { CallContext, JsonAnswer } from '../call.js';
import type { CoordinatorContext } from '../context.js';
import { callNodes } from '../admin/broadcast.js';
import { parseSearch } from '../search/parse/parse-search.js';
import type { SearchRequest } from '../search/parse/search-request.js';
import { clusterParseContext, search } from '../search/search.js';
import { asyncAnswer, asyncStatus } from './async-search-answer.js';
import { type AsyncSearchId, decodeAsyncSearchId, encodeAsyncSearchId } from './async-search-id.js';
import type { AsyncQuestion, AsyncSubmit, RunningQuestion } from './async-search-request.js';
import { AsyncSearchStore, type StoredSearch } from './async-search-store.js';
import { RunningSearches } from './running-searches.js';

/** Calls about asynchronous searches. */
export interface AsyncSearchCalls {
  submit(submitted: AsyncSubmit, call: CallContext): Promise<JsonAnswer>;
  /** Throws resource_not_found_exception for a search that is unknown, expired, lost, or of another user. */
  get(id: string, question: AsyncQuestion, call: CallContext): Promise<JsonAnswer>;
  /** For everybody who may monitor the cluster, whoever began the search. */
  status(id: string, call: CallContext): Promise<object>;
  /** Cancels a search that runs, and forgets its answer. */
  remove(id: string, call: CallContext): Promise<void>;
  /** Answers other nodes about the searches that run on this one. */
  answer(body: unknown, signal: AbortSignal): Promise<unknown>;
  /** Ends all searches that run on this node. */
  close(): void;
}

/** Name of the call between nodes. */
export const ASYNC_SEARCH_CALL = 'async_search';

type Asked = Omit<RunningQuestion, 'docId' | 'owner'>;

class Calls implements AsyncSearchCalls {
  readonly #context: CoordinatorContext;
  readonly #store: AsyncSearchStore;
  readonly #running: RunningSearches;

  constructor(context: CoordinatorContext) {
    this.#context = context;
    this.#store = new AsyncSearchStore(context);
    this.#running = new RunningSearches(context, this.#store, (request, call) => search(context, request, call));
  }

  async submit(submitted: AsyncSubmit, call: CallContext): Promise<JsonAnswer> {
    const { clock, localNodeId } = this.#context;
    // What no shard could search is refused as in a search: nothing of it is kept.
    parseSearch(submitted.search, clusterParseContext(this.#context));
    const run = this.#running.start(submitted, this.#shardsOf(submitted.search, call), call);
    const leaving = (): void => run.cancel('the client has left');
    call.signal.addEventListener('abort', leaving, { once: true });
    try {
      await run.waited(submitted.waitMs, call.signal);
      if (!run.isRunning && !submitted.keepsOnCompletion) return asyncAnswer(null, run.state, clock.now());
      await run.keep();
      const id = encodeAsyncSearchId({ docId: run.docId, nodeId: localNodeId });
      return asyncAnswer(id, run.state, clock.now());
    } finally {
      call.signal.removeEventListener('abort', leaving);
    }
  }

  /** Number of shards that a search goes to; 0 if its indices cannot be found, which the search itself will tell. */
  #shardsOf({ target }: SearchRequest, call: CallContext): number {
    const { cluster, clock } = this.#context;
    try {
      const access = accessOf(call, ACTIONS.search);
      const targets = searchTargets(cluster.state(), target.names, target.options, null, access, clock.now());
      return targets.reduce((sum, { index }) => sum + index.numberOfShards, 0);
    } catch {
      return 0;
    }
  }

  async get(id: string, question: AsyncQuestion, call: CallContext): Promise<JsonAnswer> {
    const asked = { waitMs: question.waitMs, keepAliveMs: question.keepAliveMs, isRemoved: false, isAnyOwner: false };
    const found = await this.#find(id, asked, call);
    if (question.typedKeys !== null && question.typedKeys !== found.typedKeys)
      throw errors.illegalArgument(
        `[typed_keys] is [${found.typedKeys}] for this search: it is chosen when a search is submitted`,
      );
    return asyncAnswer(id, found.state, this.#context.clock.now());
  }

  async status(id: string, call: CallContext): Promise<object> {
    const asked = { waitMs: 0, keepAliveMs: null, isRemoved: false, isAnyOwner: true };
    const { state } = await this.#find(id, asked, call);
    const { outcome } = state;
    const turn = (): Promise<void> => this.#context.clock.yield();
    const response =
      outcome?.kind === 'response' ? await parseSourceInTurns(Buffer.concat(outcome.chunks), turn) : null;
    return asyncStatus(id, state, (response as { _shards?: unknown } | null)?._shards ?? null);
  }

  async remove(id: string, call: CallContext): Promise<void> {
    const decoded = decodeAsyncSearchId(id);
    const asked = { waitMs: 0, keepAliveMs: null, isRemoved: true, isAnyOwner: false };
    const running = await this.#askNode(decoded, asked, call);
    if (running === null) await this.#stored(id, decoded, asked, call);
    await this.#store.remove(decoded.docId);
  }

  async #find(id: string, asked: Asked, call: CallContext): Promise<StoredSearch> {
    const { keepAliveMs } = asked;
    const decoded = decodeAsyncSearchId(id);
    const running = await this.#askNode(decoded, asked, call);
    if (running !== null) return running;
    const stored = await this.#stored(id, decoded, asked, call);
    if (stored.state.outcome === null)
      throw errors.resourceNotFound(id, {
        cause: errors.illegalState(`the node [${decoded.nodeId}] has ended before the search did; submit it again`),
      });
    if (keepAliveMs === null) return stored;
    const expiresAtMs = this.#context.clock.now() + keepAliveMs;
    await this.#store.prolong(decoded.docId, expiresAtMs);
    return { ...stored, state: { ...stored.state, expiresAtMs } };
  }

  /** Asks the node of a search. Null if the search does not run there: then the index has it. */
  async #askNode({ docId, nodeId }: AsyncSearchId, question: Asked, call: CallContext): Promise<StoredSearch | null> {
    const { cluster, localNodeId } = this.#context;
    const asked: RunningQuestion = { ...question, docId, owner: ownerOf(call.subject) ?? null };
    if (nodeId === localNodeId) return this.#running.answer(asked, call.signal);
    if (!cluster.state().nodes.has(nodeId)) return null;
    const timeoutMs = question.waitMs + NODE_TIMEOUT_MS;
    const options = { timeoutMs, signal: call.signal };
    const [answer] = await callNodes(this.#context, [nodeId], ASYNC_SEARCH_CALL, asked, options);
    // The search may still run there: nobody else knows.
    if (answer!.error) throw answer!.error;
    return answer!.body as StoredSearch | null;
  }

  async #stored(id: string, { docId }: AsyncSearchId, asked: Asked, call: CallContext): Promise<StoredSearch> {
    const stored = await this.#store.find(docId);
    const isGone = stored === null || stored.state.expiresAtMs < this.#context.clock.now();
    if (isGone) throw errors.resourceNotFound(id);
    if (!asked.isAnyOwner && stored.owner !== (ownerOf(call.subject) ?? null)) throw errors.resourceNotFound(id);
    return stored;
  }

  async answer(body: unknown, signal: AbortSignal): Promise<StoredSearch | null> {
    return this.#running.answer(body as RunningQuestion, signal);
  }

  close(): void {
    this.#running.close();
  }
}

/** Milliseconds that another node has for an answer, besides the time that it is asked to wait. */
const NODE_TIMEOUT_MS = 10_000;

/** Makes the calls of a coordinator. */
export function asyncSearchCalls(context: CoordinatorContext): AsyncSearchCalls {
  return new Calls(context);
}
