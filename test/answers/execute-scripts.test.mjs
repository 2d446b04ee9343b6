// Scripts that are tried out by `_scripts/painless/_execute`. Results of the contexts painless_test, filter and score
// are those of OpenSearch 2.19, whose call is that of Elasticsearch 7.10.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, startNode } from '../node-process.mjs';

let node;
before(async () => {
  node = await startNode();
  await call(node, 'PUT', '/t', { mappings: { properties: { a: { type: 'long' } } } });
});
after(() => node?.stop());

const execute = (body) => call(node, 'POST', '/_scripts/painless/_execute', body);
const raw = async (body) => {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${node.url}/_scripts/painless/_execute`, { method: 'POST', headers, body });
  return response.text();
};
const onDocument = async (context, source, more = {}) => {
  const setup = { index: 't', document: { a: 4, t: 'x y' }, ...more };
  return JSON.parse(await raw(JSON.stringify({ script: { source }, context, context_setup: setup }))).result;
};

test('a script without a document answers its result as Java prints it', async () => {
  const rows = [
    ['return 1 + params.a', '6'],
    ['params.x', 'null'],
    ['[1, 2.0, "a"]', '[1, 2.0, a]'],
    ['params.d', '1.0'],
  ];
  for (const [source, result] of rows)
    assert.equal(
      await raw(`{"script":{"source":${JSON.stringify(source)},"params":{"a":5,"d":1.0}}}`),
      `{"result":"${result}"}`,
    );
});

test('filter and score see the document and the score of a query', async () => {
  assert.equal(await onDocument('filter', "doc['a'].value > 3"), true);
  assert.equal(await onDocument('score', "doc['a'].value * _score", { query: { function_score: { weight: 3 } } }), 12);
  const text = await raw(
    '{"script":{"source":"doc[\'a\'].value"},"context":"score","context_setup":{"index":"t","document":{"a":4}}}',
  );
  assert.equal(text, '{"result":4.0}');
  const stored = await call(node, 'GET', '/t/_count');
  assert.equal(stored.body.count, 0);
});

test('contexts of runtime fields answer what is emitted', async () => {
  assert.deepEqual(await onDocument('long_field', "emit(doc['a'].value); emit(7)"), [4, 7]);
  assert.deepEqual(await onDocument('double_field', 'emit(2.5)'), [2.5]);
  assert.deepEqual(await onDocument('boolean_field', 'emit(true); emit(false)'), [false, true]);
  assert.deepEqual(await onDocument('date_field', 'emit(1700000000123L)'), ['2023-11-14T22:13:20.123Z']);
  assert.deepEqual(await onDocument('ip_field', "emit('2001:DB8::1')"), ['2001:db8::1']);
  assert.deepEqual(await onDocument('keyword_field', 'emit(params._source.t)'), ['x y']);
  assert.deepEqual(await onDocument('geo_point_field', 'emit(41.12, -71.34)'), [
    { coordinates: [-71.34000004269183, 41.1199999647215], type: 'Point' },
  ]);
  assert.deepEqual(await onDocument('composite_field', "emit('a', 1); emit(['b': 2.5])"), {
    'composite_field.a': [1],
    'composite_field.b': [2.5],
  });
});

test('whole doubles among the parameters of scripts stay doubles', async () => {
  const script = '{"source":"doc[\'a\'].value / params.by","params":{"by":5.0}}';
  const setup = '{"index":"t","document":{"a":4}}';
  assert.equal(await raw(`{"script":${script},"context":"score","context_setup":${setup}}`), '{"result":0.8}');
  await call(node, 'PUT', '/halves', { mappings: { properties: { a: { type: 'long' } } } });
  await call(node, 'PUT', '/halves/_doc/1?refresh', { a: 4 });
  const post = async (path, body) => {
    const headers = { 'content-type': 'application/json' };
    return (await fetch(`${node.url}/halves/${path}`, { method: 'POST', headers, body })).json();
  };
  const found = await post('_search', `{"query":{"script_score":{"query":{"match_all":{}},"script":${script}}}}`);
  assert.equal(found.hits.max_score, 0.8);
  const sized = await post(
    '_search?size=1',
    `{"query":{"function_score":{"boost":1.0,"script_score":{"script":${script}}}}}`,
  );
  assert.equal(sized.hits.max_score, 0.8);
  const explained = await post(
    '_explain/1',
    `{"query":{"script_score":{"query":{"match_all":{}},"script":${script}}}}`,
  );
  assert.equal(explained.explanation.value, 0.8);
  await post(
    '_update/1?refresh',
    '{"script":{"source":"ctx._source.b = ctx._source.a / params.by","params":{"by":5.0}}}',
  );
  assert.equal((await call(node, 'GET', '/halves/_doc/1')).body._source.b, 0.8);
  await post(
    '_update_by_query?refresh',
    '{"script":{"source":"ctx._source.c = ctx._source.a / params.by","params":{"by":8.0}}}',
  );
  assert.equal((await call(node, 'GET', '/halves/_doc/1')).body._source.c, 0.5);
});

test('a script emits at most 100 values', async () => {
  const source = 'for (int i = 0; i < 101; i++) { emit(i) }';
  const setup = { index: 't', document: {} };
  const { status, body } = await execute({ script: { source }, context: 'long_field', context_setup: setup });
  assert.equal(status, 400);
  assert.match(
    JSON.stringify(body),
    /is emitting \[101\] values while the maximum number of values allowed is \[100\]/,
  );
});

test('errors name their place', async () => {
  const { status, body } = await execute({ script: { source: '1 +' } });
  assert.deepEqual([status, body.error.type, body.error.reason], [400, 'script_exception', 'compile error']);
  const setup = { index: 't', foo: 1 };
  const unknown = await raw(JSON.stringify({ script: { source: 'true' }, context: 'filter', context_setup: setup }));
  assert.deepEqual(JSON.parse(unknown).error.root_cause, [
    { type: 'x_content_parse_exception', reason: '[1:77] [execute_script_context] unknown field [foo]' },
  ]);
  const missing = await execute({
    script: { source: 'true' },
    context: 'filter',
    context_setup: { index: 'no', document: {} },
  });
  assert.deepEqual([missing.status, missing.body.error.reason], [404, 'no such index [no]']);
});
