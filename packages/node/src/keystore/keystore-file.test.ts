import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasPassword, KeystorePasswordError, readKeystore, writeKeystore } from './keystore-file.js';
import { secureSettingProblem } from './secure-settings.js';

const settings = new Map([
  ['bootstrap.password', 'gehéim\n'],
  ['keystore.seed', ''],
]);

test('a keystore without a password is read by whoever may read the file', () => {
  const file = writeKeystore(settings, '');
  assert.equal(hasPassword(file), false);
  assert.deepEqual(readKeystore(file, ''), settings);
  assert.deepEqual(readKeystore(file, 'any'), settings);
});

test('with a password only by who knows it', () => {
  const file = writeKeystore(settings, 'pass');
  assert.equal(hasPassword(file), true);
  assert.equal(file.includes('bootstrap'), false);
  assert.deepEqual(readKeystore(file, 'pass'), settings);
  assert.throws(
    () => readKeystore(file, ''),
    (error) => error instanceof KeystorePasswordError && /was not given/.test(error.message),
  );
  assert.throws(
    () => readKeystore(file, 'Pass'),
    (error) => error instanceof KeystorePasswordError && /wrong/.test(error.message),
  );
});

test('a changed file is not read', () => {
  const file = writeKeystore(settings, 'pass');
  const parsed = JSON.parse(file.toString()) as Record<string, string>;
  const data = Buffer.from(parsed['data']!, 'base64');
  data[3]! ^= 1;
  assert.throws(
    () => readKeystore(Buffer.from(JSON.stringify({ ...parsed, data: data.toString('base64') })), 'pass'),
    KeystorePasswordError,
  );
  assert.throws(() => readKeystore(Buffer.from('{}'), ''), /not a keystore/);
  assert.throws(() => readKeystore(Buffer.from('junk'), ''), /not a keystore/);
});

test('only settings that exist belong into a keystore', () => {
  assert.equal(secureSettingProblem('bootstrap.password'), null);
  assert.equal(secureSettingProblem('xpack.security.http.ssl.keystore.secure_password'), null);
  assert.match(
    secureSettingProblem('bootstrap.passwort')!,
    /unknown secure setting \[bootstrap\.passwort\].*did you mean \[bootstrap\.password\]/,
  );
  assert.match(secureSettingProblem('http.port')!, /\[http\.port\] is not a secure setting/);
});
