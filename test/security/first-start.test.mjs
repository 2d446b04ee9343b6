// The first start of a node that others reach: TLS, a password and the commands that work on such a node.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import fs from 'node:fs';
import https from 'node:https';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { freePort, root, sleep, temporaryFolder } from '../node-process.mjs';

const bin = path.join(root, 'packages', 'node', 'bin', 'shoal.mjs');
const data = temporaryFolder('first-start');
const conf = path.join(data, 'config');
const shoal = (...args) => promisify(execFile)(process.execPath, [bin, ...args, '-E', `path.data=${data}`]);
const settings = { 'network.host': '0.0.0.0', 'node.name': 'first', 'path.data': data };
let node;

async function start(more = {}) {
  const all = Object.entries({ 'http.port': await freePort(), 'transport.port': await freePort(), 'transport.data_port': await freePort(), ...settings, ...more });
  const child = spawn(process.execPath, [bin, ...all.flatMap(([key, value]) => ['-E', `${key}=${value}`])], { stdio: ['ignore', 'pipe', 'pipe'] });
  const started = { port: all[0][1], output: '', exited: new Promise((resolve) => child.once('exit', resolve)), stop: () => (child.kill('SIGTERM'), started.exited) };
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (started.output += chunk));
  return started;
}

/** A GET that trusts only the authority of the first start. */
function get(target, auth) {
  return new Promise((resolve, reject) => {
    const request = https.get({ host: 'localhost', port: node.port, path: target, auth, agent: false, ca: fs.readFileSync(path.join(conf, 'certs/http_ca.crt')) }, (response) => {
      let body = '';
      response.on('data', (chunk) => (body += chunk));
      response.on('end', () => resolve({ status: response.statusCode, body: JSON.parse(body) }));
    });
    request.on('error', reject);
  });
}

async function until(condition, what) {
  for (let i = 0; i < 800; i++) {
    if (await condition()) return;
    await sleep(25);
  }
  assert.fail(`${what} did not happen within 20 s:\n${node.output}`);
}

const isUp = () => get('/', 'nobody:nothing').then(({ status }) => status === 401, () => false);
const password = () => fs.readFileSync(path.join(conf, 'elastic-password'), 'utf8').trim();

before(async () => {
  node = await start();
  await until(isUp, 'the first answer');
  await until(() => fs.existsSync(path.join(conf, 'elastic-password')), 'the first password');
});
after(async () => {
  await node.stop();
  fs.rmSync(data, { recursive: true, force: true });
});

test('HTTP speaks TLS below an authority of its own, and elastic has a password', async () => {
  const { status, body } = await get('/_security/_authenticate', `elastic:${password()}`);
  assert.equal(status, 200);
  assert.equal(body.username, 'elastic');
  assert.equal(node.output.includes(password()), false);
});

test('a second start uses what is there', async () => {
  const authority = fs.readFileSync(path.join(conf, 'certs/http_ca.crt'), 'utf8');
  await node.stop();
  node = await start();
  await until(isUp, 'an answer');
  assert.equal(fs.readFileSync(path.join(conf, 'certs/http_ca.crt'), 'utf8'), authority);
  assert.equal((await get('/', `elastic:${password()}`)).status, 200);
});

test('users of the file realm are added, changed and removed by a command while the node runs', async () => {
  await shoal('users', 'useradd', 'anna', '-p', 'secret-1', '-r', 'viewer,monitoring_user');
  await until(async () => (await get('/_security/_authenticate', 'anna:secret-1')).status === 200, 'the login of the new user');
  assert.deepEqual((await get('/_security/_authenticate', 'anna:secret-1')).body.roles, ['viewer', 'monitoring_user']);
  await shoal('users', 'passwd', 'anna', '-p', 'secret-2');
  await shoal('users', 'roles', 'anna', '-r', 'viewer');
  await until(async () => (await get('/_security/_authenticate', 'anna:secret-2')).status === 200, 'the login with the new password');
  assert.match((await shoal('users', 'list')).stdout, /anna +: monitoring_user/);
  await assert.rejects(shoal('users', 'useradd', 'anna', '-p', 'secret-3'), /user \[anna\] exists already/);
  await assert.rejects(shoal('users', 'useradd', 'bert', '-p', 'short'), /passwords must be at least \[6\] characters long/);
  await shoal('users', 'userdel', 'anna');
  assert.match((await shoal('users', 'list')).stdout, /no users found/);
});

test('the password of elastic is reset on the machine of the node, and the helper user is gone afterwards', async () => {
  const { stdout } = await shoal('reset-password', '-u', 'elastic', '-b', '-s');
  assert.equal((await get('/', `elastic:${stdout.trim()}`)).status, 200);
  assert.equal((await get('/', `elastic:${password()}`)).status, 401);
  assert.equal(fs.readFileSync(path.join(conf, 'users'), 'utf8'), '');
  await assert.rejects(shoal('reset-password', '-u', 'nobody-knows', '-b'), /the password of \[nobody-knows\] was not set/);
});

test('what would be unsafe on an address that others reach does not start, with a sentence on what to do', async () => {
  const refused = async (more) => {
    const other = await start({ 'path.data': temporaryFolder('refused'), ...more });
    assert.equal(await other.exited, 78);
    return other.output;
  };
  assert.match(await refused({ 'discovery.seed_hosts': '127.0.0.1:1' }), /Transport SSL must be enabled if security is enabled/);
  assert.match(await refused({ 'xpack.security.enabled': 'false' }), /at least one of \[discovery\.seed_hosts, cluster\.initial_master_nodes\] must be configured/);
});
