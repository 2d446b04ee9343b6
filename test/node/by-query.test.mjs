// _update_by_query, _delete_by_query and _reindex: scripts, conflicts, slices, rates, tasks. Answers are those of
// OpenSearch 2.19, whose module reindex is that of Elasticsearch 7.10.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, sleep, startNode } from '../node-process.mjs';

let node;
before(async () => void (node = await startNode()));
after(() => node?.stop());

const COUNTERS = {
  batches: 1,
  version_conflicts: 0,
  noops: 0,
  retries: { bulk: 0, search: 0 },
  throttled_millis: 0,
  requests_per_second: -1,
  throttled_until_millis: 0,
};

async function fill(index, count, more = {}) {
  const lines = Array.from(
    { length: count },
    (_, i) => `{"index":{"_id":"${i}","routing":"r${i % 3}"}}\n{"n":${i},"whole":${i}.0}\n`,
  );
  await call(node, 'PUT', `/${index}`, { settings: { number_of_shards: 2, number_of_replicas: 0 }, ...more });
  await call(node, 'POST', `/${index}/_bulk?refresh=true`, lines.join(''));
}

const post = async (path, body) => {
  const answer = await call(node, 'POST', path, body);
  if (answer.body && typeof answer.body === 'object') delete answer.body.took;
  return answer;
};

const sources = async (index) => {
  const { body } = await call(node, 'POST', `/${index}/_search?size=1000&sort=n`, {});
  return body.hits.hits.map(({ _id, _routing, _source }) => ({ _id, _routing, ..._source }));
};

test('documents are updated, left alone or deleted as a script says', async () => {
  await fill('u', 6);
  const script = {
    source: `ctx._source.n += params.add;
      if (ctx._source.n == 12) { ctx.op = 'noop' } else if (ctx._source.n > 13) { ctx.op = 'delete' }`,
    params: { add: 10 },
  };
  const answer = await post('/u/_update_by_query?refresh=true', { query: { range: { n: { gte: 1 } } }, script });
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body, {
    timed_out: false,
    total: 5,
    updated: 2,
    deleted: 2,
    ...COUNTERS,
    noops: 1,
    failures: [],
  });
  assert.deepEqual(await sources('u'), [
    { _id: '0', _routing: 'r0', n: 0, whole: 0 },
    { _id: '2', _routing: 'r2', n: 2, whole: 2 },
    { _id: '1', _routing: 'r1', n: 11, whole: 1 },
    { _id: '3', _routing: 'r0', n: 13, whole: 3 },
  ]);
  const text = await (await fetch(`${node.url}/u/_doc/1?routing=r1`)).text();
  assert.match(text, /"whole":1\.0/, 'whole doubles stay doubles');
});

test('documents are copied, with another id, routing and source', async () => {
  await fill('r1', 5);
  const copied = await post('/_reindex?refresh=true', {
    source: { index: 'r1', query: { range: { n: { lt: 4 } } }, size: 3 },
    dest: { index: 'r2', routing: '=z' },
    script: {
      source: "ctx._id = 'a' + ctx._id; ctx._source.remove('whole'); if (ctx._source.n == 2) { ctx.op = 'noop' }",
    },
  });
  assert.deepEqual(copied.body, {
    timed_out: false,
    total: 4,
    updated: 0,
    created: 3,
    deleted: 0,
    ...COUNTERS,
    batches: 2,
    noops: 1,
    failures: [],
  });
  assert.deepEqual(
    await sources('r2'),
    [0, 1, 3].map((n) => ({ _id: `a${n}`, _routing: 'z', n })),
  );
  const create = { source: { index: 'r1' }, dest: { index: 'r3', op_type: 'create' } };
  assert.equal((await post('/_reindex?slices=2&refresh=true', create)).body.slices.length, 2);
  const again = await post('/_reindex', create);
  assert.equal(again.status, 409);
  assert.deepEqual([again.body.version_conflicts, again.body.failures.length], [5, 5]);
  assert.equal(again.body.failures[0].cause.type, 'version_conflict_engine_exception');
  const proceeded = await post('/_reindex', { ...create, conflicts: 'proceed', max_docs: 2 });
  assert.deepEqual([proceeded.status, proceeded.body.total, proceeded.body.version_conflicts], [200, 2, 2]);
});

test('documents are deleted, no more than asked for', async () => {
  await fill('d', 30);
  const some = await post('/d/_delete_by_query?refresh=true&max_docs=7&scroll_size=3', { query: { match_all: {} } });
  assert.deepEqual(some.body, { timed_out: false, total: 7, deleted: 7, ...COUNTERS, batches: 3, failures: [] });
  assert.equal((await post('/d/_delete_by_query?refresh=true&q=n:29', undefined)).body.deleted, 1);
  const rest = await post('/d/_delete_by_query?refresh=true&slices=auto', { query: { match_all: {} } });
  assert.deepEqual([rest.body.deleted, rest.body.slices.length], [22, 2]);
  assert.deepEqual(await sources('d'), []);
});

test('a call for a slice tells its number, and size is that of a page', async () => {
  await fill('m', 4);
  const slice = await post('/m/_update_by_query?refresh=true', { slice: { id: 1, max: 2 } });
  assert.equal(slice.body.slice_id, 1);
  assert.deepEqual(
    Object.keys(slice.body)
      .filter((key) => key !== 'took')
      .slice(0, 3),
    ['timed_out', 'slice_id', 'total'],
  );
  const paged = await post('/m/_update_by_query?refresh=true', { size: 1 });
  assert.deepEqual([paged.body.total, paged.body.batches, paged.body.slice_id], [4, 4, undefined]);
});

test('calls that make no sense are refused in words', async () => {
  await fill('e', 2);
  const table = [
    ['/e/_delete_by_query', {}, 'Validation Failed: 1: query is missing;'],
    ['/e/_delete_by_query', { query: { match_all: {} }, foo: 1 }, 'Unknown key for a VALUE_NUMBER in [foo].'],
    ['/e/_update_by_query?conflicts=cat', {}, 'conflicts may only be "proceed" or "abort" but was [cat]'],
    ['/e/_update_by_query?slices=0', {}, '[slices] must be a positive integer or the string "auto", but was [0]'],
    ['/e/_update_by_query?slices=x', {}, '[slices] must be a positive integer or the string "auto", but was [x]'],
    ['/e/_update_by_query?slices=2&max_docs=1', {}, '[max_docs] should be >= [slices]'],
    [
      '/e/_update_by_query?slices=2',
      { slice: { id: 0, max: 2 } },
      "Validation Failed: 1: can't specify both manual and automatic slicing at the same time;",
    ],
    [
      '/_reindex',
      { source: { index: 'e' }, dest: { index: 'x' }, size: 1 },
      '[1:53] [reindex] failed to parse field [size]',
    ],
    ['/e/_update_by_query?max_docs=-4', {}, '[max_docs] parameter cannot be negative, found [-4]'],
    ['/e/_update_by_query', { script: "ctx.op = 'foo'" }, 'runtime error'],
    ['/e/_update_by_query', { script: '1 +' }, 'compile error'],
    ['/_reindex', { source: { index: 'e' }, dest: {} }, 'Validation Failed: 1: index must be specified;'],
    [
      '/_reindex',
      { source: { index: 'e' }, dest: { index: 'e' } },
      'Validation Failed: 1: reindex cannot write into an index its reading from [e];',
    ],
    [
      '/_reindex',
      { source: { index: 'e' }, dest: { index: 'x', routing: 'a' } },
      'Validation Failed: 1: routing must be unset, [keep], [discard] or [=<some new value>];',
    ],
    [
      '/_reindex',
      { source: { index: 'e', remote: { host: 'http://other:9200' } }, dest: { index: 'x' } },
      '[other:9200] not whitelisted in reindex.remote.whitelist',
    ],
    [
      '/_reindex?pipeline=p',
      { source: { index: 'e' }, dest: { index: 'x' } },
      "_reindex doesn't support [pipeline] as a query parameter. Specify it in the [dest] object instead.",
    ],
  ];
  for (const [path, body, reason] of table) {
    const answer = await post(path, body);
    assert.deepEqual([answer.status, answer.body.error?.reason], [400, reason], `${path} ${JSON.stringify(body)}`);
  }
  assert.equal((await post('/nope/_update_by_query', {})).status, 404);
  assert.deepEqual(await sources('e').then((found) => found.map(({ n }) => n)), [0, 1], 'nothing was changed');
});

test('a task tells its progress, takes another rate, is cancelled and keeps its result', async () => {
  await fill('t', 300);
  const script = { source: 'ctx._source.n++' };
  const behind = await post('/t/_update_by_query?wait_for_completion=false&requests_per_second=50&scroll_size=50', {
    script,
  });
  const { task } = behind.body;
  await sleep(300);
  const running = (await call(node, 'GET', `/_tasks/${task}`)).body;
  assert.deepEqual([running.completed, running.task.status.total, running.task.status.updated], [false, 300, 50]);
  assert.ok(running.task.status.throttled_until_millis > 0);
  const faster = await post(`/_update_by_query/${task}/_rethrottle?requests_per_second=-1`, undefined);
  assert.equal(Object.keys(Object.values(faster.body.nodes)[0].tasks)[0], task);
  const ended = (await call(node, 'GET', `/_tasks/${task}?wait_for_completion=true`)).body;
  assert.deepEqual([ended.completed, ended.response.updated], [true, 300]);

  const slow = await post('/_reindex?wait_for_completion=false&requests_per_second=10', {
    source: { index: 't', size: 20 },
    dest: { index: 't2' },
  });
  await sleep(300);
  await post(`/_tasks/${slow.body.task}/_cancel`, undefined);
  const cancelled = (await call(node, 'GET', `/_tasks/${slow.body.task}?wait_for_completion=true`)).body;
  assert.deepEqual([cancelled.response.canceled, cancelled.response.created], ['by user request', 20]);
  assert.equal((await post('/_reindex/other:7/_rethrottle?requests_per_second=1', undefined)).status, 404);
});

test('a document that changes meanwhile is a conflict, and no other is touched', async () => {
  await fill('c', 200);
  const behind = await post('/c/_update_by_query?wait_for_completion=false&requests_per_second=100&scroll_size=50', {
    script: { source: 'ctx._source.touched = true' },
  });
  await sleep(200);
  for (let i = 0; i < 200; i += 1) await call(node, 'PUT', `/c/_doc/${i}?routing=r${i % 3}`, { n: i, other: true });
  const { response } = (await call(node, 'GET', `/_tasks/${behind.body.task}?wait_for_completion=true`)).body;
  assert.ok(response.version_conflicts > 0 && response.failures.length > 0);
  await call(node, 'POST', '/c/_refresh');
  const found = await sources('c');
  assert.equal(found.length, 200);
  assert.ok(
    found.every(({ other }) => other),
    'the later write is not lost',
  );
});

test('nothing is copied to an index that may not be made', async () => {
  await call(node, 'PUT', '/_cluster/settings', { persistent: { 'action.auto_create_index': 'false' } });
  const { status, body } = await call(node, 'POST', '/_reindex', {
    source: { index: 'absent-*' },
    dest: { index: 'not-made' },
  });
  await call(node, 'PUT', '/_cluster/settings', { persistent: { 'action.auto_create_index': null } });
  assert.equal(status, 404);
  assert.equal(body.error.reason, 'no such index [not-made] and [action.auto_create_index] is [false]');
});

test('the result of a task nobody waited for is a document of .tasks', async () => {
  await call(node, 'PUT', '/kept/_doc/1?refresh=true', { n: 1 });
  const { body } = await call(node, 'POST', '/kept/_update_by_query?wait_for_completion=false');
  const { body: told } = await call(node, 'GET', `/_tasks/${body.task}?wait_for_completion=true`);
  assert.deepEqual([told.completed, told.response.updated], [true, 1]);
  const { body: stored } = await call(node, 'GET', `/.tasks/_doc/${body.task}`);
  assert.deepEqual(stored._source.response, told.response);
  assert.equal(stored._source.task.action, 'indices:data/write/update/byquery');
});

test('nothing is copied to a name that must be an alias and is none', async () => {
  await fill('aliased', 2, { aliases: { 'some-alias': {} } });
  await call(node, 'PUT', '/no-alias');
  for (const index of ['missing-alias', 'no-alias']) {
    const request = { source: { index: 'absent-*' }, dest: { index } };
    const { status, body } = await post('/_reindex?require_alias=true', request);
    const flag = '[require_alias] request flag is [true]';
    assert.equal(status, 404, index);
    assert.equal(body.error.type, 'index_not_found_exception');
    assert.equal(body.error.reason, `no such index [${index}] and ${flag} and [${index}] is not an alias`);
  }
  await fill('unaliased', 3);
  const request = { source: { index: 'unaliased' }, dest: { index: 'some-alias' } };
  const { body } = await post('/_reindex?require_alias=true', request);
  assert.deepEqual([body.created, body.updated], [1, 2]);
});
