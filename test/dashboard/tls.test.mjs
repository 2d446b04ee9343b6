// TLS of the dashboard on both sides: PKCS#12 and PEM files, authorities, client certificates, the port that leads from
// HTTP, and files that change while it runs.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createPrivateKey, sign, X509Certificate } from 'node:crypto';
import fs from 'node:fs';
import https from 'node:https';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { until, withLimit } from '../limits.mjs';
import { freePort, root, temporaryFolder } from '../node-process.mjs';
import { refusedStart, startDashboard, stopDashboards, waitForLevel } from './dashboard-process.mjs';

const bin = path.join(root, 'packages', 'node', 'bin', 'shoal.mjs');
const folder = temporaryFolder('dashboard-tls');
const file = (name) => path.join(folder, name);
const shoal = (...args) => promisify(execFile)(process.execPath, [bin, ...args], { timeout: 120_000 });
const HERE = ['--dns', 'localhost', '--ip', '127.0.0.1'];
let cluster;

before(async () => {
  await Promise.all(
    ['ours', 'theirs'].map(async (name) => {
      await shoal('certs', 'ca', '--out', file(name), '--name', `authority ${name}`);
      await shoal('certs', 'node', '--out', file(name), '--name', 'node', ...HERE);
    }),
  );
  await shoal('certs', 'http', '--out', file('ours'), '--format', 'p12', '--pass', 'secret', ...HERE);
  cluster = https.createServer(identity('ours'), (request, answer) => {
    const root = '{"cluster_name":"c","cluster_uuid":"u","version":{"number":"8.12.0"}}';
    const body = request.url === '/' ? root : '{"status":"green"}';
    answer.writeHead(request.url.startsWith('/_security') ? 400 : 200).end(body);
  });
  await new Promise((resolve) => cluster.listen(0, '127.0.0.1', resolve));
  // A failed test must not keep the process.
  cluster.unref();
});
after(async () => {
  await stopDashboards();
  cluster.closeAllConnections();
  cluster.close();
});

const identity = (name) => ({
  cert: fs.readFileSync(file(`${name}/node.crt`)),
  key: fs.readFileSync(file(`${name}/node.key`)),
});

/** A GET over TLS that trusts `ours` alone; returns the status, the location, and the certificate's serial number. */
function get(port, options = {}) {
  const ca = fs.readFileSync(file('ours/ca.crt'));
  const answer = new Promise((resolve, reject) => {
    const request = https.get({ host: 'localhost', port, path: '/', ca, agent: false, ...options }, (response) => {
      const { serialNumber: serial } = response.socket.getPeerCertificate();
      response.resume();
      response.on('end', () => resolve({ status: response.statusCode, location: response.headers.location, serial }));
    });
    request.on('error', reject);
  });
  return withLimit(answer, 'an answer over TLS');
}

test('browsers and the cluster are met over TLS, and files that change are read again', async () => {
  const redirectPort = await freePort();
  // What the dashboard trusts at first is another authority than that of the cluster.
  fs.copyFileSync(file('theirs/ca.crt'), file('trusted.crt'));
  const own = await startDashboard({
    settings: {
      'server.ssl.enabled': true,
      'server.ssl.keystore.path': file('ours/http.p12'),
      'server.ssl.keystore.password': 'secret',
      'server.ssl.redirectHttpFromPort': redirectPort,
      'elasticsearch.hosts': `https://localhost:${cluster.address().port}`,
      'elasticsearch.ssl.certificateAuthorities': file('trusted.crt'),
    },
  });
  const { status, serial } = await get(own.port);
  assert.equal(status, 503, 'a cluster of another authority is not talked to');
  fs.copyFileSync(file('ours/ca.crt'), file('trusted.crt'));
  const isReady = async () => (await get(own.port)).location === '/app/home';
  await until(isReady, 'the cluster after its authority was trusted', { told: own.log });
  await shoal('certs', 'http', '--out', file('ours'), '--format', 'p12', '--pass', 'secret', '--force', ...HERE);
  await until(async () => (await get(own.port)).serial !== serial, 'the new certificate', { told: own.log });
  fs.writeFileSync(file('ours/http.p12'), 'no store');
  await until(() => /the one before stays/.test(own.log()), 'the word that a file is broken', { told: own.log });
  assert.equal((await get(own.port)).status, 302);
  const led = await fetch(`http://localhost:${redirectPort}/app/home?a=1`, { redirect: 'manual' });
  assert.deepEqual([led.status, led.headers.get('location')], [302, `https://localhost:${own.port}/app/home?a=1`]);
  await assert.rejects(get(own.port, { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' }));
  assert.deepEqual(await own.stop(), { code: 0, signal: null });
});

test('browsers must show a certificate of an authority if that is asked for', async () => {
  const own = await startDashboard({
    settings: {
      'server.ssl.enabled': true,
      'server.ssl.certificate': file('ours/node.crt'),
      'server.ssl.key': file('ours/node.key'),
      'server.ssl.certificateAuthorities': file('ours/ca.crt'),
      'server.ssl.clientAuthentication': 'required',
      'server.ssl.supportedProtocols': 'TLSv1.3',
    },
  });
  await assert.rejects(get(own.port));
  await assert.rejects(get(own.port, identity('theirs')));
  assert.equal((await get(own.port, identity('ours'))).status, 503);
  await assert.rejects(get(own.port, { ...identity('ours'), maxVersion: 'TLSv1.2' }));
  await own.stop();
});

/** An element of DER of at most 64 KB. */
function der(tag, ...parts) {
  const content = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)));
  const size = content.length;
  const head = size < 128 ? [tag, size] : [tag, 0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from(head), content]);
}

/** Content of the first element, and the elements within it. */
function elements(bytes) {
  const found = [];
  for (let at = 0; at < bytes.length; ) {
    const many = bytes[at + 1] & 0x80 ? bytes[at + 1] & 0x7f : 0;
    const size = many === 0 ? bytes[at + 1] : bytes.readUIntBE(at + 2, many);
    const from = at + 2 + many;
    found.push({ whole: bytes.subarray(at, from + size), content: bytes.subarray(from, from + size) });
    at = from + size;
  }
  return found;
}

/** A list of revoked certificates of an authority, in PEM (RFC 5280, 5.1). */
function revocationList(authority, serials) {
  const time = (ms) => der(0x17, `${new Date(ms).toISOString().replace(/\D/g, '').slice(2, 14)}Z`);
  const now = Date.now();
  const algorithm = der(0x30, der(0x06, Buffer.from('2a8648ce3d040302', 'hex')));
  const { raw } = new X509Certificate(fs.readFileSync(file(`${authority}/ca.crt`)));
  const [fields] = elements(elements(raw)[0].content);
  const issuer = elements(fields.content)[5].whole;
  const revoked = serials.map((serial) => der(0x30, der(0x02, Buffer.from(serial, 'hex')), time(now - 1_000)));
  const list = der(
    0x30,
    der(0x02, '\x01'),
    algorithm,
    issuer,
    time(now - 60_000),
    time(now + 3_600_000),
    ...[...(revoked.length === 0 ? [] : [der(0x30, ...revoked)])],
  );
  const signature = sign('sha256', list, createPrivateKey(fs.readFileSync(file(`${authority}/ca.key`))));
  const whole = der(0x30, list, algorithm, der(0x03, '\0', signature)).toString('base64');
  return `-----BEGIN X509 CRL-----\n${whole.match(/.{1,64}/g).join('\n')}\n-----END X509 CRL-----\n`;
}

test('a certificate that its authority has revoked is refused, also on a socket that was open', async () => {
  await shoal('certs', 'node', '--out', file('ours'), '--name', 'other', ...HERE);
  const other = { cert: fs.readFileSync(file('ours/other.crt')), key: fs.readFileSync(file('ours/other.key')) };
  fs.writeFileSync(file('revoked.pem'), revocationList('ours', []));
  const settings = {
    'server.ssl.enabled': true,
    'server.ssl.certificate': file('ours/node.crt'),
    'server.ssl.key': file('ours/node.key'),
    'server.ssl.certificateAuthorities': file('ours/ca.crt'),
    'server.ssl.clientAuthentication': 'required',
    'shoal.dashboard.certificate_revocation_lists': file('revoked.pem'),
  };
  const own = await startDashboard({ settings });
  const agent = new https.Agent({ keepAlive: true, maxSockets: 1 });
  const shows = (identity, more = {}) => get(own.port, { ...identity, ...more }).then(({ status }) => status);
  assert.deepEqual([await shows(other, { agent }), await shows(identity('ours'))], [503, 503]);
  const { serialNumber } = new X509Certificate(other.cert);
  fs.writeFileSync(file('revoked.pem'), revocationList('ours', [serialNumber]));
  const isRefused = () =>
    shows(other, { agent }).then(
      () => false,
      () => true,
    );
  await until(isRefused, 'the refusal of what was revoked', { told: own.log });
  await assert.rejects(shows(other));
  assert.equal(await shows(identity('ours')), 503);
  fs.writeFileSync(file('revoked.pem'), 'no list');
  await until(() => /the one before stays/.test(own.log()), 'the word that a list is broken', { told: own.log });
  await assert.rejects(shows(other));
  agent.destroy();
  await own.stop();
  for (const [wrong, sentence] of [
    [{}, /revoked\.pem\] holds no list/],
    [{ 'server.ssl.clientAuthentication': 'none' }, /revocation_lists\] needs \[server\.ssl\.clientAuthentication\]/],
  ]) {
    const { code, said } = await refusedStart({ 'server.host': '127.0.0.1', ...settings, ...wrong });
    assert.equal(code, 78, said);
    assert.match(said, sentence);
  }
});

test('the cluster sees the certificate of the dashboard in its own calls, in those of users if it is set', async () => {
  const seen = new Map();
  const asking = https.createServer(
    { ...identity('ours'), ca: fs.readFileSync(file('ours/ca.crt')), requestCert: true, rejectUnauthorized: false },
    ({ headers, socket }, answer) => {
      seen.set(headers.authorization, socket.getPeerCertificate().subject !== undefined);
      answer.end('{"cluster_name":"c","cluster_uuid":"u","status":"green","version":{"number":"8.12.0"}}');
    },
  );
  await new Promise((resolve) => asking.listen(0, '127.0.0.1', resolve));
  asking.unref();
  for (const always of [false, true]) {
    const own = await startDashboard({
      settings: {
        'elasticsearch.hosts': `https://localhost:${asking.address().port}`,
        'elasticsearch.serviceAccountToken': 'own',
        'elasticsearch.ssl.certificateAuthorities': file('ours/ca.crt'),
        'elasticsearch.ssl.certificate': file('ours/node.crt'),
        'elasticsearch.ssl.key': file('ours/node.key'),
        'elasticsearch.ssl.alwaysPresentCertificate': always,
      },
    });
    await waitForLevel(own, 'available');
    const headers = { authorization: 'ApiKey of-a-user', 'kbn-xsrf': 'true' };
    const { status } = await fetch(`${own.url}/api/console/proxy?path=/&method=GET`, { method: 'POST', headers });
    assert.equal(status, 200);
    assert.deepEqual([seen.get('Bearer own'), seen.get('ApiKey of-a-user')], [true, always]);
    await own.stop();
  }
  asking.closeAllConnections();
  asking.close();
});

test('files and settings of TLS that cannot be used stop the start with 78, the setting or the file', async () => {
  const on = { 'server.ssl.enabled': true };
  const pem = { ...on, 'server.ssl.certificate': file('ours/node.crt'), 'server.ssl.key': file('ours/node.key') };
  for (const [settings, sentence] of [
    [{ ...on, 'server.ssl.keystore.path': file('none.p12') }, /none\.p12\] cannot be read/],
    [{ ...pem, 'server.ssl.key': file('theirs/node.key') }, /node\.crt.*key values mismatch/],
    [{ ...pem, 'server.ssl.keystore.path': file('ours/http.p12') }, /keystore\.path\] takes the place/],
    [{ ...pem, 'server.ssl.supportedProtocols': 'SSLv3' }, /supportedProtocols\] takes versions/],
    [{ ...pem, 'server.port': 15_999, 'server.ssl.redirectHttpFromPort': 15_999 }, /must not be \[server\.port\]/],
    [{ 'elasticsearch.ssl.truststore.path': file('ours/ca.crt') }, /ca\.crt\] cannot be read/],
  ]) {
    const { code, said } = await refusedStart({ 'server.host': '127.0.0.1', ...settings });
    assert.equal(code, 78, JSON.stringify(settings) + said);
    assert.match(said, sentence);
    assert.doesNotMatch(said, /at .*\.js:\d+/);
  }
});
