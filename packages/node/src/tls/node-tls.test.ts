import assert from 'node:assert/strict';
import { generateKeyPairSync, sign, X509Certificate } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { fakeClock, type Log } from '@shoal/doors';
import { type IssuedCertificate, makeAuthority } from '../certificates/make-certificate.js';
import { ConfigurationError, loadSettings } from '../settings/load-settings.js';
import { integer, oid, sequence, TAG, write } from './der.js';
import { openLayerTls } from './node-tls.js';

const SHA256_WITH_RSA = sequence(oid('1.2.840.113549.1.1.11'), write(TAG.nothing));

/** A certificate that is well formed, and whose key is too short for the library. */
function weakCertificate(): IssuedCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 512 });
  const [nobody, years] = [
    sequence(),
    sequence(write(0x17, Buffer.from('200101000000Z')), write(0x17, Buffer.from('491231235959Z'))),
  ];
  const body = sequence(
    integer(1),
    SHA256_WITH_RSA,
    nobody,
    years,
    nobody,
    publicKey.export({ format: 'der', type: 'spki' }),
  );
  const der = sequence(body, SHA256_WITH_RSA, write(0x03, Buffer.from([0]), sign('sha256', body, privateKey)));
  return {
    certificate: new X509Certificate(der).toString(),
    key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  };
}

function folderWith(issued: IssuedCertificate): { readonly confFolder: string; put(issued: IssuedCertificate): void } {
  const confFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'shoal-tls-'));
  const put = ({ certificate, key }: IssuedCertificate): void => {
    fs.writeFileSync(path.join(confFolder, 'http.crt'), certificate);
    fs.writeFileSync(path.join(confFolder, 'http.key'), key);
  };
  put(issued);
  return { confFolder, put };
}

function opened(confFolder: string) {
  const clock = fakeClock();
  const lines: string[] = [];
  const log: Log = {
    write: (level, message, fields = {}) =>
      void lines.push(`${level} ${message} ${String(fields['event.reason'] ?? '')}`.trim()),
  };
  const prefix = 'xpack.security.http.ssl';
  const settings = loadSettings({
    file: { [`${prefix}.enabled`]: true, [`${prefix}.key`]: 'http.key', [`${prefix}.certificate`]: 'http.crt' },
    environment: {},
    overrides: [],
    isClusterSetting: () => false,
  });
  return {
    clock,
    lines,
    tls: openLayerTls('http', { settings, secure: { get: () => null, names: [] }, confFolder, clock, log }),
  };
}

test(
  'a certificate that the library does not work with is refused at ' +
    'the start, and does not replace the one in force',
  () => {
    const { confFolder, put } = folderWith(weakCertificate());
    assert.throws(
      () => opened(confFolder),
      (error: Error) => error instanceof ConfigurationError && /http\.crt\]: .*key too small/.test(error.message),
    );
    put(makeAuthority({ name: 'a', hosts: [], days: 1, nowMs: Date.now() }));
    const { clock, lines, tls } = opened(confFolder);
    const before = tls.material();
    put(weakCertificate());
    clock.advance(5_000);
    assert.match(
      lines.join('\n'),
      /^error changed TLS files cannot be used; the certificates read before stay in force .*key too small/,
    );
    assert.equal(tls.material(), before);
    tls.close();
    fs.rmSync(confFolder, { recursive: true });
  },
);

test('files that cannot be looked at do not end the node, and are read once they can', () => {
  const issued = (name: string): IssuedCertificate => makeAuthority({ name, hosts: [], days: 1, nowMs: Date.now() });
  const { confFolder, put } = folderWith(issued('a'));
  const { clock, lines, tls } = opened(confFolder);
  fs.rmSync(path.join(confFolder, 'http.crt'));
  fs.symlinkSync('http.crt', path.join(confFolder, 'http.crt'));
  clock.advance(5_000);
  assert.match(lines.join('\n'), /^error changed TLS files cannot be used/);
  fs.rmSync(path.join(confFolder, 'http.crt'));
  put(issued('b'));
  clock.advance(5_000);
  assert.match(lines.join('\n'), /info TLS files were read anew$/);
  tls.close();
  fs.rmSync(confFolder, { recursive: true });
});
