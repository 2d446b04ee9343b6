import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { issueCertificate, makeAuthority } from './make-certificate.js';

const nowMs = Date.UTC(2026, 0, 1);

test('a certificate is of its authority, for its hosts and its time', () => {
  const authority = makeAuthority({ name: 'Authority', hosts: [], days: 10, nowMs });
  const hosts = ['node-1.example', '10.0.0.1', '::1', 'fe80::1:2', '::ffff:10.1.2.3'];
  const issued = issueCertificate(authority, { name: 'node-1', hosts, days: 40 * 365, nowMs }, 'link');
  const ca = new X509Certificate(authority.certificate);
  const certificate = new X509Certificate(issued.certificate);
  assert.equal(ca.ca, true);
  assert.equal(ca.verify(ca.publicKey), true);
  assert.equal(certificate.ca, false);
  assert.equal(certificate.verify(ca.publicKey), true);
  assert.equal(certificate.checkIssued(ca), true);
  assert.equal(certificate.checkHost('node-1.example'), 'node-1.example');
  for (const address of hosts.slice(1)) assert.notEqual(certificate.checkIP(address), undefined, address);
  assert.equal(certificate.checkIP('10.0.0.2'), undefined);
  assert.equal(new Date(certificate.validTo).getUTCFullYear(), 2065);
  assert.ok(Date.parse(certificate.validFrom) < nowMs);
});

test('only an authority with its own key issues', () => {
  const authority = makeAuthority({ name: 'a', hosts: [], days: 1, nowMs });
  const other = makeAuthority({ name: 'b', hosts: [], days: 1, nowMs });
  const leaf = issueCertificate(authority, { name: 'leaf', hosts: [], days: 1, nowMs }, 'link');
  assert.throws(() => issueCertificate(leaf, { name: 'x', hosts: [], days: 1, nowMs }, 'link'), /is not an authority/);
  assert.throws(
    () => issueCertificate({ ...authority, key: other.key }, { name: 'x', hosts: [], days: 1, nowMs }, 'link'),
    /not that of the authority/,
  );
});

test('openssl finds nothing to object to, also below an RSA authority of its own', {
  skip: spawnSync('openssl', ['version']).status !== 0,
}, () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shoal-certificates-'));
  const openssl = (...args: string[]) => spawnSync('openssl', args, { cwd: folder, encoding: 'utf8' });
  openssl(
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    'key.pem',
    '-out',
    'ca.pem',
    '-subj',
    '/CN=theirs/O=org',
    '-addext',
    'keyUsage=critical,keyCertSign',
    '-days',
    '9',
  );
  const read = (name: string): string => fs.readFileSync(path.join(folder, name), 'utf8');
  const authorities = [
    makeAuthority({ name: 'ours', hosts: [], days: 9, nowMs: Date.now() }),
    { certificate: read('ca.pem'), key: read('key.pem') },
  ];
  for (const authority of authorities) {
    fs.writeFileSync(path.join(folder, 'ca.pem'), authority.certificate);
    fs.writeFileSync(
      path.join(folder, 'leaf.pem'),
      issueCertificate(authority, { name: 'leaf', hosts: ['localhost'], days: 9, nowMs: Date.now() }, 'link')
        .certificate,
    );
    for (const purpose of ['sslserver', 'sslclient']) {
      const verified = openssl('verify', '-x509_strict', '-purpose', purpose, '-CAfile', 'ca.pem', 'leaf.pem');
      assert.equal(verified.status, 0, verified.stderr);
    }
  }
  fs.rmSync(folder, { recursive: true, force: true });
});
