import type { ClusterService } from '@shoal/cluster';
import { type CallContext, type Coordinator, plainGet, plainWrite, type WriteOperation } from '@shoal/coordinator';
import { errors, isApiError } from '@shoal/errors';
import { parseJson, parseSource, stringify } from '@shoal/json';
import { EVERYBODY } from '@shoal/security';
import { nameIndex } from '@shoal/state';
import { freshProgress, type TransformProgress } from './transform-progress.js';

/** The hidden index of what transforms have reached. */
export const INTERNAL_INDEX = '.transform-internal-007';
const TIMEOUT_MS = 30_000;
/** How long the copies of a new index are waited for. */
export const COPIES_TIMEOUT_MS = 10_000;

const BODY = {
  mappings: { dynamic: false, properties: { id: { type: 'keyword' }, doc_type: { type: 'keyword' } } },
  settings: { index: { number_of_shards: '1', auto_expand_replicas: '0-1', hidden: 'true' } },
};

const idOf = (id: string): string => `data_frame_transform_state_and_stats-${id}`;
const call = (): CallContext => ({
  signal: new AbortController().signal,
  opaqueId: null,
  withType: false,
  subject: EVERYBODY,
});

/** A progress as it was read or written last. */
export interface StoredProgress {
  readonly progress: TransformProgress;
  readonly seqNo: number | null;
  readonly primaryTerm: number | null;
  /** Assignment of the transform that wrote it. */
  readonly allocationId: number;
}

/**
 * Keeps the progress of transforms in documents. A write names the document that it replaces. Example: n1 does a
 * transform and is cut off; n2 gets it, claims the document and goes on from what n1 wrote. Later writes of n1 are
 * refused, so that n1 ends and never moves the place of n2 back, nor makes a write of n2 fail.
 */
export class ProgressStore {
  readonly #cluster: ClusterService;
  readonly #coordinator: Coordinator;

  constructor(cluster: ClusterService, coordinator: Coordinator) {
    this.#cluster = cluster;
    this.#coordinator = coordinator;
  }

  #exists(): boolean {
    return nameIndex(this.#cluster.state()).has(INTERNAL_INDEX);
  }

  /** Returns the progress of a transform; null if it never began. */
  async load(id: string): Promise<StoredProgress | null> {
    if (!this.#exists()) return null;
    const { chunks } = await this.#coordinator.get(plainGet(INTERNAL_INDEX, idOf(id)), call());
    const found = parseSource(Buffer.concat(chunks)) as {
      found: boolean;
      _seq_no: number;
      _primary_term: number;
      _source: { progress: TransformProgress; allocationId: number };
    };
    if (!found.found) return null;
    const { progress, allocationId } = found._source;
    return { progress, allocationId, seqNo: found._seq_no, primaryTerm: found._primary_term };
  }

  /**
   * Returns the progress of a transform, a fresh one if it never began, and makes an assignment its only writer. Throws
   * version_conflict_engine_exception if a later assignment has it, or if another one writes at the same time.
   */
  async claim(id: string, allocationId: number): Promise<StoredProgress> {
    const found = await this.load(id);
    if (found !== null && found.allocationId > allocationId)
      throw errors.versionConflict(
        `[${idOf(id)}]: assignment [${allocationId}] is older than the writer [${found.allocationId}]`,
      );
    const nothing = { progress: freshProgress(), seqNo: null, primaryTerm: null };
    return await this.save(id, { ...(found ?? nothing), allocationId });
  }

  /**
   * Writes a progress over the one that was read. Throws version_conflict_engine_exception if another assignment has
   * written since.
   */
  async save(id: string, stored: StoredProgress): Promise<StoredProgress> {
    await this.prepare();
    try {
      return await this.#write(id, stored);
    } catch (error) {
      if (!isApiError(error) || error.status !== 409) throw error;
      // The answer of an earlier write of this assignment may have been lost on its way.
      const found = await this.load(id);
      if (found?.allocationId !== stored.allocationId) throw error;
      return await this.#write(id, { ...stored, seqNo: found.seqNo, primaryTerm: found.primaryTerm });
    }
  }

  async #write(id: string, stored: StoredProgress): Promise<StoredProgress> {
    const { progress, allocationId } = stored;
    const source = { id, doc_type: 'transform_state_and_stats', allocationId, progress };
    const answer = await this.#coordinator.write(
      {
        operation: operation(stored.seqNo === null ? 'create' : 'index', id, Buffer.from(stringify(source)), stored),
        refresh: 'none',
        timeoutMs: TIMEOUT_MS,
        waitForActiveShards: null,
      },
      call(),
    );
    const { _seq_no: seqNo, _primary_term: primaryTerm } = parseJson(Buffer.concat(answer.chunks)) as {
      _seq_no: number;
      _primary_term: number;
    };
    return { progress, allocationId, seqNo, primaryTerm };
  }

  /** Forgets what a transform has reached. */
  async remove(id: string): Promise<void> {
    if (!this.#exists()) return;
    const nothing = { seqNo: null, primaryTerm: null };
    const options = { refresh: 'none', timeoutMs: TIMEOUT_MS, waitForActiveShards: null } as const;
    await this.#coordinator.write(
      { operation: operation('delete', id, new Uint8Array(0), nothing), ...options },
      call(),
    );
  }

  /**
   * Makes the index unless it is there, and waits for its copies: what the only one has is out of reach when its node
   * dies.
   */
  async prepare(): Promise<void> {
    if (this.#exists()) return;
    const body = { name: INTERNAL_INDEX, body: BODY, waitForActiveShards: 'all' };
    try {
      await this.#cluster.submit('create-index', body, { timeoutMs: COPIES_TIMEOUT_MS });
    } catch (error) {
      if (!isApiError(error) || error.type !== 'resource_already_exists_exception') throw error;
    }
  }
}

function operation(
  op: WriteOperation['op'],
  id: string,
  source: Uint8Array,
  over: Pick<StoredProgress, 'seqNo' | 'primaryTerm'>,
): WriteOperation {
  return plainWrite(op, INTERNAL_INDEX, idOf(id), source, over);
}
