import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClusterService } from '@shoal/cluster';
import { type ClusterState, emptyState } from '@shoal/state';
import { type FakeClock, fakeClock, seededRandom, silentLog } from '@shoal/doors';
import { createSecurity, type Security } from '../create-security.js';
import { memoryDocuments } from '../memory-documents.js';
import { parseRealms } from '../realms/realm-settings.js';
import type { SecuritySettings } from '../settings.js';
import type { Arrival, Subject } from '../subject.js';
import { newServiceToken } from '../tokens/service-tokens.js';
import { scryptHash } from '../passwords/scrypt-hash.js';
import { secretHash } from '../passwords/secret-hash.js';

interface House {
  readonly security: Security;
  readonly clock: FakeClock;
  set(section: string, entries: Record<string, unknown>): void;
  /** A state of this version from now on; 0: none yet. */
  setVersion(version: number): void;
}

const SETTINGS: SecuritySettings = {
  anonymous: null,
  reservedRealmEnabled: true,
  runAsEnabled: true,
  apiKeys: { enabled: true, cacheTtlMs: 300_000, retentionMs: 604_800_000 },
  tokens: { enabled: true, lifetimeMs: 1_200_000 },
  credentialTtlMs: 1_200_000,
  filesReloadMs: 5_000,
  realms: parseRealms(new Map()),
  bootstrapPassword: 'changeme',
};

async function house(
  settings: Partial<SecuritySettings> = {},
  files: Record<string, string> = {},
  documents = memoryDocuments(),
): Promise<House> {
  let state: ClusterState = { ...emptyState(), version: 1 };
  const clock = fakeClock();
  const holder: { security?: Security } = {};
  holder.security = await createSecurity({
    cluster: { state: () => state } as unknown as ClusterService,
    documents,
    clock,
    random: seededRandom(5),
    log: silentLog,
    settings: { ...SETTINGS, ...settings },
    readConfigFile: (name) => files[name] ?? null,
    keySetAt: () => () => Promise.reject(new Error('no network')),
    forgetEverywhere: async (tags) => holder.security!.forget(tags),
  });
  return {
    security: holder.security,
    clock,
    set: (section, entries) => void (state = { ...state, customs: new Map(state.customs).set(section, entries) }),
    setVersion: (version) => void (state = { ...state, version }),
  };
}

function arrival(headers: Record<string, string>, more: Partial<Arrival> = {}): Arrival {
  return { headers, method: 'GET', uri: '/', remoteAddress: '127.0.0.1', certificateSubject: null, ...more };
}

const basic = (name: string, password: string, more: Record<string, string> = {}): Arrival =>
  arrival({ authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`, ...more });
const nameOf = (subject: Subject): string => subject.authentication!.user.username;
const refusedWith =
  (reason: RegExp) =>
  (error: { status: number; reason: string }): boolean =>
    error.status === 401 && reason.test(error.reason);

const hashOf = (password: string): Promise<string> => scryptHash(password, new Uint8Array(16));

async function user(password: string, roles: readonly string[], more = {}): Promise<Record<string, unknown>> {
  return {
    hash: await hashOf(password),
    roles,
    fullName: null,
    email: null,
    metadata: {},
    enabled: true,
    ...more,
  };
}

test('elastic logs in with the first password, then without a hash', async () => {
  const { security } = await house();
  const first = security.admit(basic('elastic', 'changeme'));
  assert.ok(first instanceof Promise);
  assert.equal(nameOf(await first), 'elastic');
  const second = security.admit(basic('elastic', 'changeme'));
  assert.ok(!(second instanceof Promise));
  assert.equal(second, await first);
  assert.deepEqual(security.statistics()['checked'], 1);
});

test('a password that was set replaces the first one at once', async () => {
  const { security, set } = await house();
  await security.admit(basic('elastic', 'changeme'));
  set('securityUsers', { elastic: { hash: await hashOf('other') } });
  await assert.rejects(
    async () => security.admit(basic('elastic', 'changeme')),
    refusedWith(/unable to authenticate user \[elastic\]/),
  );
  assert.equal(nameOf(await security.admit(basic('elastic', 'other'))), 'elastic');
});

test('other reserved users have no password before one is set, and the chain ends with them', async () => {
  const { security } = await house({}, { users: 'kibana_system:{scrypt}x\n' });
  await assert.rejects(
    async () => security.admit(basic('kibana_system', '')),
    refusedWith(/unable to authenticate user \[kibana_system\]/),
  );
});

test('a disabled user and one that is gone are refused, though known before', async () => {
  const { security, set } = await house();
  const bob = await user('bob-secret', ['viewer']);
  set('securityUsers', { bob });
  assert.equal(nameOf(await security.admit(basic('bob', 'bob-secret'))), 'bob');
  set('securityUsers', { bob: { ...bob, enabled: false } });
  await assert.rejects(async () => security.admit(basic('bob', 'bob-secret')), refusedWith(/bob/));
  set('securityUsers', { bob: { ...bob, roles: ['editor'] } });
  assert.deepEqual((await security.admit(basic('bob', 'bob-secret'))).authentication!.user.roles, ['editor']);
  set('securityUsers', {});
  await assert.rejects(async () => security.admit(basic('bob', 'bob-secret')), refusedWith(/bob/));
});

test('requests without credentials are refused, unless anonymous ones have roles', async () => {
  const { security } = await house();
  assert.throws(
    () => security.admit(arrival({}, { uri: '/_search?q=a' })),
    refusedWith(/missing authentication credentials for REST request \[\/_search\?q=a\]/),
  );
  const open = await house({ anonymous: { username: 'guest', roles: ['viewer'], authzException: false } });
  const guest = await open.security.admit(arrival({}));
  assert.deepEqual([nameOf(guest), guest.authentication!.type], ['guest', 'anonymous']);
  assert.equal(guest.denied('cluster:monitor/health').status, 401);
});

test('malformed headers are refused, unknown schemes are no credentials', async () => {
  const { security } = await house();
  await assert.rejects(
    async () => security.admit(arrival({ authorization: 'Basic !!!' })),
    refusedWith(/invalid basic authentication header/),
  );
  await assert.rejects(
    async () => security.admit(arrival({ authorization: 'ApiKey x' })),
    refusedWith(/invalid ApiKey value/),
  );
  assert.throws(
    () => security.admit(arrival({ authorization: 'Digest x' })),
    refusedWith(/missing authentication credentials/),
  );
  assert.throws(
    () => security.admit(arrival({ 'es-secondary-authorization': 'Basic x' })),
    /\[es-secondary-authorization\] is not supported/,
  );
});

test('the same wrong password costs one hash, others of the address wait longer and longer', async () => {
  const { security, clock } = await house();
  for (let i = 0; i < 20; i++)
    await assert.rejects(async () => security.admit(basic('elastic', 'wrong')), refusedWith(/elastic/));
  assert.equal(security.statistics()['checked'], 1);
  for (let i = 0; i < 4; i++)
    await assert.rejects(async () => security.admit(basic('nobody', `wrong${i}`)), refusedWith(/nobody/));
  const sixth = Promise.resolve(security.admit(basic('elastic', 'changeme')));
  let isDone = false;
  void sixth.then(() => (isDone = true));
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(isDone, false);
  clock.advance(100);
  assert.equal(nameOf(await sixth), 'elastic');
});

test('files of users are read again in the interval of their setting, and once where reloading is off', async () => {
  const line = `fay:${await hashOf('file-secret')}\n`;
  for (const [filesReloadMs, isKnown] of [
    [100, true],
    [null, false],
  ] as const) {
    const files: Record<string, string> = {};
    const { security, clock } = await house({ filesReloadMs }, files);
    Object.assign(files, { users: line, users_roles: 'superuser:fay\n' });
    clock.advance(99);
    await assert.rejects(async () => security.admit(basic('fay', 'file-secret')), { status: 401 });
    clock.advance(1);
    const admitted = async (): Promise<unknown> => security.admit(basic('fay', 'file-secret'));
    if (isKnown) await admitted();
    else await assert.rejects(admitted, { status: 401 });
  }
});

test('users of the files log in, and those who may act as others do', async () => {
  const { security, set } = await house();
  const hash = await hashOf('file-secret');
  const other = await house({}, { users: `fay:${hash}\n`, users_roles: 'superuser:fay\n' });
  assert.deepEqual((await other.security.admit(basic('fay', 'file-secret'))).authentication!.realm, {
    name: 'default_file',
    type: 'file',
  });
  set('securityUsers', { bob: await user('bob-secret', ['viewer']) });
  const acting = (await security.admit(basic('elastic', 'changeme', { 'es-security-runas-user': 'bob' })))
    .authentication!;
  assert.deepEqual(
    [acting.user.username, acting.runAsBy!.username, acting.lookupRealm.type],
    ['bob', 'elastic', 'native'],
  );
  await assert.rejects(
    async () => security.admit(basic('bob', 'bob-secret', { 'es-security-runas-user': 'elastic' })),
    (error: { status: number; reason: string }) =>
      error.status === 403 && /unauthorized to run as \[elastic\]/.test(error.reason),
  );
});

test('who may act as another user does so where the layer is asked, unless that is switched off', async () => {
  const { security, set } = await house();
  const elastic = (await security.admit(basic('elastic', 'changeme'))).authentication!;
  set('securityUsers', {
    bob: await user('bob-secret', ['viewer']),
    off: await user('off-secret', ['viewer'], { enabled: false }),
  });
  const acting = security.actingAs(elastic, 'bob')!;
  assert.deepEqual(
    [acting.user.username, acting.user.roles, acting.runAsBy!.username, acting.realm.name, acting.lookupRealm.type],
    ['bob', ['viewer'], 'elastic', 'reserved', 'native'],
  );
  const bob = (await security.admit(basic('bob', 'bob-secret'))).authentication!;
  const reasonOf = (name: string): string =>
    `action [cluster:admin/xpack/security/user/authenticate] is unauthorized for user [${name}] with effective ` +
    `roles [${name === 'bob' ? 'viewer' : 'superuser'}], because user [${name}] is unauthorized to run as `;
  assert.throws(() => security.actingAs(bob, 'elastic'), { status: 403, message: `${reasonOf('bob')}[elastic]` });
  for (const name of ['nobody', 'off'])
    assert.throws(() => security.actingAs(elastic, name), { status: 403, message: `${reasonOf('elastic')}[${name}]` });
  const { security: without } = await house({ runAsEnabled: false });
  assert.equal(without.actingAs(elastic, 'kibana_system'), null);
});

test('who acts as another with a key or the token of a service has the roles of the other, not its own', async () => {
  const { security, set } = await house({
    anonymous: { username: 'nobody', roles: ['transport_client'], authzException: true },
  });
  const elastic = (await security.admit(basic('elastic', 'changeme'))).authentication!;
  const made = await security.apiKeys.create(
    { name: 'proxy', lifetimeMs: null, roles: [], metadata: {}, visible: 'now' },
    elastic,
  );
  set('securityUsers', { bob: await user('bob-secret', ['viewer']) });
  const subject = await security.admit(
    arrival({ authorization: `ApiKey ${String(made['encoded'])}`, 'es-security-runas-user': 'bob' }),
  );
  assert.deepEqual(
    [nameOf(subject), subject.authentication!.apiKey, subject.roles.map(({ name }) => name)],
    ['bob', null, ['viewer', 'transport_client']],
  );
  assert.ok(!subject.permissions.allowsCluster('cluster:admin/settings/update'));
  assert.ok(!subject.permissions.indexAccess('indices:data/write/index').allows('logs'));
  const bobs = await security.apiKeys.create(
    { name: 'd', lifetimeMs: null, roles: [], metadata: {}, visible: 'now' },
    subject.authentication!,
  );
  const byKey = await security.admit(arrival({ authorization: `ApiKey ${String(bobs['encoded'])}` }));
  assert.deepEqual([nameOf(byKey), byKey.roles.map(({ name }) => name)], ['bob', ['viewer', 'transport_client']]);
  assert.deepEqual(
    (await security.apiKeys.update([String(bobs['id'])], { roles: null, metadata: { a: 1 } }, subject.authentication!))
      .updated,
    [bobs['id']],
  );
});

test('a header that names nobody to act as is refused, also after the same login without it', async () => {
  const { security } = await house();
  const nobody = { 'es-security-runas-user': '' };
  const elastic = (await security.admit(basic('elastic', 'changeme'))).authentication!;
  await assert.rejects(
    async () => security.admit(basic('elastic', 'changeme', nobody)),
    refusedWith(/^unable to authenticate user \[elastic\] for REST request \[\/\]$/),
  );
  const made = await security.apiKeys.create(
    { name: 'k', lifetimeMs: null, roles: [], metadata: {}, visible: 'now' },
    elastic,
  );
  const key = { authorization: `ApiKey ${String(made['encoded'])}` };
  await security.admit(arrival(key));
  await assert.rejects(
    async () => security.admit(arrival({ ...key, ...nobody })),
    refusedWith(new RegExp(`^unable to authenticate user \\[${String(made['id'])}\\] for`)),
  );
  const granted = await security.tokens.grant(elastic, elastic, false);
  assert.ok('granted' in granted);
  await assert.rejects(
    async () => security.admit(arrival({ authorization: `Bearer ${granted.granted.accessToken}`, ...nobody })),
    refusedWith(/^unable to authenticate user \[_bearer_token\] for/),
  );
  const { security: without } = await house({ runAsEnabled: false });
  assert.equal(nameOf(await without.admit(basic('elastic', 'changeme', nobody))), 'elastic');
  const { security: open } = await house({ anonymous: { username: 'guest', roles: ['viewer'], authzException: true } });
  assert.equal(nameOf(await open.admit(arrival(nobody))), 'guest');
});

test('a service account acts as nobody else: what it asks for there is not looked at', async () => {
  const { security, set } = await house();
  const { text, secret } = newServiceToken(seededRandom(3), 'elastic/kibana', 't');
  set('securityServiceTokens', { 'elastic/kibana/t': { hash: secretHash(secret) } });
  for (const name of ['elastic', ''])
    assert.equal(
      nameOf(await security.admit(arrival({ authorization: `Bearer ${text}`, 'es-security-runas-user': name }))),
      'elastic/kibana',
    );
});

test('an API key is accepted until it expires or is invalidated, and may do what its owner could', async () => {
  const { security, clock } = await house();
  const elastic = (await security.admit(basic('elastic', 'changeme'))).authentication!;
  const made = await security.apiKeys.create(
    { name: 'k', lifetimeMs: 60_000, roles: [], metadata: {}, visible: 'now' },
    elastic,
  );
  const key = arrival({ authorization: `ApiKey ${String(made['encoded'])}` });
  const subject = await security.admit(key);
  assert.deepEqual(
    [
      subject.authentication!.type,
      subject.authentication!.apiKey!.name,
      subject.permissions.allowsCluster('cluster:monitor/health'),
    ],
    ['api_key', 'k', true],
  );
  assert.ok(!(security.admit(key) instanceof Promise));
  await security.apiKeys.invalidate({
    ids: [String(made['id'])],
    name: null,
    username: null,
    realmName: null,
    activeOnly: false,
  });
  await assert.rejects(
    async () => security.admit(key),
    (error: { meta: Record<string, unknown> }) =>
      error.meta['additional_unsuccessful_credentials'] ===
      `API key: api key [${String(made['id'])}] has been invalidated`,
  );
  const short = await security.apiKeys.create(
    { name: 's', lifetimeMs: 60_000, roles: [], metadata: {}, visible: 'now' },
    elastic,
  );
  const second = arrival({ authorization: `ApiKey ${String(short['encoded'])}` });
  await security.admit(second);
  clock.advance(60_000);
  await assert.rejects(
    async () => security.admit(second),
    (error: { meta: Record<string, unknown> }) =>
      error.meta['additional_unsuccessful_credentials'] === 'API key: api key is expired',
  );
});

test('a key that is invalidated while it is being checked is not known afterwards', async () => {
  const stored = memoryDocuments();
  let hold: Promise<void> | null = null;
  let release: () => void = () => undefined;
  const documents: typeof stored = {
    ...stored,
    async get(index, id) {
      const waiting = hold;
      hold = null;
      const found = await stored.get(index, id);
      await waiting;
      return found;
    },
  };
  const { security } = await house({}, {}, documents);
  const elastic = (await security.admit(basic('elastic', 'changeme'))).authentication!;
  const made = await security.apiKeys.create(
    { name: 'k', lifetimeMs: null, roles: [], metadata: {}, visible: 'now' },
    elastic,
  );
  const key = arrival({ authorization: `ApiKey ${String(made['encoded'])}` });
  hold = new Promise((resolve) => (release = resolve));
  const admitted = security.admit(key);
  await security.apiKeys.invalidate({
    ids: [String(made['id'])],
    name: null,
    username: null,
    realmName: null,
    activeOnly: false,
  });
  release();
  await admitted;
  await assert.rejects(
    async () => security.admit(key),
    (error: { meta: Record<string, unknown> }) =>
      error.meta['additional_unsuccessful_credentials'] ===
      `API key: api key [${String(made['id'])}] has been invalidated`,
  );
});

test('keys and tokens that ended long ago are removed when new ones are made', async () => {
  const { security, clock } = await house();
  const elastic = (await security.admit(basic('elastic', 'changeme'))).authentication!;
  const make = (name: string) =>
    security.apiKeys.create({ name, lifetimeMs: 60_000, roles: [], metadata: {}, visible: 'now' }, elastic);
  const old = await make('old');
  clock.advance(604_800_000);
  await make('recent');
  const ids = async (): Promise<unknown[]> =>
    (
      await security.apiKeys.find({ ids: null, name: null, username: null, realmName: null, activeOnly: false }, false)
    ).map(({ id }) => id);
  assert.ok((await ids()).includes(old['id']));
  clock.advance(3_600_001);
  await make('next');
  assert.ok(!(await ids()).includes(old['id']));
});

test("a key that a key makes may do nothing, and changes are the owner's", async () => {
  const { security } = await house();
  const elastic = (await security.admit(basic('elastic', 'changeme'))).authentication!;
  const made = await security.apiKeys.create(
    { name: 'k', lifetimeMs: null, roles: [], metadata: {}, visible: 'now' },
    elastic,
  );
  const byKey = (await security.admit(arrival({ authorization: `ApiKey ${String(made['encoded'])}` }))).authentication!;
  await assert.rejects(
    security.apiKeys.create({ name: 'd', lifetimeMs: null, roles: [], metadata: {}, visible: 'now' }, byKey),
    /derived api keys/,
  );
  const changed = await security.apiKeys.update(
    [String(made['id']), 'gone'],
    { roles: null, metadata: { a: 1 } },
    elastic,
  );
  assert.deepEqual([changed.updated, [...changed.problems.keys()]], [[made['id']], ['gone']]);
  assert.deepEqual(
    (await security.apiKeys.update([String(made['id'])], { roles: null, metadata: { a: 1 } }, elastic)).noops,
    [made['id']],
  );
});

test('a token is accepted until it expires, its refresh token works once', async () => {
  const { security, clock } = await house();
  const elastic = (await security.admit(basic('elastic', 'changeme'))).authentication!;
  const first = await security.tokens.grant(elastic, elastic, true);
  assert.ok('granted' in first);
  const bearer = (text: string): Arrival => arrival({ authorization: `Bearer ${text}` });
  const subject = await security.admit(bearer(first.granted.accessToken));
  assert.deepEqual([nameOf(subject), subject.authentication!.type], ['elastic', 'token']);
  const second = await security.tokens.refresh(first.granted.refreshToken!, elastic);
  assert.ok('granted' in second);
  assert.deepEqual(await security.tokens.refresh(first.granted.refreshToken!, elastic), {
    refused: { error: 'invalid_grant', description: 'token has already been refreshed' },
  });
  assert.equal((await security.tokens.invalidate({ accessToken: second.granted.accessToken })).invalidated, 1);
  await assert.rejects(async () => security.admit(bearer(second.granted.accessToken)), refusedWith(/^token expired$/));
  clock.advance(1_200_000);
  await assert.rejects(async () => security.admit(bearer(first.granted.accessToken)), refusedWith(/^token expired$/));
  await assert.rejects(
    async () => security.admit(bearer('rubbish')),
    refusedWith(/unable to authenticate with provided credentials/),
  );
});

test(
  'a token made while acting as another user is of that user and keeps who acts, who must go on to be there and to ' +
    'be let',
  async () => {
    const { security, set } = await house();
    const proxy = await user('amy-secret', ['proxy']);
    const bob = await user('bob-secret', ['viewer']);
    set('securityRoles', { proxy: { run_as: ['bob'] } });
    set('securityUsers', { amy: proxy, bob });
    const acting = (await security.admit(basic('amy', 'amy-secret', { 'es-security-runas-user': 'bob' })))
      .authentication!;
    const first = await security.tokens.grant(acting, acting, true);
    assert.ok('granted' in first);
    const second = await security.tokens.refresh(first.granted.refreshToken!, acting);
    assert.ok('granted' in second);
    for (const { granted } of [first, second])
      assert.deepEqual(
        [granted.authentication.user.username, granted.authentication.runAsBy?.username, granted.authentication.type],
        ['bob', 'amy', 'token'],
      );
    const shown = (name?: string): Arrival =>
      arrival({
        authorization: `Bearer ${second.granted.accessToken}`,
        ...(name === undefined ? {} : { 'es-security-runas-user': name }),
      });
    for (const name of [undefined, 'elastic', '']) {
      const subject = await security.admit(shown(name));
      const { runAsBy, type, realm, lookupRealm } = subject.authentication!;
      assert.deepEqual(
        [
          nameOf(subject),
          runAsBy?.username,
          type,
          realm.type,
          lookupRealm.type,
          subject.roles.map((role) => role.name),
        ],
        ['bob', 'amy', 'token', 'native', 'native', ['viewer']],
      );
      assert.equal(security.actingAs(subject.authentication!, 'elastic'), null);
    }
    set('securityRoles', { proxy: { run_as: ['carl'] } });
    await assert.rejects(
      async () => security.admit(shown()),
      (error: { status: number; reason: string }) =>
        error.status === 403 && error.reason.endsWith('because user [amy] is unauthorized to run as [bob]'),
    );
    set('securityRoles', { proxy: { run_as: ['bob'] } });
    assert.equal(nameOf(await security.admit(shown())), 'bob');
    set('securityUsers', { amy: { ...proxy, enabled: false }, bob });
    await assert.rejects(async () => security.admit(shown()), { status: 401 });
    set('securityUsers', { amy: proxy });
    await assert.rejects(async () => security.admit(shown()), { status: 401 });
  },
);

test('a certificate names a user, and nobody gets in by writing its name into a header', async () => {
  const realms = parseRealms(new Map([['xpack.security.authc.realms.pki.pki1.order', '1']]));
  const { security, set } = await house({ realms });
  set('securityRoleMappings', {
    m: { enabled: true, roles: ['viewer'], rules: { field: { dn: 'CN=anna,O=example' } }, metadata: {} },
  });
  const shown = { certificateSubject: 'CN=anna,O=example' };
  const { user: anna } = (await security.admit(arrival({}, shown))).authentication!;
  assert.deepEqual([anna.username, anna.roles], ['anna', ['viewer']]);
  for (const authorization of ['certificate CN=anna,O=example', 'CN=anna,O=example'])
    assert.throws(() => security.admit(arrival({ authorization })), refusedWith(/missing authentication credentials/));
});

test('the token of a service account stands for the account as long as the state has it', async () => {
  const { security, set } = await house();
  const { text, secret } = newServiceToken(seededRandom(9), 'elastic/kibana', 't');
  assert.match(text, /^AAEAAWVsYXN0aWM/);
  set('securityServiceTokens', { 'elastic/kibana/t': { hash: secretHash(secret) } });
  assert.equal(
    (await security.admit(arrival({ authorization: `Bearer ${text}` }))).authentication!.serviceAccount,
    'elastic/kibana',
  );
  set('securityServiceTokens', {});
  await assert.rejects(
    async () => security.admit(arrival({ authorization: `Bearer ${text}` })),
    refusedWith(/unable to authenticate/),
  );
});

test(
  'before the first cluster state nobody is refused for good: ' + '503 instead of 401, and nothing is remembered',
  async () => {
    const { security, set, setVersion } = await house();
    set('securityUsers', { bob: await user('secret-1', ['viewer']) });
    setVersion(0);
    set('securityUsers', {});
    await assert.rejects(async () => security.admit(basic('bob', 'secret-1')), { status: 503 });
    set('securityUsers', { bob: await user('secret-1', ['viewer']) });
    setVersion(1);
    assert.equal(nameOf(await security.admit(basic('bob', 'secret-1'))), 'bob');
  },
);
