// API keys, tokens, service accounts, role mappings and caches on three nodes: what one node does the others know.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, test } from 'node:test';
import { Client } from '@elastic/elasticsearch';
import { startCluster } from '../cluster-processes.mjs';
import { basicAuth, call } from '../node-process.mjs';

const JWT = 'xpack.security.authc.realms.jwt.jwt1';
const KEY = 'a key of thirty-two bytes or more';

let cluster;
let nodes;
before(async () => {
  cluster = await startCluster({
    env: { ELASTIC_PASSWORD: 'elastic-secret' },
    auth: 'elastic:elastic-secret',
    settings: {
      'xpack.security.authc.token.enabled': 'true',
      [`${JWT}.order`]: '3',
      [`${JWT}.allowed_issuer`]: 'https://issuer',
      [`${JWT}.allowed_audiences`]: 'shoal',
      [`${JWT}.allowed_signature_algorithms`]: 'HS256',
      [`${JWT}.claims.principal`]: 'sub',
      [`${JWT}.claims.groups`]: 'groups',
      [`${JWT}.client_authentication.type`]: 'none',
      [`${JWT}.hmac_key`]: KEY,
    },
  });
  ({ nodes } = cluster);
});
after(async () => {
  await cluster?.stop();
});

const ok = async (node, method, target, body, headers) => {
  const answer = await call(node, method, target, body, headers);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
};
const apiKey = (encoded) => ({ authorization: `ApiKey ${encoded}` });
const bearer = (token) => ({ authorization: `Bearer ${token}` });

test('a user made on one node logs in on all, and is refused by all once it is gone', async () => {
  await ok(nodes[0], 'PUT', '/_security/user/bob', {
    password: 'bob-secret',
    roles: ['viewer'],
    full_name: 'Bob',
    email: 'b@x',
    metadata: { team: 1 },
  });
  for (const node of nodes)
    assert.equal(
      (await ok(node, 'GET', '/_security/_authenticate', undefined, basicAuth('bob:bob-secret'))).full_name,
      'Bob',
    );
  await ok(nodes[1], 'PUT', '/_security/user/bob/_password', { password: 'bob-other' });
  for (const node of nodes) {
    assert.equal(
      (await call(node, 'GET', '/_security/_authenticate', undefined, basicAuth('bob:bob-secret'))).status,
      401,
    );
    assert.equal(
      (await call(node, 'GET', '/_security/_authenticate', undefined, basicAuth('bob:bob-other'))).status,
      200,
    );
  }
  assert.deepEqual(await ok(nodes[2], 'GET', '/_security/user/bob'), {
    bob: { username: 'bob', roles: ['viewer'], full_name: 'Bob', email: 'b@x', metadata: { team: 1 }, enabled: true },
  });
  await ok(nodes[2], 'DELETE', '/_security/user/bob');
  for (const node of nodes)
    assert.equal(
      (await call(node, 'GET', '/_security/_authenticate', undefined, basicAuth('bob:bob-other'))).status,
      401,
    );
});

test('everybody changes the own password, and nobody else the password of others', async () => {
  await ok(nodes[0], 'PUT', '/_security/user/dora', { password: 'dora-secret', roles: [] });
  const dora = basicAuth('dora:dora-secret');
  assert.equal(
    (await call(nodes[1], 'PUT', '/_security/user/elastic/_password', { password: 'dora-secret' }, dora)).status,
    403,
  );
  await ok(nodes[1], 'PUT', '/_security/user/_password', { password: 'dora-other' }, dora);
  assert.equal(
    (await call(nodes[2], 'PUT', '/_security/user/dora/_password', { password: 'dora-third' }, dora)).status,
    401,
  );
  await ok(nodes[2], 'PUT', '/_security/user/dora/_password', { password: 'dora-third' }, basicAuth('dora:dora-other'));
  assert.equal((await call(nodes[0], 'GET', '/', undefined, basicAuth('dora:dora-third'))).status, 403);
});

test('users that cannot be are refused with the reason', async () => {
  const refused = async (target, body, status, reason) => {
    const answer = await call(nodes[0], 'PUT', target, body);
    assert.deepEqual([answer.status, answer.body.error.reason], [status, reason]);
  };
  await refused(
    '/_security/user/elastic',
    { password: 'some-secret', roles: [] },
    400,
    'user [elastic] is reserved and only the password can be changed',
  );
  await refused(
    '/_security/user/eve',
    { roles: [] },
    400,
    'Validation Failed: 1: password must be specified unless you are updating an existing user;',
  );
  await refused(
    '/_security/user/eve',
    { password: 'short', roles: [] },
    400,
    'Validation Failed: 1: passwords must be at least [6] characters long;',
  );
  await refused(
    '/_security/user/eve',
    { password: 'some-secret', roles: [], pet: 1 },
    400,
    'failed to parse add user request. unexpected field [pet]',
  );
  await refused(
    '/_security/user/eve',
    { password: 'some-secret', roles: [], metadata: { _x: 1 } },
    400,
    'Validation Failed: 1: metadata keys may not start with [_];',
  );
  await refused(
    '/_security/user/eve/_password',
    { password: 'some-secret' },
    400,
    'Validation Failed: 1: user must exist in order to change password;',
  );
  assert.deepEqual((await call(nodes[0], 'GET', '/_security/user/eve')).status, 404);
  assert.deepEqual((await call(nodes[0], 'DELETE', '/_security/user/eve')).body, { found: false });
});

test('an API key works on all nodes with the official client, until one invalidates it', async () => {
  const client = new Client({ node: nodes[0].url, auth: { username: 'elastic', password: 'elastic-secret' } });
  const made = await client.security.createApiKey({
    name: 'shipping',
    expiration: '1d',
    metadata: { app: 'x' },
    role_descriptors: { writer: { indices: [{ names: ['logs-*'], privileges: ['create_index', 'write', 'read'] }] } },
  });
  assert.equal(Buffer.from(made.encoded, 'base64').toString(), `${made.id}:${made.api_key}`);
  for (const node of nodes) {
    const keyed = new Client({ node: node.url, auth: { apiKey: made.encoded } });
    assert.equal((await keyed.index({ index: 'logs-a', document: { a: 1 } })).result, 'created');
    await assert.rejects(
      keyed.cluster.health(),
      (error) => error.statusCode === 403 && /for API key id \[/.test(error.body.error.reason),
    );
    assert.deepEqual((await keyed.security.authenticate()).api_key, { id: made.id, name: 'shipping' });
    await keyed.close();
  }
  const shown = (await client.security.getApiKey({ id: made.id })).api_keys[0];
  assert.deepEqual(
    [shown.name, shown.username, shown.realm, shown.invalidated, shown.metadata],
    ['shipping', 'elastic', 'reserved', false, { app: 'x' }],
  );
  assert.equal((await client.security.queryApiKeys({ query: { term: { 'metadata.app': 'x' } } })).total, 1);
  assert.deepEqual(await client.security.updateApiKey({ id: made.id, metadata: { app: 'y' } }), { updated: true });
  assert.deepEqual((await client.security.invalidateApiKey({ ids: [made.id] })).invalidated_api_keys, [made.id]);
  for (const node of nodes) {
    const answer = await call(node, 'GET', '/', undefined, apiKey(made.encoded));
    assert.deepEqual(
      [answer.status, answer.body.error.additional_unsuccessful_credentials],
      [401, `API key: api key [${made.id}] has been invalidated`],
    );
  }
  await client.close();
});

test('who manages own keys only sees and ends own ones', async () => {
  await ok(nodes[0], 'PUT', '/_security/role/own_keys', { cluster: ['manage_own_api_key'] });
  await ok(nodes[0], 'PUT', '/_security/user/carol', { password: 'carol-secret', roles: ['own_keys'] });
  const carol = basicAuth('carol:carol-secret');
  const others = await ok(nodes[0], 'POST', '/_security/api_key', { name: 'elastics' });
  const own = await ok(nodes[0], 'POST', '/_security/api_key', { name: 'carols' }, carol);
  assert.equal((await call(nodes[1], 'GET', '/_security/api_key', undefined, carol)).status, 403);
  assert.deepEqual(
    (await ok(nodes[1], 'GET', '/_security/api_key?owner=true', undefined, carol)).api_keys.map((key) => key.id),
    [own.id],
  );
  assert.deepEqual(
    (await ok(nodes[1], 'POST', '/_security/_query/api_key', {}, carol)).api_keys.map((key) => key.id),
    [own.id],
  );
  assert.equal((await call(nodes[1], 'DELETE', '/_security/api_key', { ids: [others.id] }, carol)).status, 403);
  assert.deepEqual(
    (await ok(nodes[1], 'DELETE', '/_security/api_key', { ids: [own.id, others.id], owner: true }, carol))
      .invalidated_api_keys,
    [own.id],
  );
  const granted = await ok(nodes[2], 'POST', '/_security/api_key/grant', {
    grant_type: 'password',
    username: 'carol',
    password: 'carol-secret',
    api_key: { name: 'granted' },
  });
  assert.equal(
    (await ok(nodes[0], 'GET', '/_security/_authenticate', undefined, apiKey(granted.encoded))).username,
    'carol',
  );
});

test('a key is granted for the user that the owner of the credentials may act as', async () => {
  await ok(nodes[0], 'PUT', '/_security/role/acts', { cluster: ['manage_token'], run_as: ['erin', 'nobody'] });
  await ok(nodes[0], 'PUT', '/_security/user/dan', { password: 'dan-secret', roles: ['acts'] });
  await ok(nodes[0], 'PUT', '/_security/user/erin', { password: 'erin-secret', roles: ['viewer'] });
  const { access_token } = await ok(nodes[0], 'POST', '/_security/oauth2/token', {
    grant_type: 'password',
    username: 'dan',
    password: 'dan-secret',
  });
  const password = { grant_type: 'password', username: 'dan', password: 'dan-secret' };
  const grant = (node, credentials, more) =>
    call(node, 'POST', '/_security/api_key/grant', { ...credentials, api_key: { name: 'acting' }, ...more });
  for (const credentials of [password, { grant_type: 'access_token', access_token }]) {
    const { status, body } = await grant(nodes[1], credentials, { run_as: 'erin' });
    assert.equal(status, 200, JSON.stringify(body));
    const { username, roles } = await ok(nodes[2], 'GET', '/_security/_authenticate', undefined, apiKey(body.encoded));
    assert.deepEqual([username, roles], ['erin', []]);
    const [key] = (await ok(nodes[0], 'GET', `/_security/api_key?id=${body.id}&with_limited_by=true`)).api_keys;
    assert.deepEqual([key.username, key.realm, Object.keys(key.limited_by[0])], ['erin', 'default_native', ['viewer']]);
  }
  for (const name of ['elastic', 'nobody']) {
    const { status, body } = await grant(nodes[1], password, { run_as: name });
    assert.deepEqual(
      [status, body.error.reason],
      [
        403,
        'action [cluster:admin/xpack/security/user/authenticate] is unauthorized for user [dan] with effective ' +
          `roles [acts], because user [dan] is unauthorized to run as [${name}]`,
      ],
    );
  }
  assert.equal((await grant(nodes[1], { ...password, password: 'wrong-secret' }, { run_as: 'erin' })).status, 401);
  assert.equal((await grant(nodes[1], password, { run_as: '' })).status, 401);
  assert.match(
    (await grant(nodes[1], password, { run_as: 7 })).body.error.reason,
    /run_as doesn't support values of type: VALUE_NUMBER/,
  );
});

test("tokens and keys that are made while acting as another user are that user's", async () => {
  const dan = { ...basicAuth('dan:dan-secret'), 'es-security-runas-user': 'erin' };
  await ok(nodes[0], 'PUT', '/_security/role/makes_own', { cluster: ['manage_token', 'manage_own_api_key'] });
  await ok(nodes[0], 'PUT', '/_security/user/erin', { roles: ['viewer', 'makes_own'] });
  const key = await ok(nodes[1], 'POST', '/_security/api_key', { name: 'erins' }, dan);
  const [shown] = (await ok(nodes[2], 'GET', `/_security/api_key?id=${key.id}&with_limited_by=true`)).api_keys;
  assert.deepEqual(
    [shown.username, shown.realm, Object.keys(shown.limited_by[0]).sort()],
    ['erin', 'default_native', ['makes_own', 'viewer']],
  );
  const { access_token, authentication } = await ok(
    nodes[1],
    'POST',
    '/_security/oauth2/token',
    { grant_type: 'client_credentials' },
    dan,
  );
  assert.deepEqual([authentication.username, authentication.authentication_type], ['erin', 'token']);
  const bearer = { authorization: `Bearer ${access_token}` };
  assert.equal((await ok(nodes[2], 'GET', '/_security/_authenticate', undefined, bearer)).username, 'erin');
  const granted = await call(nodes[0], 'POST', '/_security/api_key/grant', {
    grant_type: 'access_token',
    access_token,
    run_as: 'erin',
    api_key: { name: 'k' },
  });
  assert.deepEqual(
    [granted.status, granted.body.error.reason],
    [400, 'the provided grant credentials do not support run-as'],
  );
  await ok(nodes[0], 'PUT', '/_security/role/acts', { cluster: ['manage_token'] });
  const refused = await call(nodes[2], 'GET', '/_security/_authenticate', undefined, bearer);
  assert.deepEqual(
    [refused.status, refused.body.error.reason],
    [
      403,
      'action [cluster:admin/xpack/security/user/authenticate] is unauthorized for user [dan] with effective roles ' +
        '[acts], because user [dan] is unauthorized to run as [erin]',
    ],
  );
});

test('a grant that lacks something, or has what its kind does not take, is told all of it', async () => {
  const reasonOf = async (body) =>
    (await call(nodes[0], 'POST', '/_security/api_key/grant', { ...body, api_key: { name: 'k' } })).body.error.reason;
  assert.equal(await reasonOf({}), 'Validation Failed: 1: [grant_type] is required;');
  assert.equal(await reasonOf({ grant_type: 'none' }), 'Validation Failed: 1: grant_type [none] is not supported;');
  assert.equal(
    await reasonOf({ grant_type: 'password', access_token: 'x' }),
    'Validation Failed: 1: [username] is required for grant_type [password];2: [password] is required for ' +
      'grant_type [password];3: [access_token] is not supported for grant_type [password];',
  );
});

test('a token is granted, refreshed once, and invalidated for all nodes', async () => {
  const token = await ok(nodes[0], 'POST', '/_security/oauth2/token', {
    grant_type: 'password',
    username: 'elastic',
    password: 'elastic-secret',
  });
  assert.deepEqual([token.type, token.expires_in, token.authentication.authentication_type], ['Bearer', 1200, 'token']);
  assert.equal(
    (await ok(nodes[1], 'GET', '/_security/_authenticate', undefined, bearer(token.access_token))).username,
    'elastic',
  );
  const next = await ok(nodes[2], 'POST', '/_security/oauth2/token', {
    grant_type: 'refresh_token',
    refresh_token: token.refresh_token,
  });
  const again = await call(nodes[1], 'POST', '/_security/oauth2/token', {
    grant_type: 'refresh_token',
    refresh_token: token.refresh_token,
  });
  assert.deepEqual(
    [again.status, again.body],
    [400, { error: 'invalid_grant', error_description: 'token has already been refreshed' }],
  );
  assert.equal(
    (
      await call(nodes[0], 'POST', '/_security/oauth2/token', {
        grant_type: 'password',
        username: 'elastic',
        password: 'wrong-one',
      })
    ).status,
    401,
  );
  assert.deepEqual(await ok(nodes[0], 'DELETE', '/_security/oauth2/token', { token: next.access_token }), {
    invalidated_tokens: 1,
    previously_invalidated_tokens: 0,
    error_count: 0,
  });
  for (const node of nodes) {
    const answer = await call(node, 'GET', '/', undefined, bearer(next.access_token));
    assert.deepEqual([answer.status, answer.body.error.reason], [401, 'token expired']);
    assert.match(answer.headers.get('www-authenticate'), /error="invalid_token"/);
  }
});

test('service accounts have tokens', async () => {
  const { token } = await ok(nodes[0], 'POST', '/_security/service/elastic/kibana/credential/token/t1');
  const who = await ok(nodes[1], 'GET', '/_security/_authenticate', undefined, bearer(token.value));
  assert.deepEqual(
    [who.username, who.authentication_type, who.authentication_realm.type],
    ['elastic/kibana', 'token', '_service_account'],
  );
  assert.equal((await call(nodes[0], 'POST', '/_security/service/elastic/kibana/credential/token/t1')).status, 409);
  assert.deepEqual((await ok(nodes[2], 'GET', '/_security/service/elastic/kibana/credential')).tokens, { t1: {} });
  assert.ok(
    (await ok(nodes[2], 'GET', '/_security/service'))['elastic/fleet-server'].role_descriptor.cluster.includes(
      'monitor',
    ),
  );
  assert.deepEqual(await ok(nodes[2], 'DELETE', '/_security/service/elastic/kibana/credential/token/t1'), {
    found: true,
  });
  assert.equal((await call(nodes[1], 'GET', '/', undefined, bearer(token.value))).status, 401);
});

function jwt(claims) {
  const part = (json) => Buffer.from(JSON.stringify(json)).toString('base64url');
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
  return `${signed}.${createHmac('sha256', KEY).update(signed).digest('base64url')}`;
}

test('a JSON Web Token logs in with the roles that mappings give it', async () => {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: 'https://issuer', aud: 'shoal', sub: 'jane', groups: ['staff'], iat: now, exp: now + 600 };
  assert.deepEqual(
    await ok(nodes[0], 'PUT', '/_security/role_mapping/staff', {
      roles: ['viewer'],
      enabled: true,
      rules: { all: [{ field: { groups: 'sta*' } }, { except: { field: { username: 'joe' } } }] },
    }),
    { role_mapping: { created: true } },
  );
  const jane = await ok(nodes[1], 'GET', '/_security/_authenticate', undefined, bearer(jwt(claims)));
  assert.deepEqual(
    [jane.username, jane.roles, jane.authentication_realm],
    ['jane', ['viewer'], { name: 'jwt1', type: 'jwt' }],
  );
  assert.deepEqual(
    (await ok(nodes[1], 'GET', '/_security/_authenticate', undefined, bearer(jwt({ ...claims, sub: 'joe' })))).roles,
    [],
  );
  for (const wrong of [
    { ...claims, exp: now - 120 },
    { ...claims, aud: 'other' },
    { ...claims, iss: 'x' },
  ])
    assert.equal((await call(nodes[1], 'GET', '/', undefined, bearer(jwt(wrong)))).status, 401);
  assert.equal((await call(nodes[1], 'GET', '/', undefined, bearer(`${jwt(claims).slice(0, -4)}AAAA`))).status, 401);
  await ok(nodes[2], 'DELETE', '/_security/role_mapping/staff');
  assert.deepEqual((await ok(nodes[1], 'GET', '/_security/_authenticate', undefined, bearer(jwt(claims)))).roles, []);
});

test('caches are cleared on all nodes', async () => {
  for (const target of [
    'realm/default_native',
    'role/*',
    'privilege/*',
    'api_key/*',
    'service/elastic/kibana/credential/token/*',
  ]) {
    const cleared = await ok(nodes[0], 'POST', `/_security/${target}/_clear_cache`);
    assert.deepEqual([cleared._nodes.successful, Object.keys(cleared.nodes).length], [3, 3], target);
  }
});

test('keys outlive the node that made them', async () => {
  const made = await ok(nodes[0], 'POST', '/_security/api_key', { name: 'lasting' });
  await ok(nodes[1], 'GET', '/_cluster/health/.security-7?wait_for_status=green&timeout=20s');
  await nodes[0].stop('SIGKILL');
  for (const node of nodes.slice(1))
    assert.equal(
      (await ok(node, 'GET', '/_security/_authenticate', undefined, apiKey(made.encoded))).api_key.name,
      'lasting',
    );
});

test('names and numbers that trip programs are kept as they are', async () => {
  await ok(
    nodes[1],
    'PUT',
    '/_security/user/__proto__',
    '{"password":"proto-secret","roles":["viewer"],"metadata":{"n":12345678901234567890}}',
  );
  const answer = await fetch(`${nodes[2].url}/_security/user/__proto__`, { headers: nodes[2].headers });
  assert.match(await answer.text(), /"n":12345678901234567890/);
  assert.equal(
    (await ok(nodes[2], 'GET', '/_security/_authenticate', undefined, basicAuth('__proto__:proto-secret'))).username,
    '__proto__',
  );
  const made = await ok(nodes[1], 'POST', '/_security/api_key', '{"name":"big","metadata":{"n":12345678901234567890}}');
  const shown = await fetch(`${nodes[2].url}/_security/api_key?id=${made.id}`, { headers: nodes[2].headers });
  assert.match(await shown.text(), /"n":12345678901234567890/);
  for (const name of ['constructor', 'hasOwnProperty', 'toString'])
    assert.equal((await call(nodes[2], 'GET', `/_security/user/${name}`)).status, 404, name);
});
