// Input that hurts: each gets Elasticsearch's error type and status, and the node goes on answering.
import assert from 'node:assert/strict';
import http from 'node:http';
import net from 'node:net';
import { after, afterEach, before, test } from 'node:test';
import { withLimit } from '../limits.mjs';
import { call, startNode } from '../node-process.mjs';

let node;
before(async () => {
  node = await startNode();
  await call(node, 'PUT', '/i', { mappings: { properties: { s: { type: 'keyword' }, n: { type: 'long' } } } });
  await call(node, 'PUT', '/i/_doc/1?refresh=true', { s: 'abc', n: 1 });
});
after(() => node?.stop());
afterEach(async () => {
  const alive = await call(node, 'GET', '/i/_count');
  assert.equal(alive.status, 200);
  assert.ok(alive.body.count >= 1);
});

const refused = (answer, status, type) => {
  assert.equal(answer.status, status, JSON.stringify(answer.body).slice(0, 500));
  if (type) assert.equal(answer.body.error.type, type, JSON.stringify(answer.body.error).slice(0, 500));
};
const nested = (depth, open, close, inner) => open.repeat(depth) + inner + close.repeat(depth);

test('a document nested a hundred thousand deep', async () => {
  refused(await call(node, 'PUT', '/i/_doc/deep', nested(100_000, '{"a":', '}', '1')), 400);
  refused(await call(node, 'PUT', '/i/_doc/deep', `{"a":${nested(100_000, '[', ']', '')}}`), 400);
});

test('a query nested a hundred thousand deep, and one just past the limit', async () => {
  refused(await call(node, 'POST', '/i/_search', nested(100_000, '{"bool":{"must":', '}}', '{"match_all":{}}')), 400);
  const deep = `{"query":${nested(40, '{"bool":{"must":', '}}', '{"match_all":{}}')}}`;
  refused(await call(node, 'POST', '/i/_search', deep), 400, 'x_content_parse_exception');
});

test('a name with control characters is told as JSON', async () => {
  for (const [method, path, body] of [
    ['PUT', '/%0Da/_doc/1?refresh=true', '{}'],
    ['POST', '/%0Da/_update/1', '{"doc":{"x":1},"_source":true}'],
    ['POST', '/%0Da/_bulk', '{"index":{}}\n{}\n'],
    ['GET', '/%0Da/_doc/1'],
    ['POST', '/%0Da/_explain/1', '{"query":{"match_all":{}}}'],
    ['GET', '/%0Da/_search?size=1'],
  ]) {
    assert.match(JSON.stringify((await call(node, method, path, body)).body), /"_index":"\\ra"/, path);
  }
  assert.equal((await call(node, 'DELETE', '/%0Da')).status, 200);
});

test('why a cluster is not green, with an index whose name is no text', async () => {
  assert.equal((await call(node, 'POST', '/_bulk', '{"index":{"_index":"x\\ud800"}}\n{}\n')).status, 200);
  assert.equal((await call(node, 'PUT', '/*/_settings', { 'index.blocks.write': true })).status, 200);
  assert.equal((await call(node, 'GET', '/_why')).status, 200);
  assert.equal((await call(node, 'PUT', '/*/_settings', { 'index.blocks.write': null })).status, 200);
});

test('inner hits of a collapse that are no definitions', async () => {
  const inner = (value) => call(node, 'POST', '/i/_search', `{"collapse":{"field":"s","inner_hits":${value}}}`);
  for (const value of ['-1', '"x"', 'null', '[1]', '{"name":1}'])
    refused(await inner(value), 400, 'x_content_parse_exception');
  refused(await inner('{}'), 400, 'illegal_argument_exception');
  assert.equal((await inner('[]')).status, 200);
  const twice = await inner('[{"name":"a","size":0},{"name":"a"}]');
  assert.equal(twice.body.hits.hits[0].inner_hits.a.hits.hits.length, 1);
});

test('copies to wait for that are no number', async () => {
  for (const action of ['_open', '_close'])
    refused(await call(node, 'POST', `/i/${action}?wait_for_active_shards=many`), 400, 'illegal_argument_exception');
  refused(await call(node, 'PUT', '/other?wait_for_active_shards=-1'), 400, 'illegal_argument_exception');
});

test('numbers beyond what a field holds', async () => {
  refused(await call(node, 'PUT', '/i/_doc/n', '{"n":1e400}'), 400, 'document_parsing_exception');
  refused(await call(node, 'PUT', '/i/_doc/n', `{"n":${'9'.repeat(400)}}`), 400, 'document_parsing_exception');
  refused(await call(node, 'PUT', '/dyn/_doc/n', '{"x":9223372036854775808}'), 400);
  refused(await call(node, 'POST', '/i/_search', `{"size":${'9'.repeat(30)}}`), 400);
  assert.equal((await call(node, 'PUT', '/i/_doc/max?refresh=true', '{"n":9223372036854775807}')).status, 201);
  const found = await call(node, 'POST', '/i/_search', '{"query":{"term":{"n":9223372036854775807}}}');
  assert.equal(found.body.hits.total.value, 1);
  assert.match(await (await fetch(`${node.url}/i/_source/max`)).text(), /9223372036854775807/);
});

test('integers beyond 64 bits in what the cluster keeps', async () => {
  const digits = '12345678901234567890123';
  assert.equal(
    (
      await call(
        node,
        'PUT',
        '/big',
        `{"mappings":{"_meta":{"x":${digits}}},"aliases":{"bigger":{"filter":{"term":{"n":${digits}}}}}}`,
      )
    ).status,
    200,
  );
  assert.ok((await (await fetch(`${node.url}/big/_mapping`)).text()).includes(digits));
  assert.equal(
    (await call(node, 'PUT', '/_component_template/big', `{"template":{},"_meta":{"x":${digits}}}`)).status,
    200,
  );
  refused(await call(node, 'POST', '/i/_search', `{"query":{"match_all":{"boost":-${digits}}}}`), 400);
  refused(
    await call(
      node,
      'PUT',
      '/big2',
      `{"settings":{"analysis":{"tokenizer":{"c":{"type":"char_group","tokenize_on_chars":{"a":${digits}}}}}}}`,
    ),
    400,
  );
});

test('invalid UTF-8', async () => {
  const bytes = Buffer.concat([Buffer.from('{"s":"'), Buffer.from([0xff, 0xfe, 0xc0]), Buffer.from('"}')]);
  const answer = await fetch(`${node.url}/i/_doc/utf`, {
    method: 'PUT',
    body: bytes,
    headers: { 'content-type': 'application/json' },
  });
  assert.equal(answer.status, 400);
  await answer.arrayBuffer();
});

test('__proto__ and constructor are ordinary names', async () => {
  const put = await call(
    node,
    'PUT',
    '/proto/_doc/1?refresh=true',
    '{"__proto__":{"polluted":true},"constructor":"x","toString":"y"}',
  );
  assert.equal(put.status, 201, JSON.stringify(put.body));
  assert.match(await (await fetch(`${node.url}/proto/_source/1`)).text(), /"__proto__"/);
  const found = await call(
    node,
    'POST',
    '/proto/_search',
    '{"query":{"term":{"constructor":"x"}},"aggs":{"__proto__":{"terms":{"field":"toString.keyword"}}}}',
  );
  assert.equal(found.body.hits.total.value, 1);
  assert.equal({}.polluted, undefined);
});

test('duplicate keys are refused', async () => {
  refused(await call(node, 'PUT', '/i/_doc/dup', '{"s":"a","s":"b"}'), 400, 'document_parsing_exception');
  refused(await call(node, 'POST', '/i/_search', '{"size":1,"size":2}'), 400);
});

test('a body of a gigabyte is refused with 413 before it is read', async () => {
  const refusal = new Promise((resolve, reject) => {
    const request = http.request(
      `${node.url}/i/_bulk`,
      { method: 'POST', headers: { 'content-type': 'application/x-ndjson', 'content-length': 2 ** 30 } },
      (response) => {
        resolve(response.statusCode);
        request.destroy();
      },
    );
    request.on('error', reject);
    request.flushHeaders();
  });
  assert.equal(await withLimit(refusal, 'the refusal'), 413);
});

test('a hundred thousand clauses', async () => {
  const should = Array.from({ length: 100_000 }, (_, i) => `{"term":{"s":"${i}"}}`).join(',');
  refused(await call(node, 'POST', '/i/_search', `{"query":{"bool":{"should":[${should}]}}}`), 400);
  const terms = Array.from({ length: 65_537 }, (_, i) => `"${i}"`).join(',');
  refused(await call(node, 'POST', '/i/_search', `{"query":{"terms":{"s":[${terms}]}}}`), 400);
});

test('aggregations nested a thousand deep', async () => {
  const aggs = nested(1_000, '{"a":{"terms":{"field":"s"},"aggs":', '}}', '{"z":{"max":{"field":"n"}}}');
  const answer = await call(node, 'POST', '/i/_search', `{"size":0,"aggs":${aggs}}`);
  assert.ok(answer.status === 400 || answer.status === 200, JSON.stringify(answer.body).slice(0, 300));
});

test('regular expressions that explode elsewhere end quickly', async () => {
  await call(node, 'PUT', '/i/_doc/aaa?refresh=true', { s: 'a'.repeat(40) });
  const start = performance.now();
  const answer = await call(node, 'POST', '/i/_search', { query: { regexp: { s: '(a+)+(a+)+b' } } });
  assert.ok(performance.now() - start < 2_000);
  assert.ok(answer.status === 200 || answer.status === 400);
  refused(await call(node, 'POST', '/i/_search', { query: { regexp: { s: 'a'.repeat(1001) } } }), 400);
  const big = await call(node, 'POST', '/i/_search', { query: { regexp: { s: '(.*a){20,}.{20,200}x' } } });
  assert.ok(big.status === 200 || big.status === 400);
});

test('paging beyond the window', async () => {
  const answer = await call(node, 'POST', '/i/_search', { from: 9_995, size: 10 });
  refused(answer, 400, 'search_phase_execution_exception');
  assert.match(
    answer.body.error.root_cause[0].reason,
    /Result window is too large, from \+ size must be less than or equal to: \[10000\] but was \[10005\]/,
  );
});

test('unknown keys are refused by name', async () => {
  refused(await call(node, 'POST', '/i/_search', { qery: {} }), 400, 'parsing_exception');
  refused(
    await call(node, 'POST', '/i/_search', { query: { match: { s: { query: 'a', oprator: 'and' } } } }),
    400,
    'parsing_exception',
  );
  refused(
    await call(node, 'PUT', '/settings', { settings: { 'index.numbr_of_shards': 1 } }),
    400,
    'illegal_argument_exception',
  );
  refused(await call(node, 'PUT', '/_cluster/settings', { persistent: { 'no.such.setting': 1 } }), 400);
  refused(await call(node, 'GET', '/i/_search?sizze=1'), 400, 'illegal_argument_exception');
  refused(
    await call(node, 'PUT', '/m', { mappings: { properties: { a: { type: 'keyword', nope: 1 } } } }),
    400,
    'mapper_parsing_exception',
  );
});

test('bodies that are no JSON, empty or cut short', async () => {
  for (const body of ['', '{', '[', '"x"', 'nope', '{"query":', '\u0000', '{}{}', '[]']) {
    const search = await call(node, 'POST', '/i/_search', body);
    assert.ok(search.status < 500, `${JSON.stringify(body)}: ${JSON.stringify(search.body)}`);
    const put = await call(node, 'PUT', '/i/_doc/bad', body);
    assert.ok(put.status === 400, `${JSON.stringify(body)}: ${put.status} ${JSON.stringify(put.body)}`);
  }
  for (const body of [
    '\n',
    '{"index":{}}\n',
    '{"index":{}}\n{',
    '{"foo":{}}\n{}\n',
    '[]\n',
    '{"index":[]}\n{}\n',
    'x\n',
  ]) {
    const bulk = await call(node, 'POST', '/i/_bulk', body);
    assert.ok(bulk.status < 500, `${JSON.stringify(body)}: ${JSON.stringify(bulk.body)}`);
  }
});

test('no HTTP at all', async () => {
  const noRequest = new Promise((resolve, reject) => {
    const socket = net.connect(node.port, '127.0.0.1', () =>
      socket.write('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'),
    );
    let text = '';
    socket.on('data', (chunk) => (text += chunk));
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
  assert.match(await withLimit(noRequest, 'the answer to what is no request'), /^HTTP\/1\.1 400/);
});

test('terms with more values than memory for buckets, and deep paging of composite', async () => {
  const answer = await call(node, 'POST', '/i/_search', {
    size: 0,
    aggs: { h: { histogram: { field: 'n', interval: 1e-9 } } },
  });
  assert.ok([200, 400, 429].includes(answer.status), JSON.stringify(answer.body).slice(0, 300));
});

test('features that are not there say so', async () => {
  for (const [method, path] of [
    ['POST', '/_sql'],
    ['PUT', '/_license'],
    ['GET', '/_synonyms'],
    ['POST', '/i/_eql/search'],
    ['GET', '/_rollup/job/daily'],
    ['GET', '/_ml/trained_models/m/deployment'],
  ]) {
    const answer = await call(node, method, path, method === 'GET' ? undefined : {});
    refused(answer, 400, 'feature_not_enabled_exception');
    assert.match(answer.body.error.reason, /^no handler found for uri .*: not in this version: \w/);
  }
  refused(await call(node, 'GET', '/_foo'), 400, 'invalid_index_name_exception');
});
