import assert from 'node:assert/strict';
import test from 'node:test';
import { emptyState } from '@shoal/state';
import { BUILT_IN_ROLES, SERVICE_ACCOUNT_ROLES } from './built-in-roles.js';
import { parseRoleDescriptor } from './parse-role.js';
import { renderRoleDescriptor } from './render-role.js';
import { rolesOf } from './roles-of.js';
import { roleFaults, roleNameFault, validateRole } from './validate-role.js';

const faultOf = (json: unknown): RegExp | string => {
  try {
    parseRoleDescriptor('r', json);
    return 'none';
  } catch (error) {
    return (error as Error).message;
  }
};

test('the roles that come with the product hold privileges and patterns that exist', () => {
  for (const role of [...BUILT_IN_ROLES.values(), ...SERVICE_ACCOUNT_ROLES.values()]) {
    assert.deepEqual(
      roleFaults(role).filter((fault) => !fault.includes('metadata')),
      [],
      role.name,
    );
  }
});

test('a role is shown as it was given', () => {
  const json = {
    cluster: ['monitor'],
    indices: [
      {
        names: ['a*'],
        privileges: ['read'],
        field_security: { grant: ['*'], except: ['x'] },
        query: '{"match_all":{}}',
        allow_restricted_indices: false,
      },
    ],
    applications: [{ application: 'app', privileges: ['read'], resources: ['*'] }],
    run_as: ['kim'],
    metadata: { version: 1 },
    transient_metadata: { enabled: true },
  };
  assert.deepEqual(renderRoleDescriptor(parseRoleDescriptor('r', json)), json);
  assert.deepEqual(renderRoleDescriptor(parseRoleDescriptor('r', {})), {
    cluster: [],
    indices: [],
    applications: [],
    run_as: [],
    metadata: {},
    transient_metadata: { enabled: true },
  });
});

test('what is malformed is named', () => {
  assert.equal(faultOf({ clusters: [] }), 'failed to parse role [r]. unexpected field [clusters]');
  assert.equal(
    faultOf({ cluster: [1] }),
    'could not parse [cluster] field. expected a string array but found [VALUE_NUMBER] value instead',
  );
  assert.equal(
    faultOf({ indices: [{ privileges: [] }] }),
    'failed to parse indices privileges for role [r]. missing required [names] field',
  );
  assert.equal(
    faultOf({ indices: [{ names: 'a', privileges: 'read', field_security: { grant: ['a*'], except: ['b'] } }] }),
    'failed to parse field permissions',
  );
  assert.match(roleNameFault(' r') ?? '', /^Role names must be at least 1/);
  assert.equal(roleNameFault('my role'), null);
});

test('roles with unknown privileges or faulty queries are refused', () => {
  const refuse = (json: unknown): void => validateRole(parseRoleDescriptor('r', json));
  assert.throws(() => refuse({ cluster: ['fly'] }), /Validation Failed: 1: unknown cluster privilege \[fly\]/);
  assert.throws(
    () => refuse({ indices: [{ names: 'a', privileges: 'fly' }] }),
    new RegExp(
      '1: unknown index privilege \\[fly\\]\\. a privilege must be either one of ' +
        'the predefined fixed indices privileges \\[none,.*write,all\\]',
    ),
  );
  assert.throws(
    () => refuse({ indices: [{ names: 'a', privileges: 'read', query: '{"bad":{}}' }] }),
    /failed to parse field 'query' for indices \[a\]/,
  );
  assert.throws(
    () =>
      refuse({
        indices: [
          { names: 'a', privileges: 'read', query: { template: { source: '{"term":{"a":"{{#_user.roles}}x"}}' } } },
        ],
      }),
    /failed to parse field 'query'/,
  );
  assert.throws(
    () =>
      refuse({
        indices: [{ names: 'a', privileges: 'read', query: { terms: { a: { index: 'b', id: '1', path: 'c' } } } }],
      }),
    /failed to parse field 'query'/,
  );
  assert.throws(
    () => refuse({ indices: [{ names: [], privileges: ['read'] }] }),
    /must refer to at least one index name/,
  );
  assert.throws(() => refuse({ indices: [{ names: ['a'], privileges: [] }] }), /must define at least one privilege/);
  refuse({
    cluster: ['cluster:monitor/*'],
    indices: [{ names: '/a.*/', privileges: 'indices:data/*', query: { term: { a: 1 } } }],
  });
});

test('roles are found built in and in the state; the same entry gives the same object', () => {
  const state = { ...emptyState(), customs: new Map([['securityRoles', { mine: { cluster: ['monitor'] } }]]) };
  const { roles, missing } = rolesOf(state, ['mine', 'superuser', 'gone', 'constructor']);
  assert.deepEqual(
    roles.map(({ name }) => name),
    ['mine', 'superuser'],
  );
  assert.deepEqual(missing, ['gone', 'constructor']);
  assert.equal(rolesOf(state, ['mine']).roles[0], roles[0]);
});
