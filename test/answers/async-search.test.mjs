// Asynchronous searches on a node with security: answered in time, behind the call, kept, of another user, deleted.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { basicAuth, call, startNode } from '../node-process.mjs';

const PASSWORD = 'open-sesame';
let node;
const as = (name) => (method, path, body) => call(node, method, path, body, basicAuth(`${name}:${PASSWORD}`));
const [elastic, ann, bob] = ['elastic', 'ann', 'bob'].map(as);

before(async () => {
  node = await startNode({ env: { ELASTIC_PASSWORD: PASSWORD }, auth: `elastic:${PASSWORD}` });
  await elastic('PUT', '/docs/_doc/1?refresh=true', { n: 1.5, text: 'quick fox' });
  await elastic('PUT', '/_security/role/reader', { indices: [{ names: ['docs'], privileges: ['read'] }] });
  for (const name of ['ann', 'bob'])
    await elastic('PUT', `/_security/user/${name}`, { password: PASSWORD, roles: ['reader'] });
});
after(() => node?.stop());

const BODY = { query: { match: { text: 'fox' } }, aggs: { m: { max: { field: 'n' } } } };
const submit = (ask, query, body = BODY) => ask('POST', `/docs/_async_search?${query}`, body);
const found = ({ body }) => [body.is_running, body.is_partial, body.response.hits.total.value];

test('a search that ends in time is answered like a search, and nothing of it is kept', async () => {
  const { status, body } = await submit(ann, 'wait_for_completion_timeout=30s');
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(body), [
    ...['is_partial', 'is_running', 'start_time_in_millis', 'expiration_time_in_millis', 'completion_time_in_millis'],
    'response',
  ]);
  assert.equal(body.expiration_time_in_millis - body.start_time_in_millis, 5 * 24 * 3_600_000);
  const plain = await ann('POST', '/docs/_search?request_cache=true', BODY);
  assert.deepEqual({ ...body.response, took: 0 }, { ...plain.body, took: 0 });
});

test('a search that is not waited for is told while it runs and when it has ended, for its user alone', async () => {
  const first = await submit(ann, 'wait_for_completion_timeout=0ms&keep_alive=1h&keep_on_completion=true');
  const { id, response } = first.body;
  assert.equal(typeof id, 'string');
  if (first.body.is_running) assert.deepEqual(response.hits.total, { value: 0, relation: 'gte' });
  const ended = await ann('GET', `/_async_search/${id}?wait_for_completion_timeout=30s`);
  assert.deepEqual([ended.status, ...found(ended)], [200, false, false, 1]);
  assert.deepEqual(ended.body.response.aggregations, { m: { value: 1.5 } });
  const longer = await ann('GET', `/_async_search/${id}?keep_alive=10d`);
  const again = await ann('GET', `/_async_search/${id}`);
  assert.equal(again.body.expiration_time_in_millis, longer.body.expiration_time_in_millis);
  assert.ok(again.body.expiration_time_in_millis > ended.body.expiration_time_in_millis);
  for (const [method, ask] of [
    ['GET', bob],
    ['DELETE', bob],
    ['GET', elastic],
  ])
    assert.deepEqual((await ask(method, `/_async_search/${id}`)).body.error.reason, id, method);
  assert.equal((await ann('GET', `/_async_search/status/${id}`)).status, 403);
  const { body: status } = await elastic('GET', `/_async_search/status/${id}`);
  assert.deepEqual([status.is_running, status._shards.successful, status.completion_status], [false, 1, 200]);
  assert.deepEqual((await ann('DELETE', `/_async_search/${id}`)).body, { acknowledged: true });
  assert.equal((await ann('GET', `/_async_search/${id}`)).status, 404);
});

test('a kept answer is given out as it was, numbers in the form that they had', async () => {
  const headers = { ...basicAuth(`elastic:${PASSWORD}`), 'content-type': 'application/json' };
  const textOf = async (method, path, body) => (await fetch(`${node.url}${path}`, { method, headers, body })).text();
  await textOf('PUT', '/forms/_doc/1?refresh=true', '{"whole":5.0,"large":9007199254740993}');
  const submitted = await textOf('POST', '/forms/_async_search?keep_on_completion=true', '{}');
  const kept = await textOf('GET', `/_async_search/${JSON.parse(submitted).id}`);
  assert.match(kept, /"max_score":1\.0,.*"_source":\{"whole":5\.0,"large":9007199254740993\}/);
  assert.equal(kept, submitted);
});

test('a failed search keeps its error, and one that cannot be parsed is no search', async () => {
  const missing = await elastic('POST', '/gone/_async_search?keep_on_completion=true', BODY);
  assert.deepEqual([missing.status, missing.body.error.type], [404, 'index_not_found_exception']);
  const again = await elastic('GET', `/_async_search/${missing.body.id}`);
  assert.deepEqual([again.status, again.body.is_partial, again.body.error], [404, true, missing.body.error]);
  const refused = await submit(ann, '', { query: { nope: {} } });
  assert.deepEqual([refused.status, refused.body.error.type], [400, 'parsing_exception']);
  const { body } = await submit(ann, 'keep_alive=500ms&scroll=1m', BODY);
  assert.equal(
    body.error.reason,
    'Validation Failed: 1: [scroll] queries are not supported;' +
      '2: [keep_alive] must be greater or equals than 1 second, got:500ms;',
  );
  assert.equal((await ann('GET', '/_async_search/nonsense')).body.error.reason, 'invalid id: [nonsense]');
});

test('an answer above the limit is not kept, and says so', async () => {
  const limit = (value) =>
    elastic('PUT', '/_cluster/settings', { persistent: { 'search.max_async_search_response_size': value } });
  await limit('10b');
  const { status, body } = await submit(ann, 'keep_on_completion=true&wait_for_completion_timeout=30s');
  assert.equal(status, 400);
  assert.match(body.error.reason, /^Can't store an async search response larger than \[10\] bytes/);
  await limit(null);
});
