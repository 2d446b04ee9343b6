// Pipelines in a cluster where one node has the role `ingest` and one has not.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startCluster } from '../cluster-processes.mjs';
import { call } from '../node-process.mjs';

let cluster;
before(async () => {
  cluster = await startCluster({
    count: 2,
    settings: { 'shoal.shard_threads': 0 },
    settingsOf: (i) => ({ 'node.roles': i === 0 ? 'master,data' : 'master,data,ingest' }),
  });
});
after(() => cluster?.stop('SIGKILL'));

test('a node without the role has pipelines run by one that has it', async () => {
  const [asked] = cluster.nodes;
  const processors = [{ set: { field: 'by', value: '{{{_index}}} {{n}}' } }, { drop: { if: 'ctx.n == 2' } }];
  await call(asked, 'PUT', '/_ingest/pipeline/p', { processors });
  const lines = [1, 2, 3].map((n) => `{"index":{"_index":"a","_id":"${n}"}}\n{"n":${n}.0}\n`).join('');
  const { body } = await call(asked, 'POST', '/_bulk?pipeline=p&refresh=true', lines);
  assert.deepEqual(
    body.items.map(({ index }) => index.result),
    ['created', 'noop', 'created'],
  );
  assert.deepEqual((await call(asked, 'GET', '/a/_doc/1')).body._source, { n: 1, by: 'a 1.0' });
  const missing = await call(asked, 'PUT', '/a/_doc/4?pipeline=no', { n: 4 });
  assert.equal(missing.body.error.reason, 'pipeline with id [no] does not exist');
  const { nodes } = (await call(asked, 'GET', '/_nodes/stats/ingest')).body;
  const counts = Object.fromEntries(Object.values(nodes).map(({ name, ingest }) => [name, ingest.pipelines.p.count]));
  assert.deepEqual(counts, { n1: 0, n2: 3 });
});
