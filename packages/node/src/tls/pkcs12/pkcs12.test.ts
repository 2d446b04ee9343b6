import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { readPkcs12 } from './read-pkcs12.js';
import { writePkcs12 } from './write-pkcs12.js';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shoal-pkcs12-'));
const file = (name: string): string => path.join(folder, name);
const openssl = (...args: string[]) => spawnSync('openssl', args, { cwd: folder, encoding: 'utf8' });
const hasOpenssl = openssl('version').status === 0;
let certificate: Buffer;
let key: Buffer;

before(() => {
  if (!hasOpenssl) return;
  openssl(
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    'key.pem',
    '-out',
    'cert.pem',
    '-subj',
    '/CN=test',
    '-days',
    '9',
  );
  certificate = new X509Certificate(fs.readFileSync(file('cert.pem'))).raw;
  key = createPrivateKey(fs.readFileSync(file('key.pem'))).export({ format: 'der', type: 'pkcs8' });
});
after(() => fs.rmSync(folder, { recursive: true, force: true }));

test('stores of openssl are read, with the ciphers of today and of ten years ago', { skip: !hasOpenssl }, () => {
  const kinds = {
    today: [],
    plainKey: ['-keypbe', 'NONE'],
    old: ['-keypbe', 'PBE-SHA1-3DES', '-certpbe', 'PBE-SHA1-3DES', '-macalg', 'sha1'],
  };
  for (const [kind, options] of Object.entries(kinds)) {
    const made = openssl(
      'pkcs12',
      '-export',
      '-inkey',
      'key.pem',
      '-in',
      'cert.pem',
      '-out',
      `${kind}.p12`,
      '-passout',
      'pass:geheim ü',
      ...options,
    );
    assert.equal(made.status, 0, made.stderr);
    const store = readPkcs12(fs.readFileSync(file(`${kind}.p12`)), 'geheim ü');
    assert.deepEqual(
      store.certificates.map(({ der }) => der),
      [certificate],
      kind,
    );
    assert.deepEqual(
      store.keys.map(({ der }) => der),
      [key],
      kind,
    );
    assert.notEqual(store.keys[0]!.localKeyId, null);
    assert.equal(store.keys[0]!.localKeyId, store.certificates[0]!.localKeyId);
  }
});

test('a wrong password is told as such', { skip: !hasOpenssl }, () => {
  const store = writePkcs12({ entry: { name: 'a', key, certificate }, authorities: [] }, 'right');
  assert.throws(() => readPkcs12(store, 'wrong'), /password is wrong/);
  assert.throws(() => readPkcs12(store.subarray(0, 200), 'right'), /ends within an element/);
});

test('what is written is read again, by openssl too', { skip: !hasOpenssl }, () => {
  const store = writePkcs12(
    { entry: { name: 'node', key, certificate }, authorities: [{ name: 'ca', certificate }] },
    'secret',
  );
  const read = readPkcs12(store, 'secret');
  assert.deepEqual(
    read.keys.map(({ der }) => der),
    [key],
  );
  assert.equal(read.certificates.length, 2);
  fs.writeFileSync(file('ours.p12'), store);
  const shown = openssl('pkcs12', '-in', 'ours.p12', '-passin', 'pass:secret', '-nodes');
  assert.equal(shown.status, 0, shown.stderr);
  assert.match(shown.stdout, /friendlyName: node/);
  assert.match(shown.stdout, /BEGIN PRIVATE KEY/);
});

test('bytes that are no store never do anything but fail', () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  for (const bytes of [
    Buffer.alloc(0),
    Buffer.from('not a store'),
    privateKey.export({ format: 'der', type: 'pkcs8' }),
    Buffer.alloc(64, 0x30),
  ]) {
    assert.throws(() => readPkcs12(bytes, ''), Error);
  }
});
