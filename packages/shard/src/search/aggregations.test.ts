import assert from 'node:assert/strict';
import test from 'node:test';
import { reduceInSteps } from '@shoal/aggregations';
import { stringify } from '@shoal/json';
import { shard } from '@shoal/protocol';
import type { Progress } from '@shoal/query';
import { openTestShard, type TestShard, type TestWrite } from '../test-shard.js';
import { executeQueryPhase } from './query-phase.js';
import { sourceOf } from './search-source.js';

const PROGRESS: Progress = { check: () => false, sliceOver: () => false, yield: async () => undefined };
const bytes = (json: unknown): Uint8Array => Buffer.from(JSON.stringify(json));

/** The value of `aggregations` of a search through an alias with `filter`, if one is given. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests read answers of any shape
async function aggregate(opened: TestShard, body: object, filter?: object): Promise<any> {
  const target: shard.ShardTarget = { indexName: 'test', boost: 1, ...(filter && { filter: bytes(filter) }) };
  const request: shard.QueryRequest = {
    targets: [target],
    body: bytes({ size: 0, ...body }),
    options: shard.encodeSearchOptions({
      ...shard.decodeSearchOptions(new Uint8Array(0)),
      searchType: 'query_then_fetch',
      allowExpensiveQueries: true,
    }),
    nowMs: 0,
    fetch: false,
    keepContext: false,
    keepAliveMs: 0,
    maxConcurrent: 0,
  };
  const lease = opened.shard.acquire();
  try {
    const source = sourceOf(request, null);
    const { aggregations } = await executeQueryPhase(lease, target, request, PROGRESS, source);
    const tree = source.search.aggregations!;
    const site = { typedKeys: false, maxBuckets: 65_536, now: () => 0 };
    const steps = reduceInSteps(tree, [aggregations!], site);
    for (;;) {
      const { done, value } = steps.next();
      if (done === true) return JSON.parse(stringify(value));
    }
  } finally {
    lease.release();
  }
}

async function opened(properties: object, sources: readonly object[]): Promise<TestShard> {
  const one = await openTestShard({ mapping: { properties } });
  await one.write(sources.map((source, i): TestWrite => ({ op: 'index', id: String(i), source })));
  await one.shard.refresh();
  return one;
}

const NESTED = {
  c: { type: 'nested', properties: { x: { type: 'keyword' }, y: { type: 'integer' }, z: { type: 'nested' } } },
};

test('top_hits below nested shows the nested objects, with their places and sources', async () => {
  const one = await opened(NESTED, [
    {
      c: [
        { x: 'p', y: 1, z: [{ w: 'q' }, { w: 'r' }] },
        { x: 's', y: 2 },
      ],
    },
    { c: [{ x: 's', y: 5 }] },
  ]);
  const hits = { top_hits: { sort: [{ 'c.y': 'desc' }], size: 2, _source: ['c.x'] } };
  const answer = await aggregate(one, { aggs: { n: { nested: { path: 'c' }, aggs: { h: hits } } } });
  assert.deepEqual(answer.n.h.hits, {
    total: { value: 3, relation: 'eq' },
    max_score: null,
    hits: [
      { _index: 'test', _id: '1', _nested: { field: 'c', offset: 0 }, _score: null, _source: { x: 's' }, sort: [5] },
      { _index: 'test', _id: '0', _nested: { field: 'c', offset: 1 }, _score: null, _source: { x: 's' }, sort: [2] },
    ],
  });
  await one.shard.close();
});

test('top_hits below two levels of nested shows the way to each object, below reverse_nested documents', async () => {
  const one = await opened(NESTED, [{ c: [{ x: 'p' }, { x: 's', z: [{ w: 'q' }, { w: 'r' }] }] }]);
  const deep = await aggregate(one, { aggs: { n: { nested: { path: 'c.z' }, aggs: { h: { top_hits: {} } } } } });
  const second = { field: 'c', offset: 1, _nested: { field: 'z', offset: 1 } };
  assert.deepEqual(deep.n.h.hits.hits[1]._nested, second);
  assert.deepEqual(deep.n.h.hits.hits[1]._source, { w: 'r' });
  const back = { nested: { path: 'c' }, aggs: { r: { reverse_nested: {}, aggs: { h: { top_hits: {} } } } } };
  const { n } = await aggregate(one, { aggs: { n: back } });
  assert.equal(n.r.h.hits.hits[0]._nested, undefined);
  await one.shard.close();
});

test('significant terms through an alias are compared with the documents of its filter', async () => {
  const one = await opened({ k: { type: 'keyword' }, t: { type: 'text' } }, [
    { k: 'a', t: 'red fox' },
    { k: 'a', t: 'red dog' },
    { k: 'a', t: 'blue' },
    { k: 'b', t: 'red' },
    { k: 'b', t: 'green' },
  ]);
  const body = {
    query: { term: { t: 'red' } },
    aggs: {
      terms: { significant_terms: { field: 'k', min_doc_count: 1 } },
      text: { significant_text: { field: 't', min_doc_count: 1 } },
    },
  };
  const whole = await aggregate(one, body);
  assert.deepEqual([whole.terms.bg_count, whole.text.bg_count], [5, 5]);
  const alias = await aggregate(one, body, { term: { k: 'a' } });
  assert.deepEqual([alias.terms.bg_count, alias.text.bg_count], [3, 3]);
  type Bucket = { readonly key: string; readonly bg_count: number };
  const counts = alias.text.buckets.map((one: Bucket) => [one.key, one.bg_count]);
  assert.deepEqual(Object.fromEntries(counts), { red: 2, dog: 1, fox: 1 });
  await one.shard.close();
});
