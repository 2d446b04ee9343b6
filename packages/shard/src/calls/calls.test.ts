import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestShard, type TestWrite } from '../test-shard.js';

const mapping = { properties: { k: { type: 'keyword' } } };
const doc = (id: string, k: string): TestWrite => ({ op: 'index', id, source: { k } });

const SECTIONS = [
  'docs',
  'shard_stats',
  'store',
  'indexing',
  'get',
  'search',
  'merges',
  'refresh',
  'flush',
  'warmer',
  'query_cache',
  'fielddata',
  'completion',
  'segments',
  'translog',
  'request_cache',
  'recovery',
  'bulk',
  'dense_vector',
  'commit',
  'seq_no',
  'retention_leases',
  'search_access',
];

test('stats have the sections of 8.12 in its order and count what happened', async () => {
  const { shard, write, get } = await openTestShard({ mapping });
  await write([doc('1', 'a'), doc('2', 'b'), { op: 'delete', id: '1' }, doc('2', 'c')], 1);
  await get('2');
  await get('nothing');
  const stats = (await shard.call('stats', null)) as Record<string, Record<string, number>>;
  assert.deepEqual(Object.keys(stats), SECTIONS);
  assert.equal(stats['docs']!['count'], 1);
  assert.equal(stats['indexing']!['index_total'], 3);
  assert.equal(stats['indexing']!['delete_total'], 1);
  assert.deepEqual([stats['get']!['total'], stats['get']!['exists_total'], stats['get']!['missing_total']], [2, 1, 1]);
  assert.equal(stats['translog']!['uncommitted_operations'], 4);
  await shard.call('flush', null);
  const flushed = (await shard.call('stats', null)) as Record<string, Record<string, number>>;
  assert.equal(flushed['translog']!['uncommitted_operations'], 0);
  assert.equal(flushed['flush']!['total'], 1);
  assert.equal(flushed['segments']!['count'], 1);
});

test('leases are shown with the term and the count of their changes', async () => {
  const { shard } = await openTestShard({ mapping });
  const shown = async (): Promise<unknown> =>
    ((await shard.call('stats', null)) as Record<string, unknown>)['retention_leases'];
  assert.deepEqual(await shown(), { primary_term: 1, version: 0, leases: [] });
  shard.log.setLeases([{ id: 'peer_recovery/n', retainedSeqNo: 3, atMs: 17 }]);
  const leases = [{ id: 'peer_recovery/n', retaining_seq_no: 3, timestamp: 17, source: 'peer recovery' }];
  assert.deepEqual(await shown(), { primary_term: 1, version: 1, leases });
  await shard.log.store.beginTerm(2);
  shard.log.setLeases([], 7);
  assert.deepEqual(await shown(), { primary_term: 2, version: 7, leases: [] });
});

test('what is committed already is not flushed again for a recovery', async () => {
  const { shard, write } = await openTestShard({ mapping });
  const flushes = async (): Promise<number> => {
    await shard.flushChanges();
    return ((await shard.call('stats', null)) as Record<string, Record<string, number>>)['flush']!['total']!;
  };
  assert.equal(await flushes(), 0);
  await write([doc('1', 'a')]);
  assert.equal(await flushes(), 1);
  assert.equal(await flushes(), 1);
});

test('a force-merge leaves one segment without deletes', async () => {
  const { shard, write } = await openTestShard({ mapping });
  for (let i = 0; i < 4; i++) {
    await write([doc(`${i}`, 'a'), doc('same', `${i}`)]);
    await shard.call('flush', null);
  }
  assert.equal(shard.segmentsInfo().length, 4);
  await shard.call('force_merge', { maxNumSegments: 1 });
  const segments = (await shard.call('segments', null)) as {
    num_docs: number;
    deleted_docs: number;
    committed: boolean;
  }[];
  assert.deepEqual(
    segments.map(({ num_docs, deleted_docs, committed }) => [num_docs, deleted_docs, committed]),
    [[5, 0, true]],
  );
});

test('terms of a field are listed by prefix, in order, over buffer and segments', async () => {
  const { shard, write } = await openTestShard({ mapping });
  await write([doc('1', 'beta'), doc('2', 'Bravo'), doc('3', 'alpha')], 1);
  await shard.call('flush', null);
  await write([doc('4', 'bed'), doc('5', 'beta')], 1);
  const list = async (body: Record<string, unknown>) =>
    ((await shard.call('terms_enum', { field: 'k', ...body })) as { terms: string[] }).terms;
  assert.deepEqual(await list({ string: 'be' }), ['bed', 'beta']);
  assert.deepEqual(await list({ string: 'b', case_insensitive: true }), ['Bravo', 'bed', 'beta']);
  assert.deepEqual(await list({ size: 2 }), ['Bravo', 'alpha']);
  assert.deepEqual(await list({ search_after: 'alpha', size: 1 }), ['bed']);
});

test('an action that nobody knows is refused by name', async () => {
  const { shard } = await openTestShard();
  await assert.rejects(shard.call('nonsense', null), {
    type: 'illegal_argument_exception',
    message: 'unknown shard action [nonsense]',
  });
});
