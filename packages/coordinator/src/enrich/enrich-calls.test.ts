import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Authentication } from '@shoal/security';
import { createSubject, parseRoleDescriptor } from '@shoal/security/testing';
import type { CallContext } from '../call.js';
import type { CoordinatorContext } from '../context.js';
import { CALL, stateWith } from '../fake-cluster.js';
import { enrichCalls } from './enrich-calls.js';
import type { PolicySources } from './enrich-sources.js';

const mapping = { properties: { k: { type: 'keyword' }, v: { type: 'keyword' } } };
const STATE = stateWith([
  { name: 'open-1', shards: [['n1']], mapping },
  { name: 'secret-1', shards: [['n1']], mapping },
]);
const realm = { name: 'native', type: 'native' };

function as(...indices: readonly object[]): CallContext {
  const roles = { r: { indices } };
  parseRoleDescriptor('r', roles.r);
  const user = { username: 'u', roles: ['r'], fullName: null, email: null, metadata: {}, enabled: true };
  const authentication = { user, realm, lookupRealm: realm, type: 'realm', apiKey: null, runAsBy: null };
  const state = { ...STATE, customs: new Map([['securityRoles', roles]]) };
  return { ...CALL, subject: createSubject({ ...authentication, serviceAccount: null } as Authentication, state) };
}

const context = {
  cluster: { state: () => STATE },
  clock: { now: () => 0 },
  tasks: {},
} as unknown as CoordinatorContext;
const parse = (indices: readonly string[], call: CallContext): readonly string[] =>
  enrichCalls(context, {} as PolicySources).parse(
    'p',
    { match: { indices, match_field: 'k', enrich_fields: ['v'] } },
    call,
  ).indices;

const REFUSED = 'unable to store policy because no indices match with the specified index patterns';
const OPEN = { names: ['open-*'], privileges: ['read'] };

test('who makes a policy may read all that its patterns will ever match: executions read as the node', () => {
  assert.deepEqual(parse(['open-*'], as(OPEN)), ['open-*']);
  assert.deepEqual(parse(['open-1', 'open-2*'], as(OPEN)), ['open-1', 'open-2*']);
  for (const pattern of ['*', 'open*', '*-1', '_all', 'o*,-x'])
    assert.throws(() => parse(pattern.split(','), as(OPEN)), {
      type: 'security_exception',
      reason: `${REFUSED} [${pattern.replace(',', ', ')}]`,
    });
  assert.deepEqual(parse(['*'], CALL), ['*']);
});

test('a part of the documents, of the fields or of the restricted indices is not enough', () => {
  const refused = /unable to store policy/;
  assert.throws(() => parse(['later-*'], as({ ...OPEN, names: ['later-*'], query: '{"match_all":{}}' })), refused);
  assert.throws(
    () => parse(['later-*'], as({ ...OPEN, names: ['later-*'], field_security: { grant: ['k'] } })),
    refused,
  );
  const all = { names: ['*'], privileges: ['read'] };
  for (const pattern of ['.quarantine-*', '.t*', '*']) assert.throws(() => parse([pattern], as(all)), refused);
  assert.deepEqual(parse(['open-*', '.mine-*'], as(all)), ['open-*', '.mine-*']);
  assert.deepEqual(parse(['.quarantine-*'], as({ ...all, allow_restricted_indices: true })), ['.quarantine-*']);
});
