import assert from 'node:assert/strict';
import test from 'node:test';
import { shard } from '@shoal/protocol';
import type { Progress } from '@shoal/query';
import { bytes, optionsBytes } from '../read/test-search.js';
import { openTestShard, type TestShard } from '../test-shard.js';
import { executeQueryPhase } from './query-phase.js';
import { sourceOf } from './search-source.js';

/** Runs a search without hits and returns how often it gave the thread back; each look says that it should. */
async function pausesOf(opened: TestShard, body: object): Promise<number> {
  const request: shard.QueryRequest = {
    targets: [{ indexName: 'test', boost: 1 }],
    body: bytes(body),
    options: optionsBytes({ searchType: 'query_then_fetch', maxBuckets: 1000, allowExpensiveQueries: true }),
    nowMs: 0,
    fetch: false,
    keepContext: false,
    keepAliveMs: 0,
    maxConcurrent: 0,
  };
  let pauses = 0;
  const progress: Progress = { check: () => false, sliceOver: () => true, yield: async () => void pauses++ };
  const lease = opened.shard.acquire();
  try {
    await executeQueryPhase(lease, request.targets[0]!, request, progress, sourceOf(request, null));
    return pauses;
  } finally {
    lease.release();
  }
}

test('the thread is given back while a filter of an aggregation looks for the nearest vectors', async () => {
  const opened = await openTestShard({
    mapping: { properties: { v: { type: 'dense_vector', dims: 2, similarity: 'l2_norm' } } },
  });
  for (let i = 0; i < 3; i++) await opened.write([{ op: 'index', id: String(i), source: { v: [i, 1] } }], 1);
  const filtered = (filter: object): object => ({ size: 0, aggs: { a: { filter } } });
  const plain = await pausesOf(opened, filtered({ exists: { field: 'v' } }));
  const nearest = await pausesOf(opened, filtered({ knn: { field: 'v', query_vector: [1, 1], num_candidates: 2 } }));
  assert.ok(nearest > plain, `${nearest} pauses, ${plain} without`);
  await opened.shard.close();
});
