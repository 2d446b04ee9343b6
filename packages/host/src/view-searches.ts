import { decodeValue, encodeValue, type Value } from '@shoal/codec';
import type { Log } from '@shoal/doors';
import { toApiError } from '@shoal/errors';
import { encodeJson } from '@shoal/json';
import { shard } from '@shoal/protocol';
import type { Progress } from '@shoal/query';
import {
  executeHere,
  type OtherHandles,
  type QueryRunner,
  type SealedView,
  type SearcherLease,
  type SearchSource,
  type ViewAnswer,
  type ViewSearch,
} from '@shoal/shard';
import type { IndexMetadata } from '@shoal/state';
import { SearchCosts } from './search-costs.js';
import { shapeOf } from './search-shapes.js';

/** Another thread, which searches views of the shards of this one (`ViewRoom`). */
export interface ViewThread {
  /** Number of its starts and ends: a thread that has been started anew has no views. */
  readonly life: number;
  /** Whether it answers. Starts it, for later searches, if it does not run. */
  isReady(): boolean;
  /** Sends a search. Rejects with task_cancelled_exception when the signal aborts. */
  search(message: Uint8Array, signal: AbortSignal): Promise<Uint8Array>;
  /** Resolves once the thread has closed its handle of a store, or has ended. */
  forget(location: string): Promise<void>;
  /** Drops what the thread has cached of a store. */
  clear(location: string): void;
}

/** From which expected length on searches go to another thread, in milliseconds. */
export interface ViewLimits {
  /** Goes whenever a thread is free: 1 % of it pays for the way. */
  readonly longMs: number;
  /**
   * Goes while the thread of the shard is busy, if it looks at every match: 5 % of it pay for the way there and back,
   * 40 to 60 us. Those for the best hits only seem that long where other processes have the processor.
   */
  readonly mediumMs: number;
  /** Shards with fewer documents are searched on their thread. */
  readonly docsMin: number;
}

const LIMITS: ViewLimits = { longMs: 4, mediumMs: 1, docsMin: 5_000 };

/** Threads and effects of `ViewSearches`. */
export interface ViewSearchesOptions {
  readonly threads: readonly ViewThread[];
  /** Whether this thread has had hardly any time to spare lately. */
  readonly isBusy: () => boolean;
  readonly log: Log;
  readonly limits?: ViewLimits | undefined;
}

/** Searches that a thread is given at once: one that runs, and one to begin with when it has ended. */
const GIVEN_MAX = 2;
/** Milliseconds per document of a search that looks at every match and whose shape has not been seen. */
const UNSEEN_MS_PER_DOC = 5e-6;
/** Longer bodies stay: they would be parsed twice. */
const BODY_BYTES_MAX = 65_536;

interface ThreadPart {
  readonly thread: ViewThread;
  given: number;
  life: number;
  /** What the thread was sent last of each store, by location: serial of the view and key of the index. */
  readonly sent: Map<string, string>;
}

interface MovableIndex {
  readonly key: string;
  readonly json: Uint8Array;
  /** False for indices with scripts of their own, runtime fields or stored queries. */
  readonly isMovable: boolean;
}

/** A query phase that may run on another thread. */
interface Asked {
  readonly view: SealedView;
  readonly target: shard.ShardTarget;
  readonly request: shard.QueryRequest;
  readonly progress: Progress;
  readonly signal: AbortSignal;
  readonly shape: string;
}

type Answered = Exclude<ViewAnswer, { isMissing: true }>;

/**
 * Decides which query phases run on other threads. A small search does not pay for the way to another thread; which one
 * is small is told by those of the same shape before it. Searches of medium length go only while this thread is busy: a
 * single client is answered sooner without the way. A search that fails elsewhere is run again here, so that its errors
 * are those of this thread.
 */
export class ViewSearches implements OtherHandles {
  readonly #options: ViewSearchesOptions;
  readonly #limits: ViewLimits;
  readonly #parts: readonly ThreadPart[];
  readonly #costs = new SearchCosts();
  readonly #indices = new WeakMap<IndexMetadata, MovableIndex>();
  readonly #serials = new WeakMap<SealedView['parts'], number>();
  /** Stores whose handles are being closed: nothing opens them meanwhile. */
  readonly #ending = new Set<string>();
  #endings = 0;
  #serial = 0;

  constructor(options: ViewSearchesOptions) {
    this.#options = options;
    this.#limits = options.limits ?? LIMITS;
    this.#parts = options.threads.map((thread) => ({ thread, given: 0, life: thread.life, sent: new Map() }));
  }

  /** Returns what runs the query phases of a request; `signal` aborts when its caller is gone. */
  runner(signal: AbortSignal): QueryRunner {
    if (this.#parts.length === 0) return executeHere;
    return async (lease, target, request, progress, source, time) => {
      if (lease.searcher.maxDoc < this.#limits.docsMin || request.body.length > BODY_BYTES_MAX)
        return executeHere(lease, target, request, progress, source, time);
      const shape = `${lease.searcher.indexUuid} ${shapeOf(source).text}`;
      const part = isPlain(target, source) ? this.#choose(lease, source, shape) : null;
      const view = part === null ? null : (lease.sealed?.() ?? null);
      const asked = view && { view, target, request, progress, signal, shape };
      const answer = asked === null ? null : await this.#ask(part!, asked);
      if (answer !== null) {
        lease.fieldUsage.count({ entries: () => answer.uses });
        view!.countCached(...answer.cached);
        if (answer.isTimeAsked) time.now();
        this.#costs.note(shape, answer.workedMs);
        return shard.decodeShardQueryResult(answer.result);
      }
      const before = progress.workedMs?.() ?? 0;
      const result = await executeHere(lease, target, request, progress, source, time);
      this.#costs.note(shape, (progress.workedMs?.() ?? 0) - before);
      return result;
    };
  }

  async ended(location: string): Promise<void> {
    this.#endings++;
    this.#ending.add(location);
    try {
      await Promise.all(
        this.#parts.map(({ thread, sent }) => {
          sent.delete(location);
          return thread.forget(location);
        }),
      );
    } finally {
      this.#ending.delete(location);
    }
  }

  clear(location: string): void {
    for (const { thread, sent } of this.#parts) if (sent.has(location)) thread.clear(location);
  }

  /** Returns the thread to which a search goes; null if it stays. */
  #choose({ searcher }: SearcherLease, source: SearchSource, shape: string): ThreadPart | null {
    const { isMovable, isExhaustive } = shapeOf(source);
    if (!isMovable) return null;
    const unseenMs = isExhaustive ? searcher.maxDoc * UNSEEN_MS_PER_DOC : 0;
    const expectedMs = this.#costs.expectedMs(shape) ?? unseenMs;
    const { longMs, mediumMs } = this.#limits;
    if (expectedMs < mediumMs) return null;
    if (expectedMs < longMs && !(isExhaustive && this.#options.isBusy())) return null;
    if (this.#costs.isKept(shape)) return null;
    let chosen = this.#parts[0]!;
    for (const part of this.#parts) if (part.given < chosen.given) chosen = part;
    return chosen.given < GIVEN_MAX && chosen.thread.isReady() ? chosen : null;
  }

  /** Asks a thread. Null if the search has to run here. */
  async #ask(part: ThreadPart, asked: Asked): Promise<Answered | null> {
    const { view, signal, shape } = asked;
    const index = this.#indexOf(view);
    if (!index.isMovable || this.#ending.has(view.location)) return null;
    const endings = this.#endings;
    const { thread } = part;
    part.given++;
    if (part.life !== thread.life) part.sent.clear();
    part.life = thread.life;
    const { life } = part;
    try {
      let answer = await this.#send(part, index, asked, false);
      // Not again after a store was to be closed, which the search would open.
      if (answer.isMissing && this.#endings === endings) answer = await this.#send(part, index, asked, true);
      return answer.isMissing || !view.isCurrent() ? null : answer;
    } catch (error) {
      if (signal.aborted) throw error;
      const hasEnded = thread.life !== life;
      if (hasEnded) this.#costs.keep(shape);
      this.#options.log.write(
        hasEnded ? 'warn' : 'debug',
        'a search on another thread failed and is run again on the thread of its shard',
        { 'error.message': toApiError(error).message },
      );
      return null;
    } finally {
      part.given--;
    }
  }

  async #send(
    { thread, sent }: ThreadPart,
    index: MovableIndex,
    { view, target, request, progress, signal }: Asked,
    isWhole: boolean,
  ): Promise<ViewAnswer> {
    const { location, rollbacks, parts, liveDocCount } = view;
    const serial = this.#serialOf(parts);
    const key = `${serial} ${index.key}`;
    const isKnown = !isWhole && sent.get(location) === key;
    sent.set(location, key);
    const message: ViewSearch = {
      location,
      shard: view.shard,
      serial,
      rollbacks,
      view: isKnown ? null : { parts, liveDocCount },
      index: { key: index.key, json: isKnown ? null : index.json },
      request: shard.encodeQueryRequest({ ...request, targets: [target] }),
      elapsedMs: progress.elapsedMs?.() ?? 0,
    };
    return decodeValue(await thread.search(encodeValue(message as unknown as Value), signal)) as unknown as ViewAnswer;
  }

  #serialOf(parts: SealedView['parts']): number {
    let serial = this.#serials.get(parts);
    if (serial === undefined) this.#serials.set(parts, (serial = this.#serial++));
    return serial;
  }

  #indexOf({ metadata }: SealedView): MovableIndex {
    // The metadata of a shard is that of its index in the cluster state.
    const source = metadata.metadata as IndexMetadata;
    let index = this.#indices.get(source);
    if (index === undefined) {
      const { name, uuid, settings, mapping } = source;
      const json = encodeJson({ name, uuid, settings, mapping });
      const isMovable = metadata.mapping.runtime.size === 0 && !/"(?:scripted|script|percolator)"/.test(textOf(json));
      index = { key: String(this.#serial++), json, isMovable };
      this.#indices.set(source, index);
    }
    return index;
  }
}

const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');

/**
 * Whether a target is the newest view, without scripts. Open contexts keep older views; the filter of an alias and the
 * queries of what a caller may see can have scripts of their own.
 */
function isPlain({ context, access, nearest, filter }: shard.ShardTarget, { options }: SearchSource): boolean {
  if (context !== undefined || nearest !== undefined || options.after.length > 0) return false;
  return !mayHaveScripts(filter) && !mayHaveScripts(access);
}

const mayHaveScripts = (bytes: Uint8Array | undefined): boolean =>
  bytes !== undefined && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes('script');
