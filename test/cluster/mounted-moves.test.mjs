// A partially mounted index whose node may not have it any more.
import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { startCluster } from '../cluster-processes.mjs';
import { call, temporaryFolder } from '../node-process.mjs';

const repository = temporaryFolder('repository');
let cluster;
before(async () => {
  const settings = {
    'shoal.shard_threads': 0,
    'path.repo': repository,
    'xpack.searchable.snapshot.shared_cache.size': '16mb',
  };
  cluster = await startCluster({ count: 2, settings });
});
after(() => cluster?.stop('SIGKILL'));

test('it is opened on another node, with all documents', async () => {
  const [asked] = cluster.nodes;
  const ok = async (method, url, body) => {
    const answer = await call(asked, method, url, body);
    assert.equal(answer.status, 200, `${method} ${url}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  await ok('PUT', '/_snapshot/r', { type: 'fs', settings: { location: path.join(repository, 'r') } });
  await ok('PUT', '/logs', { settings: { number_of_replicas: 0 } });
  const lines = Array.from({ length: 200 }, (_, n) => `{"index":{}}\n{"n":${n},"word":"w${n % 7}"}\n`).join('');
  assert.equal((await ok('POST', '/logs/_bulk?refresh=true', lines)).errors, false);
  await ok('PUT', '/_snapshot/r/s?wait_for_completion=true', { indices: 'logs' });
  await ok('POST', '/_snapshot/r/s/_mount?storage=shared_cache&wait_for_completion=true', {
    index: 'logs',
    renamed_index: 'cold',
  });
  const nodeOf = async () => (await ok('GET', '/_cat/shards/cold?format=json'))[0].node;
  const matches = async () => (await ok('GET', '/cold/_count?q=word:w3')).count;
  const before = await nodeOf();
  const count = await matches();
  assert.ok(count > 20);
  await ok('PUT', '/_cluster/settings', { persistent: { 'cluster.routing.allocation.exclude._name': before } });
  await ok('GET', '/_cluster/health/cold?wait_for_status=green&wait_for_no_initializing_shards=true&timeout=30s');
  assert.notEqual(await nodeOf(), before);
  assert.equal(await matches(), count);
});
