// Pipelines and rights: who writes, and where pipelines may send documents.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { basicAuth, call, startNode } from '../node-process.mjs';

let node;
before(async () => {
  node = await startNode({ env: { ELASTIC_PASSWORD: 'elastic-secret' }, auth: 'elastic:elastic-secret' });
  await call(node, 'PUT', '/_security/role/writer', {
    cluster: [],
    indices: [{ names: ['a*'], privileges: ['write', 'create_index', 'read'] }],
  });
  await call(node, 'PUT', '/_security/user/ann', { password: 'ann-secret', roles: ['writer'], full_name: 'Ann' });
});
after(() => node?.stop());

const ann = basicAuth('ann:ann-secret');
const put = (name, ...processors) => call(node, 'PUT', `/_ingest/pipeline/${name}`, { processors });

test('a pipeline tells who writes', async () => {
  await put('who', { set_security_user: { field: 'by' } });
  assert.equal((await call(node, 'PUT', '/a1/_doc/1?pipeline=who', { n: 1 }, ann)).status, 201);
  assert.deepEqual((await call(node, 'GET', '/a1/_source/1', undefined, ann)).body.by, {
    username: 'ann',
    full_name: 'Ann',
    roles: ['writer'],
    realm: { name: 'default_native', type: 'native' },
    authentication_type: 'REALM',
  });
  const key = (await call(node, 'POST', '/_security/api_key', { name: 'k', metadata: { team: 'x' } })).body;
  const headers = { authorization: `ApiKey ${key.encoded}` };
  await call(node, 'PUT', '/a1/_doc/2?pipeline=who', { n: 1 }, headers);
  const { by } = (await call(node, 'GET', '/a1/_source/2')).body;
  assert.deepEqual(by.api_key, { id: key.id, name: 'k', metadata: { team: 'x' } });
  assert.deepEqual(
    [by.username, by.authentication_type, by.realm],
    ['elastic', 'API_KEY', { name: 'reserved', type: 'reserved' }],
  );
});

test('a document is written only where its sender may write, wherever a pipeline sends it', async () => {
  await put('away', { set: { field: '_index', value: 'b1' } });
  const single = await call(node, 'PUT', '/a1/_doc/3?pipeline=away', {}, ann);
  assert.equal(single.status, 403);
  const lines = '{"index":{"_index":"a1"}}\n{}\n{"index":{"_index":"b1","pipeline":"_none"}}\n{}\n';
  const { body } = await call(node, 'POST', '/_bulk?pipeline=away', lines, ann);
  assert.deepEqual(
    body.items.map(({ index }) => [index._index, index.status]),
    [
      ['b1', 403],
      ['b1', 403],
    ],
  );
  assert.equal((await call(node, 'HEAD', '/b1')).status, 404);
  await put('home', { set: { field: '_index', value: 'a1' } });
  assert.equal((await call(node, 'PUT', '/c1/_doc/1?pipeline=home', {}, ann)).status, 403);
});

test('who may not manage pipelines can neither change nor try them', async () => {
  for (const [method, target] of [
    ['PUT', '/_ingest/pipeline/p'],
    ['GET', '/_ingest/pipeline/who'],
    ['DELETE', '/_ingest/pipeline/who'],
    ['POST', '/_ingest/pipeline/_simulate'],
  ])
    assert.equal(
      (await call(node, method, target, method === 'GET' ? undefined : { processors: [] }, ann)).status,
      403,
    );
});
