import type { ClusterService } from '@shoal/cluster';
import { type CallContext, type Coordinator, OwnCalls, plainGet, plainWrite, type WriteOp } from '@shoal/coordinator';
import { errors, isApiError } from '@shoal/errors';
import { type JsonObject, parseSource, stringify } from '@shoal/json';
import { EVERYBODY } from '@shoal/security';
import { nameIndex } from '@shoal/state';
import { ensureIndex } from './ml-indices.js';

const TIMEOUT_MS = 60_000;

const ownCall = (signal: AbortSignal): CallContext => ({ signal, opaqueId: null, withType: false, subject: EVERYBODY });

/** Whether a document was not written because another writer has changed it. */
export const isVersionConflict = (error: unknown): boolean =>
  isApiError(error) && error.type === 'version_conflict_engine_exception';

/** A document with its place in the history of its shard. */
export interface KeptDocument {
  readonly id: string;
  readonly source: JsonObject;
  readonly seqNo: number;
  readonly primaryTerm: number;
}

/** Condition of a write: the document is new, or is still the one that was read; null for none. */
export type WriteCondition = 'new' | Pick<KeptDocument, 'seqNo' | 'primaryTerm'> | null;

/** Documents of machine learning's own indices: read and written as the node itself. */
export class MlDocuments {
  readonly #cluster: ClusterService;
  readonly #coordinator: Coordinator;
  readonly #signal = new AbortController().signal;

  constructor(cluster: ClusterService, coordinator: Coordinator) {
    this.#cluster = cluster;
    this.#coordinator = coordinator;
  }

  /** Searches and bulk writes as the node itself. */
  get calls(): OwnCalls {
    return new OwnCalls(this.#coordinator, EVERYBODY, this.#signal);
  }

  exists(index: string): boolean {
    return nameIndex(this.#cluster.state()).has(index);
  }

  /** Returns a document as it was written last; null if there is none. */
  async get(index: string, id: string): Promise<KeptDocument | null> {
    if (!this.exists(index)) return null;
    const { chunks } = await this.#coordinator.get(plainGet(index, id), ownCall(this.#signal));
    const found = parseSource(Buffer.concat(chunks)) as {
      found: boolean;
      _seq_no: number;
      _primary_term: number;
      _source: JsonObject;
    };
    if (!found.found) return null;
    return { id, source: found._source, seqNo: found._seq_no, primaryTerm: found._primary_term };
  }

  /**
   * Writes a document. `isVisible`: whether searches see it when the promise resolves. Throws
   * version_conflict_engine_exception if the condition does not hold.
   */
  async put(
    index: string,
    id: string,
    source: JsonObject,
    condition: WriteCondition,
    isVisible: boolean,
  ): Promise<KeptDocument> {
    await ensureIndex(this.#cluster, index);
    const body = Buffer.from(stringify(source));
    const answer = await this.#write(condition === 'new' ? 'create' : 'index', index, id, body, condition, isVisible);
    return { id, source, seqNo: answer._seq_no, primaryTerm: answer._primary_term };
  }

  /**
   * Deletes a document; nothing happens if it is not there. `known`: deletes it only as it was read or written; throws
   * version_conflict_engine_exception if it is another.
   */
  async remove(index: string, id: string, isVisible: boolean, known: KeptDocument | null = null): Promise<void> {
    if (!this.exists(index)) return;
    await this.#write('delete', index, id, new Uint8Array(0), known, isVisible);
  }

  /** Deletes the documents of an index or alias that match; none if it is not there. Returns how many they were. */
  async removeMatching(name: string, query: JsonObject): Promise<number> {
    try {
      return await this.calls.deleteMatching(name, query);
    } catch (error) {
      if (isApiError(error) && error.type === 'index_not_found_exception') return 0;
      throw error;
    }
  }

  async #write(
    op: WriteOp,
    index: string,
    id: string,
    source: Uint8Array,
    condition: WriteCondition,
    isVisible: boolean,
  ): Promise<{ _seq_no: number; _primary_term: number }> {
    const answer = await this.#coordinator.write(
      {
        operation: plainWrite(op, index, id, source, condition === 'new' ? null : condition),
        refresh: isVisible ? 'now' : 'none',
        timeoutMs: TIMEOUT_MS,
        waitForActiveShards: null,
      },
      ownCall(this.#signal),
    );
    return parseSource(Buffer.concat(answer.chunks)) as { _seq_no: number; _primary_term: number };
  }

  /** Writes lines of `_bulk`. Throws the error of the first document that was refused. */
  async bulk(index: string, body: Uint8Array): Promise<void> {
    if (body.length === 0) return;
    const options = { routing: null, pipeline: null, requireAlias: null, updateSource: undefined } as const;
    const answer = await this.#coordinator.bulk(
      {
        ...{ body, index, ...options, listsPipelines: false, allowType: false, refresh: 'none' },
        ...{ timeoutMs: TIMEOUT_MS, waitForActiveShards: null, quarantine: false },
      },
      ownCall(this.#signal),
    );
    const { items, errors: hasErrors } = parseSource(Buffer.concat(answer.chunks)) as unknown as BulkAnswer;
    if (!hasErrors) return;
    for (const item of items)
      for (const { error, status } of Object.values(item))
        if (error !== undefined) throw errors.illegalState(`${error.type}: ${error.reason}`, { status });
  }

  /** Makes what was written to indices or aliases visible to searches. */
  async refresh(name: string): Promise<void> {
    const state = this.#cluster.state();
    const found = [...state.indices.values()].filter(
      (index) => index.name === name || Object.hasOwn(index.aliases, name),
    );
    if (found.length > 0) await this.#coordinator.refresh(found);
  }

  /** Searches an index or alias; null if it is not there. */
  async search(name: string, body: JsonObject): Promise<FoundDocuments> {
    try {
      // Without an order of its own a search of configurations would be ranked by scores, which nobody needs.
      const answer = await this.calls.searchPlain([name], { sort: ['_doc'], ...body });
      const hits = answer['hits'] as { total?: { value: number }; hits: RawHit[] };
      return {
        total: hits.total?.value ?? hits.hits.length,
        hits: hits.hits.map(({ _id: id, _source: source }) => ({ id, source })),
        aggregations: (answer['aggregations'] as JsonObject | undefined) ?? {},
      };
    } catch (error) {
      if (isApiError(error) && error.type === 'index_not_found_exception')
        return { total: 0, hits: [], aggregations: {} };
      throw error;
    }
  }
}

/** Documents that a search has found. */
export interface FoundDocuments {
  readonly total: number;
  readonly hits: readonly { readonly id: string; readonly source: JsonObject }[];
  readonly aggregations: JsonObject;
}

interface RawHit {
  readonly _id: string;
  readonly _source: JsonObject;
}

interface BulkAnswer {
  readonly errors: boolean;
  readonly items: readonly Readonly<
    Record<string, { readonly status: number; readonly error?: { readonly type: string; readonly reason: string } }>
  >[];
}
