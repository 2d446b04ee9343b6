// TLS between nodes and for HTTP, with real processes and certificates of `shoal certs`.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { startCluster } from '../cluster-processes.mjs';
import { boundChild, withLimit } from '../limits.mjs';
import { call, freePort, root, sleep, startNode, temporaryFolder } from '../node-process.mjs';

const bin = path.join(root, 'packages', 'node', 'bin', 'shoal.mjs');
const folder = temporaryFolder('tls');
const certs = (name) => path.join(folder, name);
const shoal = (...args) => promisify(execFile)(process.execPath, [bin, ...args], { timeout: 120_000 });

/** `name`: an authority with a certificate `node` for this machine. */
async function makeCertificates(name, ...more) {
  await shoal('certs', 'ca', '--out', certs(name), '--name', `authority ${name}`);
  await shoal(
    'certs',
    'node',
    '--out',
    certs(name),
    '--name',
    'node',
    '--dns',
    'localhost',
    '--ip',
    '127.0.0.1',
    ...more,
  );
}

const transportTls = (name) => ({
  'xpack.security.transport.ssl.enabled': true,
  'xpack.security.transport.ssl.certificate': certs(`${name}/node.crt`),
  'xpack.security.transport.ssl.key': certs(`${name}/node.key`),
  'xpack.security.transport.ssl.certificate_authorities': certs(`${name}/ca.crt`),
});

/** Starts a node without waiting for anything; collects its output. */
async function startIntruder(settings) {
  const args = Object.entries({
    'http.port': await freePort(),
    'path.data': temporaryFolder('intruder'),
    'node.name': 'intruder',
    'cluster.name': 'shoal-test',
    'transport.port': await freePort(),
    'transport.data_port': await freePort(),
    ...settings,
  });
  const child = spawn(process.execPath, [bin, ...args.flatMap(([key, value]) => ['-E', `${key}=${value}`])], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const bound = boundChild(child, 'an intruder');
  const intruder = {
    output: '',
    stop: () => bound.stop('SIGKILL'),
  };
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (intruder.output += chunk));
  return intruder;
}

async function until(condition, what) {
  for (let i = 0; i < 600; i++) {
    if (await condition()) return;
    await sleep(25);
  }
  assert.fail(`${what} did not happen within 15 s`);
}

const soon = () => AbortSignal.timeout(60_000);

/** A GET over TLS that trusts only `ca`; resolves with the body and the serial number of the server's certificate. */
function get(port, ca, options = {}) {
  const trusting = { host: 'localhost', port, path: '/', ca, agent: false, signal: soon() };
  return new Promise((resolve, reject) => {
    const request = https.get({ ...trusting, ...options }, (response) => {
      const serial = response.socket.getPeerCertificate().serialNumber;
      let body = '';
      response.on('data', (chunk) => (body += chunk));
      response.on('end', () => resolve({ body, serial }));
    });
    request.on('error', reject);
  });
}

before(async () => {
  await makeCertificates('ours');
  await makeCertificates('theirs');
});
after(() => fs.rmSync(folder, { recursive: true, force: true }));

test('three nodes with certificates of one authority form a cluster that no other node can join', async () => {
  const cluster = await startCluster({ settings: { ...transportTls('ours'), 'xpack.security.enabled': false } });
  const [node] = cluster.nodes;
  const [local] = Object.values((await call(node, 'GET', '/_nodes/_local')).body.nodes);
  const seeds = { 'discovery.seed_hosts': `127.0.0.1:${local.transport_address.split(':').at(-1)}` };
  const foreign = await startIntruder({ ...seeds, ...transportTls('theirs') });
  const plain = await startIntruder(seeds);
  try {
    await call(node, 'PUT', '/a', { settings: { number_of_shards: 2, number_of_replicas: 2 } });
    await call(node, 'PUT', '/a/_doc/1?refresh', { n: 1 });
    for (const other of cluster.nodes) assert.equal((await call(other, 'GET', '/a/_search')).body.hits.total.value, 1);
    const logs = () => cluster.nodes.map((one) => one.log()).join('');
    await until(
      () =>
        /refused at the TLS handshake/.test(logs()) &&
        /it may not trust the certificate of this node|\[CN=node\].*not trusted/.test(logs()),
      'the refusal in the log of the cluster',
    );
    await until(
      () => /plaintext traffic was received on an encrypted channel/.test(logs()),
      'the refusal of plain links in the log of the cluster',
    );
    await until(() => /TLS handshake failed/.test(foreign.output), 'the refusal in the log of the foreign node');
    assert.equal((await call(node, 'GET', '/_cluster/health')).body.number_of_nodes, 3);
  } finally {
    await Promise.all([foreign.stop(), plain.stop()]);
    await cluster.stop();
  }
});

/** Makes the PKCS#12 file of the authority `ours` for HTTP on this machine. */
const makeHttpCertificate = (...more) => {
  const file = ['--out', certs('ours'), '--format', 'p12', '--pass', 'secret'];
  return shoal('certs', 'http', ...file, '--ip', '127.0.0.1', '--dns', 'localhost', ...more);
};

/** Makes a keystore in `conf` with one secure setting. */
async function keepSecret(conf, setting, value) {
  await shoal('keystore', 'create', '-E', `path.conf=${conf}`);
  const child = execFile(process.execPath, [bin, 'keystore', 'add', setting, '-E', `path.conf=${conf}`]);
  child.stdin.end(`${value}\n`);
  await withLimit(new Promise((resolve) => child.once('exit', resolve)), 'the end of `keystore add`');
}

test('HTTPS answers, with PEM and PKCS#12, and takes new certificates without a restart', async () => {
  await makeHttpCertificate();
  const ca = fs.readFileSync(certs('ours/ca.crt'));
  const port = await freePort();
  const conf = temporaryFolder('conf');
  await keepSecret(conf, 'xpack.security.http.ssl.keystore.secure_password', 'secret');
  const node = await startIntruder({
    'http.port': port,
    'path.conf': conf,
    'resource.reload.interval.high': '100ms',
    'xpack.security.http.ssl.enabled': true,
    'xpack.security.http.ssl.keystore.path': certs('ours/http.p12'),
  });
  try {
    await until(() => get(port, ca).then(Boolean, () => false), 'an answer over TLS');
    const { body, serial } = await get(port, ca);
    assert.match(body, /You Know, for Search/);
    const [own] = JSON.parse((await get(port, ca, { path: '/_ssl/certificates' })).body);
    assert.deepEqual(
      [own.path, own.format, own.subject_dn, own.has_private_key, own.issuer],
      [certs('ours/http.p12'), 'PKCS12', 'CN=http', true, 'CN=authority ours'],
    );
    assert.equal(own.serial_number, serial.toLowerCase());
    await assert.rejects(get(port, fs.readFileSync(certs('theirs/ca.crt'))), /certificate|issuer/);
    await assert.rejects(
      get(port, ca, { maxVersion: 'TLSv1.1', minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' }),
      /alert|protocol|unsupported/i,
    );
    await assert.rejects(fetch(`http://127.0.0.1:${port}/`));
    await until(
      () => node.output.includes('received plaintext http traffic on an https channel'),
      'the log of the plain request',
    );
    await makeHttpCertificate('--force');
    await until(async () => (await get(port, ca)).serial !== serial, 'the use of the new certificate');
    fs.writeFileSync(certs('ours/http.p12'), 'broken');
    await until(() => node.output.includes('changed TLS files cannot be used'), 'the log of the broken file');
    assert.match((await get(port, ca)).body, /You Know/);
  } finally {
    await node.stop();
  }
});

test('HTTPS with client authentication lets in only who shows a certificate of the authority', async () => {
  const ca = fs.readFileSync(certs('ours/ca.crt'));
  const port = await freePort();
  const files = {
    certificate: certs('ours/node.crt'),
    key: certs('ours/node.key'),
    certificate_authorities: certs('ours/ca.crt'),
  };
  const settings = Object.fromEntries(
    Object.entries({ enabled: true, client_authentication: 'required', ...files }).map(([name, value]) => [
      `xpack.security.http.ssl.${name}`,
      value,
    ]),
  );
  const node = await startIntruder({ 'http.port': port, ...settings });
  const identity = (name) => ({
    cert: fs.readFileSync(certs(`${name}/node.crt`)),
    key: fs.readFileSync(certs(`${name}/node.key`)),
  });
  try {
    await until(
      () =>
        get(port, ca, identity('ours')).then(
          () => true,
          () => false,
        ),
      'an answer over TLS',
    );
    await assert.rejects(get(port, ca));
    await assert.rejects(get(port, ca, identity('theirs')));
    await until(
      () => /did not provide a certificate/.test(node.output) && /is not trusted here/.test(node.output),
      'both refusals in the log',
    );
  } finally {
    await node.stop();
  }
});

test('what is wrong with TLS settings stops the start with the setting and the file by name', async () => {
  const refusal = async (settings) => {
    const failed = await startNode({ settings }).then(
      (node) => node.stop().then(() => assert.fail('the node started')),
      (error) => error.message,
    );
    return failed;
  };
  const http = (more) =>
    Object.fromEntries(
      Object.entries({ enabled: true, ...more }).map(([name, value]) => [`xpack.security.http.ssl.${name}`, value]),
    );
  assert.match(
    await refusal(http({})),
    /requires a key and certificate.*\[xpack\.security\.http\.ssl\.keystore\.path\]/,
  );
  assert.match(
    await refusal(http({ certificate: certs('ours/node.crt') })),
    /you must specify \[xpack\.security\.http\.ssl\.key\]/,
  );
  assert.match(
    await refusal(http({ certificate: certs('ours/node.crt'), key: certs('nowhere.key') })),
    /cannot read configured PEM private key \[.*nowhere\.key\]: the file does not exist/,
  );
  assert.match(
    await refusal(http({ certificate: certs('ours/node.crt'), key: certs('theirs/node.key') })),
    /the private key is not that of the certificate/,
  );
  assert.match(
    await refusal(
      http({ certificate: certs('ours/node.crt'), key: certs('ours/node.key'), supported_protocols: 'TLSv1.1' }),
    ),
    /does not take \[TLSv1\.1\]: the oldest version of TLS is 1\.2/,
  );
  assert.match(
    await refusal(http({ trust_restrictions: 'x' })),
    /unknown setting \[xpack\.security\.http\.ssl\.trust_restrictions\]/,
  );
  assert.match(
    await refusal({ 'xpack.security.http.filter.deny': 'example.org' }),
    /filters by host name are not supported/,
  );
});

test(
  'filters let in and keep out while the node runs, by the rules of ' + 'the configuration and of the cluster settings',
  async () => {
    const node = await startNode({ settings: { 'xpack.security.filter.always_allow_bound_address': false } });
    const put = (rules) => call(node, 'PUT', '/_cluster/settings', { persistent: rules });
    try {
      assert.equal((await put({ 'xpack.security.http.filter.deny': 'example.org' })).status, 400);
      assert.equal((await put({ 'xpack.security.http.filter.deny': ['10.0.0.0/8'] })).status, 200);
      assert.equal((await fetch(node.url, { headers: { connection: 'close' } })).status, 200);
      // The connection that sets the rule stays open; the next one is refused.
      assert.equal((await put({ 'xpack.security.http.filter.deny': '127.0.0.0/8' })).status, 200);
      await assert.rejects(
        new Promise((resolve, reject) =>
          http.get({ host: '127.0.0.1', port: node.port, agent: false, signal: soon() }, resolve).on('error', reject),
        ),
      );
      assert.equal((await put({ 'xpack.security.http.filter.deny': null })).status, 200);
      await new Promise((resolve, reject) =>
        http.get({ host: '127.0.0.1', port: node.port, agent: false, signal: soon() }, resolve).on('error', reject),
      );
    } finally {
      await node.stop();
    }
  },
);
