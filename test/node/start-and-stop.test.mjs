// Starting, refusing to start, restarting and stopping of the real program.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { call, root, startNode, temporaryFolder } from '../node-process.mjs';

const bin = path.join(root, 'packages', 'node', 'bin', 'shoal.mjs');

async function failedStart(args, env = {}) {
  const child = spawn(process.execPath, [bin, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  return { code, output };
}

test('the program that npm links is the launcher', async () => {
  const linked = path.join(root, 'node_modules', '.bin', 'shoal');
  const { stdout } = await promisify(execFile)(linked, ['--version']);
  assert.match(stdout, /8\.12\.0/);
});

test('a node starts, says who it is, keeps its documents over a restart and ends with 0', async () => {
  const first = await startNode({ settings: { 'node.name': 'a', 'cluster.name': 'c' } });
  const hello = await call(first, 'GET', '/');
  assert.equal(hello.body.name, 'a');
  assert.equal(hello.body.cluster_name, 'c');
  assert.equal(hello.body.version.number, '8.12.0');
  assert.equal(hello.headers.get('x-elastic-product'), 'Elasticsearch');
  assert.equal((await call(first, 'PUT', '/i/_doc/1', { a: 1 })).status, 201);
  assert.deepEqual(await first.stop(), { code: 0, signal: null });

  const second = await startNode({ data: first.data, settings: { 'node.name': 'a', 'cluster.name': 'c' } });
  const found = await call(second, 'GET', '/i/_doc/1');
  assert.deepEqual(found.body._source, { a: 1 });
  assert.equal((await call(second, 'GET', '/')).body.cluster_uuid, hello.body.cluster_uuid);
  assert.equal((await call(second, 'GET', '/i/_count')).body.count, 1);
  await second.stop();
});

test('an index that was deleted leaves nothing on disk', async () => {
  const node = await startNode();
  const folders = () => fs.readdirSync(path.join(node.data, 'indices'));
  assert.equal((await call(node, 'PUT', '/i', { settings: { number_of_shards: 3 } })).status, 200);
  assert.equal((await call(node, 'PUT', '/i/_doc/1?refresh', { a: 1 })).status, 201);
  assert.equal(folders().length, 1);
  assert.equal((await call(node, 'DELETE', '/i')).status, 200);
  // Stores are closed and removed behind the answer.
  for (let i = 0; i < 200 && folders().length > 0; i++) await new Promise((resolve) => setTimeout(resolve, 25));
  assert.deepEqual(folders(), []);
  await node.stop();
});

test('a closed index is as well as an open one: closed while it opens, over a restart, and open again', async () => {
  const settings = { number_of_shards: 2, number_of_replicas: 0 };
  const first = await startNode();
  assert.equal((await call(first, 'PUT', '/i', { settings })).status, 200);
  for (let id = 0; id < 10; id++) assert.equal((await call(first, 'PUT', `/i/_doc/${id}`, { a: id })).status, 201);
  await call(first, 'POST', '/i/_close');
  for (let round = 0; round < 10; round++) {
    const answers = await Promise.all([call(first, 'POST', '/i/_open'), call(first, 'POST', '/i/_close')]);
    assert.deepEqual(
      answers.map(({ body }) => body.acknowledged),
      [true, true],
    );
  }
  await call(first, 'POST', '/i/_close');
  assert.equal((await call(first, 'GET', '/_cluster/health/i?wait_for_status=green&timeout=10s')).body.status, 'green');
  assert.deepEqual(await first.stop(), { code: 0, signal: null });

  const second = await startNode({ data: first.data });
  assert.equal((await call(second, 'GET', '/_cluster/health?wait_for_status=green&timeout=10s')).body.status, 'green');
  const shards = (await call(second, 'GET', '/_cat/shards/i?format=json&h=state,docs')).body;
  assert.deepEqual(
    shards.map(({ state }) => state),
    ['STARTED', 'STARTED'],
  );
  assert.equal(
    shards.reduce((sum, { docs }) => sum + Number(docs), 0),
    10,
  );
  assert.equal((await call(second, 'GET', '/i/_search')).body.error.type, 'index_closed_exception');
  assert.equal((await call(second, 'POST', '/i/_open')).body.shards_acknowledged, true);
  assert.equal((await call(second, 'GET', '/i/_count')).body.count, 10);
  await second.stop();
});

test('a write that was acknowledged is there after kill -9', async () => {
  const first = await startNode();
  const bulk = Array.from({ length: 500 }, (_, i) => `{"index":{"_id":"${i}"}}\n{"n":${i}}\n`).join('');
  assert.equal((await call(first, 'POST', '/i/_bulk', bulk)).body.errors, false);
  await first.stop('SIGKILL');
  const second = await startNode({ data: first.data });
  assert.equal((await call(second, 'GET', '/i/_count')).body.count, 500);
  await second.stop();
});

test('a second process on the same path.data is refused by name', async () => {
  const node = await startNode();
  const { code, output } = await failedStart(['-E', 'http.port=0', '-E', `path.data=${node.data}`]);
  assert.equal(code, 78);
  assert.match(output, new RegExp(`path.data .* is in use by process ${node.pid}`));
  assert.equal((await call(node, 'GET', '/')).status, 200);
  await node.stop();
});

test('a port in use is said plainly', async () => {
  const node = await startNode();
  const { code, output } = await failedStart([
    '-E',
    `http.port=${node.port}`,
    '-E',
    `path.data=${temporaryFolder('other')}`,
  ]);
  assert.equal(code, 78);
  assert.match(output, new RegExp(`HTTP port ${node.port} is in use on 127.0.0.1`));
  await node.stop();
});

test('an unknown setting is refused with the nearest known one', async () => {
  const { code, output } = await failedStart(['-E', 'http.prot=1']);
  assert.equal(code, 78);
  assert.match(output, /unknown setting \[http\.prot\]: did you mean.*http\.port/);
});

test('settings in the environment reach the node through the launcher, dots in their names included', async () => {
  const node = await startNode({ env: { 'node.name': 'by-dots', ES_SETTING_CLUSTER_NAME: 'by-underscores' } });
  const { name, cluster_name: cluster } = (await call(node, 'GET', '/')).body;
  assert.deepEqual([name, cluster], ['by-dots', 'by-underscores']);
  await node.stop();
});

test('security that is on asks every request who makes it, and is off when told so', async () => {
  const node = await startNode({ settings: { 'xpack.security.enabled': 'false' } });
  await node.stop();
  const { code, output } = await failedStart(['-E', 'xpack.security.enabled=yes']);
  assert.equal(code, 78);
  assert.match(output, /xpack\.security\.enabled.*must be true or false/);
});

test('settings come from a file and the environment too', async () => {
  const file = path.join(temporaryFolder('config'), 'shoal.yml');
  fs.writeFileSync(file, 'cluster:\n  name: from-file\nnode.name: from-file\n');
  const data = temporaryFolder('data');
  const node = await startNode({
    data,
    settings: {},
    env: { ES_SETTING_NODE_NAME: 'from-env', ES_JAVA_OPTS: '-Xms256m -Xmx256m' },
  });
  assert.equal((await call(node, 'GET', '/')).body.name, 'from-env');
  await node.stop();
  const dotted = await startNode({ data, env: { 'node.name': 'from-dots', 'node.attr.a_b': 'x y' } });
  assert.equal((await call(dotted, 'GET', '/')).body.name, 'from-dots');
  assert.equal(Object.values((await call(dotted, 'GET', '/_nodes')).body.nodes)[0].attributes.a_b, 'x y');
  await dotted.stop();
  const { code } = await failedStart(['--config', '/nowhere/shoal.yml']);
  assert.equal(code, 78);
});

test('the health check of containers passes beside a red index, and fails without a node', async () => {
  const node = await startNode();
  const check = () => promisify(execFile)(process.execPath, [path.join(root, 'scripts', 'alive.mjs'), `${node.port}`]);
  await call(node, 'PUT', '/nowhere?wait_for_active_shards=0', {
    settings: { 'index.routing.allocation.require._name': 'nobody' },
  });
  try {
    assert.equal((await call(node, 'GET', '/_cluster/health')).body.status, 'red');
    await check();
  } finally {
    await node.stop();
  }
  await assert.rejects(check(), { code: 1 });
});

/** A stopped node with one document, alone or as a cluster of one with links. */
async function usedFolder(settings) {
  const node = await startNode({ settings });
  await call(node, 'PUT', '/i/_doc/1?refresh', { a: 1 });
  assert.deepEqual(await node.stop(), { code: 0, signal: null });
  return node.data;
}

for (const [which, settings] of [
  ['alone', {}],
  ['with links', { 'cluster.initial_master_nodes': 'a', 'node.name': 'a' }],
])
  test(`a node ${which} whose cluster state is cut or gone refuses to start and names the files`, async () => {
    const data = await usedFolder(settings);
    const kept = fs.readFileSync(path.join(data, 'state', 'state-a'));
    const args = Object.entries({ 'http.port': 0, 'transport.port': 0, 'path.data': data, ...settings });
    for (const content of [Buffer.alloc(0), kept.subarray(0, kept.length >> 1), null]) {
      for (const name of ['state-a', 'state-b']) {
        fs.rmSync(path.join(data, 'state', name));
        if (content !== null) fs.writeFileSync(path.join(data, 'state', name), content);
      }
      const { code, output } = await failedStart(args.flatMap(([key, value]) => ['-E', `${key}=${value}`]));
      assert.equal(code, 78, output);
      assert.match(output, /shoal cannot start: the state log \[.*state-a\] and \[.*state-b\] is not whole/);
      assert.match(output, /restore them from a copy of this folder/);
      for (const name of ['state-a', 'state-b']) fs.writeFileSync(path.join(data, 'state', name), kept);
    }
    const again = await startNode({ data, settings });
    assert.deepEqual((await call(again, 'GET', '/i/_doc/1')).body._source, { a: 1 });
    await again.stop();
  });

test('a node.id that is empty or missing in a used folder ends the start with 78 and a sentence', async () => {
  const data = await usedFolder({});
  const file = path.join(data, 'node.id');
  const start = () => failedStart(['-E', 'http.port=0', '-E', `path.data=${data}`]);
  fs.writeFileSync(file, '');
  const empty = await start();
  assert.equal(empty.code, 78);
  assert.match(empty.output, /node\.id\] does not hold a node id; restore it from a backup/);
  fs.rmSync(file);
  const missing = await start();
  assert.equal(missing.code, 78);
  assert.match(missing.output, /node\.id\] is missing although the folder has \[state\] of a node; restore it/);
});

test('the data folder is closed to other users, also if it was open before', async () => {
  const data = temporaryFolder('open');
  fs.chmodSync(data, 0o755);
  const node = await startNode({ data });
  assert.equal(fs.statSync(data).mode & 0o777, 0o700);
  await node.stop();
});
