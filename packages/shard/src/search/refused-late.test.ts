import assert from 'node:assert/strict';
import test from 'node:test';
import { search } from '../read/test-search.js';
import { openTestShard, type TestShard } from '../test-shard.js';

async function shardOfOne(): Promise<TestShard> {
  const properties = { t: { type: 'text' }, o: { type: 'nested', properties: { x: { type: 'integer' } } } };
  const opened = await openTestShard({ mapping: { properties } });
  await opened.write([{ op: 'index', id: '1', source: { t: 'a', o: [{ x: 1 }] } }], 1);
  return opened;
}

test('a source without stored fields is refused before anything is found', async () => {
  const opened = await shardOfOne();
  await assert.rejects(
    search(opened, { stored_fields: '_none_', _source: ['t'], query: { match: { t: 'b' } } }, null),
    /\[stored_fields\] cannot be disabled if \[_source\] is requested/,
  );
  await opened.shard.close();
});

test('a median of nested values is refused at the first document that is sorted', async () => {
  const opened = await shardOfOne();
  const sort = [{ 'o.x': { mode: 'median', nested: { path: 'o' } } }];
  await search(opened, { sort, query: { match: { t: 'b' } } }, null);
  await assert.rejects(search(opened, { sort }, null), /Unsupported sort mode: MEDIAN/);
  await opened.shard.close();
});
