// What operators ask of a cluster, on three nodes: figures of all of them from whichever is asked, shutdowns, votes,
// snapshots, and no master.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { startCluster } from '../cluster-processes.mjs';
import { call, sleep, temporaryFolder } from '../node-process.mjs';

const repository = temporaryFolder('repository');
let cluster;
let nodes;
/** Node ids by name. */
let ids;
before(async () => {
  cluster = await startCluster({
    settings: { 'shoal.shard_threads': 0, 'path.repo': repository },
    settingsOf: (i) => ({ 'node.attr.rack': `r${i + 1}` }),
  });
  nodes = cluster.nodes;
  const { body } = await call(nodes[0], 'GET', '/_nodes/_all/_none');
  ids = Object.fromEntries(Object.entries(body.nodes).map(([id, { name }]) => [name, id]));
  await call(nodes[0], 'PUT', '/a', { settings: { number_of_shards: 3, number_of_replicas: 1 } });
  await call(nodes[0], 'GET', '/_cluster/health?wait_for_status=green&timeout=20s');
  const lines = Array.from({ length: 30 }, (_, i) => `{"index":{"_id":"${i}"}}\n{"n":${i}}\n`).join('');
  assert.equal((await call(nodes[1], 'POST', '/a/_bulk?refresh=true', lines)).body.errors, false);
});
after(() => cluster?.stop('SIGKILL'));

const get = async (node, target) => (await call(node, 'GET', target)).body;
const namesOf = ({ nodes: found }) =>
  Object.values(found)
    .map(({ name }) => name)
    .sort();

test('every node tells of all nodes, their own settings and figures', async () => {
  for (const node of nodes) {
    const info = await get(node, '/_nodes');
    assert.deepEqual(info._nodes, { total: 3, successful: 3, failed: 0 });
    for (const name of ['n1', 'n2', 'n3']) assert.equal(info.nodes[ids[name]].settings.node.name, name);
    assert.equal(new Set(Object.values(info.nodes).map((one) => one.process.id)).size, 3);
    const stats = await get(node, '/_nodes/stats/transport,http,indices/docs');
    for (const { transport } of Object.values(stats.nodes))
      assert.ok(transport.rx_count > 0 && transport.tx_size_in_bytes > 0);
    assert.equal(
      Object.values(stats.nodes).reduce((sum, { indices }) => sum + indices.docs.count, 0),
      60,
    );
  }
});

test('node filters: names, ids, wildcards, the master, roles, attributes, addresses', async () => {
  const chosen = async (filter) => namesOf(await get(nodes[1], `/_nodes/${filter}/_none`));
  assert.deepEqual(await chosen('_local'), ['n2']);
  assert.deepEqual(await chosen(`n1,${ids.n3}`), ['n1', 'n3']);
  assert.deepEqual(await chosen('n*'), ['n1', 'n2', 'n3']);
  assert.equal((await chosen('_master')).length, 1);
  assert.deepEqual(await chosen('rack:r1'), ['n1']);
  assert.deepEqual(await chosen('_all,master:false'), []);
  assert.deepEqual(await chosen('data:true'), ['n1', 'n2', 'n3']);
  assert.deepEqual(await chosen('127.0.*'), ['n1', 'n2', 'n3']);
  assert.deepEqual(await chosen('nobody'), []);
});

test('tables list all nodes and add up primaries and replicas', async () => {
  const table = (name) => get(nodes[2], `/_cat/${name}format=json&bytes=b`);
  const rows = await table('nodes?h=name,master,pid,port&');
  assert.deepEqual(rows.map(({ name }) => name).sort(), ['n1', 'n2', 'n3']);
  assert.equal(rows.filter(({ master }) => master === '*').length, 1);
  assert.equal(new Set(rows.map(({ pid, port }) => `${pid}/${port}`)).size, 3);
  assert.deepEqual(
    (await table('nodeattrs?h=node,attr,value&s=node&')).map(({ node, value }) => `${node} ${value}`),
    ['n1 r1', 'n2 r2', 'n3 r3'],
  );
  assert.deepEqual(
    new Set((await table('thread_pool/search?')).map((row) => row.node_name)),
    new Set(['n1', 'n2', 'n3']),
  );
  const allocation = await table('allocation?');
  assert.equal(
    allocation.reduce((sum, { shards }) => sum + Number(shards), 0),
    6,
  );
  const [index] = await table('indices/a?');
  assert.deepEqual([index.health, index['docs.count']], ['green', '30']);
  assert.ok(Number(index['store.size']) > Number(index['pri.store.size']));
  const recoveries = await table('recovery/a?');
  assert.deepEqual(
    recoveries.map(({ shard, type }) => `${shard} ${type}`),
    ['0 empty_store', '0 peer', '1 empty_store', '1 peer', '2 empty_store', '2 peer'],
  );
  for (const row of recoveries.filter(({ type }) => type === 'peer')) assert.notEqual(row.source_node, row.target_node);
  const { _all: all } = await get(nodes[0], '/a/_stats/docs');
  assert.deepEqual([all.primaries.docs.count, all.total.docs.count], [30, 60]);
  const stats = await get(nodes[1], '/_cluster/stats');
  assert.deepEqual(
    [stats.nodes.count.total, stats.indices.shards.total, stats.indices.shards.replication, stats.indices.docs.count],
    [3, 6, 1, 30],
  );
});

test('health waits for events, nodes and copies over the cluster; the report names what is missing', async () => {
  const health = await call(
    nodes[2],
    'GET',
    '/_cluster/health?wait_for_events=languid&wait_for_nodes=3' +
      '&wait_for_no_relocating_shards=true&wait_for_status=green',
  );
  assert.deepEqual([health.status, health.body.timed_out, health.body.active_shards], [200, false, 6]);
  assert.equal((await call(nodes[2], 'GET', '/_cluster/health?wait_for_nodes=%3E3&timeout=50ms')).status, 408);
  await call(nodes[0], 'PUT', '/wide?wait_for_active_shards=1', {
    settings: { number_of_shards: 1, number_of_replicas: 3 },
  });
  await get(nodes[0], '/_cluster/health/wide?wait_for_active_shards=3&timeout=10s');
  const { status, indicators } = await get(nodes[1], '/_health_report');
  assert.equal(status, 'yellow');
  assert.equal(indicators.master_is_stable.status, 'green');
  assert.equal(indicators.disk.details.nodes_with_unknown_disk_status, 0);
  assert.equal(indicators.shards_availability.symptom, 'This cluster has 1 unavailable replica shard.');
  assert.deepEqual(
    indicators.shards_availability.diagnosis.map(({ id, affected_resources: { indices } }) => [
      id.split(':').at(-1),
      indices,
    ]),
    [['increase_tier_capacity_for_allocations', ['wide']]],
  );
  await call(nodes[0], 'DELETE', '/wide');
});

test('a node that is excluded from voting leaves the voting configuration, and votes again afterwards', async () => {
  const coordination = async () => (await get(nodes[0], '/_cluster/state/metadata')).metadata.cluster_coordination;
  assert.deepEqual([...(await coordination()).last_committed_config].sort(), Object.values(ids).sort());
  assert.equal((await call(nodes[1], 'POST', '/_cluster/voting_config_exclusions?node_names=n3')).status, 200);
  const excluded = await coordination();
  assert.ok(!excluded.last_committed_config.includes(ids.n3));
  assert.deepEqual(excluded.voting_config_exclusions, [{ node_id: ids.n3, node_name: 'n3' }]);
  const refused = await call(nodes[2], 'DELETE', '/_cluster/voting_config_exclusions?master_timeout=50ms');
  assert.equal(refused.status, 500);
  assert.equal(
    refused.body.error.reason,
    'timed out waiting for removal of nodes; if nodes should not be removed, set ?wait_for_removal=false. ' +
      `[{n3}{${ids.n3}}]`,
  );
  assert.equal(
    (await call(nodes[2], 'DELETE', '/_cluster/voting_config_exclusions?wait_for_removal=false')).status,
    200,
  );
  await get(nodes[0], '/_cluster/health?wait_for_events=languid');
  assert.deepEqual((await coordination()).voting_config_exclusions, []);
});

test('a node that is about to be removed is emptied', async () => {
  await call(nodes[0], 'PUT', '/moving', { settings: { number_of_shards: 3, number_of_replicas: 0 } });
  assert.equal(
    (await call(nodes[0], 'PUT', `/_nodes/${ids.n2}/shutdown`, { type: 'remove', reason: 'maintenance' })).status,
    200,
  );
  const of = async () => (await get(nodes[2], `/_nodes/${ids.n2}/shutdown`)).nodes[0];
  for (let i = 0; i < 100 && (await of()).status !== 'COMPLETE'; i++)
    await get(nodes[0], '/_cluster/health?wait_for_no_relocating_shards=true&wait_for_events=languid&timeout=2s');
  assert.deepEqual(
    await of().then(({ type, status, shard_migration: shards }) => [type, status, shards.shard_migrations_remaining]),
    ['REMOVE', 'COMPLETE', 0],
  );
  assert.equal((await call(nodes[1], 'DELETE', `/_nodes/${ids.n2}/shutdown`)).status, 200);
  assert.deepEqual((await get(nodes[0], '/_nodes/shutdown')).nodes, []);
  await call(nodes[0], 'DELETE', '/moving');
  assert.equal(
    (await get(nodes[0], '/_cluster/health?wait_for_status=green&wait_for_no_relocating_shards=true&timeout=20s'))
      .status,
    'green',
  );
});

test('a snapshot that one node asked for is known to all; restored shards are spread over the nodes', async () => {
  assert.equal(
    (await call(nodes[0], 'PUT', '/_snapshot/r', { type: 'fs', settings: { location: path.join(repository, 'r') } }))
      .status,
    200,
  );
  assert.deepEqual(namesOf(await call(nodes[1], 'POST', '/_snapshot/r/_verify').then(({ body }) => body)), [
    'n1',
    'n2',
    'n3',
  ]);
  const taken = await call(nodes[1], 'PUT', '/_snapshot/r/s?wait_for_completion=true', { indices: 'a' });
  assert.deepEqual(
    [taken.body.snapshot.state, taken.body.snapshot.shards],
    ['SUCCESS', { total: 3, failed: 0, successful: 3 }],
  );
  assert.deepEqual(
    (await get(nodes[2], '/_snapshot/r/_all')).snapshots.map(({ snapshot }) => snapshot),
    ['s'],
  );
  const again = await call(nodes[2], 'PUT', '/_snapshot/r/s');
  assert.equal(again.body.error.type, 'snapshot_name_already_in_use_exception');
  const restored = await call(nodes[2], 'POST', '/_snapshot/r/s/_restore?wait_for_completion=true', {
    rename_pattern: 'a',
    rename_replacement: 'b',
  });
  assert.deepEqual(restored.body.snapshot.shards, { total: 3, failed: 0, successful: 3 });
  assert.equal((await get(nodes[0], '/b/_count')).count, 30);
  const places = await get(nodes[0], '/_cat/recovery/b?format=json&h=type,repository,target_node');
  const primaries = places.filter(({ type }) => type === 'snapshot');
  assert.deepEqual(
    primaries.map((row) => row.repository),
    ['r', 'r', 'r'],
  );
  assert.equal(new Set(primaries.map((row) => row.target_node)).size, 3);
  assert.equal((await call(nodes[1], 'DELETE', '/_snapshot/r/s')).status, 200);
  const left = fs.readdirSync(path.join(repository, 'r')).map((name) => name.replace(/\d+/, 'N'));
  assert.deepEqual(left.sort(), ['snapshots-N.json', 'snapshots.json']);
});

test('without a majority nothing is decided, reads go on over what is left', async () => {
  const { master_node: master } = await get(nodes[0], '/_cluster/state/master_node');
  const alone = nodes[['n1', 'n2', 'n3'].findIndex((name) => ids[name] !== master)];
  await Promise.all(nodes.filter((node) => node !== alone).map((node) => node.stop('SIGKILL')));
  while ((await get(alone, '/_cluster/state/master_node?local=true')).master_node !== null) await sleep(20);
  const answers = await Promise.all([
    ...[
      '/_cluster/health?',
      '/_cluster/state?',
      '/_cat/nodes?',
      '/_cat/indices?',
      '/a/_settings?',
      '/_cluster/pending_tasks?',
    ].map((target) => call(alone, 'GET', `${target}master_timeout=300ms`)),
    call(alone, 'PUT', '/new?master_timeout=300ms'),
    call(alone, 'PUT', '/a/_mapping?master_timeout=300ms', { properties: { x: { type: 'keyword' } } }),
    call(alone, 'DELETE', '/a?master_timeout=300ms'),
  ]);
  const NOT_DISCOVERED = {
    error: {
      root_cause: [{ type: 'master_not_discovered_exception', reason: null }],
      type: 'master_not_discovered_exception',
      reason: null,
    },
    status: 503,
  };
  for (const { status, body } of answers) assert.deepEqual([status, body], [503, NOT_DISCOVERED]);

  const local = await get(alone, '/_cluster/state/master_node,blocks?local=true');
  assert.deepEqual([local.master_node, local.blocks.global['2'].description], [null, 'no master']);
  assert.equal((await get(alone, '/_cluster/health?local=true')).status, 'red');
  assert.equal((await call(alone, 'GET', '/')).status, 200);
  for (const [target, body] of [
    ['/a/_doc/1?timeout=100ms', { n: 1 }],
    ['/a/_bulk?timeout=100ms', '{"index":{"_id":"1"}}\n{"n":1}\n'],
  ]) {
    const refused = await call(alone, target.includes('_bulk') ? 'POST' : 'PUT', target, body);
    assert.deepEqual(
      [refused.status, refused.body.error.type, refused.body.error.reason],
      [503, 'cluster_block_exception', 'blocked by: [SERVICE_UNAVAILABLE/2/no master];'],
    );
  }
  const { _nodes: reached } = await get(alone, '/_nodes');
  assert.deepEqual([reached.total, reached.successful, reached.failed], [3, 1, 2]);
  assert.deepEqual(
    reached.failures.map(({ type, caused_by: { type: cause } }) => [type, cause]),
    [
      ['failed_node_exception', 'node_not_connected_exception'],
      ['failed_node_exception', 'node_not_connected_exception'],
    ],
  );
  const found = await get(alone, '/a/_search');
  assert.ok(found._shards.successful >= 1);
  for (const { reason } of found._shards.failures ?? [])
    assert.match(reason.type, /^node_(not_)?(dis)?connected_exception$/);
});
