// Stores of a node whose cluster state was lost, in the folder of a new one: they are told, never overwritten, and come
// back on demand.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { call, sleep, startNode, temporaryFolder } from '../node-process.mjs';

const UNKNOWN = /stores of an index that the cluster does not know/;

async function until(what, condition) {
  for (let i = 0; i < 300; i++) {
    if (await condition()) return;
    await sleep(50);
  }
  throw new Error(`not within 15 s: ${what}`);
}

/** The folder of a new node, into which the stores of another with two indices were moved. */
async function withoutState() {
  const data = temporaryFolder('dangling');
  const node = await startNode({ data });
  const settings = { number_of_shards: 2, number_of_replicas: 0 };
  await call(node, 'PUT', '/orders', {
    settings,
    aliases: { shop: {} },
    mappings: { properties: { k: { type: 'keyword' } } },
  });
  await call(node, 'PUT', '/notes', { settings });
  const lines = Array.from({ length: 50 }, (_, i) => `{"index":{"_id":"${i}"}}\n{"k":"k${i % 3}","n":${i}}\n`).join('');
  await call(node, 'POST', '/orders/_bulk?refresh=true', lines);
  await call(node, 'POST', '/notes/_bulk?refresh=true', lines);
  await until(
    'the metadata is kept',
    () =>
      fs.existsSync(path.join(data, 'index-metadata')) &&
      fs.readdirSync(path.join(data, 'index-metadata')).length === 2,
  );
  await sleep(1500);
  await node.stop('SIGKILL');
  const other = temporaryFolder('dangling');
  await (await startNode({ data: other })).stop();
  for (const name of ['indices', 'index-metadata'])
    fs.cpSync(path.join(data, name), path.join(other, name), { recursive: true });
  return other;
}

test('stores that the cluster does not know are told, and imported with all documents', async () => {
  const data = await withoutState();
  const node = await startNode({ data });
  try {
    const { body } = await call(node, 'GET', '/_dangling');
    assert.deepEqual(body._nodes, { total: 1, successful: 1, failed: 0 });
    assert.deepEqual(body.dangling_indices.map(({ index_name: name }) => name).toSorted(), ['notes', 'orders']);
    const [orders] = body.dangling_indices.filter(({ index_name: name }) => name === 'orders');
    assert.ok(orders.creation_date_millis > 1.7e12 && orders.node_ids.length === 1);
    await until('a line in the log', () => UNKNOWN.test(node.log()));
    const why = (await call(node, 'GET', '/_why')).body.causes.find(({ about }) => about === 'index orders');
    assert.equal(why.mend[0].path, `/_dangling/${orders.index_uuid}?accept_data_loss=true`);

    const import_ = `/_dangling/${orders.index_uuid}`;
    const refused = await call(node, 'POST', import_);
    assert.deepEqual([refused.status, refused.body.error.reason], [400, 'accept_data_loss must be set to true']);
    await call(node, 'PUT', '/orders');
    const taken = await call(node, 'POST', `${import_}?accept_data_loss=true`);
    assert.equal(taken.status, 400);
    assert.match(taken.body.error.reason, /cannot import dangling index \[orders\/.*\]: an index of that name exists/);
    await call(node, 'DELETE', '/orders');

    const imported = await call(node, 'POST', `${import_}?accept_data_loss=true`);
    assert.deepEqual([imported.status, imported.body], [202, { acknowledged: true }]);
    await call(node, 'GET', '/_cluster/health/orders?wait_for_status=green&timeout=10s');
    const found = await call(node, 'POST', '/shop/_search', {
      size: 0,
      track_total_hits: true,
      query: { term: { k: 'k1' } },
    });
    assert.equal(found.body.hits.total.value, 17);
    assert.equal((await call(node, 'PUT', '/orders/_doc/50?refresh=true', { k: 'k1' })).status, 201);
  } finally {
    await node.stop();
  }
  const again = await startNode({ data });
  assert.equal((await call(again, 'GET', '/orders/_count')).body.count, 51);
  assert.equal((await call(again, 'GET', '/_dangling')).body.dangling_indices.length, 1);
  await again.stop();
});

test('a dangling index that is not needed goes with its stores; without metadata it is not imported', async () => {
  const data = await withoutState();
  const kept = path.join(data, 'index-metadata');
  const node = await startNode({ data });
  try {
    const { dangling_indices: found } = (await call(node, 'GET', '/_dangling')).body;
    const [first, second] = found.map(({ index_uuid: uuid }) => uuid);
    fs.truncateSync(path.join(kept, first), 100);
    const refused = await call(node, 'POST', `/_dangling/${first}?accept_data_loss=true`);
    assert.match(refused.body.error.reason, /metadata of the dangling index \[.*\] is missing or damaged/);
    for (const uuid of [first, second]) {
      const deleted = await call(node, 'DELETE', `/_dangling/${uuid}?accept_data_loss=true`);
      assert.deepEqual([deleted.status, deleted.body], [202, { acknowledged: true }]);
      await until('its folder is gone', () => !fs.existsSync(path.join(data, 'indices', uuid)));
    }
    assert.deepEqual((await call(node, 'GET', '/_dangling')).body.dangling_indices, []);
    const unknown = await call(node, 'DELETE', `/_dangling/${first}?accept_data_loss=true`);
    assert.equal(unknown.body.error.reason, `No dangling index found for UUID [${first}]`);
  } finally {
    await node.stop();
  }
});
