// The thread of elections of a node ends by itself, on the elected master and on another node: the node goes on, comes
// back to the cluster, and nothing that was acknowledged is missing. One that ends over and over ends its node.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, before, test } from 'node:test';
import { startCluster } from '../cluster-processes.mjs';
import { call, sleep, temporaryFolder } from '../node-process.mjs';

const preload = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', 'node', 'end-thread.cjs');
const asked = temporaryFolder('control-threads');
const acknowledged = new Set();
let cluster;

before(async () => {
  cluster = await startCluster({
    settings: { 'shoal.shard_threads': 0 },
    execArgv: ['--require', preload],
    env: { END_THREADS_FOLDER: asked },
  });
  await call(cluster.nodes[0], 'PUT', '/all', { settings: { number_of_shards: 3, number_of_replicas: 1 } });
});
after(() => cluster?.stop('SIGKILL'));

const get = async (node, target) => (await call(node, 'GET', target)).body;

/** Position of the elected master. */
async function masterOf(node) {
  const [{ node: name }] = await get(node, '/_cat/master?format=json');
  return Number(name.slice(1)) - 1;
}

async function write(node, from) {
  const ids = Array.from({ length: 20 }, (_, i) => String(from + i));
  const { body } = await call(
    node,
    'POST',
    '/all/_bulk',
    ids.map((_id) => `{"index":{"_id":"${_id}"}}\n{}\n`).join(''),
  );
  for (const { index } of body.items ?? []) if (index.status === 201) acknowledged.add(index._id);
}

/** Asks the control thread of a node to end, and waits until it has. */
async function end(i, how) {
  const ends = () => cluster.nodes[i].log().split('the control thread ended by itself').length;
  const before = ends();
  const file = path.join(asked, `control-n${i + 1}`);
  fs.writeFileSync(file, how);
  while (ends() === before) await sleep(5);
}

/** Checks that all nodes are in the cluster, with all copies and documents, and that a change reaches each of them. */
async function checkWhole(name) {
  for (const node of cluster.nodes) {
    const health = await get(node, '/_cluster/health?wait_for_nodes=3&wait_for_status=green&timeout=120s');
    assert.deepEqual([health.status, health.number_of_nodes], ['green', 3], JSON.stringify(health));
  }
  const made = await call(cluster.nodes[0], 'PUT', `/${name}`, { settings: { number_of_replicas: 2 } });
  assert.deepEqual([made.status, made.body.acknowledged], [200, true], JSON.stringify(made.body));
  for (const node of cluster.nodes) assert.equal((await call(node, 'HEAD', `/${name}`)).status, 200);
  await call(cluster.nodes[0], 'POST', '/all/_refresh');
  for (const node of cluster.nodes) assert.equal((await get(node, '/all/_count')).count, acknowledged.size);
}

for (const [whose, offset, how] of [
  ['another node', 1, 'error'],
  ['the elected master', 0, 'error'],
  ['a node, for memory', 2, 'memory'],
])
  test(`the control thread of ${whose} ends, and the node comes back with its shards`, async () => {
    const at = ((await masterOf(cluster.nodes[0])) + offset) % 3;
    const node = cluster.nodes[at];
    await write(node, 1000 * (acknowledged.size + 1));
    await end(at, how);
    // Until it is back in the cluster the node still answers about itself, and reads what it has.
    assert.equal((await call(node, 'GET', '/')).status, 200);
    assert.equal((await call(node, 'GET', '/all/_search')).status, 200);
    await checkWhole(`after-${offset}`);
  });

test('a node whose control thread ends over and over ends, and says why', async () => {
  const node = cluster.nodes[2];
  let isOver = false;
  const ended = node.exited.then(() => (isOver = true));
  while (!isOver) {
    fs.writeFileSync(path.join(asked, 'control-n3'), 'error');
    await Promise.race([ended, sleep(50)]);
  }
  assert.match(node.log(), /the control thread ended \d times in a row/);
});
