import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { User } from '../authentication.js';
import { parseRoleDescriptor } from '../roles/parse-role.js';
import { validateRole } from '../roles/validate-role.js';
import { queryFor } from './query-template.js';

const anna: User = {
  username: 'an"na',
  roles: ['r1', 'r2'],
  fullName: null,
  email: null,
  metadata: { teams: ['red', 'blue'], raw: '{"match_all":{}}' },
  enabled: true,
};
const queryOf = (source: unknown): unknown =>
  JSON.parse(queryFor(JSON.stringify({ template: { source } }), anna)) as unknown;
const accepted = (query: unknown): void =>
  validateRole(parseRoleDescriptor('r', { indices: [{ names: ['i'], privileges: ['read'], query }] }));

test('a template is filled with the fields of the user', () => {
  assert.deepEqual(queryOf({ term: { owner: '{{_user.username}}' } }), { term: { owner: 'an"na' } });
  assert.deepEqual(queryOf('{"terms":{"team":{{#toJson}}_user.metadata.teams{{/toJson}}}}'), {
    terms: { team: ['red', 'blue'] },
  });
  assert.deepEqual(
    queryOf(
      '{{#_user.metadata.raw}}{{{_user.metadata.raw}}}{{/_user.metadata.raw}}' +
        '{{^_user.metadata.raw}}{"match_none":{}}{{/_user.metadata.raw}}',
    ),
    { match_all: {} },
  );
});

test('parameters fill in too, but never stand for the user', () => {
  const query = JSON.stringify({
    template: {
      source: { terms: { x: ['{{p}}', '{{_user.username}}'] } },
      params: { p: 1, _user: { username: 'root' } },
    },
  });
  assert.deepEqual(JSON.parse(queryFor(query, anna)), { terms: { x: ['1', 'an"na'] } });
});

test('a template that makes no query of a user, or one that roles may not have, fails as a bad request', () => {
  assert.throws(
    () => queryOf('{"term": {{_user.metadata.nope}} }'),
    (error: { type: string; status: number }) =>
      error.type === 'parse_exception' && error.status === 400 && !JSON.stringify(error).includes('term'),
  );
  assert.throws(() => queryOf('{"terms":{"x":{"index":"i","id":"1","path":"p"}}}'), /terms lookup/);
});

test('only templates that can be read are accepted, and no stored ones or other languages', () => {
  accepted({ template: { source: '{{#a}}{"match_all":{}}{{/a}}' } });
  assert.throws(() => accepted({ template: { id: 'stored' } }), { type: 'parse_exception' });
  assert.throws(() => accepted({ template: { source: '{{#a}}' } }), { type: 'parse_exception' });
  assert.throws(() => accepted({ template: { source: 'x', lang: 'painless' } }), { type: 'parse_exception' });
  assert.throws(() => accepted({ template: { source: 'x' }, term: {} }), { type: 'parse_exception' });
});
