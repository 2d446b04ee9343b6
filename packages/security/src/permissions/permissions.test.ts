import assert from 'node:assert/strict';
import test from 'node:test';
import { emptyState } from '@shoal/state';
import fc from 'fast-check';
import type { Authentication, User } from '../authentication.js';
import type { RoleDescriptor } from '../role-descriptor.js';
import { BUILT_IN_ROLES } from '../roles/built-in-roles.js';
import { parseRoleDescriptor } from '../roles/parse-role.js';
import { createSubject } from './create-subject.js';
import { hasPrivileges, parsePrivilegeQuestions } from './has-privileges.js';
import { privilegesCover } from './privileges-cover.js';
import { mayCall } from './own-actions.js';
import { permissionsOf } from './permissions-of.js';
import { userPrivileges } from './user-privileges.js';

const SEARCH = 'indices:data/read/search';
const realm = { name: 'native', type: 'native' };

function user(...roles: string[]): User {
  return { username: 'bob', roles, fullName: null, email: null, metadata: { team: 'a"b' }, enabled: true };
}

function login(...roles: string[]): Authentication {
  return {
    user: user(...roles),
    realm,
    lookupRealm: realm,
    type: 'realm',
    apiKey: null,
    runAsBy: null,
    serviceAccount: null,
  };
}

const state = emptyState();
const role = (name: string, json: Record<string, unknown>): RoleDescriptor => parseRoleDescriptor(name, json);
const on = (names: string[], privileges: string[], more: Record<string, unknown> = {}): Record<string, unknown> => ({
  indices: [{ names, privileges, ...more }],
});
const CREATED = { metadata: {}, creatorRealm: { name: 'native', type: 'native' } };
const permissions = (roles: RoleDescriptor[], limitedBy: RoleDescriptor[] | null = null) =>
  permissionsOf(roles, limitedBy, user());

test('the superuser may do everything, on restricted indices only look', () => {
  const { permissions: all } = createSubject(login('superuser'), state);
  assert.ok(all.allowsCluster('cluster:admin/xpack/security/user/put'));
  assert.ok(all.indexAccess('indices:admin/delete').allows('logs'));
  assert.ok(!all.indexAccess('indices:admin/delete').allows('.security-7'));
  assert.ok(all.indexAccess(SEARCH).allows('.security-7'));
});

test('the global section of a role grants actions for some applications alone', () => {
  const put = 'cluster:admin/xpack/security/privilege/put';
  const kibana = createSubject(login('kibana_system'), state);
  assert.ok(mayCall(kibana, put) && kibana.permissions.allowsForApplications(put, ['kibana-.kibana']));
  assert.ok(
    !kibana.permissions.allowsForApplications(put, ['kibana-.kibana', 'shop']) &&
      !kibana.permissions.allowsForApplications(put, []),
  );
  assert.ok(kibana.permissions.allowsForApplications('cluster:admin/xpack/security/profile/put/data', ['kibana']));
  assert.ok(!mayCall(createSubject(login('viewer'), state), put));
  const all = permissions([role('apps', { global: { application: { manage: { applications: ['*'] } } } })]);
  assert.ok(
    all.allowsForApplications(put, []) &&
      !all.allowsForSomeApplication('cluster:admin/xpack/security/profile/put/data'),
  );
  assert.ok(
    !permissions(
      [role('apps', { global: { application: { manage: { applications: ['*'] } } } })],
      [role('less', {})],
    ).allowsForApplications(put, ['shop']),
  );
});

test('a global section with what 8.12 does not know is refused', () => {
  for (const global of [
    { applications: {} },
    { application: { read: {} } },
    { application: { manage: { applications: 'a' } } },
    { profile: { write: { names: [] } } },
    { profile: 1 },
  ]) {
    assert.throws(() => role('r', { global }), { status: 400, message: /failed to parse privilege/ });
  }
});

test('a denial names the caller, its roles and the privileges that would grant the action', () => {
  const subject = createSubject(login('viewer', 'gone'), state);
  assert.equal(
    subject.permissions.indexAccess('indices:data/write/bulk[s]').refuse(['i']).reason,
    'action [indices:data/write/bulk[s]] is unauthorized for user [bob] with effective roles [viewer] (assigned ' +
      'roles [gone] were not found) on indices [i], this action is granted by the index privileges ' +
      '[create_doc,create,delete,index,write,all]',
  );
  assert.equal(
    subject.denied('cluster:admin/settings/update').reason,
    'action [cluster:admin/settings/update] is unauthorized for user [bob] with effective roles [viewer] (assigned ' +
      'roles [gone] were not found), this action is granted by the cluster privileges [manage,all]',
  );
  assert.match(
    subject.denied('indices:admin/refresh', ['.security-7']).reason!,
    /on restricted indices \[\.security-7\], this action is granted by the index privileges \[maintenance,manage,all\]/,
  );
});

test('an API key may do what its own roles and those of its owner both grant', () => {
  const owner = [BUILT_IN_ROLES.get('viewer')!];
  const key = {
    id: 'k',
    name: 'n',
    roleDescriptors: [role('r', { cluster: ['all'], ...on(['logs-*', '.hidden'], ['all']) })],
    limitedBy: owner,
    ...CREATED,
  };
  const { permissions: own, denied } = createSubject({ ...login(), type: 'api_key', apiKey: key }, state);
  assert.ok(own.indexAccess(SEARCH).allows('logs-1'));
  assert.ok(!own.indexAccess(SEARCH).allows('other'));
  assert.ok(!own.indexAccess(SEARCH).allows('.hidden'));
  assert.ok(!own.allowsCluster('cluster:monitor/health'));
  assert.match(
    denied('cluster:monitor/health').reason!,
    new RegExp(
      '^action \\[cluster:monitor/health\\] is unauthorized for API key id \\[k\\] of user \\[bob\\], ' +
        'this action is granted by the cluster privileges \\[monitor,manage,all\\]$',
    ),
  );
});

test('documents and fields are limited unless one of the roles shows all', () => {
  const byTeam = role(
    'team',
    on(['logs'], ['read'], {
      query: { template: { source: { term: { team: '{{_user.metadata.team}}' } } } },
      field_security: { grant: ['a*'], except: ['ab'] },
    }),
  );
  const byUser = role('user', on(['logs'], ['read'], { query: '{"term":{"user":"x"}}' }));
  const writer = role('writer', on(['logs'], ['write']));
  const whole = role('whole', on(['logs'], ['read']));
  assert.deepEqual(permissions([byTeam, byUser, writer]).indexAccess(SEARCH).limits(['logs']), {
    queries: [['{"term":{"team":"a\\"b"}}', '{"term":{"user":"x"}}']],
    fields: [],
  });
  assert.deepEqual(permissions([byTeam]).indexAccess(SEARCH).limits(['logs'])?.fields, [
    [{ grant: ['a*'], except: ['ab'] }],
  ]);
  assert.equal(permissions([byTeam, whole]).indexAccess(SEARCH).limits(['logs']), null);
  assert.deepEqual(permissions([byTeam], [byUser]).indexAccess(SEARCH).limits(['logs'])?.queries.length, 2);
});

test('names in roles are wildcards and regular expressions', () => {
  const access = permissions([role('r', on(['a?c', '/x[0-9]+/', 'lit.eral', '*-end'], ['read']))]).indexAccess(SEARCH);
  for (const name of ['abc', 'x12', 'lit.eral', 'the-end']) assert.ok(access.allows(name), name);
  for (const name of ['ac', 'x', 'litxeral', 'end']) assert.ok(!access.allows(name), name);
});

test('calls about oneself need no privilege, others one that is granted somewhere', () => {
  const nobody = createSubject(login(), state);
  assert.ok(mayCall(nobody, 'cluster:admin/xpack/security/user/authenticate'));
  assert.ok(!mayCall(nobody, 'cluster:monitor/health'));
  assert.ok(!mayCall(nobody, SEARCH));
  assert.ok(mayCall(createSubject(login('viewer'), state), SEARCH));
});

test('questions about privileges are answered one by one', () => {
  const subject = createSubject(login('viewer', 'monitoring_user'), state);
  const body = {
    cluster: ['monitor', 'cluster:monitor/main'],
    index: [{ names: ['logs-*', '.kibana', '*'], privileges: ['read', 'write'] }],
  };
  assert.deepEqual(hasPrivileges(subject, parsePrivilegeQuestions(body), state), {
    username: 'bob',
    has_all_requested: false,
    cluster: { monitor: false, 'cluster:monitor/main': true },
    index: {
      'logs-*': { read: true, write: false },
      '.kibana': { read: false, write: false },
      '*': { read: false, write: false },
    },
    application: {},
  });
  const everything = { ...body, index: [{ names: ['logs-*', '*'], privileges: ['read', 'write'] }] };
  assert.equal(
    hasPrivileges(createSubject(login('superuser'), state), parsePrivilegeQuestions(everything), state)[
      'has_all_requested'
    ],
    true,
  );
  assert.throws(
    () => hasPrivileges(subject, parsePrivilegeQuestions({ cluster: ['fly'] }), state),
    /unknown cluster privilege \[fly\]\. a privilege must be either one of the predefined cluster privilege names \[/,
  );
});

test('all privileges of an application stand for those that are not registered, too', () => {
  const asked = parsePrivilegeQuestions({
    application: [{ application: 'shop', privileges: ['buy', 'sell:all'], resources: ['*'] }],
  });
  const answer = (who: Authentication): unknown => hasPrivileges(createSubject(who, state), asked, state);
  const granted = { shop: { '*': { buy: true, 'sell:all': true } } };
  const answered = answer(login('superuser')) as { has_all_requested: boolean; application: unknown };
  assert.deepEqual([answered.has_all_requested, answered.application], [true, granted]);
  assert.deepEqual((answer(login('viewer')) as { application: unknown }).application, {
    shop: { '*': { buy: false, 'sell:all': false } },
  });
});

test('registered privileges of applications stand for their actions', () => {
  const entry = { application: 'kibana-.kibana', name: 'read', actions: ['ui:read', 'api:get'], metadata: {} };
  const withApps = { ...state, customs: new Map([['securityPrivileges', { 'kibana-.kibana:read': entry }]]) };
  const ask = (...privileges: string[]) =>
    hasPrivileges(
      createSubject(login('viewer'), withApps),
      parsePrivilegeQuestions({ application: [{ application: 'kibana-.kibana', privileges, resources: ['*'] }] }),
      withApps,
    )['application'];
  assert.deepEqual(ask('read', 'ui:read', 'ui:write'), {
    'kibana-.kibana': { '*': { read: true, 'ui:read': true, 'ui:write': false } },
  });
});

test('what a user may do is listed', () => {
  const shown = userPrivileges(createSubject(login('superuser'), state));
  assert.deepEqual(shown['cluster'], ['all']);
  assert.deepEqual(shown['run_as'], ['*']);
  assert.equal((shown['indices'] as unknown[]).length, 2);
});

const names = fc.constantFrom('a', 'ab', 'abc', 'b', 'ba', '.security-7');
const patterns = fc.constantFrom('a', 'a*', '*b', '?', '/a|b/', '*', 'ab?');
const granted = fc.array(
  fc.record({
    names: fc.array(patterns, { minLength: 1, maxLength: 2 }),
    privileges: fc.array(fc.constantFrom('read', 'write', 'all', 'none', 'manage'), { minLength: 1, maxLength: 2 }),
    allow_restricted_indices: fc.boolean(),
  }),
  { maxLength: 3 },
);
const action = fc.constantFrom(SEARCH, 'indices:data/write/index', 'indices:admin/delete', 'indices:monitor/stats');

test('roles together allow what one of them allows, limited roles what both allow', () => {
  fc.assert(
    fc.property(granted, granted, names, action, (first, second, name, asked) => {
      const a = role('a', { indices: first });
      const b = role('b', { indices: second });
      const allows = (roles: RoleDescriptor[], limitedBy: RoleDescriptor[] | null = null): boolean =>
        permissions(roles, limitedBy).indexAccess(asked).allows(name);
      assert.equal(allows([a, b]), allows([a]) || allows([b]));
      assert.equal(allows([a], [b]), allows([a]) && allows([b]));
    }),
  );
});

test('a pattern that is covered has no name that is not allowed', () => {
  fc.assert(
    fc.property(granted, patterns, names, (entries, pattern, name) => {
      const subject = createSubject(
        {
          ...login(),
          type: 'api_key',
          apiKey: { id: 'k', name: 'k', roleDescriptors: [], limitedBy: [role('a', { indices: entries })], ...CREATED },
        },
        state,
      );
      const question = parsePrivilegeQuestions({
        index: [{ names: [pattern], privileges: ['read'], allow_restricted_indices: true }],
      });
      const covered = (hasPrivileges(subject, question, state)['index'] as Record<string, { read: boolean }>)[pattern]!
        .read;
      const inPattern = permissions([role('p', on([pattern], ['read'], { allow_restricted_indices: true }))])
        .indexAccess(SEARCH)
        .allows(name);
      if (covered && inPattern) assert.ok(subject.permissions.indexAccess(SEARCH).allows(name));
    }),
  );
});

test('patterns that would take long to compare are refused, not compared', () => {
  const { permissions: own, ...rest } = createSubject(login('viewer'), state);
  const ask = (name: string) =>
    hasPrivileges(
      { permissions: own, ...rest },
      parsePrivilegeQuestions({ index: [{ names: [name], privileges: ['read'] }] }),
      state,
    );
  assert.throws(() => ask('a'.repeat(2000)), /longer than \[1000\] characters/);
  assert.throws(() => ask(`/${'(a|b)*a'.repeat(1)}${'(a|b)'.repeat(40)}/`), /complex|effort/);
  const names = Array.from({ length: 101 }, (_, i) => `n${i}`);
  assert.throws(
    () => parsePrivilegeQuestions({ index: [{ names, privileges: names }] }),
    /more than \[10000\] privileges/,
  );
});

test('a name that grants more than an index has does not fit the index', () => {
  const roles = [
    role('r', {
      indices: [
        { names: ['pay*'], privileges: ['manage'] },
        { names: ['mine-*'], privileges: ['all'] },
        { names: ['pay', 'seen-*'], privileges: ['read'] },
        { names: ['stream'], privileges: ['all'] },
      ],
    }),
  ];
  const fits = (held: string[], name: string, limitedBy: RoleDescriptor[] | null = null): boolean =>
    privilegesCover(permissions(roles, limitedBy), held, name);
  assert.deepEqual(
    [
      fits(['pay'], 'mine-1'),
      fits(['payroll'], 'seen-1'),
      fits(['pay'], 'seen-1'),
      fits(['pay'], 'elsewhere'),
      fits(['mine-1'], 'pay'),
    ],
    [false, false, true, true, true],
  );
  assert.ok(fits(['.ds-stream-1', 'stream'], 'mine-1'));
  assert.ok(!fits(['mine-1'], 'mine-2', [role('limit', on(['mine-2'], ['read']))]));
});
