// Runtime fields with scripts, in mappings and in searches: what scripts emit is found, sorted, aggregated and shown.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, startNode } from '../node-process.mjs';

const field = (type, script, rest) => ({ type, script, ...rest });
const runtime = {
  twice: field('long', "emit(doc['n'].value * 2)"),
  tags: field('keyword', {
    source: "for (def v : doc['k']) emit(v + params.mark); emit(params._source.note)",
    params: { mark: '!' },
  }),
  half: field('double', "emit(doc['twice'].value / 4.0)"),
  addr: field('ip', "emit('10.0.0.' + doc['n'].value)"),
  parts: field('composite', "emit('a', doc['n'].value); emit(['b': doc['k'].value])", {
    fields: { a: { type: 'long' }, b: { type: 'keyword' } },
  }),
  safe: field('long', "emit(1 / (doc['n'].value - 1))", { on_script_error: 'continue' }),
  fails: field('long', "emit(1 / (doc['n'].value - 1))"),
};
const properties = { n: { type: 'long' }, k: { type: 'keyword' }, note: { type: 'keyword' } };
let node;

before(async () => {
  node = await startNode();
  await call(node, 'PUT', '/scripted', { settings: { number_of_replicas: 0 }, mappings: { runtime, properties } });
  await call(node, 'PUT', '/scripted/_doc/1', { n: 1, k: ['x', 'y'], note: 'hi' });
  await call(node, 'PUT', '/scripted/_doc/2?refresh=true', { n: 2, k: 'z', note: 'ho' });
});
after(() => node?.stop());

const search = async (body) => (await call(node, 'POST', '/scripted/_search', { _source: false, ...body })).body;
const idsOf = async (query) => (await search({ query })).hits.hits.map(({ _id }) => _id);

test('emitted values are shown and sorted by', async () => {
  const fields = ['twice', 'tags', 'half', 'addr', 'parts.*', 'safe'];
  const { hits } = await search({ fields, sort: [{ twice: 'desc' }] });
  const shown = hits.hits.map(({ fields: values, sort }) => ({ ...values, sort }));
  assert.deepEqual(shown, [
    {
      twice: [4],
      tags: ['ho', 'z!'],
      half: [1],
      addr: ['10.0.0.2'],
      'parts.a': [2],
      'parts.b': ['z'],
      safe: [1],
      sort: [4],
    },
    {
      twice: [2],
      tags: ['hi', 'x!', 'y!'],
      half: [0.5],
      addr: ['10.0.0.1'],
      'parts.a': [1],
      'parts.b': ['x'],
      sort: [2],
    },
  ]);
});

test('emitted values are found and aggregated', async () => {
  assert.deepEqual(await idsOf({ term: { tags: 'x!' } }), ['1']);
  assert.deepEqual(await idsOf({ range: { half: { gte: 0.75 } } }), ['2']);
  assert.deepEqual(await idsOf({ term: { 'parts.b': 'z' } }), ['2']);
  assert.deepEqual(await idsOf({ exists: { field: 'safe' } }), ['2']);
  const aggs = { tags: { terms: { field: 'tags' } }, half: { sum: { field: 'half' } } };
  const { aggregations } = await search({ size: 0, aggs });
  assert.deepEqual(
    aggregations.tags.buckets.map(({ key }) => key),
    ['hi', 'ho', 'x!', 'y!', 'z!'],
  );
  assert.equal(aggregations.half.value, 1.5);
});

test('a search brings fields of its own, which see those of the mapping', async () => {
  const runtime_mappings = { own: field('keyword', "emit(doc['tags'].value + doc['half'].value)") };
  const { hits } = await search({ runtime_mappings, query: { prefix: { own: 'ho' } }, fields: ['own'] });
  assert.deepEqual(
    hits.hits.map(({ _id, fields }) => [_id, fields]),
    [['2', { own: ['ho1.0'] }]],
  );
});

test('grok and dissect take parts out of texts', async () => {
  const runtime_mappings = {
    ip: field('ip', "String ip = grok('%{IP:ip} - %{WORD:verb}').extract(params.line)?.ip; if (ip != null) emit(ip)"),
    parts: field('composite', "emit(grok('%{IP:ip} - %{WORD:verb} %{NUMBER:ms:double}').extract(params.line))", {
      fields: { ip: { type: 'ip' }, ms: { type: 'double' } },
    }),
    verb: field('keyword', "emit(dissect('%{ip} - %{verb} %{}').extract(params.line).verb)"),
    none: field('keyword', "if (grok('%{IP:ip}').extract('none') == null) emit('nothing')"),
  };
  for (const definition of Object.values(runtime_mappings))
    definition.script = { source: definition.script, params: { line: '10.0.0.1 - GET 5' } };
  const { hits } = await search({ runtime_mappings, fields: ['ip', 'parts.ip', 'parts.ms', 'verb', 'none'], size: 1 });
  assert.deepEqual(hits.hits[0].fields, {
    ip: ['10.0.0.1'],
    'parts.ip': ['10.0.0.1'],
    'parts.ms': [5],
    verb: ['GET'],
    none: ['nothing'],
  });
});

test('a script that fails fails the search; one that does not compile, the mapping', async () => {
  const failed = await call(node, 'POST', '/scripted/_search', { query: { exists: { field: 'fails' } } });
  assert.equal(failed.status, 400);
  const { reason } = failed.body.error.failed_shards[0];
  assert.deepEqual([reason.type, reason.reason], ['script_exception', 'runtime error']);
  assert.deepEqual(reason.caused_by, { type: 'arithmetic_exception', reason: '/ by zero' });
  const refused = await call(node, 'PUT', '/scripted/_mapping', { runtime: { bad: field('long', "emit('a')") } });
  assert.equal(refused.status, 400);
  assert.equal(refused.body.error.reason, 'Failed to parse mapping: compile error');
  assert.equal(refused.body.error.caused_by.caused_by.reason, 'Cannot cast from [java.lang.String] to [long].');
});

test('answers of scripts that depend on chance are not kept', async () => {
  const body = {
    size: 0,
    runtime_mappings: { r: field('double', 'emit(Math.random())') },
    aggs: { r: { sum: { field: 'r' } } },
  };
  const sums = new Set();
  for (let i = 0; i < 3; i++) sums.add((await search(body)).aggregations.r.value);
  assert.equal(sums.size, 3);
});

const LOOKUP = { type: 'lookup', target_index: 'places', input_field: 'k', target_field: 'key' };

test('lookup fields show documents of another index, in pages of scrolls too', async () => {
  await call(node, 'PUT', '/places', { mappings: { properties: { key: { type: 'keyword' }, at: { type: 'date' } } } });
  await call(node, 'PUT', '/places/_doc/1', { key: 'x', city: 'a "b" {c', at: '2020-02-03' });
  await call(node, 'PUT', '/places/_doc/2?refresh=true', { key: 'z', city: 'Rome' });
  const fetched = ['city', { field: 'at', format: 'yyyy' }];
  const runtimeMappings = { place: { ...LOOKUP, fetch_fields: fetched } };
  const body = { fields: ['n', 'place'], sort: ['n'], runtime_mappings: runtimeMappings };
  const expected = [
    { n: [1], place: [{ city: ['a "b" {c'], at: ['2020'] }] },
    { n: [2], place: [{ city: ['Rome'] }] },
  ];
  const fieldsOf = ({ hits }) => hits.hits.map(({ fields }) => fields);
  assert.deepEqual(fieldsOf(await search(body)), expected);
  assert.deepEqual(
    fieldsOf(await search({ ...body, fields: ['pl*'] })),
    expected.map(({ place }) => ({ place })),
  );
  const first = await call(node, 'POST', '/scripted/_search?scroll=1m', { ...body, _source: false, size: 1 });
  const second = await call(node, 'POST', '/_search/scroll', { scroll_id: first.body._scroll_id });
  await call(node, 'DELETE', '/_search/scroll', { scroll_id: first.body._scroll_id });
  assert.deepEqual([...fieldsOf(first.body), ...fieldsOf(second.body)], expected);
});

test('lookup fields that cannot be read fail the search, and cannot be searched', async () => {
  const missing = { ...LOOKUP, target_index: 'nowhere', fetch_fields: ['city'] };
  const { error } = await search({ fields: ['p'], runtime_mappings: { p: missing } });
  assert.equal(error.reason, 'failed to fetch lookup fields');
  assert.equal(error.caused_by.type, 'index_not_found_exception');
  const unmapped = { ...LOOKUP, input_field: 'zz', fetch_fields: ['city'] };
  const refused = await search({ fields: ['p'], runtime_mappings: { p: unmapped } });
  assert.equal(refused.error.root_cause[0].reason, 'No field mapping can be found for the field with name [zz]');
  const searched = await search({ query: { term: { p: 'x' } }, runtime_mappings: { p: missing } });
  assert.match(searched.error.root_cause[0].reason, /Cannot search on field \[p\] since it is a lookup field\.$/);
});
