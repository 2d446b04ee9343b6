// Saved objects of a dashboard inside a node with security: Kibana's calls, rights, versions, files, limits.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call } from '../node-process.mjs';
import { ask, logIn, startNodeWithDashboard } from './dashboard-process.mjs';

const USERS = { ed: 'editor', vera: 'viewer', nora: 'monitoring_user' };
let node;
let dashboard;
const cookies = {};

before(async () => {
  ({ node, dashboard } = await startNodeWithDashboard(
    { 'xpack.security.enabled': true, 'discovery.type': 'single-node' },
    { env: { ELASTIC_PASSWORD: 'first-secret' }, auth: 'elastic:first-secret' },
  ));
  for (const [name, role] of Object.entries(USERS)) {
    await call(node, 'PUT', `/_security/user/${name}`, { password: `${name}-secret`, roles: [role] });
    cookies[name] = (await logIn(dashboard, name, `${name}-secret`)).cookie;
  }
});
after(() => node?.stop('SIGKILL'));

const as = (name, method, path, body, headers) =>
  ask(dashboard, method, `/api/saved_objects${path}`, { cookie: cookies[name], body, headers });
const attributes = { title: 'Web logs', panels: [{ n: 1 }] };

test('roles of Kibana decide who reads and writes', async () => {
  assert.equal((await ask(dashboard, 'GET', '/api/saved_objects/_find?type=dashboard')).status, 401);
  assert.equal((await as('nora', 'GET', '/_find?type=dashboard')).status, 403);
  assert.deepEqual((await as('vera', 'GET', '/_find?type=dashboard')).json, {
    page: 1,
    per_page: 20,
    total: 0,
    saved_objects: [],
  });
  const refused = await as('vera', 'POST', '/dashboard', { attributes });
  assert.deepEqual([refused.status, refused.json.error], [403, 'Forbidden']);
  assert.equal((await as('ed', 'POST', '/dashboard/a', { attributes })).status, 200);
  assert.equal((await as('vera', 'GET', '/dashboard/a')).status, 200);
});

test('an object is kept exactly, found by its title, changed against its version, and removed', async () => {
  const exact = '{"attributes":{"title":"Long numbers","n":9007199254740993,"t":"<b>"},"references":[]}';
  const made = await as('ed', 'POST', '/search/exact?overwrite=true', exact);
  assert.ok(made.text.includes('"n":9007199254740993'), made.text);
  const read = await as('ed', 'GET', '/search/exact');
  assert.ok(read.text.includes('"n":9007199254740993'), read.text);
  assert.equal(Buffer.from(read.json.version, 'base64').toString().replace(/\d+/g, '0'), '[0,0]');
  const found = await as('ed', 'GET', '/_find?type=search&type=dashboard&search=long*&per_page=5&fields=title');
  assert.deepEqual(
    found.json.saved_objects.map((one) => [one.id, one.attributes, one.version]),
    [['exact', { title: 'Long numbers' }, read.json.version]],
  );
  const { version } = read.json;
  const changed = await as('ed', 'PUT', '/search/exact', { attributes: { title: 'New' }, version });
  assert.deepEqual([changed.status, changed.json.attributes.t], [200, '<b>']);
  assert.ok(changed.text.includes('"n":9007199254740993'), changed.text);
  const late = await as('ed', 'PUT', '/search/exact', { attributes: { title: 'Late' }, version });
  assert.deepEqual(late.json, {
    statusCode: 409,
    error: 'Conflict',
    message: 'Saved object [search/exact] conflict',
  });
  assert.equal((await as('ed', 'POST', '/search/exact', { attributes })).status, 409);
  assert.deepEqual((await as('ed', 'DELETE', '/search/exact')).json, {});
  const gone = await as('ed', 'GET', '/search/exact');
  assert.deepEqual([gone.status, gone.json.message], [404, 'Saved object [search/exact] not found']);
});

test('the index is hidden, and the user of the dashboard alone may use it', async () => {
  assert.equal((await call(node, 'GET', '/_cat/indices')).body.includes('.shoal-dashboards'), false);
  const { body } = await call(node, 'GET', '/.shoal-dashboards/_settings');
  assert.equal(body['.shoal-dashboards'].settings.index.hidden, 'true');
  assert.equal((await call(node, 'PUT', '/.shoal-dashboards/_doc/x', { a: 1 })).status, 403);
});

test('what is exported is imported, and conflicts are told', async () => {
  const file = await as('ed', 'POST', '/_export', { type: '*' });
  assert.equal(file.headers.get('content-type'), 'application/ndjson');
  const lines = file.text.trimEnd().split('\n');
  assert.equal(JSON.parse(lines.at(-1)).exportedCount, lines.length - 1);
  const listed = await as('ed', 'POST', '/_export', {
    objects: [
      { type: 'dashboard', id: 'a' },
      { type: 'dashboard', id: 'none' },
    ],
  });
  assert.equal(JSON.parse(listed.text.trimEnd().split('\n')[1]).missingRefCount, 1);
  const again = await importFile(file.text);
  assert.deepEqual([again.json.success, again.json.errors[0].error], [false, { type: 'conflict' }]);
  const over = await importFile(file.text, '?overwrite=true');
  assert.deepEqual([over.status, over.json.success, over.json.successCount], [200, true, lines.length - 1]);
});

const importFile = (text, query = '', name = 'ed') => {
  const body = `--b\r\nContent-Disposition: form-data; name="file"; filename="a.ndjson"\r\n\r\n${text}\r\n--b--\r\n`;
  return as(name, 'POST', `/_import${query}`, body, { 'content-type': 'multipart/form-data; boundary=b' });
};

test('a file of Kibana is taken as far as it can be, and the rest is named', async () => {
  const searchSourceJSON = JSON.stringify({ query: { query: 'a: 1', language: 'lucene' }, indexRefName: 'r' });
  const reference = { type: 'index-pattern', id: 'p', name: 'r' };
  const kibana = { title: 'From Kibana', columns: ['a'], kibanaSavedObjectMeta: { searchSourceJSON } };
  const lines = [
    { type: 'index-pattern', id: 'p', attributes: { title: 'logs-*' }, references: [] },
    { type: 'search', id: 'k', attributes: kibana, references: [reference] },
    { type: 'search', id: 'l', attributes: kibana, references: [{ ...reference, id: 'lost' }] },
    { type: 'lens', id: 'x', attributes: { title: 'A lens' }, references: [] },
    { type: 'dashboard', id: 'y', attributes: { title: 'Old', panelsJSON: '[]' }, references: [] },
    { exportedCount: 5, missingRefCount: 0 },
  ];
  const done = await importFile(lines.map((line) => JSON.stringify(line)).join('\n'));
  assert.equal(done.json.successCount, 2);
  assert.deepEqual(done.json.errors.map(({ type, id, error }) => [type, id, error.type]).sort(), [
    ['dashboard', 'y', 'unsupported_type'],
    ['lens', 'x', 'unsupported_type'],
    ['search', 'l', 'missing_references'],
  ]);
  const { attributes: taken } = (await as('vera', 'GET', '/search/k')).json;
  assert.deepEqual([taken.index, taken.query, taken.language, taken.columns], ['logs-*', 'a: 1', 'lucene', ['a']]);
  assert.equal((await importFile('{}', '', 'vera')).status, 403);
});

test('whatever is sent about saved objects, the answer is 4xx with JSON', async () => {
  const big = { attributes: { text: 'x'.repeat(2 ** 20) } };
  for (const [method, path, body, status] of [
    ['GET', '/_find', undefined, 400],
    ['GET', '/_find?type=lens', undefined, 400],
    ['GET', '/_find?type=search&per_page=0', undefined, 400],
    ['GET', '/_find?type=search&per_page=9999', undefined, 400],
    ['GET', '/_find?type=search&sort_field=attributes', undefined, 400],
    ['GET', '/_find?type=search&fields=*', undefined, 400],
    ['GET', '/_find?type=search&has_reference={}', undefined, 400],
    ['GET', '/lens/a', undefined, 400],
    ['GET', `/search/${'x'.repeat(300)}`, undefined, 400],
    ['POST', '/search', '[]', 400],
    ['POST', '/search', '{"attributes":[]}', 400],
    ['POST', '/search', '{"attributes":{"title":1}}', 400],
    ['POST', '/search', '{"attributes":{"__proto__":{}}}', 400],
    ['POST', '/search', '{"attributes":{},"references":[{}]}', 400],
    ['POST', '/search', '{"attributes":{},"namespaces":[]}', 400],
    ['POST', '/search', big, 413],
    ['PUT', '/dashboard/a', { attributes: {}, version: 'no' }, 400],
    ['PUT', '/dashboard/none', { attributes: {} }, 404],
    ['DELETE', '/dashboard/none', undefined, 404],
    ['POST', '/_export', '{}', 400],
    ['POST', '/_export', '{"type":"lens"}', 400],
    ['POST', '/_import', 'not json', 400],
    ['POST', '/_import', '"text"', 400],
    ['POST', '/_import?createNewCopies=true', '{}', 400],
  ]) {
    const answer = await as('ed', method, path, body);
    assert.deepEqual([answer.status, answer.json?.statusCode], [status, status], `${method} ${path} ${answer.text}`);
  }
});
