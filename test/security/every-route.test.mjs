// Every call of the HTTP API by four callers: nobody, one with a wrong password, one without privileges, one with all
// of them.
import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { basicAuth, call, root, startNode } from '../node-process.mjs';

const { routes, securityRoutes } = await import(path.join(root, 'packages', 'rest', 'dist', 'index.js'));

/** Calls that everybody may make about themselves, by their names. */
const ABOUT_ONESELF = new Set(['security.authenticate', 'security.has_privileges', 'security.get_user_privileges']);
/** Calls that are refused as long as enrolment is off. */
const ENROLMENT = new Set(['security.enroll_node', 'security.enroll_kibana']);
/** Calls whose parts are looked at one by one: what they hold belongs to who opened it. */
const BY_PART = new Set(['scroll', 'clear_scroll', 'close_point_in_time', 'async_search.get', 'async_search.delete']);

/** Values of `{name}` segments that exist nowhere, or that a call understands. */
const SAMPLES = {
  index: 'sample',
  id: '1',
  node_id: '_local',
  metric: '_all',
  index_metric: '_all',
  repository: 'none',
  snapshot: 'none',
  username: 'nobody',
  namespace: 'elastic',
  service: 'kibana',
  task_id: 'none:1',
  block: 'write',
  target: 'sample-2',
  alias: 'sample-alias',
  name: 'sample',
};

let node;
before(async () => {
  node = await startNode({ env: { ELASTIC_PASSWORD: 'elastic-secret' }, auth: 'elastic:elastic-secret' });
  assert.equal(
    (await call(node, 'PUT', '/_security/user/nothing', { password: 'nothing-secret', roles: [] })).status,
    200,
  );
});
after(async () => {
  await node?.stop();
});

/** Waits for an index that there is not are kept short. */
const QUERIES = { 'cluster.health': '?timeout=1ms' };
const pathOf = (route) =>
  route.path.replace(/\{([^}]+)\}/g, (_, name) => SAMPLES[name] ?? 'sample') + (QUERIES[route.name] ?? '');
const calls = [...routes, ...securityRoutes].flatMap((route) =>
  route.methods.map((method) => ({ route, method, target: pathOf(route) })),
);

async function statuses(headers, wanted = calls) {
  const found = [];
  for (const one of wanted) {
    const { status, body } = await call(node, one.method, one.target, undefined, headers);
    found.push({ ...one, status, reason: body?.error?.reason });
  }
  return found;
}

const told = (list) =>
  list.map(({ method, target, status, reason, route }) => `${status} ${method} ${target} (${route.name}): ${reason}`);

test('nobody gets 401 from every call, known or not', async () => {
  const unknown = { method: 'GET', target: '/no/such/thing/at/all', route: { name: 'none' } };
  assert.deepEqual(
    told((await statuses({ authorization: '' }, [...calls, unknown])).filter(({ status }) => status !== 401)),
    [],
  );
});

test('a wrong password gets 401 from every call', async () => {
  assert.deepEqual(told((await statuses(basicAuth('elastic:wrong'))).filter(({ status }) => status !== 401)), []);
});

test('who may do nothing gets 403 from every call but those about itself', async () => {
  const exempt = ({ name }) => ABOUT_ONESELF.has(name) || BY_PART.has(name);
  const ownPassword = ({ target }) => target === '/_security/user/_password';
  const found = await statuses(basicAuth('nothing:nothing-secret'));
  assert.deepEqual(
    told(found.filter(({ status, route, ...one }) => !exempt(route) && !ownPassword(one) && status !== 403)),
    [],
  );
  assert.deepEqual(told(found.filter(({ status, route }) => exempt(route) && (status === 401 || status === 403))), []);
});

test('who may do everything gets neither 401 nor 403 nor an internal error', async () => {
  const found = await statuses({});
  assert.deepEqual(
    told(
      found.filter(
        ({ status, route }) => !ENROLMENT.has(route.name) && (status === 401 || status === 403 || status === 500),
      ),
    ),
    [],
  );
});
