import assert from 'node:assert/strict';
import test from 'node:test';
import { shard } from '@shoal/protocol';
import type { Progress } from '@shoal/query';
import { restrictLease } from '../read/restrict-lease.js';
import { openTestShard, type TestShard } from '../test-shard.js';
import { executeCachedQueryPhase } from './request-cache.js';
import { sourceOf } from './search-source.js';

const PROGRESS: Progress = { check: () => false, sliceOver: () => false, yield: async () => undefined };
const MAPPING = {
  properties: {
    t: { type: 'text' },
    k: { type: 'keyword' },
    i: { type: 'integer' },
    g: { type: 'geo_point' },
    v: { type: 'dense_vector', dims: 2, index: true, similarity: 'l2_norm' },
    n: { type: 'nested', properties: { k: { type: 'keyword' } } },
  },
  runtime: { r: { type: 'long', script: "emit(doc['i'].value)" } },
};
const SOURCE = { t: 'brown fox', k: 'a', i: 3, g: '40,-70', v: [1, 1], n: { k: 'x' } };

async function withDocument(): Promise<TestShard> {
  const opened = await openTestShard({ mapping: MAPPING });
  await opened.write([{ op: 'index', id: '1', source: SOURCE }], 1);
  return opened;
}

/** Runs a search of one document, which shows its hits at once. */
async function ask(opened: TestShard, body: unknown): Promise<void> {
  const options = { searchType: 'query_then_fetch', shardSize: 1, from: 0, size: 1, allowExpensiveQueries: true };
  const target: shard.ShardTarget = { indexName: 'test', boost: 1 };
  const request: shard.QueryRequest = {
    targets: [target],
    body: Buffer.from(JSON.stringify(body)),
    options: shard.encodeSearchOptions({ ...shard.decodeSearchOptions(new Uint8Array(0)), ...options }),
    nowMs: 0,
    fetch: true,
    keepContext: false,
    keepAliveMs: 0,
    maxConcurrent: 0,
  };
  const lease = opened.shard.acquire();
  try {
    await executeCachedQueryPhase(restrictLease(lease, undefined), target, request, PROGRESS, sourceOf(request, null));
  } finally {
    lease.release();
  }
}

/** What one search uses, as `field: uses`, without ids and sources of hits. */
async function usesOf(body: Record<string, unknown>): Promise<string> {
  const opened = await withDocument();
  await ask(opened, { _source: false, ...body });
  const used: string[] = [];
  for (const [field, { any, ...counts }] of Object.entries(opened.shard.fieldUsageStats().fields)) {
    assert.equal(any, 1, field);
    const uses = Object.entries(counts).filter(([, count]) => count === 1);
    if (field !== '_id') used.push(`${field}: ${uses.map(([use]) => use).join(' ')}`);
  }
  await opened.shard.close();
  return used.sort().join(', ');
}

const SCORED = 'terms postings term_frequencies';

/** Beside 8.12, which counts the same but for what its engine reads otherwise (`_nested_path` of each hit, columns). */
const USES: readonly (readonly [body: Record<string, unknown>, uses: string])[] = [
  [{ query: { match: { t: 'fox' } } }, `t: ${SCORED} norms`],
  [{ query: { match: { t: 'lion' } } }, 't: terms'],
  [{ query: { match_phrase: { t: 'brown fox' } } }, `t: ${SCORED} positions proximity norms`],
  [{ query: { bool: { filter: [{ term: { t: 'fox' } }] } }, sort: ['i'] }, 'i: doc_values, t: terms postings'],
  [{ query: { range: { i: { gte: 2 } } } }, 'i: doc_values points'],
  [{ query: { exists: { field: 't' } } }, 't: norms'],
  [{ query: { geo_distance: { distance: '1km', g: '40,-70' } } }, 'g: doc_values points'],
  [
    { query: { nested: { path: 'n', query: { term: { 'n.k': 'x' } } } } },
    `_nested_path: terms postings, n.k: ${SCORED}`,
  ],
  [{ query: { knn: { field: 'v', query_vector: [1, 1], num_candidates: 1 } } }, 'v: knn_vectors'],
  [{ query: { match_all: {} }, docvalue_fields: ['k'] }, 'k: doc_values'],
  [{ query: { match_all: {} }, aggs: { a: { avg: { field: 'i' } } } }, 'i: doc_values'],
  [{ query: { range: { r: { gte: 2 } } } }, 'i: doc_values'],
  [{ runtime_mappings: { q: { type: 'long', script: "emit(doc['i'].value)" } }, sort: ['q'] }, 'i: doc_values'],
  [{ _source: true }, '_source: stored_fields'],
];

for (const [body, uses] of USES)
  test(`a search reads: ${uses} (${JSON.stringify(body)})`, async () => assert.equal(await usesOf(body), uses));

test('a search that is counted finds the values that only a range index has', async () => {
  const opened = await openTestShard({ mapping: { properties: { b: { type: 'boolean', doc_values: false } } } });
  await opened.write([{ op: 'index', id: '1', source: { b: true } }], 1);
  await ask(opened, { query: { term: { b: true } } });
  assert.equal(opened.shard.fieldUsageStats().fields['b']!.points, 1);
  await opened.shard.close();
});

test('phases of searches count once each, and counting begins anew with the copy', async () => {
  const opened = await withDocument();
  const began = opened.shard.fieldUsageStats();
  assert.deepEqual(began.fields, {});
  for (let i = 0; i < 3; i++) await ask(opened, { query: { match: { t: 'brown fox' } } });
  await assert.rejects(ask(opened, { query: { match: { t: 'fox' } }, sort: ['nowhere'] }));
  const { fields, trackingId } = opened.shard.fieldUsageStats();
  assert.deepEqual([fields['t']!.any, fields['t']!.norms, fields['_id']!.stored_fields], [3, 3, 3]);
  assert.equal(trackingId, began.trackingId);
  assert.match(trackingId, /^[\w-]{22}$/);
  await opened.shard.close();
});
