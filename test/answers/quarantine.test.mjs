// Documents that pipelines and mappings refuse: kept, found and counted, also when the node is killed.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { until } from '../limits.mjs';
import { call, startNode, temporaryFolder } from '../node-process.mjs';

let node;
before(async () => {
  node = await startNode();
  const fails = { processors: [{ fail: { message: 'not today', tag: 'gate', if: 'ctx.n == 13' } }] };
  assert.equal((await call(node, 'PUT', '/_ingest/pipeline/gate', fails)).status, 200);
});
after(() => node?.stop());

const ON = { 'index.shoal.quarantine': true };
const MAPPINGS = { properties: { n: { type: 'integer' } } };
const makeIndex = (name, settings = ON) => call(node, 'PUT', `/${name}`, { settings, mappings: MAPPINGS });
const ndjson = (lines) => lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
const bulk = async (target, lines, query = '') => {
  const { body } = await call(node, 'POST', `/${target}/_bulk?${query}`, ndjson(lines));
  return { errors: body.errors, items: body.items.map((item) => Object.values(item)[0]) };
};
const entries = async (target, query = '') =>
  (await call(node, 'GET', `/${target}/_quarantine?sort=@timestamp&size=100&${query}`)).body.hits;

test('what is refused is kept whole, is found by its error, and the answer says where', async () => {
  await makeIndex('logs', { ...ON, 'index.default_pipeline': 'gate' });
  const lines = [
    { index: { _id: '1' } },
    { n: 1 },
    { index: { _id: '2' } },
    '{ "n": "x", "big": 12345678901234567890 }',
  ];
  const { errors, items } = await bulk(
    'logs',
    [...lines, { create: {} }, { n: 13 }, { index: {} }, '{"n":1'],
    'refresh=true',
  );
  assert.equal(errors, true);
  assert.deepEqual(
    items.map(({ status, quarantined }) => [status, quarantined?._index]),
    [[201, undefined], ...[400, 500, 400].map((status) => [status, '.quarantine-logs-000001'])],
  );
  const { hits, total } = await entries('logs');
  assert.equal(total.value, 3);
  const byId = new Map(hits.map(({ _id, _source }) => [_id, _source]));
  const [byMapping, byPipeline, malformed] = items.slice(1).map(({ quarantined }) => byId.get(quarantined._id));
  assert.deepEqual(byMapping.document.id, '2');
  assert.equal(byMapping.error.type, 'document_parsing_exception');
  assert.equal(byMapping.error.stage, 'mapping');
  assert.deepEqual(byPipeline.document.source, { n: 13 });
  assert.deepEqual(byPipeline.error, {
    type: 'fail_processor_exception',
    reason: 'not today',
    stage: 'pipeline',
    pipeline: 'gate',
    processor_type: 'fail',
    processor_tag: 'gate',
  });
  assert.equal(malformed.document.raw, '{"n":1');
  const raw = await fetch(`${node.url}/logs/_quarantine?q=document.id:2`);
  assert.match(await raw.text(), /"big": 12345678901234567890/);
  assert.equal((await entries('logs', 'q=error.processor_tag:gate')).total.value, 1);
  const body = { size: 0, aggs: { stages: { terms: { field: 'error.stage', order: { _key: 'asc' } } } } };
  const { aggregations } = (await call(node, 'POST', '/logs/_quarantine', body)).body;
  assert.deepEqual(aggregations.stages.buckets, [
    { key: 'mapping', doc_count: 1 },
    { key: 'pipeline', doc_count: 2 },
  ]);
});

test('single writes answer their error and where the document is; conflicts are not kept', async () => {
  await makeIndex('single');
  const refused = await call(node, 'PUT', '/single/_doc/1', { n: 'x' });
  assert.deepEqual([refused.status, refused.body.quarantined._index], [400, '.quarantine-single-000001']);
  assert.equal(refused.body.error.type, 'document_parsing_exception');
  assert.equal((await call(node, 'PUT', '/single/_create/1', { n: 1 })).status, 201);
  const conflict = await call(node, 'PUT', '/single/_create/1', { n: 1 });
  assert.deepEqual([conflict.status, conflict.body.quarantined], [409, undefined]);
  const update = await call(node, 'POST', '/single/_update/1', { doc: { n: 'y' } });
  assert.deepEqual([update.status, update.body.quarantined._index], [400, '.quarantine-single-000001']);
  const { hits } = await entries('single');
  assert.deepEqual(
    hits.map(({ _source: { document } }) => [document.op, document.source]),
    [
      ['index', { n: 'x' }],
      ['update', { doc: { n: 'y' } }],
    ],
  );
});

test('a request decides before the setting; templates and data streams have it too', async () => {
  await makeIndex('off', {});
  assert.equal((await call(node, 'PUT', '/off/_doc/1', { n: 'x' })).body.quarantined, undefined);
  assert.ok((await call(node, 'PUT', '/off/_doc/1?quarantine=true', { n: 'x' })).body.quarantined);
  const { items } = await bulk(
    'off',
    [{ index: {} }, { n: 'x' }, { update: { _id: '9' } }, { doc: { n: 'x' }, doc_as_upsert: true }],
    'quarantine=true',
  );
  assert.ok(items.every(({ quarantined }) => quarantined));
  const template = { settings: { ...ON, 'index.default_pipeline': 'gate' }, mappings: MAPPINGS };
  await call(node, 'PUT', '/_index_template/events', { index_patterns: ['events-*'], data_stream: {}, template });
  const early = await bulk('events-a', [{ create: {} }, { '@timestamp': '2024-01-01', n: 13 }]);
  assert.equal(early.items[0].quarantined._index, '.quarantine-events-a-000001');
  await bulk('events-a', [{ create: {} }, { '@timestamp': '2024-01-01', n: 1 }]);
  const late = await bulk('events-a', [{ create: {} }, { '@timestamp': '2024-01-01', n: 'x' }]);
  assert.equal(late.items[0].quarantined._index, '.quarantine-events-a-000001');
  assert.equal((await entries('events-a')).total.value, 2);
});

test('kept documents can be answered as created, for shippers that stop at errors', async () => {
  await makeIndex('shipped');
  await call(node, 'PUT', '/_cluster/settings', { persistent: { 'shoal.quarantine.answer': 'created' } });
  try {
    const { errors, items } = await bulk('shipped', [{ index: {} }, { n: 'x' }, { index: {} }, { n: 2 }]);
    assert.deepEqual([errors, items.map(({ status }) => status)], [false, [201, 201]]);
    assert.equal(items[0]._id, items[0].quarantined._id);
    const single = await call(node, 'PUT', '/shipped/_doc/1', { n: 'x' });
    assert.deepEqual([single.status, single.body.result], [201, 'created']);
    assert.equal((await entries('shipped')).total.value, 2);
  } finally {
    await call(node, 'PUT', '/_cluster/settings', { persistent: { 'shoal.quarantine.answer': null } });
  }
});

test('quarantines are listed with what they hold, and stay when their index goes', async () => {
  await makeIndex('listed');
  await call(node, 'PUT', '/listed/_doc/1', { n: 'x' });
  await call(node, 'DELETE', '/listed');
  const { body } = await call(node, 'GET', '/_quarantine');
  const { bytes, oldest, ...own } = body.quarantines.find(({ index }) => index === 'listed');
  assert.deepEqual(own, { index: 'listed', documents: 1, indices: ['.quarantine-listed-000001'] });
  assert.ok(bytes > 0 && Math.abs(Date.now() - Date.parse(oldest)) < 60_000);
  assert.equal(
    body.documents,
    body.quarantines.reduce((sum, { documents }) => sum + documents, 0),
  );
  assert.ok(body.since_start.kept >= body.documents);
  assert.equal((await entries('listed')).total.value, 1);
  const metrics = await (await fetch(`${node.url}/_prometheus/metrics`)).text();
  assert.match(metrics, new RegExp(`^shoal_quarantine_kept_total ${body.since_start.kept}$`, 'm'));
});

test('bad input is refused by name', async () => {
  await makeIndex('strict');
  const rows = [
    ['GET', '/strict/_quarantine?scroll=1m', undefined, /unrecognized parameter: \[scroll\]/],
    ['GET', '/_quarantine?size=1', undefined, /unrecognized parameter: \[size\]/],
    ['POST', '/strict/_quarantine', { nope: 1 }, /Unknown key for a VALUE_NUMBER in \[nope\]/],
    ['PUT', '/strict/_doc/1?quarantine=perhaps', {}, /Failed to parse value \[perhaps\]/],
    ['DELETE', '/strict/_doc/1?quarantine=true', undefined, /unrecognized parameter: \[quarantine\]/],
    ['PUT', '/strict/_settings', { 'index.shoal.quarantine': 'perhaps' }, /Failed to parse value \[perhaps\]/],
    [
      'PUT',
      '/_cluster/settings',
      { persistent: { 'shoal.quarantine.answer': 'no' } },
      /must be one of \[error, created\]/,
    ],
    ['PUT', '/_cluster/settings', { persistent: { 'shoal.quarantine.max_bytes': 'x' } }, /failed to parse/],
  ];
  for (const [method, path, body, reason] of rows) {
    const { status, body: answer } = await call(node, method, path, body);
    assert.equal(status, 400, `${method} ${path}`);
    assert.match(answer.error.reason, reason);
  }
  assert.equal((await call(node, 'GET', '/never-was/_quarantine')).status, 404);
});

test('an item that was answered as quarantined is kept, though the node is killed while bulks run', async () => {
  const data = temporaryFolder('killed');
  const promised = [];
  for (let round = 0; round < 3; round++) {
    const own = await startNode({ data });
    if (round === 0) await call(own, 'PUT', '/hit', { settings: ON, mappings: MAPPINGS });
    let isOver = false;
    const writers = Array.from({ length: 4 }, async (_none, writer) => {
      for (let i = 0; !isOver; i++) {
        const lines = Array.from({ length: 20 }, (_one, j) => [
          { index: {} },
          { n: `${round}-${writer}-${i}-${j}` },
        ]).flat();
        const answer = await call(own, 'POST', '/hit/_bulk', ndjson(lines)).catch(() => null);
        if (answer === null) return;
        for (const { index } of answer.body.items) if (index.quarantined) promised.push(index.quarantined._id);
      }
    });
    const wanted = promised.length + 100 + 7 * round;
    await until(() => promised.length >= wanted, `${wanted} quarantined documents`, { told: own.log });
    await own.stop('SIGKILL');
    isOver = true;
    await Promise.all(writers);
  }
  const own = await startNode({ data });
  try {
    for (let from = 0; from < promised.length; from += 1000) {
      const ids = promised.slice(from, from + 1000);
      const query = { query: { ids: { values: ids } }, size: 0, track_total_hits: true };
      assert.equal((await call(own, 'POST', '/hit/_quarantine', query)).body.hits.total.value, ids.length);
    }
  } finally {
    await own.stop();
  }
});

const replay = async (target, body = {}, query = 'refresh=true') => {
  const { status, body: answer } = await call(node, 'POST', `/${target}/_quarantine/_replay?${query}`, body);
  assert.equal(status, 200, JSON.stringify(answer));
  return answer;
};
const counts = ({ total, replayed, failed, created, updated, noops, version_conflicts: conflicts }) => [
  ...[total, replayed, failed],
  ...[created, updated, noops, conflicts],
];
/** Asks what a replay would do, does it, and checks that it did just that. */
const replayAsForeseen = async (target, body = {}) => {
  const foreseen = await replay(target, { ...body, dry_run: true });
  const before = (await entries(target)).total.value;
  const done = await replay(target, body);
  const plain = ({ failures }) =>
    failures.map(({ entry, status, cause }) => [entry._id, status, cause.type, cause.reason]).sort();
  assert.deepEqual(counts(foreseen), counts(done));
  assert.deepEqual(plain(foreseen), plain(done));
  assert.equal(done.dry_run, false);
  assert.equal((await entries(target)).total.value, before - done.replayed);
  return done;
};

test('after a change of the mapping a replay writes what was refused, with its ids and numbers', async () => {
  await makeIndex('mapped', { ...ON, 'index.mapping.coerce': false });
  const lines = [
    [{ index: { _id: 'a', routing: 'r' } }, '{ "when": "yesterday", "big": 1234567890123456789, "d": 5.0 }'],
    [{ index: {} }, { when: 'never' }],
    [{ index: { _id: 'd' } }, { n: 'still no number' }],
  ];
  await call(node, 'PUT', '/mapped/_mapping', { properties: { when: { type: 'date' } } });
  await bulk('mapped', lines.flat());
  const first = await replayAsForeseen('mapped');
  assert.deepEqual(counts(first), [3, 0, 3, 0, 0, 0, 0]);
  const { hits } = await entries('mapped');
  assert.deepEqual(
    hits.map(({ _source: { attempts } }) => attempts),
    [2, 2, 2],
  );
  assert.ok(hits.every(({ _source }) => _source.last_attempt && _source.error.stage === 'mapping'));
  // A new index with the old name: dates are texts there.
  await call(node, 'DELETE', '/mapped');
  await call(node, 'PUT', '/mapped', {
    settings: ON,
    mappings: { properties: { when: { type: 'keyword' }, ...MAPPINGS.properties } },
  });
  const second = await replayAsForeseen('mapped');
  assert.deepEqual(counts(second), [3, 2, 1, 2, 0, 0, 0]);
  assert.equal(second.failures[0].id, 'd');
  const text = await (await fetch(`${node.url}/mapped/_source/a?routing=r`)).text();
  assert.match(text, /"big":1234567890123456789,"d":5\.0/);
  const { hits: found } = (await call(node, 'GET', '/mapped/_search?q=when:never')).body.hits;
  assert.equal(found.length, 1);
  assert.deepEqual(
    counts(await replay('mapped', { query: { term: { 'document.id': 'nobody' } } })),
    [0, 0, 0, 0, 0, 0, 0],
  );
});

test('after a change of the pipeline, or by another one, a replay runs it on the document as it was sent', async () => {
  const processors = [{ set: { field: 'seen', value: true } }, { fail: { message: 'closed', if: 'ctx.n > 1' } }];
  await call(node, 'PUT', '/_ingest/pipeline/door', { processors });
  await makeIndex('piped', { ...ON, 'index.default_pipeline': 'door' });
  const lines = [1, 2, 3, 4].flatMap((n) => [{ index: { _id: String(n) } }, { n }]);
  await bulk('piped', lines);
  await bulk('piped', [{ index: { _id: 'own', pipeline: 'gate' } }, { n: 13 }]);
  assert.equal((await entries('piped')).total.value, 4);
  await call(node, 'PUT', '/_ingest/pipeline/door', {
    processors: [{ set: { field: 'open', value: 'yes' } }, { drop: { if: 'ctx.n == 4' } }],
  });
  const asked = await replayAsForeseen('piped', { max_docs: 3 });
  assert.deepEqual(counts(asked), [3, 3, 0, 2, 0, 1, 0]);
  assert.deepEqual((await call(node, 'GET', '/piped/_source/2')).body, { n: 2, open: 'yes' });
  assert.deepEqual(counts(await replayAsForeseen('piped')), [1, 0, 1, 0, 0, 0, 0]);
  assert.deepEqual(counts(await replayAsForeseen('piped', { pipeline: 'door' })), [1, 1, 0, 1, 0, 0, 0]);
  assert.deepEqual((await call(node, 'GET', '/piped/_source/own')).body, { n: 13, open: 'yes' });
});

test('a replay respects versions, and runs updates again', async () => {
  await makeIndex('versions');
  const refused = [
    [{ create: { _id: '1' } }, { n: 'x' }],
    [{ index: { _id: '2', version: 5, version_type: 'external' } }, { n: 'x' }],
    [{ index: { _id: '3', version: 5, version_type: 'external' } }, { n: 'x' }],
    [{ update: { _id: '4' } }, { doc: { n: 'x' } }],
    [{ update: { _id: '5' } }, { doc: { n: 'x' } }],
    [{ create: { _id: '6' } }, { n: 'x' }],
    [{ create: { _id: '6' } }, { n: 'y' }],
  ];
  await bulk('versions', [{ index: { _id: '4' } }, { n: 4, keep: true }, { index: { _id: '5' } }, { n: 5 }]);
  const { items } = await bulk('versions', refused.flat());
  assert.ok(items.every(({ quarantined }) => quarantined));
  await bulk('versions', [{ delete: { _id: '5' } }]);
  await call(node, 'DELETE', '/versions');
  const texts = { settings: ON, mappings: { properties: { n: { type: 'keyword' } } } };
  await call(node, 'PUT', '/versions', texts);
  const later = [
    [{ index: { _id: '1' } }, { n: 'newer' }],
    [{ index: { _id: '2', version: 9, version_type: 'external' } }, { n: 'newer' }],
    [{ index: { _id: '4' } }, { n: '4', keep: true }],
  ];
  await bulk('versions', later.flat());
  const done = await replayAsForeseen('versions');
  assert.deepEqual(counts(done), [7, 3, 4, 2, 1, 0, 3]);
  assert.deepEqual(done.failures.map(({ id, status }) => [id, status]).sort(), [
    ['1', 409],
    ['2', 409],
    ['5', 404],
    ['6', 409],
  ]);
  assert.deepEqual((await call(node, 'GET', '/versions/_source/4')).body, { n: 'x', keep: true });
  assert.deepEqual((await call(node, 'GET', '/versions/_source/1')).body, { n: 'newer' });
});

test('a replay runs as a task, and refuses what it does not know by name', async () => {
  await makeIndex('behind');
  await call(node, 'PUT', '/behind/_doc/1', { n: 'x' });
  const { task } = await replay('behind', {}, 'wait_for_completion=false');
  const { body } = await call(node, 'GET', `/_tasks/${task}?wait_for_completion=true`);
  assert.deepEqual([body.completed, body.task.action], [true, 'indices:data/write/quarantine/replay']);
  assert.deepEqual(counts(body.response), [1, 0, 1, 0, 0, 0, 0]);
  const rows = [
    [{ nope: 1 }, /\[replay\] unknown field \[nope\]/],
    [{ dry_run: 'yes' }, /dry_run doesn't support values of type: VALUE_STRING/],
    [{ max_docs: -1 }, /cannot be negative/],
    [{ max_docs: 'all' }, /max_docs doesn't support values/],
    [{ pipeline: 'absent' }, /pipeline with id \[absent\] does not exist/],
    [{ query: { nope: {} } }, /unknown query \[nope\]/],
    [[1], /expected an object/],
  ];
  for (const [asked, reason] of rows) {
    const { status, body: answer } = await call(node, 'POST', '/behind/_quarantine/_replay', asked);
    assert.equal(status, 400, JSON.stringify(asked));
    assert.match(answer.error.reason, reason);
  }
  const { status } = await call(node, 'POST', '/behind/_quarantine/_replay?slices=2', {});
  assert.equal(status, 400);
  assert.equal((await call(node, 'POST', '/never-was/_quarantine/_replay', {})).status, 404);
  assert.deepEqual(counts(await replay('logs-without-any*')), [0, 0, 0, 0, 0, 0, 0]);
});

const sizeOf = async (name) =>
  (await call(node, 'GET', '/_quarantine')).body.quarantines.find(({ index }) => index === name);
const settings = (persistent) => call(node, 'PUT', '/_cluster/settings', { persistent });

test('a quarantine rolls at its size, is found and replayed as one, and old entries go', async () => {
  await makeIndex('rolling');
  await settings({ 'shoal.quarantine.max_bytes': '2kb', 'shoal.quarantine.poll_interval': '1s' });
  try {
    const lines = Array.from({ length: 50 }, (_none, i) => [{ index: {} }, { n: `x${i}` }]).flat();
    await bulk('rolling', lines);
    await until(async () => (await sizeOf('rolling')).indices.length > 1, 'a second index of quarantined documents');
    await settings({ 'shoal.quarantine.max_bytes': null });
    const { items } = await bulk('rolling', lines.slice(0, 2));
    const { documents, indices } = await sizeOf('rolling');
    assert.equal(documents, 51);
    assert.equal(items[0].quarantined._index, indices.at(-1));
    assert.equal((await entries('rolling')).total.value, 51);
    assert.equal((await replay('rolling', { dry_run: true })).failed, 51);
    await settings({ 'shoal.quarantine.retention': '1s' });
    await until(async () => (await sizeOf('rolling')).documents === 0, 'the end of quarantined documents');
  } finally {
    await settings({ 'shoal.quarantine.retention': null, 'shoal.quarantine.max_bytes': null });
  }
});

test('a document that comes while the index of its quarantine is about to be dropped is kept in the next', async () => {
  await makeIndex('late');
  const first = await call(node, 'PUT', '/late/_doc/1', { n: 'x' });
  assert.equal(first.body.quarantined._index, '.quarantine-late-000001');
  assert.equal((await call(node, 'PUT', '/.quarantine-late-000001/_block/write')).status, 200);
  const second = await call(node, 'PUT', '/late/_doc/2', { n: 'x' });
  assert.equal(second.body.quarantined._index, '.quarantine-late-000002');
  assert.equal((await entries('late')).total.value, 2);
});

test('_why tells of documents in quarantine', async () => {
  await makeIndex('asked');
  await call(node, 'PUT', '/asked/_doc/1', { n: 'x' });
  const { causes } = (await call(node, 'GET', '/_why/asked')).body;
  const [cause] = causes.filter(({ mend }) => mend.some(({ path }) => path === '/asked/_quarantine'));
  assert.match(cause.why, /^1 document was refused/);
  assert.ok((await call(node, 'GET', '/_why')).body.causes.some(({ index }) => index === 'asked'));
});
