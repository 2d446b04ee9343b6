// Who may join a cluster with security whose links are not encrypted, or whose certificates come from one authority.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { startCluster } from '../cluster-processes.mjs';
import { boundChild } from '../limits.mjs';
import { call, freePort, root, sleep, temporaryFolder } from '../node-process.mjs';

const bin = path.join(root, 'packages', 'node', 'bin', 'shoal.mjs');
const AUTH = 'elastic:first-secret';
const SECURED = { 'xpack.security.enabled': true, 'xpack.security.transport.ssl.enabled': false };
const shoal = (...args) => promisify(execFile)(process.execPath, [bin, ...args], { timeout: 120_000 });

const transportPort = async (node) => {
  const [local] = Object.values((await call(node, 'GET', '/_nodes/_local')).body.nodes);
  return local.transport_address.split(':').at(-1);
};

/** Starts a node that seeks `cluster`, without waiting for anything; collects its output. */
async function startStranger(cluster, settings, env) {
  const all = {
    'http.port': await freePort(),
    'path.data': temporaryFolder('stranger'),
    'node.name': 'stranger',
    'cluster.name': 'shoal-test',
    'transport.port': await freePort(),
    'transport.data_port': await freePort(),
    'discovery.seed_hosts': `127.0.0.1:${await transportPort(cluster.nodes[0])}`,
    ...settings,
  };
  const args = Object.entries(all).flatMap(([key, value]) => ['-E', `${key}=${value}`]);
  const child = spawn(process.execPath, [bin, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const bound = boundChild(child, 'a stranger');
  const stranger = {
    output: '',
    url: `http://127.0.0.1:${all['http.port']}`,
    stop: () => bound.stop('SIGKILL'),
  };
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (stranger.output += chunk));
  return stranger;
}

async function until(condition, what, output) {
  for (let i = 0; i < 800; i++) {
    if (await condition()) return;
    await sleep(25);
  }
  assert.fail(`${what} did not happen within 20 s:\n${output()}`);
}

let cluster;
before(async () => {
  cluster = await startCluster({
    count: 2,
    auth: AUTH,
    env: { ELASTIC_PASSWORD: 'first-secret' },
    settings: { ...SECURED, 'shoal.shard_threads': 0 },
  });
});
after(() => cluster?.stop('SIGKILL'));

const logs = () => cluster.nodes.map((node) => node.log()).join('');
const nodeCount = async () => (await call(cluster.nodes[0], 'GET', '/_cluster/health')).body.number_of_nodes;

test('nodes with the same first password form a cluster without TLS, and warn of links in the clear', async () => {
  const [first, second] = cluster.nodes;
  await call(first, 'PUT', '/a', { settings: { number_of_replicas: 1 } });
  await call(first, 'PUT', '/a/_doc/1?refresh', { n: 1 });
  assert.equal((await call(second, 'GET', '/a/_search')).body.hits.total.value, 1);
  assert.equal(await nodeCount(), 2);
  for (const node of cluster.nodes) assert.match(node.log(), /links between nodes are not encrypted/);
});

const STRANGERS = [
  ['with security off', { 'xpack.security.enabled': false }, {}, /security \[(on|off)\].*it must be the same/],
  ['with another first password', SECURED, { ELASTIC_PASSWORD: 'other-secret' }, /the secret of the cluster differs/],
  ['without a first password', SECURED, {}, /secret of the cluster/],
];
for (const [what, settings, env, reason] of STRANGERS)
  test(`a node ${what} does not join, and both sides say why`, async () => {
    const stranger = await startStranger(cluster, settings, env);
    try {
      await until(
        () => reason.test(stranger.output),
        'the reason in the log of the stranger',
        () => stranger.output,
      );
      await until(() => /stranger/.test(logs()) && reason.test(logs()), 'the reason in the log of the cluster', logs);
      assert.equal(await nodeCount(), 2);
      const answer = await fetch(`${stranger.url}/a/_search`).catch(() => null);
      if (answer !== null) assert.ok(answer.status >= 400, `status ${answer.status}`);
    } finally {
      await stranger.stop();
    }
  });

test('a node without the secret warns that its links are open to every process', async () => {
  const stranger = await startStranger(cluster, SECURED, {});
  try {
    await until(
      () => /ask for no proof/.test(stranger.output),
      'the warning',
      () => stranger.output,
    );
  } finally {
    await stranger.stop();
  }
});

test('a node whose certificate is for HTTP only does not join', async () => {
  const folder = temporaryFolder('certs');
  const hosts = ['--dns', 'localhost', '--ip', '127.0.0.1'];
  await shoal('certs', 'ca', '--out', folder);
  await shoal('certs', 'node', '--out', folder, '--name', 'node', ...hosts);
  await shoal('certs', 'http', '--out', folder, '--name', 'http', ...hosts);
  const tls = (name) => ({
    'xpack.security.enabled': true,
    'xpack.security.transport.ssl.enabled': true,
    'xpack.security.transport.ssl.certificate': path.join(folder, `${name}.crt`),
    'xpack.security.transport.ssl.key': path.join(folder, `${name}.key`),
    'xpack.security.transport.ssl.certificate_authorities': path.join(folder, 'ca.crt'),
  });
  const env = { ELASTIC_PASSWORD: 'first-secret' };
  const alone = await startCluster({
    count: 1,
    auth: AUTH,
    env,
    settings: { ...tls('node'), 'shoal.shard_threads': 0 },
  });
  const [node] = alone.nodes;
  const stranger = await startStranger(alone, tls('http'), env);
  try {
    await until(
      () => /CN=http.*not trusted here: .*purpose/i.test(node.log()),
      'the reason',
      () => node.log(),
    );
    assert.equal((await call(node, 'GET', '/_cluster/health')).body.number_of_nodes, 1);
    assert.doesNotMatch(node.log(), /not encrypted|ask for no proof/);
  } finally {
    await stranger.stop();
    await alone.stop('SIGKILL');
  }
});
