import type { AccessLimits } from '@shoal/mapping';
import { encodeLimits, shard } from '@shoal/protocol';
import type { Progress } from '@shoal/query';
import { executeFetchPhase } from '../search/fetch-phase.js';
import { executeCachedQueryPhase } from '../search/request-cache.js';
import { sourceOf } from '../search/search-source.js';
import type { TestShard } from '../test-shard.js';
import { restrictLease } from './restrict-lease.js';

/** Progress of a request that is never over. */
export const PROGRESS: Progress = { check: () => false, sliceOver: () => false, yield: async () => undefined };
/** JSON as bytes. */
export const bytes = (json: unknown): Uint8Array => Buffer.from(JSON.stringify(json));
/** Encoded options: `given`, and nothing of all others. */
export const optionsBytes = (given: Partial<shard.SearchOptions>): Uint8Array =>
  shard.encodeSearchOptions({ ...shard.decodeSearchOptions(new Uint8Array(0)), ...given });
/** Limits of a caller who sees some fields of all documents. */
export const fieldsOnly = (grant: string[], except: string[] = []): AccessLimits => ({
  queries: [],
  fields: [[{ grant, except }]],
});

/** What a search answers, and what the caller sees of its hits. */
export interface Answer {
  readonly total: number;
  readonly ids: string[];
  readonly result: shard.ShardQueryResult;
  readonly sources: unknown[];
  readonly hits: unknown[];
}

/** Runs a search of size 100 for a caller with limits. */
export async function search(
  opened: TestShard,
  body: Record<string, unknown>,
  limits: AccessLimits | null,
): Promise<Answer> {
  const size = Number(body['size'] ?? 100);
  const options = {
    searchType: 'query_then_fetch',
    shardSize: size,
    from: 0,
    size,
    isScroll: false,
    isPit: false,
    allowExpensiveQueries: true,
    maxBuckets: 1000,
  };
  const target: shard.ShardTarget = {
    indexName: 'test',
    boost: 1,
    ...(limits === null ? {} : { access: encodeLimits(limits) }),
  };
  const request: shard.QueryRequest = {
    targets: [target],
    body: bytes(body),
    options: optionsBytes(options),
    nowMs: 0,
    fetch: false,
    keepContext: false,
    keepAliveMs: 0,
    maxConcurrent: 0,
  };
  const source = sourceOf(request, null);
  const held = opened.shard.acquire();
  const lease = restrictLease(held, target.access);
  try {
    const result = await executeCachedQueryPhase(lease, target, request, PROGRESS, source);
    const docs = new Int32Array(new Uint8Array(result.docs).buffer);
    const fetched =
      docs.length === 0
        ? []
        : await executeFetchPhase(
            lease,
            {
              target,
              body: request.body,
              options: request.options,
              nowMs: 0,
              docs: result.docs,
              scores: result.scores,
              sortValues: result.sortValues,
              freeContext: false,
              totalIsLowerBound: false,
            },
            source,
            PROGRESS,
          );
    const hits = fetched.map((hit) => JSON.parse(Buffer.from(hit).toString('utf8')) as { _source?: unknown });
    return {
      total: result.total,
      ids: Array.from(docs, (doc) => lease.searcher.stored(doc).id).sort(),
      result,
      sources: hits.map((hit) => hit._source),
      hits,
    };
  } finally {
    held.release();
  }
}
