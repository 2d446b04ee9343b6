import { isApiError } from '@shoal/errors';
import { isLargeJson, ownProperty, readSource, readSourceInTurns, stringify, stringifyInTurns } from '@shoal/json';
import { EVERYBODY } from '@shoal/security';
import { nameIndex } from '@shoal/state';
import { plainWrite } from '../bulk/plain-write.js';
import type { WriteOp } from '../bulk/write-request.js';
import type { CallContext } from '../call.js';
import type { CoordinatorContext } from '../context.js';
import { deleteRequest } from '../by-query/delete-request.js';
import { startByQuery } from '../by-query/run-by-query.js';
import { get } from '../get/get.js';
import { plainGet } from '../get/plain-get.js';
import { write } from '../bulk/write.js';
import type { AsyncOutcome, AsyncState } from './async-search-answer.js';

/** The index of asynchronous searches that outlive the call that began them. */
const INDEX = '.async-search';
const TIMEOUT_MS = 30_000;
const CONFLICTS_MAX = 5;
/** Milliseconds between deletes of expired searches by one node. */
const CLEANUP_INTERVAL_MS = 3_600_000;

const BODY = {
  settings: {
    index: { number_of_shards: '1', auto_expand_replicas: '0-1', hidden: 'true' },
  },
  mappings: {
    dynamic: 'false',
    _meta: { version: '8.12.0' },
    properties: { expiration_time: { type: 'long' } },
  },
};

/** A search as the index has it. */
export interface StoredSearch {
  readonly state: AsyncState;
  /** Who may read it; null if security was off. */
  readonly owner: string | null;
  readonly typedKeys: boolean;
}

const own = (): CallContext => ({
  signal: new AbortController().signal,
  opaqueId: null,
  withType: false,
  subject: EVERYBODY,
});

/** Keeps asynchronous searches in a hidden index, so that every node can tell them. */
export class AsyncSearchStore {
  readonly #context: CoordinatorContext;
  #cleanedAtMs = Number.NEGATIVE_INFINITY;

  constructor(context: CoordinatorContext) {
    this.#context = context;
  }

  /** Writes a search over what the index has of it. Throws what the write throws. */
  async put(docId: string, { state, owner, typedKeys }: StoredSearch): Promise<void> {
    await this.#makeIndex();
    const { startedAtMs, expiresAtMs, shards, outcome } = state;
    const members = {
      expiration_time: expiresAtMs,
      start_time: startedAtMs,
      owner,
      typed_keys: typedKeys,
      shards,
      ...(outcome === null ? {} : { status: outcome.status }),
      ...(outcome?.kind === 'response' ? { completion_time: outcome.completedAtMs } : {}),
      ...(outcome?.kind === 'error' ? { error: outcome.error } : {}),
    };
    const response =
      outcome?.kind === 'response' ? [Buffer.from(',"response":'), ...outcome.chunks] : [Buffer.alloc(0)];
    const source = Buffer.concat([Buffer.from(stringify(members).slice(0, -1)), ...response, Buffer.from('}')]);
    await this.#write('index', docId, source);
    this.#cleanUp();
  }

  /** Moves the end of a search's time. */
  async prolong(docId: string, expiresAtMs: number): Promise<void> {
    await this.#write('update', docId, Buffer.from(stringify({ doc: { expiration_time: expiresAtMs } })));
  }

  async remove(docId: string): Promise<void> {
    if (this.#exists()) await this.#write('delete', docId, new Uint8Array(0));
  }

  /** Returns a search; null if the index does not have it. */
  async find(docId: string): Promise<StoredSearch | null> {
    if (!this.#exists()) return null;
    const { chunks } = await get(this.#context, plainGet(INDEX, docId), own());
    const bytes = Buffer.concat(chunks);
    const turn = (): Promise<void> => this.#context.clock.yield();
    const read = isLargeJson(bytes) ? await readSourceInTurns(bytes, turn) : readSource(bytes);
    const { _source: source } = read as { readonly _source?: Record<string, unknown> };
    return source === undefined ? null : await storedSearch(source, turn);
  }

  #exists(): boolean {
    return nameIndex(this.#context.cluster.state()).has(INDEX);
  }

  async #write(op: WriteOp, docId: string, source: Uint8Array): Promise<void> {
    const options = { refresh: 'none', timeoutMs: TIMEOUT_MS, waitForActiveShards: null } as const;
    const operation = { ...plainWrite(op, INDEX, docId, source), retryOnConflict: op === 'update' ? CONFLICTS_MAX : 0 };
    await write(this.#context, { operation, ...options }, own());
  }

  async #makeIndex(): Promise<void> {
    if (this.#exists()) return;
    try {
      await this.#context.cluster.submit('create-index', { name: INDEX, body: BODY });
    } catch (error) {
      if (!isApiError(error) || error.type !== 'resource_already_exists_exception') throw error;
    }
  }

  /** Deletes what has expired, now and then: behind the call that added something. */
  #cleanUp(): void {
    const { clock, log } = this.#context;
    if (clock.monotonic() - this.#cleanedAtMs < CLEANUP_INTERVAL_MS) return;
    this.#cleanedAtMs = clock.monotonic();
    const expired = deleteRequest(INDEX, { range: { expiration_time: { lt: clock.now() } } });
    startByQuery(this.#context, expired, own()).done.catch((error: unknown) =>
      log.write('warn', 'expired asynchronous searches could not be deleted', { error }),
    );
  }
}

async function storedSearch(source: Record<string, unknown>, turn: () => Promise<void>): Promise<StoredSearch> {
  const number = (name: string): number => Number(ownProperty(source, name) ?? 0);
  const owner = ownProperty(source, 'owner');
  return {
    owner: typeof owner === 'string' ? owner : null,
    typedKeys: ownProperty(source, 'typed_keys') === true,
    state: {
      startedAtMs: number('start_time'),
      expiresAtMs: number('expiration_time'),
      shards: number('shards'),
      outcome: await storedOutcome(source, turn),
    },
  };
}

async function storedOutcome(source: Record<string, unknown>, turn: () => Promise<void>): Promise<AsyncOutcome | null> {
  const status = Number(ownProperty(source, 'status') ?? 0);
  const error = ownProperty(source, 'error');
  if (error !== undefined) return { kind: 'error', status, error };
  const response = ownProperty(source, 'response');
  if (response === undefined) return null;
  const completedAtMs = Number(ownProperty(source, 'completion_time'));
  return { kind: 'response', status, completedAtMs, chunks: await stringifyInTurns(response, turn) };
}
