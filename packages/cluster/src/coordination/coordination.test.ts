import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameIndex } from '@shoal/state';
import { alive, pass, startCluster, startNode } from './testing/test-cluster.js';

test('three nodes elect one master and all apply its state', async () => {
  const { clock, nodes, agreed } = await startCluster();
  assert.ok((await pass(clock, 10_000, () => agreed(3))) < 3_000);
  const masters = new Set([...nodes.values()].map(({ cluster }) => cluster.state().masterNodeId));
  assert.equal(masters.size, 1);
  const uuids = new Set([...nodes.values()].map(({ cluster }) => cluster.state().clusterUuid));
  assert.equal(uuids.size, 1);
});

test('when the master dies another takes over and its copies are replaced by in-sync ones', async () => {
  const { clock, nodes, agreed, master } = await startCluster();
  await pass(clock, 10_000, () => agreed(3));
  let created = false;
  void master()!
    .cluster.submit('create-index', { name: 'a', body: { settings: { number_of_shards: 3, number_of_replicas: 1 } } })
    .then(() => (created = true));
  await pass(
    clock,
    10_000,
    () => created && [...master()!.cluster.state().routing.values()].flat(2).every(({ state }) => state === 'STARTED'),
  );
  const dead = master()!;
  dead.endpoint.die();
  const tookMs = await pass(clock, 10_000, () => agreed(2));
  assert.ok(tookMs < 1_000, `${tookMs} ms`);
  const state = alive(nodes)[0]!.cluster.state();
  assert.notEqual(state.masterNodeId, dead.info.id);
  const primaries = [...state.routing.values()].flat().map((shard) => shard.find(({ primary }) => primary)!);
  assert.ok(primaries.every(({ nodeId, state: copy }) => nodeId !== dead.info.id && copy === 'STARTED'));
});

test('a node that comes back with its log joins again; a task survives the change of masters', async () => {
  const context = await startCluster();
  const { clock, nodes, logs, agreed, master } = context;
  await pass(clock, 10_000, () => agreed(3));
  const dead = master()!;
  dead.endpoint.die();
  const survivor = alive(nodes)[0]!;
  let created: unknown = null;
  void survivor.cluster.submit('create-index', { name: 'b', body: {} }).then((value) => (created = value));
  await pass(clock, 10_000, () => created !== null);
  assert.ok(created);
  nodes.set(dead.info.name, startNode(context, dead.info.name, 2, logs.get(dead.info.name)!));
  await pass(clock, 10_000, () => agreed(3));
  assert.ok(agreed(3));
  assert.ok(nameIndex(nodes.get(dead.info.name)!.cluster.state()).has('b'));
});

test('a node without space for its state log waits, and goes on when there is some', async () => {
  const { clock, nodes, logs, agreed, master } = await startCluster();
  await pass(clock, 10_000, () => agreed(3));
  const full = [...nodes.values()].find((node) => node !== master())!;
  const log = logs.get(full.info.name)!;
  const append = log.append.bind(log);
  let isFull = true;
  log.append = (records) =>
    isFull ? Promise.reject(new Error('ENOSPC: no space left on device, write')) : append(records);
  void master()!.cluster.submit('create-index', { name: 'a', body: {} });
  await pass(clock, 3_000, () => nameIndex(master()!.cluster.state()).has('a'));
  assert.ok(nameIndex(master()!.cluster.state()).has('a'), 'the others are a quorum');
  assert.ok(!nameIndex(full.cluster.state()).has('a'));
  isFull = false;
  await pass(clock, 3_000, () => nameIndex(full.cluster.state()).has('a'));
  assert.ok(nameIndex(full.cluster.state()).has('a'));
});

test('a node that is excluded from voting has left the voting configuration when the task is answered', async () => {
  const { clock, nodes, agreed, master } = await startCluster();
  await pass(clock, 10_000, () => agreed(3));
  const excluded = [...nodes.values()].find((node) => node !== master())!;
  assert.equal(master()!.cluster.state().votingConfiguration.length, 3);
  let answer: unknown = null;
  void excluded.cluster
    .submit('add-voting-exclusions', { nodeIds: [], nodeNames: [excluded.info.name] })
    .then((value) => (answer = value));
  await pass(clock, 10_000, () => answer !== null);
  assert.deepEqual(answer, { timedOut: false });
  assert.ok(!master()!.cluster.state().votingConfiguration.includes(excluded.info.id));
  let cleared = false;
  void excluded.cluster.submit('clear-voting-exclusions', {}).then(() => (cleared = true));
  await pass(clock, 10_000, () => cleared && master()!.cluster.state().votingConfiguration.length === 3);
  assert.ok(master()!.cluster.state().votingConfiguration.includes(excluded.info.id));
});

test('what is refused without a master can be set', async () => {
  for (const [block, levels] of [
    [null, ['write', 'metadata_write']],
    ['metadata_write', ['metadata_write']],
    ['all', ['read', 'write', 'metadata_read', 'metadata_write']],
  ] as const) {
    const { clock, nodes, agreed, master } = await startCluster();
    await pass(clock, 10_000, () => agreed(3));
    let done = block === null;
    if (!done)
      void master()!
        .cluster.submit('cluster-settings', { persistent: { 'cluster.no_master_block': block }, transient: {} })
        .then(() => (done = true));
    await pass(clock, 10_000, () => done);
    const last = [...nodes.values()].find((node) => node !== master())!;
    for (const node of nodes.values()) if (node !== last) node.endpoint.die();
    await pass(clock, 20_000, () => last.cluster.state().masterNodeId === null);
    assert.deepEqual(
      last.cluster.state().blocks.map((one) => [one.id, one.levels]),
      [[2, levels]],
    );
  }
});
