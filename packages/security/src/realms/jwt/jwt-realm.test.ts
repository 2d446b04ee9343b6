import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyState } from '@shoal/state';
import { type FakeClock, fakeClock, type Log, silentLog } from '@shoal/doors';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import type { TokenRealm } from '../realm.js';
import { jwtRealm } from './jwt-realm.js';

const URL_OF_KEYS = 'https://id.example/keys';

interface Signer {
  readonly publicKey: JWK;
  sign(claims?: Record<string, unknown>, header?: Record<string, unknown>): Promise<string>;
}

async function signer(kid: string | null, clock: FakeClock): Promise<Signer> {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const name = kid === null ? {} : { kid };
  const nowSeconds = Math.floor(clock.now() / 1000);
  return {
    publicKey: { ...(await exportJWK(publicKey)), ...name },
    sign: (claims = {}, header = {}) =>
      new SignJWT({ iss: 'me', aud: 'shoal', sub: 'anna', iat: nowSeconds, exp: nowSeconds + 3600, ...claims })
        .setProtectedHeader({ alg: 'ES256', ...name, ...header })
        .sign(privateKey),
  };
}

interface Endpoint {
  answer: () => Promise<string>;
  reads: number;
}

function realmAt(
  endpoint: Endpoint,
  clock: FakeClock,
  more: Record<string, string> = {},
  log: Log = silentLog,
): TokenRealm {
  const values = {
    allowed_issuer: 'me',
    allowed_audiences: 'shoal',
    'claims.principal': 'sub',
    allowed_signature_algorithms: 'ES256,HS256',
    'client_authentication.type': 'none',
    pkc_jwkset_path: URL_OF_KEYS,
    ...more,
  };
  const keySetAt = () => (): Promise<string> => {
    endpoint.reads++;
    return endpoint.answer();
  };
  return jwtRealm(
    { type: 'jwt', name: 'jwt1', values: new Map(Object.entries(values)) },
    { read: () => null, keySetAt, clock, log },
  );
}

const arrival = { headers: {}, method: 'GET', uri: '/', remoteAddress: '127.0.0.1', certificateSubject: null };
const nameIn = async (realm: TokenRealm, token: string): Promise<string | null> =>
  (await realm.verify(token, arrival))?.current(emptyState())?.user.username ?? null;
const keySet =
  (...keys: JWK[]) =>
  async (): Promise<string> =>
    JSON.stringify({ keys });

test('keys at a URL are fetched with the first token and then known', async () => {
  const clock = fakeClock();
  const one = await signer('k1', clock);
  const endpoint: Endpoint = { answer: keySet(one.publicKey), reads: 0 };
  const realm = realmAt(endpoint, clock);
  assert.equal(endpoint.reads, 0);
  assert.equal(await nameIn(realm, await one.sign()), 'anna');
  assert.equal(await nameIn(realm, await one.sign({ sub: 'berta' })), 'berta');
  assert.equal(endpoint.reads, 1);
});

test('they are fetched again for a token of a new key, also where no token names its key', async () => {
  for (const named of [true, false]) {
    const clock = fakeClock();
    const [old, fresh] = [await signer(named ? 'k1' : null, clock), await signer(named ? 'k2' : null, clock)];
    const endpoint: Endpoint = { answer: keySet(old.publicKey), reads: 0 };
    const realm = realmAt(endpoint, clock);
    assert.equal(await nameIn(realm, await old.sign()), 'anna');
    endpoint.answer = keySet(old.publicKey, fresh.publicKey);
    clock.advance(10_000);
    assert.equal(await nameIn(realm, await fresh.sign()), 'anna');
    assert.equal(await nameIn(realm, await old.sign()), 'anna');
    assert.equal(endpoint.reads, 2);
  }
});

test('a clock that is set back does not keep keys from being read again', async () => {
  const clock = fakeClock();
  const [old, fresh] = [await signer('k1', clock), await signer('k2', clock)];
  const endpoint: Endpoint = { answer: keySet(old.publicKey), reads: 0 };
  let backMs = 0;
  const realm = realmAt(endpoint, { ...clock, now: () => clock.now() - backMs });
  assert.equal(await nameIn(realm, await old.sign()), 'anna');
  endpoint.answer = keySet(old.publicKey, fresh.publicKey);
  backMs = 60_000;
  clock.advance(10_000);
  assert.equal(await nameIn(realm, await fresh.sign({ iat: Math.floor(clock.now() / 1000) - 60 })), 'anna');
});

test('forged tokens make it ask once in five seconds, those of another issuer never', async () => {
  const clock = fakeClock();
  const [right, forger] = [await signer('k1', clock), await signer('k1', clock)];
  const endpoint: Endpoint = { answer: keySet(right.publicKey), reads: 0 };
  const realm = realmAt(endpoint, clock);
  assert.equal(await nameIn(realm, await forger.sign({ iss: 'other' })), null);
  assert.equal(endpoint.reads, 0);
  for (let i = 0; i < 20; i++) assert.equal(await nameIn(realm, await forger.sign()), null);
  assert.equal(endpoint.reads, 1);
  clock.advance(6_000);
  await Promise.all(
    Array.from({ length: 20 }, async () => assert.equal(await nameIn(realm, await forger.sign()), null)),
  );
  assert.equal(endpoint.reads, 2);
});

test(
  'an endpoint that fails, or answers something else, is ' + 'logged and tokens are refused until it answers',
  async () => {
    for (const answer of [
      () => Promise.reject(new Error('no connection')),
      async () => 'busy',
      async () => '{"keys":{}}',
      async () => '[1]',
      async () => '{"keys":[1]}',
    ]) {
      const clock = fakeClock();
      const one = await signer('k1', clock);
      const lines: unknown[] = [];
      const endpoint: Endpoint = { answer, reads: 0 };
      const realm = realmAt(
        endpoint,
        clock,
        {},
        {
          ...silentLog,
          write: (level, message, fields) => void (level === 'warn' && lines.push([message, fields?.['url.original']])),
        },
      );
      for (let i = 0; i < 3; i++) assert.equal(await nameIn(realm, await one.sign()), null);
      assert.deepEqual(lines, [['the keys of a realm cannot be read: its tokens are refused', URL_OF_KEYS]]);
      endpoint.answer = keySet(one.publicKey);
      clock.advance(6_000);
      assert.equal(await nameIn(realm, await one.sign()), 'anna');
    }
  },
);

test('when it fails later, the keys that are known stay in force', async () => {
  const clock = fakeClock();
  const [one, two] = [await signer('k1', clock), await signer('k2', clock)];
  const endpoint: Endpoint = { answer: keySet(one.publicKey), reads: 0 };
  const realm = realmAt(endpoint, clock);
  assert.equal(await nameIn(realm, await one.sign()), 'anna');
  endpoint.answer = () => Promise.reject(new Error('gone'));
  clock.advance(10_000);
  assert.equal(await nameIn(realm, await two.sign()), null);
  assert.equal(await nameIn(realm, await one.sign({ sub: 'berta' })), 'berta');
});

test('a shared secret in a published key set signs nothing, one of the settings does', async () => {
  const clock = fakeClock();
  const secret = 'a secret of thirty-two characters';
  const endpoint: Endpoint = { answer: keySet({ kty: 'oct', k: Buffer.from(secret).toString('base64url') }), reads: 0 };
  const nowSeconds = Math.floor(clock.now() / 1000);
  const token = await new SignJWT({ iss: 'me', aud: 'shoal', sub: 'anna', iat: nowSeconds, exp: nowSeconds + 60 })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(Buffer.from(secret));
  assert.equal(await nameIn(realmAt(endpoint, clock), token), null);
  assert.equal(await nameIn(realmAt(endpoint, clock, { hmac_key: secret }), token), 'anna');
});

test('settings that name no keys, two shared secrets or a URL without TLS are refused', () => {
  const made = (more: Record<string, string>): TokenRealm => realmAt({ answer: keySet(), reads: 0 }, fakeClock(), more);
  assert.throws(
    () => made({ pkc_jwkset_path: 'http://id.example/keys' }),
    /must be a file of the configuration folder or an https URL/,
  );
  assert.throws(
    () => made({ pkc_jwkset_path: 'https://' }),
    /must be a file of the configuration folder or an https URL/,
  );
  assert.throws(
    () => made({ pkc_jwkset_path: 'keys.json' }),
    /the key set \[keys\.json\] of the realm \[jwt1\] cannot be read/,
  );
  assert.throws(() => made({ hmac_key: 'a', hmac_jwkset: '{}' }), /not allowed at the same time/);
  assert.throws(() => made({ hmac_jwkset: '{}' }), /hmac_jwkset\] cannot be used: it is not a JSON Web Key Set/);
});
