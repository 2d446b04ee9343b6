// The first start of a node that others reach: TLS, a password and the commands that work on such a node.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import fs from 'node:fs';
import https from 'node:https';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { boundChild, withLimit } from '../limits.mjs';
import { freePort, root, sleep, temporaryFolder } from '../node-process.mjs';

const bin = path.join(root, 'packages', 'node', 'bin', 'shoal.mjs');
const data = temporaryFolder('first-start');
const conf = path.join(data, 'config');
const shoal = (...args) =>
  promisify(execFile)(process.execPath, [bin, ...args, '-E', `path.data=${data}`], { timeout: 120_000 });
const settings = {
  'network.host': '0.0.0.0',
  'node.name': 'first',
  'path.data': data,
  'resource.reload.interval.high': '200ms',
};
let node;

async function start(more = {}, args = []) {
  const all = Object.entries({
    'http.port': await freePort(),
    'transport.port': await freePort(),
    'transport.data_port': await freePort(),
    ...settings,
    ...more,
  });
  const child = spawn(process.execPath, [bin, ...args, ...all.flatMap(([key, value]) => ['-E', `${key}=${value}`])], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const started = {
    port: all[0][1],
    output: '',
  };
  const { exited, stop } = boundChild(child, 'a node', () => started.output);
  Object.assign(started, { stop, status: async () => (await withLimit(exited, 'the end of a node')).code });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (started.output += chunk));
  return started;
}

/** A request, a GET unless told otherwise, that trusts only the authority of the first start. */
function get(target, auth, headers = {}, method = 'GET', content) {
  const answer = new Promise((resolve, reject) => {
    const request = https.request(
      {
        host: 'localhost',
        port: node.port,
        path: target,
        ...(auth ? { auth } : {}),
        headers,
        method,
        agent: false,
        ca: fs.readFileSync(path.join(conf, 'certs/http_ca.crt')),
      },
      (response) => {
        let body = '';
        response.on('data', (chunk) => (body += chunk));
        response.on('end', () => resolve({ status: response.statusCode, body: JSON.parse(body) }));
      },
    );
    request.on('error', reject);
    request.end(content);
  });
  return withLimit(answer, `the answer to ${method} ${target}`);
}

async function until(condition, what) {
  for (let i = 0; i < 800; i++) {
    if (await condition()) return;
    await sleep(25);
  }
  assert.fail(`${what} did not happen within 20 s:\n${node.output}`);
}

const isUp = () =>
  get('/', 'nobody:nothing').then(
    ({ status }) => status === 401,
    () => false,
  );
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
  await until(
    async () => (await get('/_security/_authenticate', 'anna:secret-1')).status === 200,
    'the login of the new user',
  );
  assert.deepEqual((await get('/_security/_authenticate', 'anna:secret-1')).body.roles, ['viewer', 'monitoring_user']);
  await shoal('users', 'passwd', 'anna', '-p', 'secret-2');
  await shoal('users', 'roles', 'anna', '-r', 'viewer');
  await until(
    async () => (await get('/_security/_authenticate', 'anna:secret-2')).status === 200,
    'the login with the new password',
  );
  assert.match((await shoal('users', 'list')).stdout, /anna +: monitoring_user/);
  await assert.rejects(shoal('users', 'useradd', 'anna', '-p', 'secret-3'), /user \[anna\] exists already/);
  await assert.rejects(
    shoal('users', 'useradd', 'bert', '-p', 'short'),
    /passwords must be at least \[6\] characters long/,
  );
  await shoal('users', 'userdel', 'anna');
  assert.match((await shoal('users', 'list')).stdout, /no users found/);
});

test(
  'the password of elastic is reset on the machine of the ' + 'node, and the helper user is gone afterwards',
  async () => {
    const { stdout } = await shoal('reset-password', '-u', 'elastic', '-b', '-s');
    assert.equal((await get('/', `elastic:${stdout.trim()}`)).status, 200);
    assert.equal((await get('/', `elastic:${password()}`)).status, 401);
    assert.equal(fs.readFileSync(path.join(conf, 'users'), 'utf8'), '');
    await assert.rejects(
      shoal('reset-password', '-u', 'nobody-knows', '-b'),
      /the password of \[nobody-knows\] was not set/,
    );
  },
);

test('what would be unsafe on an address that others reach does not start, with a sentence on what to do', async () => {
  const refused = async (more) => {
    const other = await start({ 'path.data': temporaryFolder('refused'), ...more });
    assert.equal(await other.status(), 78);
    return other.output;
  };
  assert.match(
    await refused({ 'discovery.seed_hosts': '127.0.0.1:1' }),
    /Transport SSL must be enabled if security is enabled/,
  );
});

test('another node joins by token, and none without a right one', async () => {
  const { stdout } = await shoal('create-enrollment-token', '-s', 'node');
  const second = temporaryFolder('second');
  const auth = `elastic:${(await shoal('reset-password', '-u', 'elastic', '-b', '-s')).stdout.trim()}`;
  const join = (token, folder) => start({ 'path.data': folder, 'node.name': 'second' }, ['--enrollment-token', token]);
  const broken = await join('junk', temporaryFolder('refused'));
  assert.equal(await broken.status(), 78);
  assert.match(broken.output, /the enrolment token is not one/);
  const joined = await join(stdout.trim(), second);
  try {
    await until(
      async () => (await get('/_cluster/health', auth)).body.number_of_nodes === 2,
      'the join of the second node',
    );
    const again = await join(stdout.trim(), second);
    assert.equal(await again.status(), 78);
    assert.match(again.output, /this node was set up before/);
  } finally {
    await joined.stop();
    fs.rmSync(second, { recursive: true, force: true });
  }
});

test('Kibana is enrolled by token: it gets a token of its service account', async () => {
  const { stdout } = await shoal('create-enrollment-token', '-s', 'kibana');
  const { key, fgr } = JSON.parse(Buffer.from(stdout.trim(), 'base64').toString());
  assert.match(fgr, /^[0-9a-f]{64}$/);
  const answer = await get('/_security/enroll/kibana', undefined, {
    authorization: `ApiKey ${Buffer.from(key).toString('base64')}`,
  });
  assert.equal(answer.status, 200);
  const who = await get('/_security/_authenticate', undefined, { authorization: `Bearer ${answer.body.token.value}` });
  assert.equal(who.body.username, 'elastic/kibana');
  assert.equal(
    (await get('/_security/enroll/node', undefined, { authorization: `ApiKey ${Buffer.from(key).toString('base64')}` }))
      .status,
    403,
  );
});

test('the keystore is read again by a call, and a wrong password for it is told', async () => {
  const auth = `elastic:${(await shoal('reset-password', '-u', 'elastic', '-b', '-s')).stdout.trim()}`;
  const reload = (body) =>
    get('/_nodes/reload_secure_settings', auth, { 'content-type': 'application/json' }, 'POST', JSON.stringify(body));
  const nodeOf = ({ body }) => Object.values(body.nodes)[0];
  assert.deepEqual(nodeOf(await reload({})), { name: 'first' });
  assert.match(
    nodeOf(await reload({ secure_settings_password: 'x' })).reload_exception.reason,
    /password was incorrect/,
  );
  await shoal('keystore', 'create');
  assert.deepEqual(nodeOf(await reload({})), { name: 'first' });
  assert.equal((await reload({ other: 1 })).status, 400);
});
