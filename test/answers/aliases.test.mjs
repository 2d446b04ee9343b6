// Aliases on a whole node: which are shown, and through which of them a search would go. Answers are those of 8.12.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, startNode } from '../node-process.mjs';

let node;
before(async () => {
  node = await startNode();
  const settings = { number_of_shards: 1, number_of_replicas: 0 };
  const filter = { term: { k: 'a' } };
  const one = { index_routing: '2', search_routing: '1' };
  await call(node, 'PUT', '/books', { settings, aliases: { one, two: { filter }, three: { routing: '1' } } });
  await call(node, 'PUT', '/films', { settings, aliases: { two: {} } });
  await call(node, 'PUT', '/shut', { settings });
  await call(node, 'POST', '/shut/_close');
});
after(() => node?.stop());

const status = async (method, path) => (await call(node, method, path)).status;
const searched = async (path) => (await call(node, 'GET', `/${path}`)).body.indices;

test('exclusions apply to aliases of a call, of its HEAD and of their table', async () => {
  const { body } = await call(node, 'GET', '/_alias/t*,-two');
  assert.deepEqual(Object.keys(body.books.aliases), ['three']);
  assert.equal(body.films, undefined);
  assert.equal(await status('GET', '/_alias/_all,-two'), 404);
  assert.equal(await status('HEAD', '/_alias/_all,-two'), 404);
  assert.equal(await status('HEAD', '/_alias/none*'), 200);
  const rows = (await call(node, 'GET', '/_cat/aliases/*,-two?format=json&h=alias&s=alias')).body;
  assert.deepEqual(rows, [{ alias: 'one' }, { alias: 'three' }]);
});

test('more patterns of aliases to remove than can be compared are refused at once', async () => {
  const remove = (i) => ({ remove: { index: 'books', alias: i % 2 === 0 ? `x*${i}` : '_all' } });
  const actions = Array.from({ length: 50_000 }, (_, i) => remove(i));
  const { status: refused, body } = await call(node, 'POST', '/_aliases', { actions });
  assert.equal(refused, 400);
  assert.match(body.error.reason, /^\[50000\] patterns would be compared with/);
});

test('_search_shards names the aliases that it was asked with, whether they filter or not', async () => {
  assert.deepEqual(await searched('one/_search_shards'), { books: { aliases: ['one'] } });
  const filter = { term: { k: 'a' } };
  assert.deepEqual(await searched('two/_search_shards'), {
    books: { aliases: ['two'], filter },
    films: { aliases: ['two'] },
  });
  assert.deepEqual(await searched('two,one,books/_search_shards'), {
    books: { aliases: ['one', 'two'] },
    films: { aliases: ['two'] },
  });
  assert.deepEqual(await searched('_search_shards'), { books: {}, films: {} });
});

test('_search_shards leaves missing indices out and shows closed ones', async () => {
  assert.deepEqual(await searched('none,shut/_search_shards'), { shut: {} });
  assert.equal(await status('GET', '/none/_search_shards?ignore_unavailable=false'), 404);
});

test('stores of a closed index are shown, capabilities of its fields are blocked', async () => {
  const stores = (await call(node, 'GET', '/shut/_shard_stores?status=all')).body.indices;
  assert.deepEqual(Object.keys(stores), ['shut']);
  const { status: blocked, body } = await call(node, 'GET', '/shut/_field_caps?fields=*');
  assert.equal(blocked, 403);
  assert.equal(body.error.reason, 'index [shut] blocked by: [FORBIDDEN/4/index closed];');
});

test('sections of an index that were not asked for are empty, and features may be in capitals', async () => {
  const { body } = await call(node, 'GET', '/films?features=ALIASES,');
  assert.deepEqual(body, { films: { aliases: { two: {} }, mappings: {}, settings: {} } });
  assert.deepEqual((await call(node, 'GET', '/films?features=,')).body.films, {
    aliases: {},
    mappings: {},
    settings: {},
  });
  for (const [features, shown] of [
    ['x,aliases,Y', 'x,Y'],
    ['', ''],
    ['aliases,,settings', ''],
  ]) {
    const answer = await call(node, 'GET', `/films?features=${features}`);
    assert.equal(answer.status, 400);
    assert.equal(answer.body.error.reason, `Invalid features specified [${shown}]`);
  }
});

test('aliases of an index whose metadata is blocked are not shown', async () => {
  await call(node, 'PUT', '/films/_block/metadata');
  for (const path of ['/films/_alias', '/_cat/aliases', '/films/_search_shards'])
    assert.equal(await status('GET', path), 403, path);
  assert.equal(await status('GET', '/books/_alias'), 200);
  assert.equal((await call(node, 'PUT', '/films/_settings', { 'index.blocks.metadata': false })).status, 200);
});
