// Users named by TLS certificates, and what a flood of wrong passwords does to everybody else.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { boundChild } from '../limits.mjs';
import { basicAuth, call, freePort, root, sleep, startNode, temporaryFolder } from '../node-process.mjs';

const bin = path.join(root, 'packages', 'node', 'bin', 'shoal.mjs');
const soon = () => AbortSignal.timeout(60_000);

test('a certificate logs in by its common name, with the roles that mappings give it', async () => {
  const folder = temporaryFolder('pki');
  const file = (name) => path.join(folder, name);
  const shoal = (...args) => promisify(execFile)(process.execPath, [bin, ...args], { timeout: 120_000 });
  await shoal('certs', 'ca', '--out', folder, '--name', 'authority');
  await shoal('certs', 'node', '--out', folder, '--name', 'node', '--dns', 'localhost', '--ip', '127.0.0.1');
  const port = await freePort();
  const ssl = {
    enabled: true,
    client_authentication: 'optional',
    certificate: file('node.crt'),
    key: file('node.key'),
    certificate_authorities: file('ca.crt'),
  };
  const settings = Object.fromEntries(
    Object.entries(ssl).map(([name, value]) => [`xpack.security.http.ssl.${name}`, value]),
  );
  const ca = fs.readFileSync(file('ca.crt'));
  const ask = (method, target, options, body) =>
    new Promise((resolve, reject) => {
      const request = https.request(
        { host: 'localhost', port, method, path: target, ca, agent: false, signal: soon(), ...options },
        (answer) => {
          let text = '';
          answer.on('data', (chunk) => (text += chunk));
          answer.on('end', () => resolve({ status: answer.statusCode, body: JSON.parse(text) }));
        },
      );
      request.on('error', reject);
      request.end(body);
    });
  const elastic = { headers: { ...basicAuth('elastic:elastic-secret'), 'content-type': 'application/json' } };
  const all = {
    'http.port': port,
    'path.data': temporaryFolder('pki-data'),
    'xpack.security.authc.realms.pki.pki1.order': 1,
    ...settings,
  };
  const args = Object.entries(all).flatMap(([key, value]) => ['-E', `${key}=${value}`]);
  const child = spawn(process.execPath, [bin, ...args], {
    env: { ...process.env, ELASTIC_PASSWORD: 'elastic-secret' },
    stdio: 'ignore',
  });
  const { stop } = boundChild(child, 'a node with pki');
  for (let i = 0; i < 400 && (await ask('GET', '/', elastic).catch(() => null))?.status !== 200; i++) await sleep(25);
  const identity = { cert: fs.readFileSync(file('node.crt')), key: fs.readFileSync(file('node.key')) };
  const first = await ask('GET', '/_security/_authenticate', identity);
  assert.deepEqual(
    [first.status, first.body.authentication_realm, first.body.roles],
    [200, { name: 'pki1', type: 'pki' }, []],
  );
  const dn = first.body.metadata.pki_dn;
  assert.match(dn, new RegExp(`(^|,)CN=${first.body.username}(,|$)`));
  assert.equal(
    (
      await ask(
        'PUT',
        '/_security/role_mapping/pki',
        elastic,
        JSON.stringify({ roles: ['viewer'], enabled: true, rules: { field: { dn } } }),
      )
    ).status,
    200,
  );
  assert.deepEqual((await ask('GET', '/_security/_authenticate', identity)).body.roles, ['viewer']);
  assert.equal((await ask('GET', '/_security/_authenticate', {})).status, 401);
  await stop();
});

test('a flood of wrong passwords is answered or refused, and callers that are known do not notice', async () => {
  const node = await startNode({ env: { ELASTIC_PASSWORD: 'elastic-secret' }, auth: 'elastic:elastic-secret' });
  let isOver = false;
  const known = (async () => {
    const statuses = new Set();
    while (!isOver) {
      statuses.add((await call(node, 'GET', '/')).status);
      await sleep(5);
    }
    return statuses;
  })();
  const answers = await Promise.all(
    Array.from({ length: 90 }, (_, i) =>
      call(node, 'GET', '/', undefined, basicAuth(`${i % 2 ? 'elastic' : 'nobody'}:guess-${i}`)),
    ),
  );
  isOver = true;
  const statuses = new Set(answers.map(({ status }) => status));
  assert.deepEqual([...statuses].sort(), [401, 429]);
  assert.deepEqual([...(await known)], [200]);
  const { authentication } = (await call(node, 'GET', '/_xpack/usage')).body.security;
  assert.ok(authentication.rejected > 0 && authentication.waiting === 0, JSON.stringify(authentication));
  await node.stop();
});

/** The status of a request from one of the addresses that every Linux machine has for itself. */
function statusFrom(node, localAddress, auth) {
  return new Promise((resolve, reject) => {
    const options = {
      port: node.port,
      host: '127.0.0.1',
      path: '/_security/_authenticate',
      localAddress,
      headers: basicAuth(auth),
      agent: false,
      signal: soon(),
    };
    const request = http.get(options, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode));
    });
    request.on('error', reject);
  });
}

test('guessing from many addresses keeps nobody out who knows the password', async () => {
  const node = await startNode({ env: { ELASTIC_PASSWORD: 'elastic-secret' }, auth: 'elastic:elastic-secret' });
  for (const name of ['anna', 'bert'])
    await call(node, 'PUT', `/_security/user/${name}`, { password: `${name}s-secret`, roles: [] });
  const guess = (i, round) => statusFrom(node, `127.0.${1 + (i % 4)}.${1 + (i % 200)}`, `elastic:guess-${round}-${i}`);
  // Each address has failed once.
  await Promise.all(Array.from({ length: 40 }, (_, i) => guess(i, 'first')));
  const guesses = Promise.allSettled(Array.from({ length: 300 }, (_, i) => guess(i % 40, `second-${i}`)));
  // An address that has logged in, and one that nobody has seen.
  assert.equal(await statusFrom(node, '127.0.0.1', 'anna:annas-secret'), 200);
  assert.equal(await statusFrom(node, '127.0.9.9', 'bert:berts-secret'), 200);
  const { authentication } = (await call(node, 'GET', '/_xpack/usage')).body.security;
  assert.ok(authentication.waiting > 0, 'the guesses wait still');
  await node.stop('SIGKILL');
  const answered = (await guesses).filter(({ status }) => status === 'fulfilled').map(({ value }) => value);
  assert.deepEqual(
    [...new Set(answered)].filter((status) => status !== 401 && status !== 429),
    [],
  );
});
