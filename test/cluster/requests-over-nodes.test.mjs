// Requests over shards on three nodes: writes, searches, scrolls, points in time and tasks, while all nodes live and
// after one is killed.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startCluster } from '../cluster-processes.mjs';
import { call, sleep } from '../node-process.mjs';

const DOCUMENTS = 300;
let cluster;
let nodes;
before(async () => {
  cluster = await startCluster({ settings: { 'shoal.shard_threads': 1 } });
  nodes = cluster.nodes;
  const { nodes: infos } = (await call(nodes[0], 'GET', '/_nodes/http')).body;
  for (const [i, node] of nodes.entries())
    node.id = Object.entries(infos).find(([, { name }]) => name === `n${i + 1}`)[0];
  const created = await call(nodes[0], 'PUT', '/h', {
    settings: { number_of_shards: 6, number_of_replicas: 0 },
    mappings: { properties: { n: { type: 'long' }, k: { type: 'keyword' } } },
  });
  assert.equal(created.status, 200);
  const lines = Array.from(
    { length: DOCUMENTS },
    (_, i) => `{"index":{"_id":"${i}"}}\n{"n":${i},"k":"k${i % 7}"}\n`,
  ).join('');
  const { body } = await call(nodes[1], 'POST', '/h/_bulk?refresh=true', lines);
  assert.equal(body.errors, false);
});
after(() => cluster?.stop('SIGKILL'));

const hitsOf = ({ body }) => body.hits.hits;
const sorted = (values) => [...values].sort((a, b) => a - b);
const ALL = Array.from({ length: DOCUMENTS }, (_, i) => i);

test('shards are on all nodes, and every node answers for all of them', async () => {
  const { body: shards } = await call(nodes[0], 'GET', '/_cat/shards/h?format=json');
  assert.deepEqual(new Set(shards.map(({ node }) => node)), new Set(['n1', 'n2', 'n3']));
  for (const node of nodes) {
    const { body } = await call(node, 'POST', '/h/_search', {
      size: 5,
      sort: [{ n: 'desc' }],
      track_total_hits: true,
      aggs: { k: { terms: { field: 'k' } }, sum: { sum: { field: 'n' } } },
    });
    assert.deepEqual(body._shards, { total: 6, successful: 6, skipped: 0, failed: 0 });
    assert.deepEqual(
      body.hits.hits.map(({ sort }) => sort[0]),
      [299, 298, 297, 296, 295],
    );
    assert.equal(body.hits.total.value, DOCUMENTS);
    assert.equal(body.aggregations.sum.value, (DOCUMENTS * (DOCUMENTS - 1)) / 2);
    assert.equal(body.aggregations.k.buckets.length, 7);
    assert.equal((await call(node, 'GET', '/h/_doc/17')).body._source.n, 17);
    const many = await call(node, 'POST', '/h/_mget', { ids: ['1', '2', '3', '4', 'none'] });
    assert.deepEqual(
      many.body.docs.map(({ found }) => found),
      [true, true, true, true, false],
    );
  }
});

test('a scroll that one node opened is read and cleared through the others', async () => {
  const seen = [];
  let { body } = await call(nodes[0], 'POST', '/h/_search?scroll=1m', { size: 70, sort: ['_doc'] });
  for (let at = 1; body.hits.hits.length > 0; at++) {
    seen.push(...body.hits.hits.map(({ _source }) => _source.n));
    ({ body } = await call(nodes[at % 3], 'POST', '/_search/scroll', { scroll: '1m', scroll_id: body._scroll_id }));
  }
  assert.deepEqual(sorted(seen), ALL);
  const cleared = await call(nodes[2], 'DELETE', '/_search/scroll', { scroll_id: body._scroll_id });
  assert.deepEqual(cleared.body, { succeeded: true, num_freed: 6 });
  assert.equal((await call(nodes[1], 'POST', '/_search/scroll', { scroll_id: body._scroll_id })).status, 404);
});

test('a point in time serves pages on every node and does not see later writes', async () => {
  const { body: pit } = await call(nodes[0], 'POST', '/h/_pit?keep_alive=1m');
  await call(nodes[0], 'PUT', '/h/_doc/later?refresh=true', { n: 1000 });
  const seen = [];
  for (let at = 0, after; ; at++) {
    const { body } = await call(nodes[at % 3], 'POST', '/_search', {
      size: 100,
      pit: { id: pit.id, keep_alive: '1m' },
      sort: [{ n: 'asc' }],
      ...(after ? { search_after: after } : {}),
    });
    if (body.hits.hits.length === 0) break;
    seen.push(...body.hits.hits.map(({ _source }) => _source.n));
    after = body.hits.hits.at(-1).sort;
  }
  assert.deepEqual(seen, ALL);
  assert.equal((await call(nodes[1], 'DELETE', '/_pit', { id: pit.id })).body.num_freed, 6);
  await call(nodes[0], 'DELETE', '/h/_doc/later?refresh=true');
});

test('copies are chosen as preference says, and _search_shards tells which', async () => {
  const { body } = await call(nodes[0], 'GET', '/h/_search_shards?routing=x');
  assert.equal(body.shards.length, 1);
  const [[copy]] = body.shards;
  const only = await call(nodes[1], 'POST', `/h/_search?preference=_only_nodes:${copy.node}&routing=x`, {});
  assert.equal(only.status, 200);
  const elsewhere = nodes.find(({ id }) => id !== copy.node);
  assert.equal(
    (await call(nodes[0], 'POST', `/h/_search?preference=_only_nodes:${elsewhere.id}&routing=x`, {})).status,
    400,
  );
});

/** A search that takes seconds: many patterns, each matched against all terms. */
const slowQuery = () => ({
  size: 0,
  query: {
    bool: { should: Array.from({ length: 900 }, (_, i) => ({ wildcard: { t: { value: `*${i}*x*y*${i}*z*` } } })) },
  },
});

test(
  'a search shows up with its parts on other nodes and ends ' + 'everywhere when it is cancelled on any node',
  async () => {
    await call(nodes[0], 'PUT', '/slow', {
      settings: { number_of_shards: 3, number_of_replicas: 0 },
      mappings: { properties: { t: { type: 'keyword' } } },
    });
    const lines = Array.from({ length: 3000 }, (_, i) => `{"index":{}}\n{"t":"${`${i}xyxyz`.repeat(6)}"}\n`).join('');
    assert.equal((await call(nodes[0], 'POST', '/slow/_bulk?refresh=true', lines)).body.errors, false);
    const search = call(nodes[0], 'POST', '/slow/_search', slowQuery(), { 'x-opaque-id': 'slow one' });
    let found = [];
    let children = [];
    for (const end = Date.now() + 5_000; children.length < 2 && Date.now() < end; ) {
      const { body } = await call(nodes[1], 'GET', '/_tasks?actions=*search*&group_by=none&detailed');
      found = body.tasks.filter(
        ({ headers, parent_task_id: parent }) => parent === undefined && headers['X-Opaque-Id'] === 'slow one',
      );
      children = body.tasks.filter((task) => found.some(({ node, id }) => task.parent_task_id === `${node}:${id}`));
    }
    assert.equal(found.length, 1);
    assert.equal(found[0].node, nodes[0].id);
    assert.ok(
      children.some(({ node, action }) => node !== nodes[0].id && action === 'indices:data/read/search[phase/query]'),
    );
    const id = `${found[0].node}:${found[0].id}`;
    assert.equal((await call(nodes[2], 'GET', `/_tasks/${id}`)).body.completed, false);
    const { body: cancelled } = await call(nodes[2], 'POST', `/_tasks/${id}/_cancel`);
    assert.deepEqual(Object.keys(cancelled.nodes), [nodes[0].id]);
    const { status, body } = await search;
    assert.equal(status, 400);
    assert.equal(body.error.type, 'task_cancelled_exception');
    const left = async () =>
      (await call(nodes[1], 'GET', `/_tasks?parent_task_id=${id}&group_by=none`)).body.tasks.length;
    for (const end = Date.now() + 3_000; (await left()) > 0; await sleep(20))
      assert.ok(Date.now() < end, 'parts of the search go on');
  },
);

test('every node shows its hot threads', async () => {
  const { body } = await call(nodes[1], 'GET', '/_nodes/hot_threads?interval=20ms');
  for (const [i, { id }] of nodes.entries()) assert.ok(body.includes(`::: {n${i + 1}}{${id}}`));
  assert.match(body, /Hot threads at .*, interval=20ms, busiestThreads=3, ignoreIdleThreads=true:/);
});

/** Bulks one after another until told to stop; resolves with what was answered. */
function writer(node, index) {
  let goesOn = true;
  const run = async () => {
    const items = [];
    let longestMs = 0;
    for (let at = 0; goesOn; at++) {
      const lines = Array.from({ length: 20 }, (_, i) => `{"index":{"_id":"${at}-${i}"}}\n{"n":${i}}\n`).join('');
      const startedMs = performance.now();
      items.push(...(await call(node, 'POST', `/${index}/_bulk`, lines)).body.items.map((item) => item.index));
      longestMs = Math.max(longestMs, performance.now() - startedMs);
    }
    return { items, longestMs };
  };
  const done = run();
  return () => {
    goesOn = false;
    return done;
  };
}

/** What clients held when the third node died. */
let opened;
async function killThird() {
  const { body: scroll } = await call(nodes[0], 'POST', '/h/_search?scroll=1m', { size: 10 });
  const { body: pit } = await call(nodes[0], 'POST', '/h/_pit?keep_alive=1m');
  const { body: shards } = await call(nodes[0], 'GET', '/_cat/shards/h?format=json');
  opened = { scroll, pit, shards };
  await nodes[2].stop('SIGKILL');
}

test('writes go on over the death of a node with primaries, each applied once', async () => {
  await call(nodes[0], 'PUT', '/r', { settings: { number_of_shards: 3, number_of_replicas: 1 } });
  const { body: health } = await call(nodes[0], 'GET', '/_cluster/health/r?wait_for_status=green&timeout=10s');
  assert.equal(health.status, 'green');
  const one = await call(nodes[0], 'PUT', '/r/_doc/one', { n: 1 });
  assert.deepEqual(one.body._shards, { total: 2, successful: 2, failed: 0 });
  const stop = writer(nodes[0], 'r');
  await sleep(200);
  await killThird();
  await sleep(500);
  const { items, longestMs } = await stop();
  assert.ok(longestMs < 10_000, `a bulk took ${longestMs} ms`);
  assert.deepEqual(items.filter(({ status }) => status >= 300).slice(0, 1), []);
  assert.deepEqual(items.filter(({ _version: version }) => version !== 1).slice(0, 1), []);
  await call(nodes[1], 'POST', '/r/_refresh');
  assert.equal((await call(nodes[1], 'GET', '/r/_count')).body.count, items.length + 1);
});

test(
  'after a node is killed its shards fail, scrolls and points in time ' +
    'go on with the others, writes to them say why',
  async () => {
    const { scroll, pit, shards } = opened;
    const lost = shards.filter(({ node }) => node === 'n3').length;
    const page = await call(nodes[0], 'POST', '/_search/scroll', { scroll: '1m', scroll_id: scroll._scroll_id });
    assert.equal(page.status, 200);
    assert.equal(page.body._shards.failed, lost);
    assert.equal(page.body._shards.total, 6);
    assert.ok(
      ['node_disconnected_exception', 'node_not_connected_exception'].includes(
        page.body._shards.failures[0].reason.type,
      ),
      JSON.stringify(page.body._shards),
    );
    assert.equal(hitsOf(page).length, 10);
    const paged = await call(nodes[1], 'POST', '/_search', { size: 10, pit: { id: pit.id } });
    assert.equal(paged.status, 200);
    assert.equal(paged.body._shards.failed, lost);
    for (const end = Date.now() + 5_000; Date.now() < end; await sleep(20)) {
      if ((await call(nodes[0], 'GET', '/_cluster/health')).body.number_of_nodes === 2) break;
    }
    const partial = await call(nodes[0], 'POST', '/h/_search', {});
    assert.equal(partial.body._shards.failed, lost);
    assert.equal(partial.body._shards.failures[0].reason.type, 'no_shard_available_action_exception');
    const refused = await call(nodes[0], 'POST', '/h/_search?allow_partial_search_results=false', {});
    assert.equal(refused.status, 503);
    const lines = Array.from({ length: 30 }, (_, i) => `{"index":{"_id":"w${i}"}}\n{"n":1}\n`).join('');
    const { body: written } = await call(nodes[1], 'POST', '/h/_bulk?timeout=100ms', lines);
    const failed = written.items.filter(({ index }) => index.status === 503);
    assert.ok(failed.length > 0 && failed.length < 30);
    assert.equal(failed[0].index.error.type, 'unavailable_shards_exception');
    assert.match(
      failed[0].index.error.reason,
      new RegExp(
        '^\\[h\\]\\[\\d\\] primary shard is not active Timeout: \\[100ms\\], ' +
          'request: \\[BulkShardRequest \\[\\[h\\]\\[\\d\\]\\] containing \\[',
      ),
    );
  },
);
