// The calls of a first deployment, with the environment that Elasticsearch's own compose file passes.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { Client } from '@elastic/elasticsearch';
import { basicAuth, call, startNode, temporaryFolder } from '../node-process.mjs';

const ENVIRONMENT = {
  ELASTIC_PASSWORD: 'first-secret',
  'discovery.type': 'single-node',
  'xpack.security.enabled': 'true',
  'xpack.security.http.ssl.enabled': 'false',
  'xpack.security.transport.ssl.enabled': 'false',
  ES_JAVA_OPTS: '-Xms512m -Xmx512m',
};
const NOBODY = { authorization: '' };
const as = (auth) => basicAuth(auth);

let node;
const data = temporaryFolder('first');
before(async () => {
  node = await startNode({ data, env: ENVIRONMENT, auth: 'elastic:first-secret' });
});
after(async () => {
  await node?.stop();
});

test('without credentials the answer is 401 and says how to log in', async () => {
  const answer = await call(node, 'GET', '/_cluster/health?wait_for_status=yellow', undefined, NOBODY);
  assert.equal(answer.status, 401);
  assert.match(answer.headers.get('www-authenticate'), /^Basic realm="security" charset="UTF-8", ApiKey$/);
  const { error } = answer.body;
  assert.equal(
    error.reason,
    'missing authentication credentials for REST request [/_cluster/health?wait_for_status=yellow]',
  );
  assert.deepEqual(error.root_cause[0].header, {
    'WWW-Authenticate': ['Basic realm="security" charset="UTF-8"', 'ApiKey'],
  });
  assert.equal((await call(node, 'GET', '/_cluster/health?wait_for_status=yellow')).status, 200);
});

test('the password of kibana_system is set, and it logs in with it', async () => {
  assert.equal((await call(node, 'GET', '/', undefined, as('kibana_system:kibana-secret'))).status, 401);
  const set = await call(node, 'POST', '/_security/user/kibana_system/_password', { password: 'kibana-secret' });
  assert.deepEqual([set.status, set.body], [200, {}]);
  const who = await call(node, 'GET', '/_security/_authenticate', undefined, as('kibana_system:kibana-secret'));
  assert.deepEqual(who.body, {
    username: 'kibana_system',
    roles: ['kibana_system'],
    full_name: null,
    email: null,
    metadata: { _reserved: true },
    enabled: true,
    authentication_realm: { name: 'reserved', type: 'reserved' },
    lookup_realm: { name: 'reserved', type: 'reserved' },
    authentication_type: 'realm',
  });
  assert.equal(
    (await call(node, 'GET', '/', undefined, as('kibana_system:kibana-secret'))).body.tagline,
    'You Know, for Search',
  );
});

test('documents are indexed, searched, aggregated and listed', async () => {
  assert.equal((await call(node, 'PUT', '/books/_doc/1?refresh=true', { title: 'one', year: 1990 })).status, 201);
  const bulk = await call(
    node,
    'POST',
    '/_bulk?refresh=true',
    '{"index":{"_index":"books","_id":"2"}}\n{"title":"two","year":1990}\n{"delete":{"_index":"books","_id":"9"}}\n',
  );
  assert.deepEqual([bulk.status, bulk.body.errors], [200, false]);
  const found = await call(node, 'POST', '/books/_search', {
    query: { match: { title: 'one' } },
    aggs: { years: { terms: { field: 'year' } } },
  });
  assert.deepEqual([found.body.hits.total.value, found.body.aggregations.years.buckets[0].doc_count], [1, 1]);
  assert.match((await call(node, 'GET', '/_cat/indices?v')).body, /books/);
});

test('a wrong password is 401 and names the user', async () => {
  const answer = await call(node, 'GET', '/books/_search', undefined, as('elastic:wrong'));
  assert.deepEqual(
    [answer.status, answer.body.error.reason],
    [401, 'unable to authenticate user [elastic] for REST request [/books/_search]'],
  );
});

test('secrets are neither in the state nor in settings nor in the logs', async () => {
  for (const target of [
    '/_cluster/state',
    '/_nodes',
    '/_cluster/settings?include_defaults=true&flat_settings=true',
    '/_cluster/pending_tasks',
  ]) {
    const text = JSON.stringify((await call(node, 'GET', target)).body);
    assert.doesNotMatch(text, /first-secret|scrypt|securityUsers/, target);
  }
  assert.doesNotMatch(node.log(), /first-secret|kibana-secret|scrypt/);
});

test('the official client logs in by name and password', async () => {
  const client = new Client({ node: node.url, auth: { username: 'elastic', password: 'first-secret' } });
  assert.equal((await client.security.authenticate()).username, 'elastic');
  assert.equal((await client.count({ index: 'books' })).count, 2);
  await client.security.putUser({ username: 'anna', password: 'anna-secret', roles: ['viewer'] });
  const anna = new Client({ node: node.url, auth: { username: 'anna', password: 'anna-secret' } });
  assert.equal((await anna.search({ index: 'books' })).hits.total.value, 2);
  await assert.rejects(
    anna.index({ index: 'books', document: {} }),
    (error) => error.statusCode === 403 && error.body.error.type === 'security_exception',
  );
  await client.security.disableUser({ username: 'anna' });
  await assert.rejects(anna.search({ index: 'books' }), (error) => error.statusCode === 401);
  assert.deepEqual(await client.security.deleteUser({ username: 'anna' }), { found: true });
  await Promise.all([client.close(), anna.close()]);
});

test('a password that was set outlives a start with another ELASTIC_PASSWORD', async () => {
  assert.deepEqual((await call(node, 'PUT', '/_security/user/_password', { password: 'second-secret' })).body, {});
  assert.equal((await call(node, 'GET', '/')).status, 401);
  await node.stop();
  node = await startNode({ data, env: ENVIRONMENT, auth: 'elastic:second-secret' });
  assert.equal((await call(node, 'GET', '/books/_count')).body.count, 2);
});

test('without ELASTIC_PASSWORD a first password is made and told once, never in the log', async () => {
  const folder = temporaryFolder('generated');
  const file = path.join(folder, 'config', 'elastic-password');
  const started = startNode({
    data: folder,
    settings: {
      'xpack.security.enabled': 'true',
      'xpack.security.authc.anonymous.roles': 'remote_monitoring_collector',
    },
    waitForStatus: 'green',
  }).catch((error) => error);
  for (let i = 0; i < 400 && !fs.existsSync(file); i++) await new Promise((resolve) => setTimeout(resolve, 25));
  const password = fs.readFileSync(file, 'utf8').trim();
  assert.equal(fs.statSync(file).mode & 0o777, 0o600);
  assert.match(password, /^[\w+*-]{20}$/);
  const made = await started;
  assert.equal(
    (await call(made, 'GET', '/_security/_authenticate', undefined, as(`elastic:${password}`))).body.username,
    'elastic',
  );
  assert.ok(!made.log().includes(password));
  await made.stop();
});

test('a first password that is empty or short stops the start with one sentence, unless security is off', async () => {
  for (const password of ['', 'a', '12345']) {
    const failure = await startNode({ env: { ...ENVIRONMENT, ELASTIC_PASSWORD: password } }).then(
      (started) => started.stop(),
      (error) => error,
    );
    assert.match(String(failure), /the node ended at its start/);
    assert.match(failure.message, /the first password of elastic .*: passwords must be at least \[6\] characters long/);
  }
  const open = await startNode({ env: { ...ENVIRONMENT, ELASTIC_PASSWORD: '', 'xpack.security.enabled': 'false' } });
  assert.equal((await call(open, 'GET', '/')).status, 200);
  await open.stop();
});
