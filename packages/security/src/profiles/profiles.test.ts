import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Authentication } from '../authentication.js';
import { memoryDocuments } from '../memory-documents.js';
import { createProfiles, type Profiles } from './profiles.js';

const realm = { name: 'native', type: 'native' };

function login(
  type: Authentication['type'] = 'realm',
  roles: readonly string[] = ['editor'],
  email: string | null = null,
): Authentication {
  const user = { username: 'juan', roles, fullName: 'Juan Pérez', email, metadata: {}, enabled: true };
  return { user, realm, lookupRealm: realm, type, apiKey: null, runAsBy: null, serviceAccount: null };
}

/** Profiles with a clock that the test sets. */
function open(): { profiles: Profiles; time: { nowMs: number } } {
  const time = { nowMs: 1_000 };
  const clock = { now: () => time.nowMs };
  return { profiles: createProfiles({ documents: memoryDocuments(), clock }), time };
}

async function one(profiles: Profiles, uid: string): Promise<Record<string, unknown>> {
  const found = (await profiles.find([uid])).get(uid);
  return found!.source['user_profile'] as Record<string, unknown>;
}

test('a login makes a profile, a later one brings it up to date, and it is the same profile', async () => {
  const { profiles, time } = open();
  const first = await profiles.activate(login());
  assert.deepEqual(first, {
    uid: first['uid'],
    enabled: true,
    last_synchronized: 1_000,
    user: { username: 'juan', roles: ['editor'], realm_name: 'native', full_name: 'Juan Pérez' },
    labels: {},
    data: {},
    _doc: { _primary_term: 1, _seq_no: 0 },
  });
  assert.match(String(first['uid']), /^u_[\w-]{43}_0$/);
  time.nowMs += 1_000;
  assert.deepEqual(await profiles.activate(login('token')), first);
  const changed = await profiles.activate(login('realm', ['viewer'], 'juan@example.com'));
  assert.deepEqual(
    [changed['uid'], changed['last_synchronized'], changed['user']],
    [
      first['uid'],
      2_000,
      { username: 'juan', roles: ['viewer'], realm_name: 'native', email: 'juan@example.com', full_name: 'Juan Pérez' },
    ],
  );
  await assert.rejects(profiles.activate(login('api_key')), { status: 400 });
});

test('a login whose write takes longer than a profile stays fresh ends all the same', async () => {
  const time = { nowMs: 1_000 };
  const clock = { now: () => time.nowMs };
  const documents = memoryDocuments();
  const late = <T>(written: Promise<T>): Promise<T> => written.finally(() => (time.nowMs += 31_000));
  const profiles = createProfiles({
    documents: {
      ...documents,
      create: (...args) => late(documents.create(...args)),
      replace: (...args) => late(documents.replace(...args)),
    },
    clock,
  });
  assert.equal((await profiles.activate(login()))['last_synchronized'], 1_000);
  assert.equal((await profiles.activate(login()))['last_synchronized'], 32_000);
});

test('two logins at once make one profile', async () => {
  const { profiles } = open();
  const [a, b] = await Promise.all([profiles.activate(login()), profiles.activate(login())]);
  assert.deepEqual(a, b);
});

test('labels and data are merged and stay over logins, and a login enables what was disabled', async () => {
  const { profiles, time } = open();
  const uid = String((await profiles.activate(login()))['uid']);
  const change = { ifSeqNo: null, ifPrimaryTerm: null, visible: 'now' } as const;
  await profiles.change(uid, {
    ...change,
    labels: { kibana: { space: 'a' } },
    data: { kibana: { theme: { dark: true } } },
  });
  await profiles.change(uid, { ...change, labels: {}, data: { kibana: { theme: { size: 2 } } } });
  await profiles.setEnabled(uid, false, 'now');
  assert.deepEqual([(await one(profiles, uid))['enabled']], [false]);
  time.nowMs += 1;
  assert.equal((await profiles.activate(login()))['enabled'], true);
  const { labels, application_data: data } = await one(profiles, uid);
  assert.deepEqual([labels, data], [{ kibana: { space: 'a' } }, { kibana: { theme: { dark: true, size: 2 } } }]);
});

test('a profile that does not exist, or not in the version asked for, is not changed', async () => {
  const { profiles } = open();
  const uid = String((await profiles.activate(login()))['uid']);
  const change = { labels: {}, data: { app: 1 }, visible: 'now' } as const;
  await assert.rejects(profiles.change('u_other_0', { ...change, ifSeqNo: null, ifPrimaryTerm: null }), {
    type: 'document_missing_exception',
    status: 404,
  });
  await assert.rejects(profiles.change(uid, { ...change, ifSeqNo: 5, ifPrimaryTerm: 1 }), {
    type: 'version_conflict_engine_exception',
    status: 409,
  });
  await profiles.change(uid, { ...change, ifSeqNo: 0, ifPrimaryTerm: 1 });
  assert.deepEqual((await one(profiles, uid))['application_data'], { app: 1 });
});
