// Transforms on one node: batch and continuous ones, pivots and newest documents.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, startNode } from '../node-process.mjs';

let node;
before(async () => {
  node = await startNode();
  await call(node, 'PUT', '/orders', {
    mappings: {
      properties: {
        user: { type: 'keyword' },
        price: { type: 'double' },
        at: { type: 'date' },
        paid: { type: 'boolean' },
      },
    },
  });
  await write('orders', [
    { user: 'ann', price: 1, at: '2026-01-01T10:00:00Z', paid: true },
    { user: 'bob', price: 2, at: '2026-01-02T10:00:00Z' },
    { user: 'ann', price: 3, at: '2026-01-03T10:00:00Z' },
  ]);
});
after(() => node?.stop());

const ok = async (method, path, body) => {
  const answer = await call(node, method, path, body);
  assert.equal(answer.status, 200, `${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
};

async function write(index, documents) {
  const lines = documents.map((document) => `{"index":{}}\n${JSON.stringify(document)}\n`);
  await call(node, 'POST', `/${index}/_bulk?refresh=true`, lines.join(''));
}

async function sources(index, sort) {
  const { hits } = await ok('POST', `/${index}/_search`, { size: 100, sort });
  return hits.hits.map(({ _source }) => _source);
}

async function until(what, condition) {
  for (const startMs = Date.now(); Date.now() - startMs < 20_000; ) {
    const result = await condition();
    if (result) return result;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.fail(`not within 20 s: ${what}`);
}

const statsOf = async (id) => (await ok('GET', `/_transform/${id}/_stats`)).transforms[0];

const byUser = (more = {}) => ({
  source: { index: 'orders' },
  dest: { index: 'by-user' },
  pivot: {
    group_by: { user: { terms: { field: 'user' } } },
    aggregations: {
      total: { sum: { field: 'price' } },
      'dates.first': { min: { field: 'at' } },
      n: { value_count: { field: 'price' } },
      p: { percentiles: { field: 'price', percents: [50, 99.9] } },
      paid: { filter: { term: { paid: true } } },
      big: { filter: { range: { price: { gte: 3 } } }, aggs: { sum: { sum: { field: 'price' } } } },
      double: { bucket_script: { buckets_path: { t: 'total' }, script: 'params.t * 2' } },
    },
  },
  ...more,
});

const ANN = {
  user: 'ann',
  total: 4,
  dates: { first: '2026-01-01T10:00:00.000Z' },
  n: 2,
  paid: 1,
  big: { sum: 3 },
  double: 8,
};

test('a preview shows documents and the index that would hold them', async () => {
  const { preview, generated_dest_index: index } = await ok('POST', '/_transform/_preview', byUser());
  const [{ p, ...ann }, bob] = preview;
  assert.deepEqual(ann, ANN);
  assert.deepEqual(Object.keys(p), ['50', '99_9']);
  assert.deepEqual([bob.user, bob.n], ['bob', 1]);
  const types = Object.fromEntries(Object.entries(index.mappings.properties).map(([name, { type }]) => [name, type]));
  assert.deepEqual(types, {
    user: 'keyword',
    total: 'double',
    'dates.first': 'date',
    n: 'long',
    'p.50': 'double',
    'p.99_9': 'double',
    paid: 'long',
  });
  assert.equal(index.settings.index.number_of_shards, '1');
});

test('a batch transform makes its documents once and stops', async () => {
  assert.deepEqual(await ok('PUT', '/_transform/batch', byUser({ description: 'sums' })), { acknowledged: true });
  const { transforms } = await ok('GET', '/_transform/batch');
  assert.deepEqual(
    [transforms[0].id, transforms[0].version, transforms[0].source],
    ['batch', '8.12.0', { index: ['orders'], query: { match_all: {} } }],
  );
  assert.deepEqual(await ok('POST', '/_transform/_upgrade'), { needs_update: 0, updated: 0, no_action: 1 });
  await ok('POST', '/_transform/batch/_start');
  await until('the transform is done', async () => (await statsOf('batch')).state === 'stopped');
  const [{ p, ...ann }] = await sources('by-user', 'user');
  assert.deepEqual(ann, ANN);
  assert.equal(p['50'], 2);
  const { stats, checkpointing, health } = await statsOf('batch');
  assert.deepEqual([stats.documents_processed, stats.documents_indexed, stats.trigger_count], [3, 2, 1]);
  assert.deepEqual([checkpointing.last.checkpoint, health.status], [1, 'green']);
});

test('statistics tell how far a checkpoint is, and what is not in the destination yet', async () => {
  const at = new Date(Date.now() - 60_000).toISOString();
  await write(
    'many',
    Array.from({ length: 40 }, (_, i) => ({ tag: `t${i}`, at })),
  );
  await ok('PUT', '/_transform/slow', {
    source: { index: 'many' },
    dest: { index: 'slow' },
    frequency: '1h',
    sync: { time: { field: 'at', delay: '0s' } },
    pivot: {
      group_by: { tag: { terms: { field: 'tag.keyword' } } },
      aggregations: { n: { value_count: { field: 'at' } } },
    },
    settings: { max_page_search_size: 10, docs_per_second: 10 },
  });
  await ok('POST', '/_transform/slow/_start');
  const half = await until('a page is made', async () => {
    const { next } = (await statsOf('slow')).checkpointing;
    return next?.checkpoint_progress?.docs_processed > 0 ? next.checkpoint_progress : null;
  });
  assert.equal(half.total_docs, 40);
  assert.equal(half.docs_remaining, 40 - half.docs_processed);
  assert.equal(half.percent_complete, (100 * half.docs_processed) / 40);
  await until('the first checkpoint', async () => (await statsOf('slow')).checkpointing.last.checkpoint === 1);
  assert.equal((await statsOf('slow')).checkpointing.operations_behind, 0);
  await write('many', [{ tag: 'new', at: new Date().toISOString() }]);
  assert.equal((await statsOf('slow')).checkpointing.operations_behind, 1);
  await ok('POST', '/_transform/slow/_stop?wait_for_completion=true');
});

test('it can be started again after a reset, not while it runs, and is deleted', async () => {
  await ok('POST', '/_transform/batch/_reset');
  assert.equal((await call(node, 'HEAD', '/by-user')).status, 404);
  assert.equal((await statsOf('batch')).checkpointing.last.checkpoint, 0);
  await ok('DELETE', '/_transform/batch');
  const { status, body } = await call(node, 'GET', '/_transform/batch');
  assert.deepEqual([status, body.error.reason], [404, 'Transform with id [batch] could not be found']);
});

test('a continuous transform makes the groups again that have new documents', async () => {
  const body = byUser({
    dest: { index: 'live' },
    frequency: '1s',
    sync: { time: { field: 'at', delay: '0s' } },
    settings: { max_page_search_size: 10 },
  });
  await ok('PUT', '/_transform/live', body);
  await ok('POST', '/_transform/live/_start');
  await until('the first checkpoint', async () => (await statsOf('live')).checkpointing.last.checkpoint === 1);
  const again = await call(node, 'POST', '/_transform/live/_start');
  assert.deepEqual(
    [again.status, again.body.error.reason],
    [409, 'Cannot start transform [live] as it is already STARTED.'],
  );
  const running = await call(node, 'DELETE', '/_transform/live');
  assert.deepEqual(
    [running.status, running.body.error.reason],
    [409, 'Cannot delete transform [live] as the task is running. Stop the transform first'],
  );
  const now = new Date().toISOString();
  await write('orders', [
    { user: 'bob', price: 10, at: now },
    { user: 'eve', price: 5, at: now },
  ]);
  await until('the second checkpoint', async () => (await sources('live', 'user')).length === 3);
  assert.deepEqual(
    (await sources('live', 'user')).map(({ user, total }) => [user, total]),
    [
      ['ann', 4],
      ['bob', 12],
      ['eve', 5],
    ],
  );
  // Two groups at first, two changed ones then. The statistics follow the documents.
  await until('the statistics', async () => (await statsOf('live')).checkpointing.last.checkpoint === 2);
  assert.equal((await statsOf('live')).stats.documents_indexed, 4);
  await ok('POST', '/_transform/live/_stop?wait_for_completion=true');
  assert.equal((await statsOf('live')).state, 'stopped');
  await ok('DELETE', '/_transform/live?delete_dest_index=true');
  assert.equal((await call(node, 'HEAD', '/live')).status, 404);
});

test('a continuous transform leaves groups alone that only share documents with changed ones', async () => {
  const properties = { tag: { type: 'keyword' }, at: { type: 'date' }, price: { type: 'double' } };
  await ok('PUT', '/tagged', { mappings: { properties } });
  await write('tagged', [
    { tag: ['red', 'blue'], price: 1, at: '2026-01-01T10:00:00Z' },
    { tag: 'blue', price: 2, at: '2026-01-01T11:00:00Z' },
    { tag: 'red', price: 4, at: '2026-02-01T10:00:00Z' },
  ]);
  const sync = { frequency: '1s', sync: { time: { field: 'at', delay: '0s' } } };
  const total = { aggregations: { total: { sum: { field: 'price' } } } };
  const month = { date_histogram: { field: 'at', calendar_interval: 'month' } };
  const pivots = [
    ['by-tag', { tag: { terms: { field: 'tag' } } }],
    ['by-month', { month }],
  ];
  for (const [id, groups] of pivots) {
    await ok('PUT', `/_transform/${id}`, {
      source: { index: 'tagged' },
      dest: { index: id },
      pivot: { group_by: groups, ...total },
      settings: { align_checkpoints: false },
      ...sync,
    });
    await ok('POST', `/_transform/${id}/_start`);
    await until('the first checkpoint', async () => (await statsOf(id)).checkpointing.last.checkpoint === 1);
  }
  await write('tagged', [{ tag: 'red', price: 8, at: new Date().toISOString() }]);
  for (const [id] of pivots)
    await until('the next checkpoint', async () => (await statsOf(id)).checkpointing.last.checkpoint === 2);
  assert.deepEqual(
    (await sources('by-tag', 'tag')).map(({ tag, total }) => [tag, total]),
    [
      ['blue', 3],
      ['red', 13],
    ],
  );
  assert.deepEqual(
    (await sources('by-month', 'month')).map((document) => document.total),
    [3, 4, 8],
  );
  const indexed = async (id) => (await statsOf(id)).stats.documents_indexed;
  assert.deepEqual([await indexed('by-tag'), await indexed('by-month')], [3, 3]);
  for (const [id] of pivots) await ok('DELETE', `/_transform/${id}?force=true&delete_dest_index=true`);
});

test('a continuous transform that starts from a time makes only groups with documents since then', async () => {
  const body = byUser({ source: { index: 'dated' }, dest: { index: 'recent' }, frequency: '1s' });
  const at = { user: { type: 'keyword' }, price: { type: 'double' }, at: { type: 'date' }, paid: { type: 'boolean' } };
  await ok('PUT', '/dated', { mappings: { properties: at } });
  await write('dated', [
    { user: 'ann', price: 1, at: '2026-01-01T10:00:00Z' },
    { user: 'bob', price: 2, at: '2026-01-02T10:00:00Z' },
    { user: 'ann', price: 3, at: '2026-01-03T10:00:00Z' },
  ]);
  await ok('PUT', '/_transform/batch-from', body);
  const refused = await call(node, 'POST', '/_transform/batch-from/_start?from=2026-01-03');
  assert.deepEqual(
    [refused.status, refused.body.error.type, refused.body.error.reason],
    [
      400,
      'status_exception',
      'Transform configuration [batch-from] has invalid elements: [Validation Failed: 1: [from] parameter is ' +
        'currently not supported for batch (non-continuous) transforms;]',
    ],
  );
  await ok('PUT', '/_transform/recent', { ...body, sync: { time: { field: 'at', delay: '0s' } } });
  const unread = await call(node, 'POST', '/_transform/recent/_start?from=sometime');
  assert.deepEqual([unread.status, unread.body.error.reason], [400, 'Failed to parse date for [from]']);
  await ok('POST', '/_transform/recent/_start?from=2026-01-03T00:00:00Z');
  await until('the first checkpoint', async () => (await statsOf('recent')).checkpointing.last.checkpoint === 1);
  assert.deepEqual(
    (await sources('recent', 'user')).map(({ user, total }) => [user, total]),
    [['ann', 4]],
  );
  await ok('DELETE', '/_transform/recent?force=true&delete_dest_index=true');
});

test('the newest document of each key is kept, and what is too old is deleted', async () => {
  await ok('PUT', '/_transform/newest', {
    source: { index: 'orders', query: { range: { price: { lt: 10 } } } },
    dest: { index: 'newest' },
    latest: { unique_key: ['user'], sort: 'at' },
    retention_policy: { time: { field: 'at', max_age: '1d' } },
  });
  await ok('POST', '/_transform/newest/_start');
  await until('the transform is done', async () => (await statsOf('newest')).state === 'stopped');
  assert.deepEqual(
    (await sources('newest', 'user')).map(({ user, price }) => [user, price]),
    [['eve', 5]],
  );
  assert.equal((await statsOf('newest')).stats.documents_deleted, 2);
});

test('a transform that cannot work tells why, and is mended by an update', async () => {
  await ok('PUT', '/_transform/broken?defer_validation=true', {
    source: { index: 'nowhere*', query: { term: { user: 'ann' } } },
    dest: { index: 'mended', pipeline: 'absent' },
    pivot: {
      group_by: { user: { terms: { field: 'user' } } },
      aggregations: { n: { value_count: { field: 'price' } } },
    },
    settings: { num_failure_retries: 0 },
  });
  await ok('POST', '/_transform/broken/_update', { source: { index: 'orders' } });
  await ok('POST', '/_transform/broken/_start');
  await until('the failure', async () => (await statsOf('broken')).state === 'failed');
  const { reason, health } = await statsOf('broken');
  assert.match(reason, /pipeline with id \[absent\] does not exist/);
  assert.equal(health.status, 'red');
  const refused = await call(node, 'POST', '/_transform/broken/_stop');
  assert.equal(refused.status, 409);
  await ok('POST', '/_transform/broken/_stop?force=true');
  await ok('POST', '/_transform/broken/_update', { dest: { index: 'mended' } });
  await ok('POST', '/_transform/broken/_start');
  await until('the transform is done', async () => (await statsOf('broken')).checkpointing.last.checkpoint === 1);
  assert.deepEqual(
    (await sources('mended', 'user')).map(({ user }) => user),
    ['ann', 'bob', 'eve'],
  );
});

test('bodies that are no transforms are refused in words', async () => {
  const refusals = [
    [{ ...byUser(), foo: 1 }, /unknown field \[foo\]/],
    [{ ...byUser(), pivot: undefined }, /Required one of fields \[pivot, latest\]/],
    [{ ...byUser(), latest: { unique_key: ['user'], sort: 'at' } }, /not allowed together/],
    [{ ...byUser(), frequency: '1ms' }, /minimum permitted \[frequency\] is \[1s\]/],
    [byUser({ dest: { index: 'orders' } }), /Destination index \[orders\] is included in source expression/],
    [byUser({ settings: { max_page_search_size: 1 } }), /out of range/],
    [byUser({ source: { index: 'absent' } }), /no such index \[absent\]/],
    [
      byUser({ pivot: { group_by: { u: { terms: { field: 'user' } } }, aggs: { h: { top_hits: {} } } } }),
      /Unsupported aggregation type \[top_hits\]/,
    ],
  ];
  for (const [body, reason] of refusals) {
    const answer = await call(node, 'PUT', '/_transform/wrong', body);
    assert.ok(answer.status >= 400 && answer.status < 500, JSON.stringify(answer.body));
    assert.match(JSON.stringify(answer.body.error), reason);
  }
  assert.equal((await call(node, 'PUT', '/_transform/Not_Good', byUser())).status, 400);
  assert.equal((await call(node, 'POST', '/_transform/absent/_start')).status, 404);
});
