// A transform whose node is killed goes on at another one, and its destination ends as if nothing had happened.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startCluster } from '../cluster-processes.mjs';
import { call, sleep } from '../node-process.mjs';

const USERS = 500;
const DOCUMENTS = 5000;
let cluster;
let nodes;
before(async () => {
  cluster = await startCluster({ settings: { 'shoal.shard_threads': 1 } });
  nodes = cluster.nodes;
  await call(nodes[0], 'PUT', '/orders', {
    settings: { number_of_shards: 2, number_of_replicas: 1 },
    mappings: { properties: { user: { type: 'keyword' }, n: { type: 'long' }, at: { type: 'date' } } },
  });
  const at = new Date(Date.now() - 60_000).toISOString();
  const lines = Array.from(
    { length: DOCUMENTS },
    (_, i) => `{"index":{}}\n{"user":"u${i % USERS}","n":${i},"at":"${at}"}\n`,
  );
  await call(nodes[0], 'POST', '/orders/_bulk?refresh=true', lines.join(''));
  await call(nodes[0], 'GET', '/_cluster/health/orders?wait_for_status=green&timeout=30s');
});
after(() => cluster?.stop('SIGKILL'));

async function ok(node, method, path, body) {
  const answer = await call(node, method, path, body);
  assert.equal(answer.status, 200, `${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

const statsOf = async (node) => (await ok(node, 'GET', '/_transform/t/_stats')).transforms[0];

async function until(what, condition) {
  for (const startMs = Date.now(); Date.now() - startMs < 60_000; ) {
    if (await condition().catch(() => false)) return;
    await sleep(100);
  }
  assert.fail(`not within 60 s: ${what}`);
}

test('a transform survives the node that does it', async () => {
  await ok(nodes[0], 'PUT', '/_transform/t', {
    source: { index: 'orders' },
    dest: { index: 'by-user' },
    pivot: {
      group_by: { user: { terms: { field: 'user' } } },
      aggregations: { n: { sum: { field: 'n' } }, count: { value_count: { field: 'n' } } },
    },
    frequency: '1s',
    sync: { time: { field: 'at', delay: '0s' } },
    // A first checkpoint takes seconds, so that the node dies in the middle of it.
    settings: { max_page_search_size: 10, docs_per_second: 1000 },
  });
  await ok(nodes[0], 'POST', '/_transform/t/_start');
  await until('it indexes', async () => (await statsOf(nodes[0])).stats.documents_indexed > 50);
  const { node } = await statsOf(nodes[0]);
  const victim = nodes.findIndex((_one, i) => `n${i + 1}` === node.name);
  await nodes[victim].stop('SIGKILL');
  const survivor = nodes[(victim + 1) % 3];
  await until('another node does it', async () => {
    const stats = await statsOf(survivor);
    return stats.node !== undefined && stats.node.name !== node.name;
  });
  await until('the first checkpoint', async () => (await statsOf(survivor)).checkpointing.last.checkpoint >= 1);
  const at = new Date().toISOString();
  await call(survivor, 'POST', '/orders/_doc?refresh=true', { user: 'u7', n: 1_000_000, at });
  const sumOf = (user) => {
    const own = Array.from({ length: DOCUMENTS }, (_, i) => i).filter((i) => i % USERS === user);
    return own.reduce((sum, i) => sum + i, 0) + (user === 7 ? 1_000_000 : 0);
  };
  const found = async () => {
    const body = { size: 1000, _source: ['user', 'n', 'count'] };
    return (await ok(survivor, 'POST', '/by-user/_search', body)).hits.hits.map(({ _source }) => _source);
  };
  await until('the change', async () => (await found()).some(({ user, n }) => user === 'u7' && n === sumOf(7)));
  const documents = await found();
  assert.equal(documents.length, USERS);
  for (const { user, n, count } of documents) {
    const number = Number(user.slice(1));
    assert.deepEqual([n, count], [sumOf(number), DOCUMENTS / USERS + (number === 7 ? 1 : 0)], user);
  }
  await ok(survivor, 'POST', '/_transform/t/_stop?wait_for_completion=true');
  assert.equal((await statsOf(survivor)).state, 'stopped');
});
