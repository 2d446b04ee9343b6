// JSON Web Tokens whose keys are at an https address: of the right certificate, with time and size limits, and never a
// hang or an exit.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createSign, generateKeyPairSync } from 'node:crypto';
import fs from 'node:fs';
import https from 'node:https';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { call, freePort, root, startNode, temporaryFolder } from '../node-process.mjs';

const bin = path.join(root, 'packages', 'node', 'bin', 'shoal.mjs');
const JWT = 'xpack.security.authc.realms.jwt.jwt1';

const pair = (kid) => ({ kid, ...generateKeyPairSync('rsa', { modulusLength: 2048 }) });
const keySet = (...pairs) =>
  JSON.stringify({ keys: pairs.map(({ kid, publicKey }) => ({ ...publicKey.export({ format: 'jwk' }), kid })) });

function token({ kid, privateKey }, sub) {
  const part = (json) => Buffer.from(JSON.stringify(json)).toString('base64url');
  const now = Math.floor(Date.now() / 1000);
  const signed = `${part({ alg: 'RS256', kid })}.${part({ iss: 'me', aud: 'shoal', sub, iat: now, exp: now + 600 })}`;
  return `${signed}.${createSign('sha256').update(signed).sign(privateKey, 'base64url')}`;
}

const endless = (response) => {
  const more = () => {
    while (!response.destroyed && response.write(Buffer.alloc(65_536, 0x20)));
  };
  response.on('drain', more).on('error', () => undefined);
  more();
};

test(
  'keys are fetched with the ssl settings of the realm; an ' + 'endpoint that fails costs its tokens, nothing else',
  async () => {
    const folder = temporaryFolder('jwt-url');
    const file = (name) => path.join(folder, name);
    const shoal = (...args) => promisify(execFile)(process.execPath, [bin, ...args], { timeout: 120_000 });
    await shoal('certs', 'ca', '--out', folder, '--name', 'authority');
    await shoal('certs', 'http', '--out', folder, '--name', 'id', '--dns', 'localhost', '--ip', '127.0.0.1');
    const [first, second] = [pair('k1'), pair('k2')];
    let answer = (_request, response) => response.end(keySet(first));
    let asked = 0;
    const server = https.createServer(
      { cert: fs.readFileSync(file('id.crt')), key: fs.readFileSync(file('id.key')) },
      (request, response) => {
        asked++;
        answer(request, response);
      },
    );
    const port = await freePort();
    await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
    // A failed test must not keep the process.
    server.unref();
    const realm = {
      order: 3,
      allowed_issuer: 'me',
      allowed_audiences: 'shoal',
      'claims.principal': 'sub',
      'client_authentication.type': 'none',
      pkc_jwkset_path: `https://localhost:${port}/keys`,
      'http.connect_timeout': '1s',
      'http.connection_read_timeout': '1s',
      'http.socket_timeout': '1s',
    };
    const settings = (more) =>
      Object.fromEntries(Object.entries({ ...realm, ...more }).map(([name, value]) => [`${JWT}.${name}`, value]));
    const start = (more) =>
      startNode({
        env: { ELASTIC_PASSWORD: 'elastic-secret' },
        auth: 'elastic:elastic-secret',
        settings: settings(more),
      });
    const statusOf = async (node, text) =>
      (await call(node, 'GET', '/_security/_authenticate', undefined, { authorization: `Bearer ${text}` })).status;

    const strict = await start({});
    assert.equal(await statusOf(strict, token(first, 'anna')), 401);
    assert.match(strict.log(), /the keys of a realm cannot be read: its tokens are refused/);
    assert.equal(asked, 0);
    await strict.stop();

    const node = await start({ 'ssl.certificate_authorities': file('ca.crt') });
    assert.equal(await statusOf(node, token(first, 'anna')), 200);
    assert.equal(asked, 1);
    for (const fault of [(_request, response) => endless(response), () => undefined]) {
      answer = fault;
      await new Promise((resolve) => setTimeout(resolve, 5_100));
      const before = Date.now();
      assert.equal(await statusOf(node, token(second, 'berta')), 401);
      assert.ok(Date.now() - before < 4_000);
      assert.equal(await statusOf(node, token(first, `carla-${before}`)), 200);
    }
    assert.equal(asked, 3);
    answer = (_request, response) => response.end(keySet(first, second));
    await new Promise((resolve) => setTimeout(resolve, 5_100));
    assert.equal(await statusOf(node, token(second, 'berta')), 200);
    await node.stop();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  },
);

test('realm settings that cannot be used stop the start and say why', async () => {
  const realm = {
    order: 3,
    allowed_issuer: 'me',
    allowed_audiences: 'shoal',
    'claims.principal': 'sub',
    'client_authentication.type': 'none',
    pkc_jwkset_path: 'https://localhost/keys',
  };
  const refused = async (more, reason) => {
    const settings = Object.fromEntries(
      Object.entries({ ...realm, ...more }).map(([name, value]) => [`${JWT}.${name}`, value]),
    );
    await assert.rejects(startNode({ env: { ELASTIC_PASSWORD: 'elastic-secret' }, settings }), reason);
  };
  await refused(
    { 'ssl.certificate_authorities': '/nowhere/ca.crt' },
    /cannot read \[\/nowhere\/ca\.crt\]: the file does not exist/,
  );
  await refused({ 'ssl.truststore.path': 'trust.jks' }, /keytool -importkeystore -srckeystore trust\.jks/);
  await refused({ 'ssl.verification_mode': 'lax' }, /must be full, certificate or none/);
  await refused({ pkc_jwkset_path: 'http://localhost/keys' }, /an https URL/);
});
