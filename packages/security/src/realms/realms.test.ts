import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyState } from '@shoal/state';
import { mappedRoles, parseRoleMapping } from '../mappings/role-mapping.js';
import { attributeOf } from './pki-realm.js';
import { parseRealms } from './realm-settings.js';

const realms = (settings: Record<string, string>) =>
  parseRealms(new Map(Object.entries(settings).map(([name, value]) => [`xpack.security.authc.realms.${name}`, value])));

test('file and native are there without settings, configured ones follow in their order', () => {
  assert.deepEqual(
    realms({}).map(({ type, name }) => [type, name]),
    [
      ['file', 'default_file'],
      ['native', 'default_native'],
    ],
  );
  const chosen = realms({
    'native.n1.order': '5',
    'pki.p1.order': '2',
    'file.f1.order': '9',
    'file.f1.enabled': 'false',
  });
  assert.deepEqual(
    chosen.map(({ name }) => name),
    ['p1', 'n1'],
  );
});

test('types and settings that are not supported are refused by name', () => {
  assert.throws(
    () => realms({ 'ldap.l.order': '1' }),
    /realms\.ldap\.l\.order\]: realms of type \[ldap\] are not supported/,
  );
  assert.throws(() => realms({ 'magic.m.order': '1' }), /unknown realm type \[magic\]/);
  assert.throws(
    () => realms({ 'pki.p.order': '1', 'pki.p.truststore.path': 'x' }),
    /unknown setting \[xpack\.security\.authc\.realms\.pki\.p\.truststore\.path\]/,
  );
  assert.throws(() => realms({ 'pki.p.enabled': 'true' }), /without order/);
  assert.throws(() => realms({ 'native.a.order': '1', 'native.b.order': '2' }), /only be one realm of type \[native\]/);
  assert.throws(() => realms({ 'native.a.order': '1', 'pki.a.order': '2' }), /two realms have the name \[a\]/);
});

test('a newline in a value begins no attribute', () => {
  assert.equal(attributeOf('O=x\nCN=elastic', 'CN'), null);
  assert.equal(attributeOf('O=x\nCN=elastic,CN=anna', 'CN'), 'anna');
});

test('an attribute of a distinguished name is found with its escapes undone', () => {
  assert.equal(attributeOf('CN=Anna\\, B,O=x', 'cn'), 'Anna, B');
  assert.equal(attributeOf('O=x\\0ACN\\=elastic,CN=anna', 'CN'), 'anna');
  assert.equal(attributeOf('O=x\\0ACN\\=elastic,CN=anna', 'O'), 'x\nCN=elastic');
  assert.equal(attributeOf('CN=\\ anna\\ ', 'CN'), ' anna ');
  assert.equal(attributeOf('CN=anna  , O=x', 'CN'), 'anna');
  assert.equal(attributeOf('O=CN', 'CN'), null);
});

const mapping = (rules: unknown, more = {}): Record<string, unknown> => ({
  roles: ['r'],
  enabled: true,
  rules,
  ...more,
});
const rolesWith = (rules: unknown, facts: Record<string, unknown>): string[] => {
  const state = {
    ...emptyState(),
    customs: new Map([['securityRoleMappings', { m: parseRoleMapping(mapping(rules)) }]]),
  };
  return mappedRoles(state, new Map(Object.entries(facts)));
};

test('rules look at fields, any of them, all of them, and exceptions', () => {
  assert.deepEqual(rolesWith({ field: { username: 'a*' } }, { username: 'anna' }), ['r']);
  assert.deepEqual(rolesWith({ field: { username: ['x', 'b*'] } }, { username: 'anna' }), []);
  assert.deepEqual(rolesWith({ field: { groups: 'staff' } }, { groups: ['guests', 'staff'] }), ['r']);
  assert.deepEqual(rolesWith({ field: { dn: null } }, {}), ['r']);
  assert.deepEqual(
    rolesWith({ any: [{ field: { 'metadata.level': 3 } }, { field: { username: 'x' } }] }, { 'metadata.level': 3 }),
    ['r'],
  );
  assert.deepEqual(
    rolesWith(
      { all: [{ field: { username: '*' } }, { except: { field: { 'realm.name': 'jwt1' } } }] },
      { username: 'a', 'realm.name': 'jwt1' },
    ),
    [],
  );
});

const rolesMade = (source: string, format: string, facts: Record<string, unknown>): string[] => {
  const made = parseRoleMapping({
    enabled: true,
    rules: { field: { username: '*' } },
    role_templates: [{ template: { source }, format }],
  });
  return mappedRoles(
    { ...emptyState(), customs: new Map([['securityRoleMappings', { m: made }]]) },
    new Map(Object.entries(facts)),
  );
};

test('a rule may be a regular expression', () => {
  assert.deepEqual(rolesWith({ field: { dn: '/cn=[a-z]+,ou=(it|hr)/' } }, { dn: 'cn=anna,ou=it' }), ['r']);
  assert.deepEqual(rolesWith({ field: { dn: '/cn=[a-z]+,ou=(it|hr)/' } }, { dn: 'cn=anna,ou=pr' }), []);
});

test('templates make roles of what is known of a user', () => {
  assert.deepEqual(
    rolesMade('user_{{username}}_{{realm.name}}', 'string', { username: 'anna', 'realm.name': 'jwt1' }),
    ['user_anna_jwt1'],
  );
  assert.deepEqual(rolesMade('{{#toJson}}groups{{/toJson}}', 'JSON', { username: 'anna', groups: ['a', 'b'] }), [
    'a',
    'b',
  ]);
  assert.deepEqual(rolesMade('"team_{{metadata.team}}"', 'json', { username: 'anna', 'metadata.team': 'x"y' }), [
    'team_x"y',
  ]);
});

test('a template that makes no names of a user gives no role', () => {
  assert.deepEqual(rolesMade('{{#toJson}}groups{{/toJson}}', 'json', { username: 'anna', groups: [1] }), []);
  assert.deepEqual(rolesMade('[{{username}}', 'json', { username: 'anna' }), []);
});

test('mappings that mean nothing are refused', () => {
  assert.throws(() => parseRoleMapping(mapping({ except: { field: { a: 'b' } } })), /unexpected rule type \[except\]/);
  assert.throws(() => parseRoleMapping(mapping({ field: { a: '/x(/' } })), { name: 'ApiError' });
  assert.throws(() => parseRoleMapping(mapping({ field: { a: 'b', c: 'd' } })), /one field/);
  const templates = (template: unknown, format: unknown, more = {}): unknown =>
    parseRoleMapping({ enabled: true, rules: { field: { a: 'b' } }, role_templates: [{ template, format }], ...more });
  assert.throws(
    () => templates({ source: 'x' }, 'string', { roles: ['r'] }),
    /cannot have both roles and role-templates/,
  );
  assert.throws(() => templates({ id: 'stored' }, 'string'), { name: 'ApiError', status: 400 });
  assert.throws(() => templates({ source: '{{#a}}' }, 'string'), { name: 'ApiError', status: 400 });
  assert.throws(() => templates({ source: 'x' }, 'yaml'), /invalid format \[yaml\]/);
  assert.throws(() => parseRoleMapping(mapping({ field: { a: 'b' } }, { pet: 1 })), /unknown field \[pet\]/);
  assert.throws(() => parseRoleMapping({}), /roles or role-templates are missing;2: role-mapping rules are missing;/);
});
