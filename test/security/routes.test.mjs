// Every route of the HTTP API names actions that some privilege of 8.12 grants: none can be reached by nobody or
// without being granted.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isClusterAction, mayCall } from '@shoal/security';
import { clusterPrivilegesFor, createSubject, indexPrivilegesFor } from '@shoal/security/testing';
import { routes, securityRoutes } from '../../packages/rest/dist/index.js';

const ALL = [...routes, ...securityRoutes];
const actionsOf = ({ privilege, also = [] }) => [privilege, ...also];
const shown = ({ methods, path }) => `${methods.join(',')} ${path}`;
const realm = { name: 'native', type: 'native' };

function subjectWith(roles, state) {
  const user = { username: 'u', roles, fullName: null, email: null, metadata: {}, enabled: true };
  return createSubject(
    { user, realm, lookupRealm: realm, type: 'realm', apiKey: null, runAsBy: null, serviceAccount: null },
    state,
  );
}

test('every route names actions that a privilege besides [all] or the security ones grants', () => {
  for (const route of ALL) {
    for (const action of actionsOf(route)) {
      const privileges = isClusterAction(action) ? clusterPrivilegesFor(action) : indexPrivilegesFor(action);
      assert.ok(
        privileges.some((name) => name !== 'all'),
        `${shown(route)}: ${action} is granted by [${privileges.join(',')}]`,
      );
    }
  }
});

test('calls that change something are not granted by privileges that look', () => {
  const looking = new Set(['monitor', 'read_ilm', 'read_slm', 'read_pipeline', 'read_security', 'view_index_metadata']);
  const lookingOnly = new Set(['indices.validate_query', 'ml.infer_trained_model', 'ml.evaluate_data_frame']);
  for (const route of ALL) {
    if (
      route.methods.includes('GET') ||
      route.methods.includes('HEAD') ||
      lookingOnly.has(route.name) ||
      route.name === 'indices.analyze'
    )
      continue;
    const [action] = actionsOf(route);
    const privileges = isClusterAction(action) ? clusterPrivilegesFor(action) : indexPrivilegesFor(action);
    if (action.startsWith('cluster:admin/xpack/security/user/')) continue;
    assert.deepEqual(
      privileges.filter((name) => looking.has(name)),
      [],
      shown(route),
    );
  }
});

test('nobody without roles comes through to more than calls about oneself, contexts and scrolls', () => {
  const nobody = subjectWith([], { customs: new Map() });
  const reached = ALL.filter((route) => actionsOf(route).every((action) => mayCall(nobody, action))).map(
    ({ name }) => name,
  );
  const known = [
    'async_search.delete',
    'async_search.get',
    'clear_scroll',
    'close_point_in_time',
    'scroll',
    'security.authenticate',
    'security.change_password',
    'security.get_api_key',
    'security.get_user_privileges',
    'security.has_privileges',
  ];
  assert.deepEqual(
    [...new Set(reached)].filter((name) => !known.includes(name)),
    [],
  );
});

test('the superuser comes through everywhere', () => {
  const superuser = subjectWith(['superuser'], { customs: new Map() });
  for (const route of ALL) for (const action of actionsOf(route)) assert.ok(mayCall(superuser, action), shown(route));
});
