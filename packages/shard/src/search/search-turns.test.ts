import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shard } from '@shoal/protocol';
import { bytes, optionsBytes, PROGRESS } from '../read/test-search.js';
import { openTestShard } from '../test-shard.js';
import { executeQueryPhase } from './query-phase.js';
import { sourceOf } from './search-source.js';

const CLAUSES = 1000;

test('many clauses give the thread to others between their plans, weights, matchers, windows and hits', async () => {
  const opened = await openTestShard({ mapping: { properties: { t: { type: 'text' } } } });
  await opened.write([{ op: 'index', id: '1', source: { t: 'a' } }], 1);
  opened.shard.refresh();
  const should = Array.from({ length: CLAUSES }, (_, i) => ({ term: { t: i === 0 ? 'a' : `b${i}` } }));
  const size = { shardSize: 1, from: 0, size: 1 };
  const request: shard.QueryRequest = {
    targets: [{ indexName: 'test', boost: 1 }],
    body: bytes({ query: { bool: { should } } }),
    options: optionsBytes({ searchType: 'query_then_fetch', allowExpensiveQueries: true, ...size }),
    nowMs: 0,
    fetch: true,
    keepContext: false,
    keepAliveMs: 0,
    maxConcurrent: 0,
  };
  let turns = 0;
  const progress = { ...PROGRESS, sliceOver: () => true, yield: async () => void turns++ };
  const lease = opened.shard.acquire();
  await executeQueryPhase(lease, request.targets[0]!, request, progress, sourceOf(request, null));
  lease.release();
  // Clauses are planned for matches and again for hits; both times the first needs no turn of its own.
  assert.equal(turns, 2 * CLAUSES + 7);
  await opened.shard.close();
});
