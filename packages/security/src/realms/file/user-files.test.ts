import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { nameProblem, parseFileUsers, renderUsers, renderUsersRoles } from './user-files.js';

test('a user has the hash of its line and the roles whose lines name it', () => {
  const { users, problems } = parseFileUsers(
    '# people\nanna:$2a$10$x\nbert:{scrypt}a:b\n',
    'viewer:anna, bert\nsuperuser:anna\n',
  );
  assert.deepEqual(users.get('anna'), { hash: '$2a$10$x', roles: ['viewer', 'superuser'] });
  assert.deepEqual(users.get('bert'), { hash: '{scrypt}a:b', roles: ['viewer'] });
  assert.deepEqual(problems, []);
});

test('lines that say nothing are skipped and told', () => {
  const { users, problems } = parseFileUsers('no hash\nanna:\n:x\nbert:h', 'viewer\n');
  assert.deepEqual([...users.keys()], ['bert']);
  assert.equal(problems.length, 4);
  assert.match(problems[0]!, /line \[1\] of \[users_roles\] is skipped/);
});

test('names are printable ASCII without the separators of the files', () => {
  assert.equal(nameProblem('user', 'anna b@x'), null);
  assert.equal(nameProblem('user', 'x'.repeat(507)), null);
  for (const name of ['', ' a', 'a ', 'ä', 'a:b', 'a,b', 'x'.repeat(508)])
    assert.notEqual(nameProblem('user', name), null, name);
});

test('what is written is read again', () => {
  const name = fc.stringMatching(/^[a-z][a-z@. ]{0,6}[a-z]$/);
  const user = fc.record({
    hash: fc.stringMatching(/^\{scrypt\}[\w$/+]{1,9}$/),
    roles: fc.uniqueArray(name, { maxLength: 3 }),
  });
  fc.assert(
    fc.property(fc.array(fc.tuple(name, user), { maxLength: 5 }), (entries) => {
      const users = new Map(entries);
      const read = parseFileUsers(renderUsers(users), renderUsersRoles(users));
      assert.deepEqual(read.problems, []);
      const sorted = (map: typeof read.users) => [...map].map(([n, u]) => [n, u.hash, [...u.roles].sort()]);
      assert.deepEqual(sorted(read.users), sorted(users));
    }),
  );
});
