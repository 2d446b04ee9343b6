// Classes that the comparison with Elasticsearch 8.12 (test/compare) found, on a whole node; answers are those of 8.12.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, startNode } from '../node-process.mjs';

let node;
before(async () => {
  node = await startNode();
});
after(() => node?.stop());

const create = (index, body = {}) => call(node, 'PUT', `/${index}`, body);
const SHARDS = { settings: { number_of_shards: 2, number_of_replicas: 0 } };
const put = (index, id, source) => call(node, 'PUT', `/${index}/_doc/${id}?refresh=true`, source);
const search = async (index, body, query = '') => (await call(node, 'POST', `/${index}/_search${query}`, body)).body;
const reasonOf = ({ body }) => body.error.reason;

test('equal hits of several indices come by number of the shard, then by name of the index', async () => {
  for (const index of ['order-a', 'order-b']) {
    await create(index, SHARDS);
    for (const id of ['0', '1', '2', '3', '4', '5']) await put(index, id, { k: 1 });
  }
  const found = await search('order-*', { size: 20, explain: true });
  const shards = found.hits.hits.map((hit) => hit._shard);
  assert.deepEqual([...new Set(shards)], ['[order-a][0]', '[order-b][0]', '[order-a][1]', '[order-b][1]']);
});

test('an explained hit names the node of its shard', async () => {
  await create('explained');
  await put('explained', '1', { k: 1 });
  const [hit] = (await search('explained', { explain: true })).hits.hits;
  const nodes = (await call(node, 'GET', '/_nodes/_all')).body.nodes;
  assert.deepEqual(Object.keys(hit).slice(0, 3), ['_shard', '_node', '_index']);
  assert.ok(Object.hasOwn(nodes, hit._node));
});

test('filter_path does not apply to errors', async () => {
  const { status, body } = await call(node, 'GET', '/missing/_search?filter_path=status');
  assert.equal(status, 404);
  assert.equal(body.error.type, 'index_not_found_exception');
});

test('templates are missing (404) when a pattern matches none', async () => {
  for (const kind of ['_index_template', '_component_template', '_template']) {
    assert.equal((await call(node, 'GET', `/${kind}/none*`)).status, 404, kind);
    assert.equal((await call(node, 'GET', `/${kind}`)).status, 200, kind);
  }
  assert.deepEqual((await call(node, 'GET', '/_index_template/none*')).body, { index_templates: [] });
});

test('mappings of fields are missing (404) when no index is meant', async () => {
  assert.equal((await call(node, 'GET', '/none*/_mapping/field/f')).status, 404);
});

test('a block needs names of indices, not patterns', async () => {
  const answer = await call(node, 'PUT', '/none*/_block/write');
  assert.equal(answer.status, 400);
  assert.equal(reasonOf(answer), 'Wildcard expressions or all indices are not allowed');
});

test('a query over a geo_point names itself when the field is of another type', async () => {
  await create('geo', { mappings: { properties: { n: { type: 'long' } } } });
  const box = { top: 1, left: 0, bottom: 0, right: 1 };
  const { body } = await call(node, 'POST', '/geo/_search', { query: { geo_bounding_box: { n: box } } });
  const reason = 'Field [n] is of unsupported type [long] for [geo_bounding_box] query';
  assert.equal(body.error.root_cause[0].reason, reason);
});

test('texts of _analyze are an increment of positions apart with a custom analyzer too', async () => {
  const body = { text: ['a b', 'c'], tokenizer: 'standard' };
  const { tokens } = (await call(node, 'POST', '/_analyze', body)).body;
  assert.deepEqual(
    tokens.map(({ position }) => position),
    [0, 1, 102],
  );
});

test('the analyzer of an index that _analyze takes unasked is called default', async () => {
  await create('analyzed');
  const { detail } = (await call(node, 'POST', '/analyzed/_analyze', { text: 'a', explain: true })).body;
  assert.equal(detail.analyzer.name, 'default');
});

test('clearing a scroll counts the shards that it kept, and all its pages show the best score', async () => {
  await create('scrolled', SHARDS);
  for (const id of ['0', '1', '2']) await put('scrolled', id, { k: 1 });
  const first = await search('scrolled', { size: 1 }, '?scroll=1m');
  const scroll = { scroll: '1m', scroll_id: first._scroll_id };
  const next = (await call(node, 'POST', '/_search/scroll', scroll)).body;
  assert.equal(next.hits.max_score, 1);
  const cleared = await call(node, 'DELETE', '/_search/scroll', { scroll_id: first._scroll_id });
  assert.deepEqual(cleared.body, { succeeded: true, num_freed: 2 });
});

test('inner hits from behind the last have no total, unless they are sorted', async () => {
  await create('inner', { mappings: { properties: { n: { type: 'nested' } } } });
  await put('inner', '1', { n: [{ a: 1 }] });
  const totalOf = async (inner) => {
    const query = { nested: { path: 'n', query: { match_all: {} }, inner_hits: inner } };
    return (await search('inner', { query })).hits.hits[0].inner_hits.n.hits.total.value;
  };
  assert.equal(await totalOf({ from: 1 }), 0);
  assert.equal(await totalOf({ from: 1, sort: ['n.a'] }), 1);
});

test('the fast vector highlighter passes over fields of patterns that it cannot show, and fails at hits', async () => {
  await create('vectors', { mappings: { properties: { t: { type: 'text' } } } });
  await put('vectors', '1', { t: 'fox' });
  const highlight = (name) => ({ fields: { [name]: { type: 'fvh' } } });
  const ask = (text, name) =>
    call(node, 'POST', '/vectors/_search', { query: { match: { t: text } }, highlight: highlight(name) });
  assert.equal((await ask('fox', 't*')).status, 200);
  assert.equal((await ask('none', 't')).status, 200);
  assert.equal((await ask('fox', 't')).status, 400);
});

test('a search that only suggests does not say whether it ended early', async () => {
  await create('suggested', { mappings: { properties: { t: { type: 'text' } } } });
  const suggest = { s: { text: 'a', term: { field: 't' } } };
  assert.ok(!('terminated_early' in (await search('suggested', { size: 0, terminate_after: 9, suggest }))));
});
