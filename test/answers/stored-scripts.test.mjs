// Stored scripts and templates over HTTP: answers and errors of Elasticsearch 8.12.0, which were recorded from it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, startNode } from '../node-process.mjs';

let node;
before(async () => {
  node = await startNode();
});
after(() => node?.stop());

const error = async (method, path, body) => {
  const { status, body: answer } = await call(node, method, path, body);
  return [status, answer.error.type, answer.error.reason, answer.error.caused_by?.reason];
};

test('a stored script is put, shown, replaced and deleted', async () => {
  const put = await call(node, 'PUT', '/_scripts/a', { script: { lang: 'mustache', source: { size: '{{n}}' } } });
  assert.deepEqual([put.status, put.body], [200, { acknowledged: true }]);
  const script = {
    lang: 'mustache',
    source: '{"size":"{{n}}"}',
    options: { content_type: 'application/json;charset=utf-8' },
  };
  assert.deepEqual((await call(node, 'GET', '/_scripts/a')).body, { _id: 'a', found: true, script });
  const state = await call(node, 'GET', '/_cluster/state/metadata?filter_path=metadata.stored_scripts');
  assert.deepEqual(state.body, { metadata: { stored_scripts: { a: script } } });
  await call(node, 'POST', '/_scripts/a/update', { script: { lang: 'painless', source: 'ctx.op = "none"' } });
  assert.equal((await call(node, 'GET', '/_scripts/a')).body.script.lang, 'painless');
  assert.deepEqual((await call(node, 'DELETE', '/_scripts/a')).body, { acknowledged: true });
  const missing = await call(node, 'GET', '/_scripts/a');
  assert.deepEqual([missing.status, missing.body], [404, { _id: 'a', found: false }]);
});

test('stored scripts are refused as by 8.12', async () => {
  const script = (source, lang = 'mustache') => ({ script: { lang, source } });
  const illegal = 'illegal_argument_exception';
  const rows = [
    ['PUT', '/_scripts/s', [], 400, 'parsing_exception', 'unexpected token [START_ARRAY], expected [{]'],
    ['PUT', '/_scripts/s', { foo: 1 }, 400, 'parsing_exception', 'unexpected field [foo], expected [script]'],
    ['PUT', '/_scripts/s', script('x', 'zz'), 400, illegal, 'unable to put stored script with unsupported lang [zz]'],
    [
      ...['PUT', '/_scripts/s', script('x'.repeat(70_000))],
      ...[400, illegal],
      'exceeded max allowed stored script size in bytes [65535] with size [70042] for script [s]',
    ],
    [
      ...['PUT', '/_scripts/s%23', script('x'), 400, 'action_request_validation_exception'],
      "Validation Failed: 1: id cannot contain '#' for stored script;",
    ],
    [
      ...['PUT', '/_scripts/s/nope', script('x'), 400, illegal, 'failed to parse/compile stored script [s]'],
      'Unknown context [nope]',
    ],
    [
      ...['PUT', '/_scripts/s/score', script('x'), 400, illegal, 'failed to parse/compile stored script [s]'],
      'mustache engine does not know how to handle context [score]',
    ],
    [
      ...['PUT', '/_scripts/s?context=template', script('{{#a'), 400, 'script_exception'],
      ...["Failed to close 'a' tag @[query-template:1]", "Failed to close 'a' tag @[query-template:1]"],
    ],
    [
      ...['DELETE', '/_scripts/s', undefined, 404, 'resource_not_found_exception'],
      'stored script [s] does not exist and cannot be deleted',
    ],
  ];
  for (const [method, path, body, status, type, reason, cause] of rows)
    assert.deepEqual(await error(method, path, body), [status, type, reason, cause]);
});

test('a script without a context is stored although it does not compile', async () => {
  await call(node, 'PUT', '/_scripts/broken', { script: { lang: 'painless', source: '1 +' } });
  assert.equal((await call(node, 'GET', '/_scripts/broken')).body.script.source, '1 +');
  const refused = await error('PUT', '/_scripts/broken/update', { script: { lang: 'painless', source: '1 +' } });
  assert.deepEqual(refused.slice(0, 3), [400, 'script_exception', 'compile error']);
});

test('script.max_size_in_bytes bounds stored scripts', async () => {
  await call(node, 'PUT', '/_cluster/settings', { persistent: { 'script.max_size_in_bytes': 40 } });
  const [, , reason] = await error('PUT', '/_scripts/s', { script: { lang: 'mustache', source: '{{abc}}' } });
  assert.equal(reason, 'exceeded max allowed stored script size in bytes [40] with size [49] for script [s]');
  await call(node, 'PUT', '/_cluster/settings', { persistent: { 'script.max_size_in_bytes': null } });
});

test('languages and contexts of scripts are listed', async () => {
  const { body } = await call(node, 'GET', '/_script_language');
  assert.deepEqual(body.types_allowed, ['inline', 'stored']);
  assert.deepEqual(body.language_contexts[1], { language: 'mustache', contexts: ['ingest_template', 'template'] });
  const { contexts } = (await call(node, 'GET', '/_script_context')).body;
  for (const name of body.language_contexts.flatMap((one) => one.contexts))
    assert.ok(
      contexts.some((context) => context.name === name),
      name,
    );
});

test('a stored script is run by updates, searches, counts and calls by query', async () => {
  const put = (id, source) => call(node, 'PUT', `/_scripts/${id}`, { script: { lang: 'painless', source } });
  await put('add', 'ctx._source.n += params.by');
  await put('above', "doc['n'].value > params.min");
  const mappings = { properties: { n: { type: 'long' } } };
  await call(node, 'PUT', '/run', { mappings });
  for (const n of [1, 2, 3]) await call(node, 'PUT', `/run/_doc/${n}`, { n });
  const add = { script: { id: 'add', params: { by: 10 } } };
  assert.equal((await call(node, 'POST', '/run/_update/1', add)).body.result, 'updated');
  const bulk = await fetch(`${node.url}/run/_bulk?refresh`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: `{"update":{"_id":"2"}}\n${JSON.stringify(add)}\n{"update":{"_id":"3"}}\n{"script":{"id":"nope"}}\n`,
  });
  const items = (await bulk.json()).items.map(({ update }) => [update.status, update.error?.caused_by?.reason]);
  assert.deepEqual(items, [
    [200, undefined],
    [400, 'unable to find script [nope] in cluster state'],
  ]);
  const query = { script: { script: { id: 'above', params: { min: 3 } } } };
  const found = async () => {
    const search = await call(node, 'POST', '/run/_search', { query });
    const count = await call(node, 'POST', '/run/_count', { query });
    return [search.body.hits.hits.map((hit) => hit._source.n).sort(), count.body.count];
  };
  assert.deepEqual(await found(), [[11, 12], 2]);
  await put('above', "doc['n'].value <= params.min");
  assert.deepEqual(await found(), [[3], 1]);
  const missing = await call(node, 'POST', '/run/_search', { query: { script: { script: { id: 'nope' } } } });
  assert.deepEqual(
    [missing.status, missing.body.error.caused_by.reason],
    [400, 'unable to find script [nope] in cluster state'],
  );
  const updated = await call(node, 'POST', '/run/_update_by_query?refresh', { ...add, query });
  assert.equal(updated.body.updated, 1);
  assert.equal((await call(node, 'GET', '/run/_doc/3')).body._source.n, 13);
  const unknown = await call(node, 'POST', '/run/_update_by_query', { script: { id: 'nope' } });
  assert.deepEqual([unknown.status, unknown.body.error.reason], [404, 'unable to find script [nope] in cluster state']);
});
