import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPrincipalName } from './principal-name.js';

test('names of users and roles are printable ASCII without spaces at their ends', () => {
  for (const name of ['a', 'a b', '~', 'x'.repeat(507)]) assert.ok(isPrincipalName(name), name);
  for (const name of ['', ' a', 'a ', 'é', 'a\tb', 'x'.repeat(508)]) assert.ok(!isPrincipalName(name), name);
});
