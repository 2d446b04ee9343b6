import type { SearchOptions, shard } from '@shoal/protocol';
import type { Progress, Searcher } from '@shoal/query';
import type { RequestCache, SearcherLease } from '../shard-api.js';
import { executeQueryPhase } from './query-phase.js';

/** Bounded request cache with its counts. */
export interface BoundedRequestCache extends RequestCache {
  isEnabled: boolean;
  clear(): void;
  readonly bytes: number;
  readonly hits: number;
  readonly misses: number;
  readonly evictions: number;
}

const ENTRY_OVERHEAD_BYTES = 400;

class LruRequestCache implements BoundedRequestCache {
  readonly #bytesMax: number;
  readonly #results = new Map<string, { readonly result: shard.ShardQueryResult; readonly bytes: number }>();
  isEnabled = true;
  bytes = 0;
  hits = 0;
  misses = 0;
  evictions = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get(key: string): shard.ShardQueryResult | undefined {
    const found = this.#results.get(key);
    if (!found) {
      this.misses++;
      return undefined;
    }
    this.hits++;
    this.#results.delete(key);
    this.#results.set(key, found);
    return found.result;
  }

  put(key: string, result: shard.ShardQueryResult): void {
    const bytes = key.length + (result.aggregations?.length ?? 0) + ENTRY_OVERHEAD_BYTES;
    if (bytes > this.#bytesMax || this.#results.has(key)) return;
    this.#results.set(key, { result, bytes });
    this.bytes += bytes;
    for (const [oldest, { bytes: oldBytes }] of this.#results) {
      if (this.bytes <= this.#bytesMax) return;
      this.#results.delete(oldest);
      this.bytes -= oldBytes;
      this.evictions++;
    }
  }

  clear(): void {
    this.#results.clear();
    this.bytes = 0;
  }
}

/** A request cache of at most `bytesMax` bytes. */
export function createRequestCache(bytesMax: number): BoundedRequestCache {
  return new LruRequestCache(bytesMax);
}

/** Words in a body whose answer changes by itself or holds what is not kept. */
const VOLATILE = /now|"profile"|"suggest"|random_score|"scripted_metric"/;

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');

/** What the answer depends on; null for a request whose answer is not kept. */
function keyOf(lease: SearcherLease, target: shard.ShardTarget, request: shard.QueryRequest): string | null {
  if (request.keepContext || target.context !== undefined || request.statistics !== undefined) return null;
  const options = JSON.parse(textOf(request.options)) as SearchOptions;
  if (options.size !== 0 || options.shardSize !== 0 || options.isScroll || options.isPit) return null;
  if (!(options.requestCache ?? lease.requestCache.isEnabled)) return null;
  const body = textOf(request.body);
  const filter = target.filter === undefined ? '' : textOf(target.filter);
  return VOLATILE.test(body) || VOLATILE.test(filter) ? null : `${versionOf(lease.searcher)}\n${textOf(request.options)}\n${filter}\n${body}`;
}

/** Segments and mapping of a searcher in words. */
function versionOf(searcher: Searcher): string {
  return searcher.segments.map((segment) => segment.version).join(',');
}

/** The query phase of a search on one shard, from the request cache when nothing has changed since it was asked the last time. */
export async function executeCachedQueryPhase(lease: SearcherLease, target: shard.ShardTarget, request: shard.QueryRequest, progress: Progress): Promise<shard.ShardQueryResult> {
  const key = keyOf(lease, target, request);
  if (key === null) return executeQueryPhase(lease, target, request, progress);
  const known = lease.requestCache.get(key);
  if (known) return known;
  const result = await executeQueryPhase(lease, target, request, progress);
  if (!result.timedOut && !result.terminatedEarly && result.error === undefined) lease.requestCache.put(key, result);
  return result;
}
