import { decodeValue, encodeValue, type Value } from '@shoal/codec';
import type { KeyValueStores } from '@shoal/doors';
import { errors } from '@shoal/errors';
import { shard } from '@shoal/protocol';
import type { Progress, Searcher, SegmentView } from '@shoal/query';
import { type BlockCache, openStoreReader, type StoreReader } from '@shoal/store';
import type { CacheBudgets } from '../engine/cache-budget.js';
import { type BoundedCache, createBoundedCache } from '../engine/searcher-cache.js';
import { restrictLease } from '../read/restrict-lease.js';
import { executeQueryPhase } from '../search/query-phase.js';
import { RequestTime } from '../search/request-time.js';
import { createSearchSources, sourceOf } from '../search/search-source.js';
import type { SearcherLease } from '../shard-api.js';
import type { ShardMetadata } from '../shard-metadata.js';
import type { SealedViewPart, ViewAnswer, ViewSearch } from './sealed-view.js';
import { OpenSegments, segmentViewsOf, ViewSearcher } from './view-searcher.js';

/** Shards that are open; the one opened longest ago is closed for another. */
const SHARDS_MAX = 64;

/** Effects and limits of a `ViewRoom`. */
export interface ViewRoomOptions {
  readonly stores: KeyValueStores;
  readonly cache: BlockCache;
  readonly budgets: CacheBudgets;
  /** Parses the JSON of an index (`IndexText`). */
  readonly parseIndex: (json: Uint8Array) => ShardMetadata;
}

/** A view whose segments are open. */
interface OpenView {
  readonly serial: number;
  readonly parts: readonly SealedViewPart[];
  readonly segments: readonly SegmentView[];
  readonly liveDocCount: number;
  holders: number;
}

/** One shard of another thread, by a second handle of its store. */
class ViewedShard {
  readonly rollbacks: number;
  readonly store: StoreReader;
  readonly cache: BoundedCache;
  readonly #segments: OpenSegments;
  #running = 0;
  #isClosing = false;
  #ended: (() => void) | null = null;
  #view: OpenView | null = null;
  #metadata: { readonly key: string; readonly parsed: ShardMetadata } | null = null;
  /** Searcher of the newest view and metadata. */
  #searcher: ViewSearcher | null = null;

  constructor(store: StoreReader, rollbacks: number, budgets: CacheBudgets) {
    this.store = store;
    this.rollbacks = rollbacks;
    this.cache = createBoundedCache(budgets.searchers, budgets.vectorRows);
    this.#segments = new OpenSegments(store);
  }

  /** Takes what the message brings; returns whether view and metadata are now those of the search. */
  follow({ serial, view, index }: ViewSearch, parse: ViewRoomOptions['parseIndex']): boolean {
    if (view !== null && this.#view?.serial !== serial) {
      const before = this.#view;
      this.#view = {
        serial,
        parts: view.parts,
        segments: segmentViewsOf(view.parts, this.#segments),
        liveDocCount: view.liveDocCount,
        holders: 1,
      };
      this.#searcher = null;
      if (before !== null) this.#letGo(before);
    }
    if (index.json !== null && this.#metadata?.key !== index.key) {
      // Values that searches cached were made by the mapping before.
      this.clearCache();
      this.#metadata = { key: index.key, parsed: parse(index.json) };
      this.#searcher = null;
    }
    return this.#view?.serial === serial && this.#metadata?.key === index.key;
  }

  /** Holds the newest view until `release`. */
  acquire(shardNumber: number): { readonly searcher: ViewSearcher; release(): void } {
    const view = this.#view!;
    this.#searcher ??= new ViewSearcher(this.#metadata!.parsed, view, shardNumber, this.store, this.cache);
    view.holders++;
    this.#running++;
    return {
      searcher: this.#searcher,
      release: () => {
        this.#letGo(view);
        if (--this.#running === 0) this.#ended?.();
      },
    };
  }

  #letGo(view: OpenView): void {
    if (--view.holders > 0) return;
    for (const part of view.parts) this.#segments.release(part);
  }

  /** Throws if the shard is about to be closed. */
  check(): void {
    if (this.#isClosing) throw errors.illegalState('the shard is being closed');
  }

  clearCache(): void {
    this.cache.values.clear();
    this.cache.vectorRows?.clear();
  }

  /** Ends its searches, then closes the handle. */
  async close(): Promise<void> {
    this.#isClosing = true;
    if (this.#running > 0) await new Promise<void>((resolve) => (this.#ended = resolve));
    if (this.#view !== null) this.#letGo(this.#view);
    this.#view = null;
    this.cache.values.close();
    await this.store.close();
  }
}

/**
 * Runs query phases over sealed views of shards that another thread holds. The owner keeps the view until the answer is
 * there, and closes the shard only after `forget`.
 */
export class ViewRoom {
  readonly #options: ViewRoomOptions;
  readonly #sources = createSearchSources();
  /** Shards by the location of their store, in the order in which they were opened. */
  readonly #shards = new Map<string, Promise<ViewedShard>>();
  /** Shards whose handles are being closed, by location: their searches may still run. */
  readonly #closings = new Map<string, Promise<void>>();
  /** How often an owner was about to close a shard. */
  #forgotten = 0;

  constructor(options: ViewRoomOptions) {
    this.#options = options;
  }

  /** Drops what is cached of a shard. */
  async clear(location: string): Promise<void> {
    (await this.#shards.get(location))?.clearCache();
  }

  /** Answers a `ViewSearch` with a `ViewAnswer`, both by `encodeValue`. Throws what the search throws. */
  async search(message: Uint8Array, progress: Progress): Promise<Uint8Array> {
    const search = decodeValue(message) as unknown as ViewSearch;
    return encodeValue((await this.#answer(search, progress)) as unknown as Value);
  }

  /** Ends the searches of a shard that is about to be closed, and closes its handle. */
  async forget(location: string): Promise<void> {
    this.#forgotten++;
    await this.#close(location);
  }

  /** Closes the handle of a shard; resolves once none that was open before is. */
  async #close(location: string): Promise<void> {
    const opened = this.#shards.get(location);
    const before = this.#closings.get(location);
    if (opened === undefined) return before;
    this.#shards.delete(location);
    const closed = opened.then((viewed) => viewed.close()).catch(() => undefined);
    const closing = Promise.all([before, closed]).then(() => {
      if (this.#closings.get(location) === closing) this.#closings.delete(location);
    });
    this.#closings.set(location, closing);
    return closing;
  }

  async #answer(search: ViewSearch, progress: Progress): Promise<ViewAnswer> {
    const viewed = await this.#shardOf(search);
    if (viewed === null || !viewed.follow(search, this.#options.parseIndex)) return { isMissing: true };
    viewed.check();
    const { searcher, release } = viewed.acquire(search.shard);
    let uses: (readonly [string, number])[] = [];
    const { hits, misses } = viewed.cache.values;
    try {
      const request = shard.decodeQueryRequest(search.request);
      const target = request.targets[0]!;
      const lease = restrictLease(
        leaseOf(searcher, (counted) => void (uses = [...counted.entries()])),
        target.access,
      );
      const time = new RequestTime(request.nowMs);
      const source = sourceOf(request, this.#sources);
      const own = withinShard(progress, viewed, search.elapsedMs);
      const result = await executeQueryPhase(lease, target, request, own, source, time);
      return {
        isMissing: false,
        result: shard.encodeShardQueryResult(result),
        uses,
        isTimeAsked: time.isAsked,
        cached: [viewed.cache.values.hits - hits, viewed.cache.values.misses - misses],
        workedMs: progress.workedMs?.() ?? 0,
      };
    } finally {
      release();
    }
  }

  /** Returns the shard of a search; null if it is not open and the message does not bring its view. */
  async #shardOf({ location, rollbacks, view }: ViewSearch): Promise<ViewedShard | null> {
    const forgotten = this.#forgotten;
    const viewed = await this.#shards.get(location);
    if (viewed?.rollbacks === rollbacks) return viewed;
    if (viewed !== undefined) await this.#close(location);
    // The owner may have closed the store meanwhile: nothing opens it again for a search from before.
    if (view === null || this.#forgotten !== forgotten) return null;
    return this.#shards.get(location) ?? this.#open(location, rollbacks);
  }

  #open(location: string, rollbacks: number): Promise<ViewedShard> {
    const { stores, cache, budgets } = this.#options;
    const opened = openStoreReader(stores, location, cache).then((store) => new ViewedShard(store, rollbacks, budgets));
    this.#shards.set(location, opened);
    opened.catch(() => this.#shards.delete(location));
    for (const oldest of this.#shards.keys()) {
      if (this.#shards.size <= SHARDS_MAX) break;
      if (oldest !== location) void this.#close(oldest);
    }
    return opened;
  }
}

/** Progress of a search that began elsewhere `elapsedMs` ago, and that ends when its shard is to be closed. */
function withinShard(progress: Progress, viewed: ViewedShard, elapsedMs: number): Progress {
  return {
    ...progress,
    elapsedMs: () => elapsedMs + (progress.elapsedMs?.() ?? 0),
    check() {
      viewed.check();
      return progress.check();
    },
  };
}

function leaseOf(searcher: Searcher, count: SearcherLease['fieldUsage']['count']): SearcherLease {
  return {
    searcher,
    requestCache: NO_REQUEST_CACHE,
    countSearch: () => undefined,
    fieldUsage: { count },
    release: () => undefined,
  };
}

const NO_REQUEST_CACHE: SearcherLease['requestCache'] = {
  isEnabled: false,
  get: () => undefined,
  countMiss: () => undefined,
  lacked: () => 0,
  put: () => undefined,
};
