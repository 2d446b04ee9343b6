import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { decodeValue } from '@shoal/codec';
import { search } from '../read/test-search.js';
import { openTestShard, type TestWrite } from '../test-shard.js';

const DOCS = 6;
const properties = { t: { type: 'text' }, n: { type: 'long' } };
const opened = await openTestShard({ mapping: { properties } });
await opened.write(
  Array.from(
    { length: DOCS },
    (_, i): TestWrite => ({
      ...{ op: 'index', id: String(i), source: { n: i, t: i % 2 === 0 ? 'red fox' : 'red dog' } },
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
