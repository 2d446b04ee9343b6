import assert from 'node:assert/strict';
import test from 'node:test';
import { decodeValue } from '@shoal/codec';
import { encodeLimits, shard } from '@shoal/protocol';
import type { Progress } from '@shoal/query';
import { restrictLease } from '../read/restrict-lease.js';
import type { SearcherLease } from '../shard-api.js';
import { openTestShard, type TestShard } from '../test-shard.js';
import { executeCachedQueryPhase } from './request-cache.js';
import { createSearchSources, sourceOf } from './search-source.js';

const PROGRESS: Progress = { check: () => false, sliceOver: () => false, yield: async () => undefined };
const MAPPING = {
  properties: { d: { type: 'date' }, r: { type: 'date_range' }, t: { type: 'text' }, k: { type: 'keyword' } },
};
const HOUR_MS = 3_600_000;
const INDEXED_AT_MS = Date.UTC(2024, 0, 15, 12);

interface Asked {
  /** The search body as text, so that its escapes are those of the test. */
  readonly body: string;
  /** Filter of the alias that the request named. */
  readonly filter?: string;
  /** Query of the caller's role. */
  readonly role?: string;
}

interface CacheCounts {
  readonly hit_count: number;
  readonly miss_count: number;
}

async function withDocuments(): Promise<TestShard> {
  const opened = await openTestShard({ mapping: MAPPING });
  await opened.write(
    [
      { op: 'index', id: '1', source: { d: INDEXED_AT_MS, r: { gte: INDEXED_AT_MS }, t: 'I know now', k: 'now' } },
      { op: 'index', id: '2', source: { d: INDEXED_AT_MS + 12 * HOUR_MS, t: 'snow', k: 'later' } },
    ],
    1,
  );
  return opened;
}

/**
 * Returns a function that runs a search without hits on a shard through its request cache. `sources` caches parsed
 * bodies as a thread of the product does.
 */
function asking(
  opened: TestShard,
  leased: (lease: SearcherLease) => SearcherLease = (lease) => lease,
): (asked: Asked, nowMs: number) => Promise<shard.ShardQueryResult> {
  const sources = createSearchSources();
  const options = { searchType: 'query_then_fetch', shardSize: 0, from: 0, size: 0, allowExpensiveQueries: true };
  return async ({ body, filter, role }, nowMs) => {
    const target: shard.ShardTarget = {
      indexName: 'test',
      boost: 1,
      ...(filter === undefined ? {} : { filter: Buffer.from(filter) }),
    };
    const access = role === undefined ? undefined : encodeLimits({ queries: [[role]], fields: [], nowMs });
    const request: shard.QueryRequest = {
      targets: [target],
      body: Buffer.from(body),
      options: shard.encodeSearchOptions({ ...shard.decodeSearchOptions(new Uint8Array(0)), ...options }),
      nowMs,
      fetch: false,
      keepContext: false,
      keepAliveMs: 0,
      maxConcurrent: 0,
    };
    const lease = leased(opened.shard.acquire());
    try {
      const source = sourceOf(request, sources);
      return await executeCachedQueryPhase(restrictLease(lease, access), target, request, PROGRESS, source);
    } finally {
      lease.release();
    }
  };
}

async function countsOf(opened: TestShard): Promise<CacheCounts> {
  const { hit_count, miss_count } = (await opened.shard.stats())['request_cache'] as unknown as CacheCounts;
  return { hit_count, miss_count };
}

const query = (json: unknown): string => JSON.stringify({ query: json });
const aggregation = (json: unknown): string => JSON.stringify({ aggs: { a: json } });

/** Searches whose answer depends on the time, one for each way by which the time enters a search. */
const DEPENDING: Readonly<Record<string, Asked>> = {
  'a range': { body: query({ range: { d: { gte: 'now-1h' } } }) },
  'a range in JSON escapes': { body: '{"query":{"range":{"d":{"gte":"\\u006eow-1h"}}}}' },
  'a range of ranges': { body: query({ range: { r: { lte: 'now' } } }) },
  'a term of a date': { body: query({ term: { d: 'now' } }) },
  'terms of a date': { body: query({ terms: { d: ['now/d', '2020-01-01'] } }) },
  'a match on a date': { body: query({ match: { d: 'now/d' } }) },
  'a query string': { body: query({ query_string: { query: 'd:[now-1d TO *]' } }) },
  'a query string with escapes': { body: query({ query_string: { query: 'd:[n\\ow-1d TO *]' } }) },
  'a query in a query': {
    body: query({ bool: { must_not: [{ constant_score: { filter: { term: { d: 'now' } } } }] } }),
  },
  'a post filter': { body: JSON.stringify({ post_filter: { range: { d: { lt: 'now' } } } }) },
  'the origin of a distance': { body: query({ distance_feature: { field: 'd', origin: 'now', pivot: '1h' } }) },
  'the origin of a decay': { body: query({ function_score: { gauss: { d: { origin: 'now', scale: '1h' } } } }) },
  'a decay without origin': { body: query({ function_score: { exp: { d: { scale: '1h' } } } }) },
  'a random score without seed': { body: query({ function_score: { random_score: {} } }) },
  'a script query': { body: query({ script: { script: 'Math.random() > 0.5' } }) },
  'a score of a script': {
    body: query({ script_score: { query: { match_all: {} }, script: 'Math.random()' } }),
  },
  'values of a script': { body: aggregation({ sum: { script: 'Math.random()' } }) },
  'a scripted metric': {
    body: aggregation({
      scripted_metric: {
        map_script: 'state.n = Math.random()',
        combine_script: 'state.n',
        reduce_script: 'states.size()',
      },
    }),
  },
  'a range of dates': { body: aggregation({ date_range: { field: 'd', ranges: [{ from: 'now-1h' }] } }) },
  'a filter aggregation': { body: aggregation({ filter: { range: { d: { gte: 'now-1h' } } } }) },
  'bounds of a date histogram': {
    body: aggregation({ date_histogram: { field: 'd', fixed_interval: '1h', hard_bounds: { min: 'now-2h' } } }),
  },
  'a value for missing dates': { body: aggregation({ max: { field: 'd', missing: 'now' } }) },
  'the query of a highlight': {
    body: aggregation({
      top_hits: { highlight: { fields: { t: { highlight_query: { range: { d: { gte: 'now' } } } } } } },
    }),
  },
  "an alias's filter": { body: query({ match_all: {} }), filter: '{"range":{"d":{"gte":"\\u006eow-1h"}}}' },
  "a role's query": { body: query({ match_all: {} }), role: '{"range":{"d":{"gte":"\\u006eow-1h"}}}' },
};

for (const [way, asked] of Object.entries(DEPENDING)) {
  test(`the request cache keeps no answer that depends on the time through ${way}`, async () => {
    const opened = await withDocuments();
    const ask = asking(opened);
    await ask(asked, INDEXED_AT_MS);
    await ask(asked, INDEXED_AT_MS);
    assert.deepEqual(await countsOf(opened), { hit_count: 0, miss_count: 0 });
  });
}

test('the request cache keeps no answer that was made while a file of a snapshot was lacking', async () => {
  const opened = await withDocuments();
  let lacked = 0;
  const ask = asking(opened, (lease) => ({
    ...lease,
    requestCache: { ...lease.requestCache, lacked: () => lacked++ },
  }));
  const asked = { body: query({ term: { k: 'now' } }) };
  await ask(asked, INDEXED_AT_MS);
  await ask(asked, INDEXED_AT_MS);
  assert.deepEqual(await countsOf(opened), { hit_count: 0, miss_count: 0 });
});

/** Searches that only look as if they depended on the time. */
const INDEPENDENT: Readonly<Record<string, Asked>> = {
  'words with now in them': { body: query({ match: { t: 'know snow' } }) },
  'now as a word': { body: query({ match: { t: 'now' } }) },
  'now as a keyword': { body: query({ term: { k: 'now' } }) },
  'a range of keywords': { body: query({ range: { k: { gte: 'now' } } }) },
  'dates without now': { body: query({ range: { d: { gte: '2024-01-01||/M' } } }) },
  'a date in milliseconds': { body: query({ term: { d: INDEXED_AT_MS } }) },
  'a random score with a seed': { body: query({ function_score: { random_score: { seed: 1, field: '_seq_no' } } }) },
  'the name of an aggregation': { body: JSON.stringify({ aggs: { now: { max: { field: 'd', missing: 0 } } } }) },
  'months of dates': { body: aggregation({ date_histogram: { field: 'd', calendar_interval: 'month' } }) },
  "an alias's filter": { body: query({ match_all: {} }), filter: '{"term":{"k":"now"}}' },
  "a role's query": { body: query({ match_all: {} }), role: '{"term":{"k":"now"}}' },
};

for (const [name, asked] of Object.entries(INDEPENDENT)) {
  test(`the request cache keeps the answer of ${name}`, async () => {
    const opened = await withDocuments();
    const ask = asking(opened);
    const first = await ask(asked, INDEXED_AT_MS);
    assert.equal(await ask(asked, INDEXED_AT_MS + HOUR_MS), first);
    assert.deepEqual(await countsOf(opened), { hit_count: 1, miss_count: 1 });
  });
}

test('a count of the last hour that writes now in JSON escapes is another one ten hours later', async () => {
  const ask = asking(await withDocuments());
  const lastHour = { body: '{"query":{"range":{"d":{"gte":"\\u006eow-1h","lte":"\\u006eow"}}}}' };
  assert.equal((await ask(lastHour, INDEXED_AT_MS)).total, 1);
  assert.equal((await ask(lastHour, INDEXED_AT_MS + 10 * HOUR_MS)).total, 0);
});

test('an answer with suggestions or a profile is not kept', async () => {
  const opened = await withDocuments();
  const ask = asking(opened);
  const suggest = { body: JSON.stringify({ suggest: { s: { text: 'snw', term: { field: 't' } } } }) };
  const profile = { body: JSON.stringify({ profile: true }) };
  for (const asked of [suggest, suggest, profile, profile]) await ask(asked, 0);
  assert.deepEqual(await countsOf(opened), { hit_count: 0, miss_count: 0 });
  assert.ok(decodeValue((await ask(suggest, 0)).suggest!));
});
