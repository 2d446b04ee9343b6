import { encodeError, toApiError } from '@shoal/errors';
import { decodeValue } from '@shoal/codec';
import {
  collectStatistics,
  describeQuery,
  explainDoc,
  isNoneQuery,
  parseContext,
  parseQuery,
  type Plan,
  planQuery,
  type Searcher,
  termCounts,
  withRuntime,
} from '@shoal/query';
import { restrictLease } from '../read/restrict-lease.js';
import type { Shard } from '../shard-api.js';

interface ExplainBody {
  readonly nowMs: number;
  readonly id: string;
  readonly query: unknown;
  /** Filter of the alias that the request named, or null. */
  readonly filter: unknown;
}

interface ValidateBody {
  readonly nowMs: number;
  readonly query: unknown;
  /** Filter of the alias that the request named, or null; absent from older nodes. */
  readonly filter?: unknown;
}

function plan(searcher: Searcher, query: unknown, nowMs: number): Plan {
  const parsed = parseQuery(query, parseContext());
  return planQuery(parsed, { searcher, now: () => nowMs, nestedPath: null, innerHits: [] });
}

/** Returns the number of the live document with an id in the searcher, or -1. */
function docOf(searcher: Searcher, id: string): number {
  for (const { reader, live, docBase, maxDoc } of searcher.segments) {
    for (const doc of reader.findId(id)) {
      if (doc < maxDoc && (live === null || live.get(doc)) && searcher.stored(docBase + doc).id === id)
        return docBase + doc;
    }
  }
  return -1;
}

/** Explains the score of a document for a query: `{exists, matched, explanation}`. */
export async function explain(shard: Shard, body: unknown, access?: Uint8Array): Promise<unknown> {
  const { id, query, filter, nowMs } = body as ExplainBody;
  const lease = shard.acquire();
  try {
    const { searcher } = restrictLease(lease, access);
    const doc = docOf(searcher, id);
    if (doc < 0) return { exists: false, matched: false };
    const filtered = filter === null ? query : { bool: { must: [query], filter: [filter] } };
    return { exists: true, ...explainDoc(plan(searcher, filtered, nowMs), searcher, doc) };
  } finally {
    lease.release();
  }
}

/**
 * Returns the plan of a query on this shard in Lucene's notation, or why it cannot be planned: `{explanation}` or
 * `{error}`.
 */
export async function validate(shard: Shard, body: unknown, access?: Uint8Array): Promise<unknown> {
  const { query, filter = null, nowMs } = body as ValidateBody;
  const lease = shard.acquire();
  try {
    const { searcher } = restrictLease(lease, access);
    const aliasFilter = filter === null ? null : plan(searcher, filter, nowMs);
    return { explanation: describeQuery(plan(searcher, query, nowMs), searcher.mapping, aliasFilter) };
  } catch (error) {
    return { error: encodeError(toApiError(error)) };
  } finally {
    lease.release();
  }
}

interface FilterBody {
  readonly nowMs: number;
  readonly query: unknown;
  /** Runtime fields of the request, or null. */
  readonly runtime: Readonly<Record<string, unknown>> | null;
}

/**
 * Tells whether a filter may match on this shard: `{matches}`. As in 8.12 it may unless the query is rewritten to
 * `match_none` by the mapping and the bounds of values; terms are not looked up. A caller from whom documents are
 * hidden learns only whether there is one that it may see.
 */
export async function filterMatches(shard: Shard, body: unknown, access?: Uint8Array): Promise<unknown> {
  const { query, runtime, nowMs } = body as FilterBody;
  const lease = shard.acquire();
  try {
    const { searcher: own } = restrictLease(lease, access);
    if (own.hidesDocuments === true) return { matches: own.liveDocCount > 0 };
    const searcher = runtime === null ? own : withRuntime(own, runtime, []);
    const parsed = parseQuery(query, parseContext());
    return { matches: !isNoneQuery(parsed, { searcher, now: () => nowMs, nestedPath: null, innerHits: [] }) };
  } finally {
    lease.release();
  }
}

interface StatisticsBody {
  readonly nowMs: number;
  readonly query: unknown;
  /** Queries of rescore passes; absent from older nodes. */
  readonly rescore?: readonly unknown[];
}

/**
 * Returns statistics of the fields and terms that a query scores, for `dfs_query_then_fetch`: `{fields, terms}`. The
 * coordinator sums them over shards for the query phase.
 */
export async function statistics(shard: Shard, body: unknown, access?: Uint8Array): Promise<unknown> {
  const { query, rescore = [], nowMs } = body as StatisticsBody;
  const lease = shard.acquire();
  try {
    const { searcher } = restrictLease(lease, access);
    const plans = [query, ...rescore].map((one) => plan(searcher, one, nowMs));
    return decodeValue(collectStatistics(plans, searcher));
  } finally {
    lease.release();
  }
}

interface TermStatisticsBody {
  /** Wanted terms by field. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
}

/**
 * Returns statistics of fields and given terms on this shard, for term vectors: `{field: {docCount, sumDocFreq,
 * sumTotalTermFreq, terms: {term: [docFreq, totalTermFreq]}}}`. They count all documents, so a caller with
 * document-level security gets none.
 */
export async function termStatistics(shard: Shard, body: unknown, access?: Uint8Array): Promise<unknown> {
  const lease = shard.acquire();
  try {
    const { searcher } = restrictLease(lease, access);
    if (searcher.hidesDocuments === true) return {};
    const entries = Object.entries((body as TermStatisticsBody).fields)
      .filter(([field]) => searcher.mapping.field(field) !== null)
      .map(([field, terms]) => [field, termCounts(searcher, field, terms)]);
    return Object.fromEntries(entries) as unknown;
  } finally {
    lease.release();
  }
}
