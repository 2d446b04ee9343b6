import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { decodeValue } from '@shoal/codec';
import { search } from '../read/test-search.js';
import { openTestShard, type TestWrite } from '../test-shard.js';

const DOCS = 6;
const properties = { t: { type: 'text' }, n: { type: 'long' }, u: { type: 'long', index: false } };
const opened = await openTestShard({ mapping: { properties } });
await opened.write(
  Array.from(
    { length: DOCS },
    (_, i): TestWrite => ({
      ...{ op: 'index', id: String(i), source: { n: i, u: i, t: i % 2 === 0 ? 'red fox' : 'red dog' } },
    }),
  ),
  1,
);
after(() => opened.shard.close());

const RANGE = { range: { n: { gte: 0 } } };

/** What searches answer that end after some documents, as Elasticsearch 8.12.0. */
async function found(body: object): Promise<readonly [total: number, hits: number, terminatedEarly: boolean]> {
  const { result, ids } = await search(opened, { ...body }, null);
  return [result.total, ids.length, result.terminatedEarly];
}

test('a search ends early when there is a document behind the last that it may have', async () => {
  assert.deepEqual(await found({ query: RANGE, terminate_after: 5 }), [5, 5, true]);
  assert.deepEqual(await found({ query: RANGE, terminate_after: 6 }), [6, 6, false]);
});

test('a number of hits that is known without a search is told in whole', async () => {
  assert.deepEqual(await found({ terminate_after: 2 }), [6, 2, true]);
  assert.deepEqual(await found({ query: { term: { t: 'red' } }, terminate_after: 2 }), [6, 2, true]);
});

test('clauses that all documents match, and fields that are indexed, are known without a search', async () => {
  const red = { term: { t: 'red' } };
  const total = async (query: object): Promise<number> => (await found({ query, terminate_after: 2 }))[0];
  assert.equal(await total({ bool: { filter: [red, { match_all: {} }] } }), 6);
  assert.equal(await total({ dis_max: { queries: [red] } }), 6);
  assert.equal(await total({ bool: { must: [red], should: [{ term: { t: 'fox' } }] } }), 2);
  assert.equal(await total({ exists: { field: 't' } }), 6);
  assert.equal(await total({ exists: { field: 'n' } }), 6);
  assert.equal(await total({ exists: { field: 'u' } }), 2, 'u is not indexed');
});

test('where objects are nested, a total is known of queries that none of them can match', async () => {
  const nested = await openTestShard({ mapping: { properties: { ...properties, o: { type: 'nested' } } } });
  const source = { t: 'red', n: 1, o: [{ t: 'red' }, { t: 'red' }] };
  await nested.write(
    ['1', '2', '3'].map((id): TestWrite => ({ op: 'index', id, source })),
    1,
  );
  const total = async (query: object): Promise<number> =>
    (await search(nested, { query, size: 1, terminate_after: 1 }, null)).result.total;
  assert.equal(await total({ term: { t: 'red' } }), 3);
  assert.equal(await total({ match_all: {} }), 1);
  assert.equal(await total({ exists: { field: 'n' } }), 1);
  await nested.shard.close();
});

test('documents that a filter of hits leaves out do not count', async () => {
  const fox = { query: RANGE, post_filter: { term: { t: 'fox' } } };
  assert.deepEqual(await found({ ...fox, terminate_after: 2 }), [2, 2, true]);
  assert.deepEqual(await found({ ...fox, terminate_after: 3 }), [3, 3, false]);
  const { result } = await search(opened, { ...fox, terminate_after: 2, aggs: { c: { max: { field: 'n' } } } }, null);
  assert.match(JSON.stringify(decodeValue(result.aggregations!)), /[^\d]3[^\d]/, 'all before the third fox are seen');
});

test('a search without hits does not end early', async () => {
  assert.deepEqual(await found({ query: RANGE, size: 0, terminate_after: 1 }), [6, 0, false]);
});
