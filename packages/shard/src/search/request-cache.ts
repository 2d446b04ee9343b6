import type { shard } from '@shoal/protocol';
import type { Progress, Searcher } from '@shoal/query';
import { BudgetedLru } from '../engine/budgeted-lru.js';
import type { CacheBudget } from '../engine/cache-budget.js';
import type { RequestCache, SearcherLease } from '../shard-api.js';
import { executeQueryPhase } from './query-phase.js';
import { RequestTime } from './request-time.js';
import type { SearchSource } from './search-source.js';

const ENTRY_OVERHEAD_BYTES = 400;

/** Cache of results of searches without hits, within a budget. */
export interface BoundedRequestCache extends RequestCache {
  isEnabled: boolean;
  /** The results, with the hit and miss counts of the shard's stats. */
  readonly answers: BudgetedLru<shard.ShardQueryResult>;
}

/** Returns a request cache within the budget. `lacked` is as `RequestCache.lacked`. */
export function createRequestCache(budget: CacheBudget, lacked: () => number = () => 0): BoundedRequestCache {
  const answers = new BudgetedLru<shard.ShardQueryResult>(budget);
  return {
    isEnabled: true,
    answers,
    get: (key) => answers.find(key),
    countMiss: () => void answers.misses++,
    lacked,
    put(key, result) {
      const bytes = key.length + (result.aggregations?.length ?? 0) + ENTRY_OVERHEAD_BYTES;
      if (bytes <= budget.bytesMax) answers.add(key, result, bytes);
    },
  };
}

const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');

/**
 * Returns the key of a request: everything besides the time that its result depends on. Null for a request whose result
 * is not cached.
 */
function keyOf(
  lease: SearcherLease,
  target: shard.ShardTarget,
  request: shard.QueryRequest,
  { options, key }: SearchSource,
): string | null {
  if (request.keepContext || target.context !== undefined) return null;
  if (request.statistics !== undefined || target.nearest !== undefined) return null;
  if (options.size !== 0 || options.shardSize !== 0 || options.isScroll || options.isPit) return null;
  if (!(options.requestCache ?? lease.requestCache.isEnabled)) return null;
  const filter = target.filter === undefined ? '' : textOf(target.filter);
  return `${versionOf(lease.searcher)}\n${filter}\n${key}`;
}

/** Returns the versions of a searcher's segments. A change of the mapping clears the whole cache instead. */
function versionOf(searcher: Searcher): string {
  return searcher.segments.map((segment) => segment.version).join(',');
}

/**
 * Returns whether a result may be used again: it depends neither on the time nor has parts that are computed each time
 * (profile, suggestions).
 */
function isRepeatable({ profile, suggest }: shard.ShardQueryResult, lease: SearcherLease, time: RequestTime): boolean {
  return !time.isAsked && lease.dependsOnTime !== true && profile === undefined && suggest === undefined;
}

/** Runs the query phase of a search on one shard: here (`executeQueryPhase`), or on another thread. */
export type QueryRunner = (
  lease: SearcherLease,
  target: shard.ShardTarget,
  request: shard.QueryRequest,
  progress: Progress,
  source: SearchSource,
  time: RequestTime,
) => Promise<shard.ShardQueryResult>;

/**
 * Runs the query phase of a search on one shard, from the request cache if nothing has changed since the same request.
 * Whether a result depends on the time is known only afterwards. Such a result is not cached, so its key never finds
 * one.
 */
export async function executeCachedQueryPhase(
  lease: SearcherLease,
  target: shard.ShardTarget,
  request: shard.QueryRequest,
  progress: Progress,
  source: SearchSource,
  run: QueryRunner = executeQueryPhase,
): Promise<shard.ShardQueryResult> {
  const key = keyOf(lease, target, request, source);
  const time = new RequestTime(request.nowMs);
  if (key === null) return run(lease, target, request, progress, source, time);
  const known = lease.requestCache.get(key);
  if (known) return known;
  const lacked = lease.requestCache.lacked();
  const result = await run(lease, target, request, progress, source, time);
  // A script that goes on after errors has left out the values that were lacking.
  if (lease.requestCache.lacked() !== lacked || !isRepeatable(result, lease, time)) return result;
  lease.requestCache.countMiss();
  if (!result.timedOut && !result.terminatedEarly && result.error === undefined) lease.requestCache.put(key, result);
  return result;
}
