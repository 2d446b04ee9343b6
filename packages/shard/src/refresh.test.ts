import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestShard } from './test-shard.js';
import { OUTCOME } from './write/write-result.js';

const doc = (id: string) => ({ op: 'index' as const, id, source: { a: 1 } });

test('a write is found by id at once and by a search after the refresh interval', async () => {
  const { write, get, visible, clock } = await openTestShard();
  visible();
  await write([doc('1')]);
  assert.equal((await get('1')).found, true);
  assert.equal((await get('1', false)).found, false);
  assert.equal(visible().size, 0);
  clock.advance(1000);
  assert.equal(visible().size, 1);
  assert.equal((await get('1', false)).found, true);
});

test('with refresh_interval -1 only a refresh shows changes', async () => {
  const { shard, write, visible, clock } = await openTestShard({ settings: { 'index.refresh_interval': '-1' } });
  await write([doc('1')]);
  clock.advance(100_000);
  assert.equal(visible().size, 0);
  shard.refresh();
  assert.equal(visible().size, 1);
});

test('wait_for answers at the next refresh, true at once', async () => {
  const { write, visible, clock } = await openTestShard();
  let isAnswered = false;
  const waiting = write([doc('1')], 2).then(() => (isAnswered = true));
  for (let i = 0; i < 20; i++) await Promise.resolve();
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(isAnswered, false);
  clock.advance(1000);
  await waiting;
  assert.equal(visible().size, 1);
  await write([doc('2')], 1);
  assert.equal(visible().size, 2);
});

test('wait_for answers at once when it wrote nothing, whatever else waits for a refresh', async () => {
  const { shard, write, visible } = await openTestShard({ settings: { 'index.refresh_interval': '-1' } });
  await write([doc('1')]);
  const [conflict] = await write([{ ...doc('1'), op: 'create' }], 2);
  assert.equal(conflict!.outcome, OUTCOME.failed);
  const [missing] = await write([{ op: 'update', id: 'none', source: { doc: { a: 2 } } }], 2);
  assert.equal(missing!.outcome, OUTCOME.failed);
  const [same] = await write([{ op: 'update', id: '1', source: { doc: { a: 1 } } }], 2);
  assert.equal(same!.outcome, OUTCOME.noop);
  assert.equal(visible().size, 0);
  let isAnswered = false;
  const waiting = write([doc('2'), { ...doc('1'), op: 'create' }], 2).then(() => (isAnswered = true));
  for (let i = 0; i < 10; i++) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(isAnswered, false);
  shard.refresh();
  await waiting;
});

test('wait_for is answered by a refresh that runs while the write is not yet durable', async () => {
  const { shard, write, visible } = await openTestShard({ settings: { 'index.refresh_interval': '-1' } });
  shard.log.gate = {
    appended: () => undefined,
    refreshed: async () => undefined,
    acknowledged: async () => {
      shard.log.gate = null;
      shard.refresh();
      await write([doc('2')]);
    },
  };
  await write([doc('1')], 2);
  assert.equal(visible().size, 1);
});

test('a searcher keeps what it saw while documents change and are deleted', async () => {
  const { shard, write } = await openTestShard();
  await write([doc('1'), doc('2')], 1);
  const lease = shard.acquire();
  await write([{ op: 'delete', id: '1' }, { op: 'index', id: '2', source: { a: 2 } }, doc('3')], 1);
  assert.equal(lease.searcher.liveDocCount, 2);
  assert.equal(lease.searcher.stored(0).id, '1');
  assert.equal(Buffer.from(lease.searcher.stored(1).source).toString(), '{"a":1}');
  lease.release();
  const after = shard.acquire();
  assert.equal(after.searcher.liveDocCount, 2);
  after.release();
});

test('wait_for does not outlive the shard, even when nothing else refreshes', async () => {
  const { shard, write } = await openTestShard({ settings: { 'index.refresh_interval': '-1' } });
  const before = write([doc('1')], 2);
  for (let i = 0; i < 10; i++) await new Promise((resolve) => setImmediate(resolve));
  await shard.close();
  await before;
  const other = await openTestShard({ settings: { 'index.refresh_interval': '-1' } });
  const racing = other.write([doc('1')], 2);
  await Promise.all([other.shard.close(), racing]);
});

test('statistics tell how long nobody has searched, and whether that is as long as the index is set to', async () => {
  const { shard, visible, clock } = await openTestShard({ settings: { 'index.search.idle.after': '10s' } });
  const idle = async (): Promise<unknown[]> => {
    const { search_idle: isIdle, search_idle_time: ms } = (await shard.stats())['search_access']!;
    return [isIdle, ms];
  };
  clock.advance(9_999);
  assert.deepEqual(await idle(), [false, 9_999]);
  clock.advance(1);
  assert.deepEqual(await idle(), [true, 10_000]);
  visible();
  assert.deepEqual(await idle(), [false, 0]);
});
