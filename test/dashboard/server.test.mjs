// The dashboard's server without a browser: settings, readiness, base path, sessions, guards, the way to the cluster.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { until, withLimit } from '../limits.mjs';
import { call, freePort, root, startNode, temporaryFolder } from '../node-process.mjs';
import {
  ask,
  logIn,
  refusedStart,
  startDashboard,
  stopDashboards,
  through,
  waitForLevel,
} from './dashboard-process.mjs';

const OWN = { 'elasticsearch.username': 'kibana_system', 'elasticsearch.password': 'kibana-secret' };
let node;
let dashboard;
let cookie;

before(async () => {
  node = await startNode({
    env: { ELASTIC_PASSWORD: 'first-secret' },
    settings: { 'xpack.security.enabled': true, 'discovery.type': 'single-node' },
    auth: 'elastic:first-secret',
  });
  dashboard = await startDashboard({
    settings: { 'elasticsearch.hosts': node.url, ...OWN, 'server.publicBaseUrl': 'https://search.example.org' },
  });
});
after(async () => {
  await stopDashboards();
  await node?.stop();
});

test('before kibana_system has a password the page, the text, the log and the status say so', async () => {
  await waitForLevel(dashboard, 'critical');
  const page = await ask(dashboard, 'GET', '/app/home', { headers: { accept: 'text/html' } });
  assert.deepEqual([page.status, page.headers.get('retry-after')], [503, '5']);
  assert.match(page.text, /Not ready yet/);
  const text = await ask(dashboard, 'GET', '/');
  assert.match(
    text.text,
    /^Shoal dashboard server is not ready yet: .*POST \/_security\/user\/kibana_system\/_password/,
  );
  assert.equal((await ask(dashboard, 'GET', '/api/status')).status, 503);
  assert.equal((await through(dashboard, undefined, 'GET', '/')).status, 503);
  const line = dashboard.lines().find(({ mend }) => /_password/.test(mend ?? ''));
  assert.equal(line['user.name'], 'kibana_system');
  assert.equal(line['http.response.status_code'], 401);
});

test('the set-up form needs somebody who may change passwords, sets the password once, and is gone', async () => {
  const wrong = await ask(dashboard, 'POST', '/api/setup', { body: { username: 'elastic', password: 'wrong-one' } });
  assert.equal(wrong.status, 401);
  const set = await ask(dashboard, 'POST', '/api/setup', { body: { username: 'elastic', password: 'first-secret' } });
  assert.deepEqual([set.status, set.json], [200, { state: 'ready' }]);
  await waitForLevel(dashboard, 'available');
  assert.equal(
    (await ask(dashboard, 'POST', '/api/setup', { body: { username: 'elastic', password: 'first-secret' } })).status,
    404,
  );
  assert.doesNotMatch(dashboard.log(), /first-secret|kibana-secret/);
});

test('without a session pages lead to the login, calls are 401, and strangers learn the level alone', async () => {
  for (const method of ['GET', 'HEAD']) {
    const answer = await ask(dashboard, method, '/');
    assert.deepEqual([answer.status, answer.headers.get('location')], [302, '/login?next=%2F'], method);
  }
  const deep = await ask(dashboard, 'GET', '/app/home?a=1&b=%2F');
  assert.equal(deep.headers.get('location'), '/login?next=%2Fapp%2Fhome%3Fa%3D1%26b%3D%252F');
  assert.equal((await ask(dashboard, 'GET', '/api/home')).status, 401);
  assert.equal((await ask(dashboard, 'GET', '/api/ping')).status, 401);
  assert.equal((await through(dashboard, undefined, 'GET', '/')).status, 401);
  assert.deepEqual((await ask(dashboard, 'GET', '/api/status')).json, { status: { overall: { level: 'available' } } });
});

test('a login is checked by the cluster, and its cookie is good for the user’s rights', async () => {
  assert.equal((await logIn(dashboard, 'elastic', 'wrong-one')).status, 401);
  const login = await logIn(dashboard, 'elastic', 'first-secret', { next: '/app/home?x=1' });
  assert.deepEqual([login.status, login.json], [200, { location: '/app/home?x=1' }]);
  assert.match(login.headers.get('set-cookie'), /^sid=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
  ({ cookie } = login);
  assert.equal((await ask(dashboard, 'GET', '/internal/security/me', { cookie })).json.username, 'elastic');
  assert.equal((await ask(dashboard, 'GET', '/app/home', { cookie })).status, 200);
  const { json } = await ask(dashboard, 'GET', '/api/status', { cookie });
  assert.equal(json.version.number, '8.12.0');
  assert.ok(json.metrics.process.memory.resident_set_size_in_bytes > 1e6);
  const viewer = { password: 'viewer-secret', roles: ['viewer'] };
  assert.equal((await call(node, 'PUT', '/_security/user/vera', viewer)).status, 200);
  const vera = await logIn(dashboard, 'vera', 'viewer-secret');
  assert.equal((await through(dashboard, vera.cookie, 'PUT', '/vera-index')).status, 403);
  assert.equal((await ask(dashboard, 'GET', '/api/home', { cookie: vera.cookie })).status, 403);
});

test('a login never takes over a given cookie, and logging out ends the session', async () => {
  const first = await logIn(dashboard, 'elastic', 'first-secret');
  const second = await logIn(dashboard, 'elastic', 'first-secret', { headers: { cookie: `sid=${first.cookie}` } });
  assert.notEqual(second.cookie, first.cookie);
  assert.equal((await ask(dashboard, 'GET', '/api/ping', { cookie: first.cookie })).status, 401);
  const out = await ask(dashboard, 'POST', '/api/security/logout', { cookie: second.cookie });
  assert.match(out.headers.get('set-cookie'), /^sid=; .*Max-Age=0/);
  assert.equal((await ask(dashboard, 'GET', '/api/ping', { cookie: second.cookie })).status, 401);
});

test('with an encryption key sessions outlive a dashboard, and hold for others with the key alone', async () => {
  const settings = (key) => ({
    settings: { 'elasticsearch.hosts': node.url, ...OWN, 'xpack.security.encryptionKey': key.repeat(32) },
  });
  const first = await startDashboard(settings('a'));
  await waitForLevel(first, 'available');
  const { cookie: kept } = await logIn(first, 'elastic', 'first-secret');
  await first.stop();
  const [second, third, stranger] = await Promise.all(['a', 'a', 'b'].map((key) => startDashboard(settings(key))));
  await Promise.all([second, third, stranger].map((one) => waitForLevel(one, 'available')));
  const statusAt = async (one) => (await ask(one, 'GET', '/api/ping', { cookie: kept })).status;
  assert.deepEqual([await statusAt(second), await statusAt(third), await statusAt(stranger)], [200, 200, 401]);
  assert.equal((await through(second, kept, 'GET', '/_security/_authenticate')).json.username, 'elastic');
  const { body: records } = await call(node, 'GET', '/.shoal-dashboards-sessions/_search');
  assert.deepEqual(records.hits.hits[0]._source.username, 'elastic');
  assert.ok(!/first-secret|ZWxhc3RpYzpmaXJzdC1zZWNyZXQ/.test(JSON.stringify(records)), 'credentials are sealed');
  await ask(second, 'POST', '/api/security/logout', { cookie: kept });
  await third.stop();
  const fourth = await startDashboard(settings('a'));
  await waitForLevel(fourth, 'available');
  assert.deepEqual([await statusAt(second), await statusAt(fourth)], [401, 401]);
  await Promise.all([second, stranger, fourth].map((one) => one.stop()));
});

test('a user whose password was changed is asked again', async () => {
  await call(node, 'PUT', '/_security/user/carl', { password: 'carl-secret', roles: ['viewer'] });
  const carl = await logIn(dashboard, 'carl', 'carl-secret');
  assert.equal((await through(dashboard, carl.cookie, 'GET', '/_security/_authenticate')).status, 200);
  await call(node, 'PUT', '/_security/user/carl/_password', { password: 'other-secret' });
  assert.equal((await through(dashboard, carl.cookie, 'GET', '/_security/_authenticate')).status, 401);
});

test('guessing is slowed down, and refused attempts do not reach the cluster', async () => {
  await call(node, 'PUT', '/_security/user/dora', { password: 'dora-secret', roles: ['viewer'] });
  for (let i = 0; i < 5; i++) assert.equal((await logIn(dashboard, 'dora', `wrong-${i}`)).status, 401);
  // The first pause of one second may be over on a busy machine: each further failure doubles it.
  const guess = async () => (await logIn(dashboard, 'dora', 'wrong')).status === 429;
  await until(guess, 'a pause after five failures');
  const refused = await logIn(dashboard, 'dora', 'dora-secret');
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get('retry-after')) >= 1);
});

test('logs have routes and states, never bodies, queries, cookies and passwords', async () => {
  const settings = { 'elasticsearch.hosts': node.url, ...OWN, 'logging.root.level': 'debug' };
  const own = await startDashboard({ settings });
  await waitForLevel(own, 'available');
  await call(node, 'PUT', '/_security/user/eve', { password: 'eve-secret', roles: ['viewer'] });
  const eve = await logIn(own, 'eve', 'eve-secret');
  await logIn(own, 'eve', 'eve-guess');
  await through(own, eve.cookie, 'POST', '/_search?q=asked-for', { body: '{"query":{"term":{"a":"kept-in-body"}}}' });
  await ask(own, 'GET', '/app/discover?q=kept-in-query', { cookie: eve.cookie });
  await own.stop();
  assert.match(own.log(), /"url\.path":"\/api\/console\/proxy"/);
  for (const secret of ['eve-secret', 'eve-guess', eve.cookie, 'asked-for', 'kept-in-body', 'kept-in-query'])
    assert.ok(!own.log().includes(secret), secret);
});

test('next leads nowhere else', async () => {
  for (const next of ['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)'])
    assert.deepEqual((await logIn(dashboard, 'elastic', 'first-secret', { next })).json, { location: '/' }, next);
});

test('forged requests change nothing', async () => {
  const bare = { method: 'POST', headers: { cookie: `sid=${cookie}` } };
  const target = `${dashboard.url}/api/console/proxy?path=%2Fforged&method=PUT`;
  assert.equal((await fetch(target, bare)).status, 400);
  for (const headers of [
    { origin: 'http://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'content-type': 'text/plain' },
  ]) {
    const answer = await through(dashboard, cookie, 'PUT', '/forged', { headers, body: '{}' });
    assert.ok([403, 415].includes(answer.status), JSON.stringify(headers));
  }
  assert.equal((await call(node, 'HEAD', '/forged')).status, 404);
  const own = { origin: 'https://search.example.org' };
  assert.equal((await through(dashboard, cookie, 'GET', '/', { headers: own })).status, 200);
});

test('pages carry the policy, every answer the other headers', async () => {
  const { headers } = await ask(dashboard, 'GET', '/app/home', { cookie });
  const policy = headers.get('content-security-policy');
  assert.doesNotMatch(policy, /unsafe|\*/);
  for (const part of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", 'require-trusted-types-for'])
    assert.ok(policy.includes(part), part);
  const second = (await ask(dashboard, 'GET', '/app/home', { cookie })).headers.get('content-security-policy');
  assert.notEqual(policy, second, 'a new nonce for each page');
  for (const target of ['/app/home', '/nothing', '/api/status', '/api/console/proxy']) {
    const answer = await ask(dashboard, 'GET', target, { cookie });
    assert.equal(answer.headers.get('x-frame-options'), 'DENY', target);
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff', target);
    assert.equal(answer.headers.get('referrer-policy'), 'same-origin', target);
  }
});

/** A server that stands in for a cluster behind the dashboard and shows what arrives. */
async function recordingCluster(answer) {
  const seen = [];
  const late = new Set();
  const server = http.createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url, headers } = request;
      const entry = { method, url, headers, body: Buffer.concat(chunks).toString() };
      // The connection stands, and nothing comes.
      if (late.has(url)) return undefined;
      if (url === '/') return response.end('{"cluster_name":"c","cluster_uuid":"u","version":{"number":"8.12.0"}}');
      if (url.startsWith('/_security/_authenticate')) return response.writeHead(400).end('{"error":"no handler"}');
      if (/^\/_(?:cluster|stats)/.test(url)) return response.end('{"status":"green"}');
      seen.push(entry);
      entry.closed = new Promise((resolve) => response.on('close', resolve));
      answer(request, response);
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A failed test must not keep the process.
  server.unref();
  const close = () => {
    server.closeAllConnections();
    return withLimit(new Promise((resolve) => server.close(resolve)), 'the end of the cluster that records');
  };
  return { url: `http://127.0.0.1:${server.address().port}`, seen, late, close };
}

test('what goes through keeps its bytes, loses credentials of others, and brings no cookie back', async () => {
  const exact = '{"n":9007199254740993,"k":1.10,"z":4.0}';
  const cluster = await recordingCluster((_request, response) => {
    response.writeHead(201, { 'set-cookie': 'a=b', 'www-authenticate': 'Basic', 'x-elastic-product': 'Elasticsearch' });
    response.end(exact);
  });
  const own = await startDashboard({ settings: { 'elasticsearch.hosts': cluster.url } });
  await waitForLevel(own, 'available');
  const headers = {
    authorization: 'Basic ZXZpbDpldmls',
    'es-security-runas-user': 'elastic',
    'es-secondary-authorization': 'x',
    'x-forwarded-for': '1.2.3.4',
    'x-opaque-id': 'mine',
  };
  const answer = await through(own, 'x', 'GET', '/a/_search?q=x', { headers, body: exact });
  assert.deepEqual([answer.status, answer.text], [201, exact]);
  assert.equal(answer.headers.get('set-cookie'), null);
  assert.equal(answer.headers.get('www-authenticate'), null);
  const [seen] = cluster.seen;
  assert.deepEqual([seen.method, seen.url, seen.body], ['GET', '/a/_search?q=x', exact]);
  for (const name of [
    'authorization',
    'es-security-runas-user',
    'es-secondary-authorization',
    'cookie',
    'x-forwarded-for',
  ])
    assert.equal(seen.headers[name], undefined, name);
  assert.equal(seen.headers['x-opaque-id'], 'mine');
  for (const path of ['//evil.example/', 'http://evil.example/', '/a/../b', '/\\x', '/a\r\nb'])
    assert.equal((await through(own, 'x', 'GET', path)).status, 400, path);
  assert.equal(cluster.seen.length, 1);
  await own.stop();
  await cluster.close();
});

test('redirects of the cluster are not followed, and hanging up cancels the call', async () => {
  const cluster = await recordingCluster((request, response) => {
    if (request.url === '/moved') response.writeHead(302, { location: 'http://evil.example/' }).end();
  });
  const own = await startDashboard({ settings: { 'elasticsearch.hosts': cluster.url } });
  await waitForLevel(own, 'available');
  const moved = await through(own, 'x', 'GET', '/moved');
  assert.equal(moved.status, 302);
  const abort = new AbortController();
  const slow = fetch(`${own.url}/api/console/proxy?path=%2Fslow&method=GET`, {
    method: 'POST',
    headers: { 'kbn-xsrf': '1' },
    signal: abort.signal,
  });
  await until(() => cluster.seen.length === 2, 'the slow call at the cluster', { told: () => own.log() });
  abort.abort();
  await assert.rejects(slow);
  await withLimit(cluster.seen[1].closed, 'the end of the call at the cluster');
  await own.stop();
  await cluster.close();
});

test('the next host answers when the first is refused, and a lost cluster keeps pages', async () => {
  const cluster = await recordingCluster((_request, response) => response.end('{}'));
  const dead = `http://127.0.0.1:${await freePort()}`;
  const own = await startDashboard({ env: { ELASTICSEARCH_HOSTS: JSON.stringify([dead, cluster.url]) } });
  await waitForLevel(own, 'available');
  const written = await through(own, 'x', 'PUT', '/a', { body: '{"a":1}' });
  assert.deepEqual([written.status, cluster.seen[0].body], [200, '{"a":1}']);
  await cluster.close();
  assert.equal((await through(own, 'x', 'GET', '/a')).status, 503);
  await waitForLevel(own, 'unavailable');
  assert.equal((await ask(own, 'GET', '/app/home')).status, 200);
  assert.equal((await ask(own, 'GET', '/api/ping')).json.state, 'lost');
  await own.stop();
});

test('a cluster that is late with its health and answers all else is slow, not away', async () => {
  const cluster = await recordingCluster((_request, response) => response.end('{}'));
  const settings = { 'elasticsearch.hosts': cluster.url, 'elasticsearch.pingTimeout': '200ms' };
  const own = await startDashboard({ settings });
  await waitForLevel(own, 'available');
  cluster.late.add('/_cluster/health');
  await waitForLevel(own, 'degraded');
  const { status, json } = await ask(own, 'GET', '/api/status');
  assert.equal(status, 200);
  assert.equal(json.status.core.elasticsearch.summary, 'Elasticsearch answers slowly: GET /_cluster/health');
  const { json: ping } = await ask(own, 'GET', '/api/ping');
  assert.deepEqual([ping.state, ping.health, ping.slow.calls], ['ready', 'green', ['GET /_cluster/health']]);
  assert.equal((await through(own, 'x', 'GET', '/a')).status, 200);
  cluster.late.clear();
  await waitForLevel(own, 'available');
  const said = own.lines().map(({ message }) => message);
  assert.equal(said.filter((message) => message === 'the cluster answers slowly').length, 1);
  assert.ok(!said.includes('the cluster does not answer any more'));
  await own.stop();
  await cluster.close();
});

test('a dashboard of a cluster without security answers for no rebound name', async () => {
  const cluster = await recordingCluster((_request, response) => response.end('{"secret":1}'));
  const own = await startDashboard({ settings: { 'elasticsearch.hosts': cluster.url } });
  await waitForLevel(own, 'available');
  const statusFor = (host) => {
    const status = new Promise((resolve, reject) => {
      const options = { port: own.port, host: '127.0.0.1', path: '/api/home', headers: { host }, agent: false };
      http.get(options, (answer) => answer.resume().on('end', () => resolve(answer.statusCode))).on('error', reject);
    });
    return withLimit(status, `the answer for ${host}`);
  };
  assert.equal(await statusFor('evil.example:5601'), 403);
  assert.equal(await statusFor('localhost:5601'), 200);
  assert.equal((await logIn(own, 'anna', 'anna-secret')).status, 404, 'there is no login');
  await own.stop();
  await cluster.close();
});

test('below a base path every address has it, with and without rewriting', async () => {
  const cluster = await recordingCluster((_request, response) => response.end('{}'));
  const hosts = { 'elasticsearch.hosts': cluster.url };
  const start = (env) => startDashboard({ settings: hosts, env: { SERVER_BASEPATH: '/kibana', ...env } });
  const [stripped, rewriting] = [await start({}), await start({ SERVER_REWRITEBASEPATH: 'true' })];
  for (const [one, prefix] of [
    [stripped, ''],
    [rewriting, '/kibana'],
  ]) {
    const below = { ...one, url: one.url + prefix };
    await waitForLevel(below, 'available');
    assert.equal((await ask(below, 'GET', '/')).headers.get('location'), '/kibana/app/home');
    const page = await ask(below, 'GET', '/app/home');
    assert.match(page.text, /src="\/kibana\/assets\/main-/);
    const script = /src="\/kibana(\/assets\/[^"]+)"/.exec(page.text)[1];
    assert.equal((await ask(below, 'GET', script)).headers.get('cache-control'), 'public, max-age=31536000, immutable');
    const wrong = prefix === '' ? '/kibana/app/home' : '/app/home';
    assert.equal((await ask(one, 'GET', wrong)).status, 404, wrong);
    await one.stop();
  }
  await cluster.close();
});

test('whatever is sent, the answer is 4xx with JSON', async () => {
  const requests = [
    ['GET', '/nothing', undefined, 404],
    ['GET', '//?x', undefined, 400],
    ['GET', '//evil.example/app/home', undefined, 400],
    ['GET', '/app/%E0%A4%A', undefined, 400],
    ['GET', '/assets/..%2Fpages.json', undefined, 404],
    ['GET', '/assets/manifest.json', undefined, 404],
    ['POST', '/internal/security/login', '{', 400],
    ['POST', '/internal/security/login', '{"params":{"username":"a","password":"b"},"__proto__":{}}', 400],
    ['POST', '/internal/security/login', '{"params":{"username":1,"password":"b"}}', 400],
    ['POST', '/internal/security/login', JSON.stringify({ params: 'x'.repeat(2 ** 20) }), 413],
    ['DELETE', '/api/status', undefined, 404],
    ['GET', '/api/console/proxy?path=/&method=GET', undefined, 405],
  ];
  for (const [method, target, body, status] of requests) {
    const answer = await ask(dashboard, method, target, { body, cookie });
    assert.equal(answer.status, status, `${method} ${target}`);
    assert.equal(answer.json.statusCode, status, `${method} ${target}`);
  }
  const noRequest = new Promise((resolve) => {
    let text = '';
    const socket = net.connect(dashboard.port, '127.0.0.1', () => socket.write('what is this\r\n\r\n'));
    socket.on('data', (chunk) => (text += chunk));
    socket.on('close', () => resolve(text));
  });
  const broken = await withLimit(noRequest, 'the answer to what is no request');
  assert.match(broken, /^HTTP\/1\.1 400[\s\S]*"statusCode":400/);
  assert.equal((await ask(dashboard, 'GET', '/api/status')).status, 200);
});

test('the one-shot of the compose file makes a password once, and the dashboard takes it from its file', async () => {
  const file = path.join(temporaryFolder('password'), 'password');
  const setPassword = () =>
    promisify(execFile)(
      process.execPath,
      [path.join(root, 'scripts', 'set-password.mjs'), node.url, 'kibana_system', file],
      { env: { ...process.env, ELASTIC_PASSWORD: 'first-secret' }, timeout: 60_000 },
    );
  await setPassword();
  const password = fs.readFileSync(file, 'utf8');
  assert.match(password, /^[\w-]{32}$/);
  assert.equal(fs.statSync(file).mode & 0o777, 0o600);
  await setPassword();
  assert.equal(fs.readFileSync(file, 'utf8'), password);
  const own = await startDashboard({
    env: {
      ELASTICSEARCH_HOSTS: JSON.stringify([node.url]),
      ELASTICSEARCH_USERNAME: 'kibana_system',
      ELASTICSEARCH_PASSWORD_FILE: file,
    },
  });
  await waitForLevel(own, 'available');
  await own.stop();
});

test('a configuration that cannot be stops the start with 78 and a sentence', async () => {
  for (const [settings, sentence] of [
    [{ 'server.basePath': 'kibana' }, /server\.basePath.*must begin with a slash/],
    [{ 'server.basePath': '/kibana/' }, /server\.basePath/],
    [{ 'server.rewriteBasePath': true }, /needs \[server\.basePath\]/],
    [{ 'elasticsearch.hosts': 'nonsense' }, /elasticsearch\.hosts.*must be URLs/],
    [{ 'elasticsearch.hosts': 'http://a:b@c:9200' }, /must not hold credentials/],
    [{ 'elasticsearch.username': 'elastic', 'elasticsearch.password': 'x' }, /must not be \[elastic\]/],
    [{ 'server.port': 'x' }, /server\.port.*whole number/],
    [{ 'xpack.security.encryptionKey': 'short' }, /at least 32 characters but has 5/],
    [{ 'server.basPath': '/x' }, /unknown setting \[server\.basPath\]: did you mean \[server\.basePath\]/],
    [{ 'server.xsrf.disableProtection': true }, /cannot be switched off/],
    [{ 'server.port': node.port }, /server\.port.*EADDRINUSE/],
    [{ 'server.ssl.enabled': true }, /needs \[server\.ssl\.certificate\]/],
  ]) {
    const { code, said } = await refusedStart({ 'server.host': '127.0.0.1', ...settings });
    assert.equal(code, 78, JSON.stringify(settings));
    assert.match(said, sentence);
    assert.doesNotMatch(said, /at .*\.js:\d+/);
  }
});

test('settings of Kibana without effect are accepted and told once; SIGTERM ends with 0', async () => {
  const own = await startDashboard({
    env: { 'telemetry.enabled': 'false', SERVER_NAME: 'kibana' },
    args: ['--telemetry.optIn=false', '--server.keepaliveTimeout', '5000'],
  });
  const line = own.lines().find(({ message }) => message === 'settings without effect here');
  assert.match(line.settings, /server\.name.*telemetry\.optIn|telemetry\.optIn.*server\.name/);
  assert.deepEqual(await own.stop(), { code: 0, signal: null });
});
