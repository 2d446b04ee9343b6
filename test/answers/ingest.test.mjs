// Pipelines on a whole node. Answers of writes and of pipelines without processors are those of Elasticsearch 8.12.0;
// those of processors are OpenSearch 2.19's, whose words here are the same.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client } from '@elastic/elasticsearch';
import { call, startNode } from '../node-process.mjs';

let node;
let client;
before(async () => {
  node = await startNode();
  client = new Client({ node: node.url });
});
after(async () => {
  await client?.close();
  await node?.stop();
});

const put = (name, body) => call(node, 'PUT', `/_ingest/pipeline/${name}`, body);
const bulk = (query, ...lines) =>
  call(node, 'POST', `/_bulk?${query}`, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
const sourceOf = async (index, id) => (await call(node, 'GET', `/${index}/_doc/${id}`)).body._source;
const set = (field, value) => ({ set: { field, value } });

test('a bulk lists its pipelines and fails only the items whose pipeline is missing', async () => {
  await put('empty', { processors: [] });
  const { body } = await bulk(
    'pipeline=empty&list_executed_pipelines=true',
    { create: { _index: 'x', _id: '7' } },
    { a: 1 },
    { index: { _index: 'x', pipeline: 'nope' } },
    { a: 1 },
    { delete: { _index: 'x', _id: '9' } },
  );
  assert.equal(typeof body.ingest_took, 'number');
  assert.deepEqual(body.items.slice(0, 2), [
    {
      create: {
        _index: 'x',
        _id: '7',
        _version: 1,
        result: 'created',
        _shards: { total: 2, successful: 1, failed: 0 },
        _seq_no: 0,
        _primary_term: 1,
        executed_pipelines: ['empty'],
        status: 201,
      },
    },
    {
      index: {
        _index: 'x',
        _id: null,
        status: 400,
        error: { type: 'illegal_argument_exception', reason: 'pipeline with id [nope] does not exist' },
      },
    },
  ]);
  assert.equal('ingest_took' in (await bulk('pipeline=_none', { index: { _index: 'x' } }, {})).body, false);
});

test('a pipeline in use cannot be deleted; a missing one is told', async () => {
  await put('used', { processors: [] });
  const settings = { 'index.default_pipeline': 'used', 'index.final_pipeline': 'used' };
  await call(node, 'PUT', '/y', { settings });
  assert.equal(
    (await call(node, 'DELETE', '/_ingest/pipeline/used')).body.error.reason,
    'pipeline [used] cannot be deleted because it is the default pipeline for 1 index(es) including [y] and the ' +
      'final pipeline for 1 index(es) including [y]',
  );
  const missing = await call(node, 'DELETE', '/_ingest/pipeline/no*');
  assert.equal(missing.status, 404);
  assert.equal(missing.body.error.reason, 'pipeline [no*] is missing');
});

test('an index that is not there is made only if its pipeline lets the document through', async () => {
  await call(node, 'PUT', '/_index_template/t', {
    index_patterns: ['made*'],
    template: { settings: { 'index.default_pipeline': 'later' } },
  });
  const refused = await call(node, 'POST', '/made-1/_doc', { a: 1 });
  assert.equal(refused.status, 400);
  assert.equal(refused.body.error.reason, 'pipeline with id [later] does not exist');
  assert.equal((await call(node, 'HEAD', '/made-1')).status, 404);
  await put('later', { processors: [set('by', 'later'), { drop: { if: 'ctx.a == 2' } }] });
  assert.equal((await call(node, 'PUT', '/made-1/_doc/1', { a: 1.0 })).status, 201);
  assert.deepEqual(await sourceOf('made-1', 1), { a: 1, by: 'later' });
  const dropped = await call(node, 'PUT', '/made-1/_doc/2', { a: 2 });
  assert.deepEqual(
    [dropped.status, dropped.body],
    [
      200,
      {
        _index: 'made-1',
        _id: '2',
        _version: -3,
        result: 'noop',
        _shards: { total: 0, successful: 0, failed: 0 },
      },
    ],
  );
});

test('a pipeline sends documents to an index that it names, which is made', async () => {
  await put('by-month', { processors: [set('_index', 'log-{{{month}}}'), { remove: { field: 'month' } }] });
  const answer = await call(node, 'PUT', '/log/_doc/1?pipeline=by-month', { month: '2026-11', m: 'x' });
  assert.equal(answer.body._index, 'log-2026-11');
  assert.deepEqual(await sourceOf('log-2026-11', 1), { m: 'x' });
  assert.equal((await call(node, 'HEAD', '/log')).status, 404);
});

test('whole doubles leave a pipeline as doubles, and are mapped so', async () => {
  await put('touch', { processors: [set('t', '{{n}}')] });
  const headers = { 'content-type': 'application/json' };
  const url = `${node.url}/doubles/_doc/1?pipeline=touch&refresh=true`;
  await fetch(url, { method: 'PUT', headers, body: '{"n":3.0,"big":9007199254740993}' });
  const text = await (await fetch(`${node.url}/doubles/_source/1`)).text();
  assert.equal(text, '{"n":3.0,"big":9007199254740993,"t":"3.0"}');
  const { body } = await call(node, 'GET', '/doubles/_mapping');
  assert.equal(body.doubles.mappings.properties.n.type, 'float');
});

test('a single update runs pipelines on what it writes, a bulk on what it would create', async () => {
  await put('count', { processors: [{ script: { source: 'ctx.n = (ctx.n ?: 0) + params.by', params: { by: 1 } } }] });
  await call(node, 'PUT', '/ups', { settings: { 'index.default_pipeline': 'count' } });
  const update = { script: { source: 'ctx._source.n += 10' }, upsert: { n: 5 } };
  const created = await call(node, 'POST', '/ups/_update/1', update);
  assert.deepEqual([created.status, created.body.result, created.body._version], [201, 'created', 1]);
  assert.deepEqual(await sourceOf('ups', 1), { n: 6 });
  const updated = (await call(node, 'POST', '/ups/_update/1?_source=true&refresh=true', update)).body;
  assert.deepEqual([updated.result, updated._version, updated.get._source], ['updated', 2, { n: 16 }]);
  assert.equal(updated.get._seq_no, updated._seq_no);
  assert.deepEqual(await sourceOf('ups', 1), { n: 17 });
  assert.equal((await call(node, 'POST', '/ups/_update/1', { doc: { n: 17 } })).body.result, 'noop');
  await bulk(
    '',
    { update: { _index: 'ups', _id: '1' } },
    { doc: { n: 1 } },
    { update: { _index: 'ups', _id: '2' } },
    update,
  );
  assert.deepEqual(await sourceOf('ups', 1), { n: 1 });
  assert.deepEqual(await sourceOf('ups', 2), { n: 6 });
  const removed = await call(node, 'POST', '/ups/_update/2', { script: { source: "ctx.op = 'delete'" } });
  assert.equal(removed.body.result, 'deleted');
  const scripted = { script: { source: 'ctx._source.m = 1' }, upsert: {}, scripted_upsert: true };
  await call(node, 'POST', '/ups/_update/3', scripted);
  assert.deepEqual(await sourceOf('ups', 3), { m: 1, n: 1 });
  const conflict = await call(node, 'POST', '/ups/_update/1?if_seq_no=0&if_primary_term=1', { doc: { n: 9 } });
  assert.equal(conflict.status, 409);
});

test('updates of one document that run pipelines at the same time lose nothing', async () => {
  await put('twice', { processors: [{ script: { source: 'ctx.runs = (ctx.runs ?: 0) + 1' } }] });
  await call(node, 'PUT', '/together', { settings: { 'index.default_pipeline': 'twice' } });
  await call(node, 'PUT', '/together/_doc/1', { n: 0 });
  const one = () =>
    call(node, 'POST', '/together/_update/1?retry_on_conflict=50', { script: { source: 'ctx._source.n += 1' } });
  const answers = await Promise.all(Array.from({ length: 10 }, one));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  assert.deepEqual(await sourceOf('together', 1), { n: 10, runs: 11 });
});

test('the official client stores, shows, simulates and deletes pipelines', async () => {
  await client.ingest.putPipeline({ id: 'c', version: 3, processors: [{ set: { tag: 's', field: 'a', value: 1 } }] });
  await assert.rejects(
    client.ingest.putPipeline({ id: 'c', processors: [{ set: { tag: 's', field: 'a' } }] }),
    ({ meta }) => {
      assert.deepEqual(meta.body.error.root_cause, [
        {
          type: 'parse_exception',
          reason: '[value] required property is missing',
          processor_type: 'set',
          processor_tag: 's',
          property_name: 'value',
        },
      ]);
      return true;
    },
  );
  await client.ingest.putPipeline({ id: 'c', if_version: 3, processors: [{ drop: {} }] });
  assert.equal((await client.ingest.getPipeline({ id: 'c*' })).c.version, 4);
  const simulated = await client.ingest.simulate({ id: 'c', docs: [{ _source: {} }], verbose: true });
  assert.deepEqual(simulated.docs, [{ processor_results: [{ processor_type: 'drop', status: 'dropped' }] }]);
  await client.ingest.deletePipeline({ id: 'c' });
  await assert.rejects(client.ingest.getPipeline({ id: 'c' }), ({ meta }) => meta.statusCode === 404);
});

test('documents are simulated with the pipelines of their indices', async () => {
  const { body } = await call(node, 'POST', '/_ingest/_simulate', {
    docs: [
      { _index: 'made-1', _id: '1', _source: { a: 1 } },
      { _index: 'x', _source: {} },
    ],
    pipeline_substitutions: { later: { processors: [set('by', 'another')] } },
  });
  assert.deepEqual(body.docs, [
    {
      doc: {
        _id: '1',
        _index: 'made-1',
        _version: -3,
        _source: { a: 1, by: 'another' },
        executed_pipelines: ['later'],
      },
    },
    { doc: { _id: '<n/a>', _index: 'x', _version: -3, _source: {}, executed_pipelines: [] } },
  ]);
});

test('statistics tell which processors ran', async () => {
  await put('counted', {
    processors: [{ set: { tag: 't', field: 'a', value: 1 } }, { fail: { if: 'ctx.f', message: 'm' } }],
  });
  await call(node, 'POST', '/x/_doc?pipeline=counted', { f: false });
  assert.equal((await call(node, 'POST', '/x/_doc?pipeline=counted', { f: true })).body.error.reason, 'm');
  const { body } = await call(node, 'GET', '/_nodes/stats/ingest');
  const { counted } = Object.values(body.nodes)[0].ingest.pipelines;
  const figures = ({ stats }) => [stats.count, stats.failed, stats.current];
  assert.deepEqual([counted.count, counted.failed], [2, 1]);
  assert.deepEqual(
    counted.processors.map((one) => Object.keys(one)[0]),
    ['set:t', 'fail'],
  );
  assert.deepEqual(
    counted.processors.map((one) => figures(Object.values(one)[0])),
    [
      [2, 0, 0],
      [1, 1, 0],
    ],
  );
  const { ingest } = (await call(node, 'GET', '/_info/ingest')).body;
  assert.equal(ingest.pipelines.counted.count, 2);
  const types = Object.values((await call(node, 'GET', '/_nodes/ingest')).body.nodes)[0].ingest.processors;
  assert.ok(types.some(({ type }) => type === 'foreach'));
});
