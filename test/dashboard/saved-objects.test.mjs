// Saved objects of a dashboard inside a node with security: Kibana's calls, rights, versions, files, limits.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { basicAuth, call } from '../node-process.mjs';
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

/** Statuses of an answer that tells its caller what is wrong. */
const isTold = ({ status, json }) => status >= 400 && status < 500 && json?.statusCode === status;

test('ids that no document can have are refused, wherever they stand', async () => {
  const lone = '"\\ud800"';
  const wide = JSON.stringify('\u4e16'.repeat(200));
  for (const id of [lone, wide, '""', '7', 'null', '{}', JSON.stringify('x'.repeat(257))]) {
    const listed = await as('ed', 'POST', '/_export', `{"objects":[{"type":"search","id":${id}}]}`);
    assert.ok(isTold(listed), `${id} ${listed.status} ${listed.text}`);
    const taken = await importFile(`{"type":"search","id":${id},"attributes":{"title":"t"}}`);
    const isRefused = taken.status === 200 ? taken.json.errors?.length === 1 : isTold(taken);
    assert.ok(isRefused, `${id} ${taken.status} ${taken.text}`);
  }
  for (const path of [`/search/${'%E4%B8%96'.repeat(200)}`, '/search/%ED%A0%80', '/search/%E0%A4', '/search/%00%'])
    for (const [method, body] of [['GET'], ['DELETE'], ['PUT', { attributes }], ['POST', { attributes }]]) {
      const answer = await as('ed', method, path, body);
      assert.ok(isTold(answer), `${method} ${path} ${answer.status} ${answer.text}`);
    }
});

test('an id leads to its own object and nowhere else', async () => {
  const ids = [
    '..',
    '.',
    '../_search',
    'a/b',
    'a?refresh=x',
    '#',
    '%2e%2e',
    '*',
    'a,b',
    '"',
    "' or 1",
    '_bulk',
    'a b',
    '\u202ea',
  ];
  for (const id of ids) {
    const file = JSON.stringify({ type: 'search', id, attributes: { title: `own ${id}` } });
    assert.equal((await importFile(file, '?overwrite=true')).json.successCount, 1, id);
    const [line] = (await as('ed', 'POST', '/_export', { objects: [{ type: 'search', id }] })).text.split('\n');
    assert.deepEqual([JSON.parse(line).id, JSON.parse(line).attributes.title], [id, `own ${id}`]);
    // Clients take a path of dots for a step.
    if (/^\.+$/.test(id)) continue;
    assert.equal((await as('vera', 'GET', `/search/${encodeURIComponent(id)}`)).json.attributes.title, `own ${id}`);
  }
  const other = await as('ed', 'POST', '/_export', { objects: [{ type: 'dashboard', id: 'search:a' }] });
  assert.equal(JSON.parse(other.text).missingRefCount, 1);
});

test('an object does not grow beyond its limit by changes, nor a file or a list beyond theirs', async () => {
  const part = (name) => ({ attributes: { [name]: 'x'.repeat(600 * 1024) } });
  assert.equal((await as('ed', 'POST', '/search/grows', part('a'))).status, 200);
  assert.equal((await as('ed', 'PUT', '/search/grows', part('a'))).status, 200);
  assert.equal((await as('ed', 'PUT', '/search/grows', part('b'))).status, 413);
  assert.deepEqual(Object.keys((await as('ed', 'GET', '/search/grows')).json.attributes), ['a']);
  assert.equal((await as('ed', 'DELETE', '/search/grows')).status, 200);
  const line = (i) => `{"type":"search","id":"n${i}","attributes":{"title":"n"}}`;
  const many = await importFile(Array.from({ length: 10_001 }, (_, i) => line(i)).join('\n'));
  assert.ok(isTold(many), many.text);
  const listed = Array.from({ length: 10_001 }, (_, i) => ({ type: 'search', id: `${i}` }));
  assert.ok(isTold(await as('ed', 'POST', '/_export', { objects: listed })));
  assert.equal((await as('vera', 'GET', '/_find?type=search&search=n')).json.total, 0);
});

test('bodies and forms that are made to hurt are refused, and the dashboard goes on', async () => {
  const deep = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
  const form = (body, type) => as('ed', 'POST', '/_import', body, { 'content-type': `multipart/form-data${type}` });
  const searchOf = (searchSourceJSON, references = []) =>
    JSON.stringify({
      ...{ type: 'search', id: 'bad', references },
      attributes: { title: 'k', kibanaSavedObjectMeta: { searchSourceJSON } },
    });
  const named = (id) => [{ type: 'index-pattern', id, name: 'r' }];
  const answers = [
    await as('ed', 'POST', '/search', `{"attributes":${deep}}`),
    await as('ed', 'POST', '/search', `{"attributes":{"a":${'9'.repeat(5_000)}}}`),
    await as('ed', 'POST', '/search', `{"attributes":{"constructor":{"prototype":1}}}`),
    await as('ed', 'POST', '/search', {
      attributes: {},
      references: Array.from({ length: 1_001 }, () => named('x')[0]),
    }),
    await importFile(`{"type":"search","id":"d","attributes":${deep}}`),
    await importFile('x\u0000'),
    await form('--b\r\n\r\n', '; boundary=b'),
    await form('--b\r\n'.repeat(5_000), '; boundary=b'),
    await form('x', `; boundary=${'b'.repeat(5_000)}`),
    await form('x', ''),
    await as('ed', 'GET', `/_find?${'type=search&'.repeat(500)}type=lens`),
    await as('ed', 'GET', '/_find?type=search&page=10001'),
    await as('ed', 'GET', `/_find?type=search&search=${'a'.repeat(1_001)}`),
  ];
  for (const [i, answer] of answers.entries()) assert.ok(isTold(answer), `${i}: ${answer.status} ${answer.text}`);
  for (const file of [
    searchOf('{"indexRefName":"r"}', named('x'.repeat(5_000))),
    searchOf('{"indexRefName":"r"}', named('\ud800')),
    searchOf('{"index":[],"filter":[null,{"meta":7}],"query":7}'),
    searchOf('[1'),
    searchOf('"text"'),
  ]) {
    const { status, json, text } = await importFile(file);
    assert.deepEqual([status, json.success, json.errors?.length], [200, false, 1], text);
  }
  assert.equal((await as('vera', 'GET', '/_find?type=search&search=%22%20-(a%7C*~9999%20%2B%22')).status, 200);
});

test('of clients that create the same object at once one does; none changes it without its version', async () => {
  const make = (i) => as('ed', 'POST', '/search/race', { attributes: { title: `race ${i}` } });
  const made = await Promise.all(Array.from({ length: 12 }, (_, i) => make(i)));
  assert.deepEqual(made.map(({ status }) => status).sort(), [200, ...Array.from({ length: 11 }, () => 409)]);
  const { version } = (await as('ed', 'GET', '/search/race')).json;
  const change = (i) => as('ed', 'PUT', '/search/race', { attributes: { title: `later ${i}` }, version });
  const changed = await Promise.all(Array.from({ length: 12 }, (_, i) => change(i)));
  assert.deepEqual(changed.map(({ status }) => status).sort(), [200, ...Array.from({ length: 11 }, () => 409)]);
  for (const bad of ['WzFlNSwxXQ==', '[0,1]', 'WzAsMSwyXQ==', `${version}x`.repeat(99)])
    assert.ok(isTold(await as('ed', 'PUT', '/search/race', { attributes: {}, version: bad })), bad);
});

test('neither headers nor another site nor wide rights on indices lend the right to write', async () => {
  const write = (name, headers) => as(name, 'POST', '/search/lent', { attributes }, headers);
  for (const headers of [
    { 'es-security-runas-user': 'elastic' },
    { 'x-forwarded-user': 'elastic' },
    { authorization: 'ApiKey bm90OnJlYWw=' },
  ])
    assert.ok([401, 403].includes((await write('vera', headers)).status), JSON.stringify(headers));
  for (const headers of [
    { origin: 'http://evil.example' },
    { 'sec-fetch-site': 'cross-site' },
    { 'content-type': 'text/plain' },
  ])
    assert.ok(isTold(await write('ed', headers)), JSON.stringify(headers));
  const bare = await fetch(`${dashboard.url}/api/saved_objects/search/lent`, {
    method: 'DELETE',
    headers: { cookie: `sid=${cookies.ed}` },
  });
  assert.equal(bare.status, 400);
  assert.equal((await as('ed', 'GET', '/search/lent')).status, 404);
  await call(node, 'PUT', '/_security/role/everything', {
    indices: [{ names: ['*'], privileges: ['all'] }],
    cluster: ['manage'],
  });
  await call(node, 'PUT', '/_security/user/mallory', { password: 'mallory-secret', roles: ['everything'] });
  const mallory = { ...node, headers: basicAuth('mallory:mallory-secret') };
  const index = '.shoal-dashboards';
  for (const [method, path, body] of [
    ['GET', `/${index}/_search`],
    ['GET', `/${index}/_doc/search:race`],
    ['GET', `/${index}/_mapping`],
    ['PUT', `/${index}/_doc/search:race`, { a: 1 }],
    ['POST', `/${index}/_update/search:race`, { doc: { a: 1 } }],
    ['POST', `/${index}/_delete_by_query`, { query: { match_all: {} } }],
    ['POST', '/_reindex', { source: { index }, dest: { index: 'copy' } }],
    ['POST', '/_aliases', { actions: [{ add: { index, alias: 'mine' } }] }],
    ['PUT', `/${index}/_settings`, { index: { hidden: false } }],
    ['POST', `/${index}/_close`],
    ['POST', `/${index}/_clone/mine`],
    ['DELETE', `/${index}`],
  ]) {
    const { status, body: answer } = await call(mallory, method, path, body);
    assert.equal(status, 403, `${method} ${path} ${status} ${JSON.stringify(answer)}`);
  }
  assert.equal((await as('vera', 'GET', '/search/race')).json.attributes.title.startsWith('later '), true);
});
