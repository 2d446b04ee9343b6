import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf, mappingResult, type TestedUser, testRules, type UserFacts } from './mapping-rules.js';

const USER: TestedUser = {
  username: 'nina',
  dn: 'cn=nina,dc=example',
  groups: 'admins\n ops \n',
  realm: 'ldap1',
  metadata: '{"level":3,"teams":["red","blue"],"none":null}',
};
const facts = factsOf(USER) as UserFacts;

test('rules hold as in the cluster', () => {
  const table: readonly (readonly [rules: unknown, holds: boolean | null])[] = [
    [{ field: { username: '*' } }, true],
    [{ field: { username: 'ni?a' } }, true],
    [{ field: { username: 'ni\\?a' } }, false],
    [{ field: { username: ['x', '/n[a-i]na/'] } }, true],
    [{ field: { username: '/nin/' } }, false],
    [{ field: { username: '/n~a/' } }, null],
    [{ field: { groups: 'ops' } }, true],
    [{ field: { 'metadata.level': 3 } }, true],
    [{ field: { 'metadata.teams': 'b*' } }, true],
    [{ field: { 'metadata.none': null } }, true],
    [{ field: { 'metadata.missing': null } }, true],
    [{ field: { 'realm.name': 'a.*' } }, false],
    [{ any: [] }, false],
    [{ all: [] }, true],
    [{ all: [{ field: { groups: 'admins' } }, { except: { field: { username: 'root' } } }] }, true],
    [{ any: [{ field: { username: '/n~a/' } }, { field: { groups: 'ops' } }] }, true],
    [{ all: [{ field: { username: '/n~a/' } }, { field: { groups: 'none' } }] }, false],
  ];
  for (const [rules, holds] of table) assert.deepEqual(testRules(rules, facts), { holds }, JSON.stringify(rules));
});

test('rules that are none are told, and so are metadata', () => {
  for (const rules of [null, [], {}, { field: {} }, { any: {} }, { some: [] }, { field: { a: 1, b: 2 } }])
    assert.ok('problem' in testRules(rules, facts), JSON.stringify(rules));
  let deep: unknown = { field: { username: '*' } };
  for (let i = 0; i < 100; i++) deep = { any: [deep] };
  assert.deepEqual(testRules(deep, facts), { problem: 'The rules are nested too deep.' });
  assert.equal(factsOf({ ...USER, metadata: '{' }), 'The metadata are no JSON.');
  assert.equal(factsOf({ ...USER, metadata: '[]' }), 'The metadata are no object.');
});

test('a mapping tells what it gives', () => {
  const rules = { field: { username: 'nina' } };
  assert.equal(mappingResult({ enabled: true, roles: ['a', 'b'], rules }, facts), 'Gives a, b.');
  assert.equal(mappingResult({ enabled: false, roles: ['a'], rules }, facts), 'Would give a, but is switched off.');
  assert.equal(mappingResult({ enabled: true, roles: ['a'], rules: { any: [] } }, facts), 'The rules do not hold.');
  assert.match(mappingResult({ enabled: true, role_templates: [{}], rules }, facts), /templates make/);
});
