// Who may see and replay refused documents, and who fills a quarantine.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { basicAuth, call, startNode } from '../node-process.mjs';

let node;
const PASSWORD = 'long-enough';
const as = (name) => (method, target, body) => call(node, method, target, body, basicAuth(`${name}:${PASSWORD}`));
const [reader, partly, hidden, writer, stranger] = ['reader', 'partly', 'hidden', 'writer', 'stranger'].map(as);
const onLogs = (privileges, more = {}) => ({ indices: [{ names: ['logs'], privileges, ...more }] });

before(async () => {
  node = await startNode({ env: { ELASTIC_PASSWORD: 'elastic-secret' }, auth: 'elastic:elastic-secret' });
  const roles = {
    reader: onLogs(['read']),
    partly: onLogs(['read'], { query: { term: { n: 1 } } }),
    hidden: onLogs(['read'], { field_security: { grant: ['n'] } }),
    writer: onLogs(['write']),
    stranger: { indices: [{ names: ['mine'], privileges: ['all'] }] },
  };
  for (const [name, role] of Object.entries(roles)) {
    assert.equal((await call(node, 'PUT', `/_security/role/${name}`, role)).status, 200);
    const user = { password: PASSWORD, roles: [name] };
    assert.equal((await call(node, 'PUT', `/_security/user/${name}`, user)).status, 200);
  }
  const body = { settings: { 'index.shoal.quarantine': true }, mappings: { properties: { n: { type: 'integer' } } } };
  assert.equal((await call(node, 'PUT', '/logs', body)).status, 200);
  await call(node, 'PUT', '/salaries/_doc/1?refresh=true', { who: 'jane', pay: ['x'] });
  await call(node, 'PUT', '/_ingest/pipeline/fails', { processors: [{ fail: { message: 'no' } }] });
  assert.ok((await writer('PUT', '/logs/_doc/1', { n: 'x', secret: 's' })).body.quarantined);
});
after(() => node?.stop());

test('entries are shown to those who may read the index, with the name of the writer', async () => {
  const { status, body } = await reader('GET', '/logs/_quarantine');
  assert.equal(status, 200);
  assert.deepEqual(
    body.hits.hits.map(({ _source: { user, document } }) => [user, document.source]),
    [['writer', { n: 'x', secret: 's' }]],
  );
  assert.deepEqual(
    (await reader('GET', '/_quarantine')).body.quarantines.map(({ index }) => index),
    ['logs'],
  );
});

test('nobody else sees them: not who may only write, nor who sees a part, nor a stranger', async () => {
  assert.equal((await writer('GET', '/logs/_quarantine')).status, 403);
  assert.equal((await stranger('GET', '/logs/_quarantine')).status, 403);
  for (const limited of [partly, hidden]) {
    const { status, body } = await limited('GET', '/logs/_quarantine');
    assert.equal(status, 400);
    assert.match(body.error.reason, /field or document level security is enabled/);
    assert.deepEqual((await limited('GET', '/_quarantine')).body.quarantines, []);
    assert.equal((await limited('GET', '/*/_quarantine')).body.hits.total.value, 0);
  }
  assert.deepEqual((await stranger('GET', '/_quarantine')).body.quarantines, []);
  for (const caller of [reader, stranger]) assert.equal((await caller('GET', '/.quarantine-logs/_search')).status, 403);
});

test('a search of entries reads nothing else by the rights of the node', async () => {
  const lookup = { terms: { user: { index: 'salaries', id: '1', path: 'pay' } } };
  assert.equal((await reader('POST', '/logs/_quarantine', { query: lookup })).status, 403);
  assert.equal((await reader('GET', '/salaries/_quarantine')).status, 403);
});

test('a replay writes as its caller, who must be able to read and to write', async () => {
  const path = '/logs/_quarantine/_replay';
  for (const caller of [reader, writer, stranger]) assert.equal((await caller('POST', path, {})).status, 403);
  const { status, body } = await call(node, 'POST', path, { dry_run: true });
  assert.deepEqual([status, body.total, body.failed], [200, 1, 1]);
});

test('who may not write to an index does not fill its quarantine', async () => {
  const line = `${JSON.stringify({ index: { _index: 'logs', pipeline: 'fails' } })}\n{}\n`;
  const { body } = await stranger('POST', '/_bulk?quarantine=true', line);
  assert.equal(body.items[0].index.quarantined, undefined);
  assert.equal((await stranger('PUT', '/logs/_doc/2?pipeline=fails&quarantine=true', {})).status, 403);
  assert.equal((await reader('GET', '/logs/_quarantine')).body.hits.total.value, 1);
});
