// Search templates over HTTP.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, startNode } from '../node-process.mjs';

let node;
before(async () => {
  node = await startNode();
  for (const [id, text] of Object.entries({ 1: 'red fox', 2: 'red hen', 3: 'blue fox' }))
    await call(node, 'PUT', `/t/_doc/${id}`, { text });
  await call(node, 'POST', '/t/_refresh');
  const source = { query: { match: { text: '{{word}}' } }, size: '{{size}}{{^size}}10{{/size}}' };
  await call(node, 'PUT', '/_scripts/by-word', { script: { lang: 'mustache', source } });
});
after(() => node?.stop());

const raw = async (path, body, type = 'application/json') => {
  const response = await fetch(`${node.url}${path}`, { method: 'POST', headers: { 'content-type': type }, body });
  return { status: response.status, text: await response.text() };
};

test('a template is rendered without being run, as it is written', async () => {
  const one = await raw('/_render/template', '{"source":"{ \\"boost\\" : {{b}} }","params":{"b":1.0}}');
  assert.deepEqual(one, { status: 200, text: '{"template_output":{ "boost" : 1.0 }}' });
  const stored = await call(node, 'POST', '/_render/template/by-word', { source: 'ignored', params: { word: 'fox' } });
  assert.deepEqual(stored.body, { template_output: { query: { match: { text: 'fox' } }, size: '10' } });
  const yaml = await raw('/_render/template?format=yaml', '{"source":"{\\"a\\":1}"}');
  assert.match(yaml.text, /template_output:\n {2}a: 1\n/);
  for (const source of ['x', '{"a":', ''])
    assert.equal(
      (
        await call(
          node,
          'GET',
          '/_render/template?source_content_type=application/json&source=' +
            encodeURIComponent(JSON.stringify({ source })),
        )
      ).status,
      400,
    );
});

test('a search runs what its template renders', async () => {
  const ids = async (path, body) => (await call(node, 'POST', path, body)).body.hits.hits.map((hit) => hit._id).sort();
  assert.deepEqual(await ids('/t/_search/template', { id: 'by-word', params: { word: 'red' } }), ['1', '2']);
  assert.deepEqual((await ids('/_search/template', { id: 'by-word', params: { word: 'red', size: 1 } })).length, 1);
  const source = '{"query":{"terms":{"text":{{#toJson}}words{{/toJson}}}}}';
  assert.deepEqual(await ids('/t/_search/template?size=1', { source, params: { words: ['hen', 'blue'] } }), ['2', '3']);
  const explained = await call(node, 'POST', '/t/_search/template', {
    id: 'by-word',
    params: { word: 'hen' },
    explain: true,
  });
  assert.ok(explained.body.hits.hits[0]._explanation);
  const scroll = await call(node, 'POST', '/t/_search/template?scroll=1m', {
    id: 'by-word',
    params: { word: 'fox', size: 1 },
  });
  assert.equal(scroll.body.hits.hits.length, 1);
  assert.equal(
    (await call(node, 'POST', '/_search/scroll', { scroll_id: scroll.body._scroll_id })).body.hits.hits.length,
    1,
  );
});

test('errors of templates are those of 8.12', async () => {
  const error = async (path, body) => {
    const { status, body: answer } = await call(node, 'POST', path, body);
    return [status, answer.error.type, answer.error.reason];
  };
  assert.deepEqual(await error('/_search/template', { id: 'nope' }), [
    ...[404, 'resource_not_found_exception', 'unable to find script [nope] in cluster state'],
  ]);
  assert.deepEqual(await error('/_search/template', { foo: 1 }), [
    ...[400, 'x_content_parse_exception', '[1:2] [search_template] unknown field [foo]'],
  ]);
  assert.deepEqual(await error('/_search/template', { source: '{{#a}}' }), [
    ...[400, 'script_exception', "Failed to close 'a' tag @[query-template:1]"],
  ]);
  assert.deepEqual(await error('/_search/template', { source: '{"sizee":1}' }), [
    ...[400, 'parsing_exception', 'Unknown key for a VALUE_NUMBER in [sizee].'],
  ]);
  assert.deepEqual(await error('/_search/template?sizee=1', { source: '{}' }), [
    ...[400, 'illegal_argument_exception'],
    'request [/_search/template] contains unrecognized parameter: [sizee]',
  ]);
  assert.deepEqual(await error('/nope/_search/template', { source: '{}' }), [
    ...[404, 'index_not_found_exception', 'no such index [nope]'],
  ]);
});

test('each template of a multi-search has its own answer', async () => {
  const lines = (...all) => all.map((line) => `${JSON.stringify(line)}\n`).join('');
  const many = async (body) => {
    const { status, text } = await raw('/_msearch/template', body, 'application/x-ndjson');
    return { status, body: JSON.parse(text) };
  };
  const { body } = await many(
    lines(
      ...[{ index: 't' }, { id: 'by-word', params: { word: 'blue' } }],
      ...[{ index: 't' }, { source: '{{#a}}' }],
      ...[{ index: 't' }, { source: '{"sizee":1}' }],
      ...[{ index: 't' }, { id: 'nope' }],
      ...[{ index: 'nope' }, { source: '{}' }],
    ),
  );
  assert.deepEqual(
    body.responses.map(({ status, error }) => [status, error?.type]),
    [
      [200, undefined],
      [400, 'script_exception'],
      [400, 'parsing_exception'],
      [404, 'resource_not_found_exception'],
      [404, 'index_not_found_exception'],
    ],
  );
  assert.equal(body.responses[0].hits.hits[0]._id, '3');
  const refused = async (text) => {
    const { status, body: answer } = await many(text);
    return [status, answer.error.reason];
  };
  assert.deepEqual(await refused(lines({}, { params: {} })), [400, 'Malformed search template']);
  assert.deepEqual(await refused(lines({}, { source: '{{#a}}' })), [400, 'Validation Failed: 1: no requests added;']);
  assert.deepEqual(await refused(lines({}, { foo: {} })), [400, '[1:2] [search_template] unknown field [foo]']);
});
