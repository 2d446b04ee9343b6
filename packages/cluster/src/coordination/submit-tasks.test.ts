import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameIndex } from '@shoal/state';
import { pass, startCluster } from './testing/test-cluster.js';

test('a task given to any node runs on the master and is applied everywhere before its answer', async () => {
  const { clock, nodes, agreed, master } = await startCluster();
  await pass(clock, 10_000, () => agreed(3));
  const other = [...nodes.values()].find((node) => node !== master())!;
  let answer: unknown = null;
  void other.cluster
    .submit('create-index', { name: 'a', body: { settings: { number_of_shards: 3, number_of_replicas: 1 } } })
    .then((value) => (answer = value));
  await pass(clock, 10_000, () => answer !== null);
  assert.equal((answer as { acknowledged: boolean }).acknowledged, true);
  for (const { cluster } of nodes.values()) assert.ok(nameIndex(cluster.state()).has('a'));
  await pass(clock, 5_000, () =>
    [...other.cluster.state().routing.values()].flat(2).every(({ state }) => state === 'STARTED'),
  );
  const copies = [...other.cluster.state().routing.values()].flat(2);
  assert.equal(copies.length, 6);
  assert.ok(copies.every(({ state }) => state === 'STARTED'));
  assert.equal(new Set(copies.map(({ nodeId }) => nodeId)).size, 3);
});

test('whoever waits for events of a priority waits for what was queued with it, and learns the version', async () => {
  const { clock, nodes, agreed, master } = await startCluster();
  await pass(clock, 10_000, () => agreed(3));
  const other = [...nodes.values()].find((node) => node !== master())!;
  let version = 0;
  void master()!.cluster.submit('create-index', { name: 'a', body: {} });
  void other.cluster
    .submit('health-events-languid', {})
    .then((answer) => ({ version } = answer as { version: number }));
  await pass(clock, 10_000, () => version > 0);
  await pass(clock, 10_000, () => other.cluster.state().version >= version);
  assert.ok(nameIndex(other.cluster.state()).has('a'));
  assert.ok((await other.cluster.statistics()).received.diffs > 0);
});

test('without a quorum there is no master: tasks wait, then say so', async () => {
  const { clock, nodes, agreed, master } = await startCluster();
  await pass(clock, 10_000, () => agreed(3));
  const left = [...nodes.values()].find((node) => node !== master())!;
  for (const node of nodes.values()) if (node !== left) node.endpoint.die();
  await pass(clock, 15_000, () => left.cluster.state().masterNodeId === null);
  assert.equal(left.cluster.state().masterNodeId, null);
  assert.ok(left.cluster.state().blocks.some(({ description }) => description === 'no master'));
  let failure: unknown = null;
  left.cluster
    .submit('create-index', { name: 'c', body: {} }, { masterTimeoutMs: 2_000 })
    .catch((error: unknown) => (failure = error));
  await pass(clock, 3_000, () => failure !== null);
  assert.equal((failure as { type: string }).type, 'master_not_discovered_exception');
});

test(
  'a task that makes an index and is given twice, as after an ' + 'unknown outcome, makes one and says so both times',
  async () => {
    const { clock, nodes, agreed } = await startCluster();
    await pass(clock, 10_000, () => agreed(3));
    const { node } = [...nodes.values()].find(({ info, cluster }) => cluster.state().masterNodeId === info.id)!;
    const answers: unknown[] = [];
    const payload = Buffer.from(
      JSON.stringify({
        task: 'create-index',
        body: { name: 'twice', body: {}, newIndexUuid: 'chosen-by-the-submitter' },
        options: {},
      }),
    );
    for (let i = 0; i < 2; i++) {
      void node.handle('id-n1', 'master/task', payload).then(
        (answer) => answers.push(JSON.parse(Buffer.from(answer).toString())),
        (error: unknown) => answers.push(error),
      );
      await pass(clock, 10_000, () => answers.length > i);
    }
    assert.deepEqual(
      answers,
      [0, 1].map(() => ({ acknowledged: true, shards_acknowledged: true, index: 'twice' })),
    );
  },
);

test(
  'a task that made an index does not make it again after it was deleted: the files of the deleted one have its ' +
    'uuid',
  async () => {
    const { clock, nodes, agreed } = await startCluster();
    await pass(clock, 10_000, () => agreed(3));
    const { node, cluster } = [...nodes.values()].find((one) => one.cluster.state().masterNodeId === one.info.id)!;
    const answers: unknown[] = [];
    const run = async (task: string, body: object): Promise<void> => {
      const before = answers.length;
      void node.handle('id-n1', 'master/task', Buffer.from(JSON.stringify({ task, body, options: {} }))).then(
        (answer) => answers.push(JSON.parse(Buffer.from(answer).toString())),
        (error: unknown) => answers.push(error),
      );
      await pass(clock, 10_000, () => answers.length > before);
    };
    const create = { name: 'once', body: {}, newIndexUuid: 'chosen-by-the-submitter' };
    await run('create-index', create);
    await run('delete-index', { uuids: ['chosen-by-the-submitter'] });
    await run('create-index', create);
    assert.equal((answers[2] as { type: string }).type, 'index_not_found_exception');
    assert.equal(cluster.state().indices.size, 0);
  },
);
