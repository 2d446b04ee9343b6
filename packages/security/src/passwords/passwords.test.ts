import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '@shoal/doors';
import { createPasswords, isPasswordHash } from './passwords.js';
import { equalSecrets, matchesSecret, secretHash } from './secret-hash.js';

const ANNA = { name: '127.0.0.1', suspicion: 1 };
const BCRYPT = '$2a$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';

test('a password is right against its own hash only', async () => {
  const passwords = createPasswords(seededRandom(1));
  const hash = await passwords.hash('geheim');
  assert.match(hash, /^\{scrypt\}16384\$8\$1\$/);
  assert.equal(await passwords.verify('geheim', hash, ANNA), true);
  assert.equal(await passwords.verify('Geheim', hash, ANNA), false);
  assert.notEqual(await passwords.hash('geheim'), hash);
});

test('no password is right where there is no hash, or one that means nothing', async () => {
  const passwords = createPasswords(seededRandom(1));
  for (const hash of [null, '', 'geheim', '{scrypt}1$1$1$$', '{scrypt}1048576$64$16$AAAAAAAAAAA=$AAAAAAAAAAA='])
    assert.equal(await passwords.verify('geheim', hash, ANNA), false, String(hash));
});

test('hashes of bcrypt and PBKDF2 are understood, but not at any cost', async () => {
  const passwords = createPasswords(seededRandom(1));
  assert.equal(
    await passwords.verify(
      '12345678901234567890',
      '$2a$06$.rCVZVOThsIa97pEDOxvGuRRgzG64bvtJ0938xuqzv18d3ZpQhstC',
      ANNA,
    ),
    false,
  );
  assert.equal(isPasswordHash(BCRYPT), true);
  assert.equal(isPasswordHash('$2a$31$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy'), false);
  const pbkdf2 = '{PBKDF2}1000$MTIzNDU2Nzg5MDEyMzQ1Ng==$oAmVNZpmHypEtHVgIrPU4Zh1RtrR4j+2zW7tK/rvUdM=';
  assert.equal(isPasswordHash(pbkdf2), true);
  assert.equal(await passwords.verify('password', pbkdf2, ANNA), false);
  assert.equal(isPasswordHash('{PBKDF2}9000000$MTIzNDU2Nzg5MDEyMzQ1Ng==$AAAAAAAAAAA='), false);
});

test('hashes of bcrypt are computed by the door for them', async () => {
  const compared: string[][] = [];
  const compareBcrypt = async (...parts: string[]): Promise<boolean> => compared.push(parts) > 0;
  const passwords = createPasswords(seededRandom(1), { compareBcrypt });
  assert.equal(await passwords.verify('geheim', BCRYPT, ANNA), true);
  assert.deepEqual(compared, [['geheim', BCRYPT.replace('$2a$', '$2b$')]]);
});

test('secrets that are random need no slow hash', () => {
  assert.equal(matchesSecret('abc', secretHash('abc')), true);
  assert.equal(matchesSecret('abd', secretHash('abc')), false);
  assert.equal(matchesSecret('abc', 'abc'), false);
  assert.deepEqual([equalSecrets('a', 'a'), equalSecrets('a', 'ab')], [true, false]);
});
