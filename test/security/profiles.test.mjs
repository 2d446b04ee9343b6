// Profiles of users as a dashboard uses them: it logs its users in, keeps labels and settings for them, and looks for
// others.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { basicAuth, call, startNode } from '../node-process.mjs';

const ELASTIC = 'elastic:first-password';
const KIBANA = 'kibana_system:kibanas-password';
let node;

const as = (auth, method, target, body) => call(node, method, target, body, basicAuth(auth));
const activate = (username, auth = KIBANA) =>
  as(auth, 'POST', '/_security/profile/_activate', {
    grant_type: 'password',
    username,
    password: `${username}s-password`,
  });

before(async () => {
  node = await startNode({
    settings: { 'xpack.security.enabled': true },
    env: { ELASTIC_PASSWORD: 'first-password' },
    auth: ELASTIC,
  });
  await as(ELASTIC, 'POST', '/_security/user/kibana_system/_password', { password: 'kibanas-password' });
  await as(ELASTIC, 'PUT', '/_security/user/anna', {
    password: 'annas-password',
    roles: ['viewer'],
    full_name: 'Anna Jansen',
    email: 'anna@example.com',
  });
  await as(ELASTIC, 'PUT', '/_security/user/juan', {
    password: 'juans-password',
    roles: ['superuser'],
    full_name: 'Juan Pérez',
  });
});
after(() => node.stop());

test('a dashboard sets the privileges of its own applications, and of no other', async () => {
  const privileges = (application) => ({ [application]: { all: { application, name: 'all', actions: ['login:'] } } });
  assert.equal((await as(KIBANA, 'PUT', '/_security/privilege', privileges('kibana-.kibana'))).status, 200);
  assert.equal((await as(KIBANA, 'PUT', '/_security/privilege', privileges('shop'))).status, 403);
  assert.equal((await as(KIBANA, 'DELETE', '/_security/privilege/shop/all')).status, 403);
  assert.equal((await as(KIBANA, 'DELETE', '/_security/privilege/kibana-.kibana/all')).status, 200);
});

test('a login makes a profile that is found by its uid, with the data that is asked for', async () => {
  const { status, body: profile } = await activate('anna');
  assert.deepEqual(
    [status, profile.enabled, profile.user],
    [
      200,
      true,
      {
        username: 'anna',
        roles: ['viewer'],
        realm_name: 'default_native',
        email: 'anna@example.com',
        full_name: 'Anna Jansen',
      },
    ],
  );
  const change = await as(KIBANA, 'POST', `/_security/profile/${profile.uid}/_data`, {
    labels: { kibana: { space: 'demo' } },
    data: { kibana: { theme: 'dark', size: 2 } },
  });
  assert.deepEqual([change.status, change.body], [200, { acknowledged: true }]);
  const read = async (query) => (await as(KIBANA, 'GET', `/_security/profile/${profile.uid},u_none_0${query}`)).body;
  const {
    profiles: [plain],
    errors,
  } = await read('');
  assert.deepEqual(
    [plain.labels, plain.data, errors],
    [
      { kibana: { space: 'demo' } },
      {},
      {
        count: 1,
        details: { u_none_0: { type: 'resource_not_found_exception', reason: 'profile document not found' } },
      },
    ],
  );
  assert.deepEqual((await read('?data=kibana.theme')).profiles[0].data, { kibana: { theme: 'dark' } });
  assert.deepEqual((await read('?data=*')).profiles[0].data, { kibana: { theme: 'dark', size: 2 } });
  const { body: users } = await as(ELASTIC, 'GET', '/_security/user/anna,juan?with_profile_uid=true');
  assert.deepEqual([users.anna.profile_uid, users.juan.profile_uid], [profile.uid, undefined]);
});

test('a login that fails makes none, and who may not ask is told so', async () => {
  const wrong = await as(KIBANA, 'POST', '/_security/profile/_activate', {
    grant_type: 'password',
    username: 'juan',
    password: 'not-his-password',
  });
  assert.equal(wrong.status, 401);
  assert.equal((await activate('juan', 'anna:annas-password')).status, 403);
  assert.equal((await as(KIBANA, 'POST', '/_security/profile/u_x_0/_data', { data: { shop: 1 } })).status, 403);
  assert.equal((await as(KIBANA, 'POST', '/_security/profile/u_x_0/_data', { data: { kibana: 1 } })).status, 404);
  const dotted = await as(ELASTIC, 'POST', '/_security/profile/u_x_0/_data', { data: { 'a.b': 1 }, labels: { _c: 1 } });
  assert.deepEqual(
    [dotted.status, dotted.body.error.reason],
    [
      400,
      'Validation Failed: 1: application name must not contain dot, but found [a.b];2: application name must not ' +
        'start with underscore, but found [_c];',
    ],
  );
});

test('users are suggested by the beginnings of their names, hinted ones first, disabled ones not at all', async () => {
  const { body: juan } = await activate('juan');
  const suggest = async (body) =>
    (await as(KIBANA, 'POST', '/_security/profile/_suggest', body)).body.profiles.map(({ user }) => user.username);
  assert.deepEqual(await suggest({ name: 'jan' }), ['anna']);
  assert.deepEqual(await suggest({ name: 'pér', size: 5, hint: { labels: { direction: ['north', 'east'] } } }), [
    'juan',
  ]);
  assert.deepEqual(await suggest({ hint: { labels: { 'kibana.space': 'demo' } } }), ['anna', 'juan']);
  assert.deepEqual(await suggest({ hint: { uids: [juan.uid] } }), ['juan', 'anna']);
  const may = await as(KIBANA, 'POST', '/_security/profile/_has_privileges', {
    uids: [juan.uid],
    privileges: { cluster: ['all'] },
  });
  assert.deepEqual(may.body, { has_privilege_uids: [juan.uid] });
  assert.equal((await as(ELASTIC, 'PUT', `/_security/profile/${juan.uid}/_disable`)).status, 200);
  assert.deepEqual(await suggest({}), ['anna']);
  assert.deepEqual(
    (
      await as(KIBANA, 'POST', '/_security/profile/_has_privileges', {
        uids: [juan.uid],
        privileges: { cluster: ['all'] },
      })
    ).body,
    { has_privilege_uids: [] },
  );
});
