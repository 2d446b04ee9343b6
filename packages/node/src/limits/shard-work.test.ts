import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ChannelHandler, withLocalHandler } from '@shoal/doors';
import { shard } from '@shoal/protocol';
import { systemTurns } from '../doors/system-clock.js';
import { createIndexingPressure, type IndexingPressure } from './indexing-pressure.js';
import { limitShardWork, type ShardWork } from './shard-work.js';
import { FairTurns } from '../turns/fair-turns.js';
import { createWorkPool, type WorkPool } from './work-pool.js';

const signal = new AbortController().signal;
const call = (action: string) =>
  shard.encodeShardCall({ shard: undefined, indexName: '', action, body: new Uint8Array(0) });
const pool = (name: string, size = Infinity): WorkPool =>
  createWorkPool({
    name,
    nodeName: 'n',
    size,
    queueMax: 1,
    delayMaxMs: 1000,
    turns: new FairTurns({ ...systemTurns, now: () => 0 }),
    now: () => 0,
  });

function open(inner: ChannelHandler, pressure: IndexingPressure = createIndexingPressure(100)): ShardWork {
  return limitShardWork(inner, {
    localNodeId: 'n1',
    search: pool('search', 1),
    aggregation: pool('search', 1),
    get: pool('get'),
    write: pool('write'),
    pressure,
    countingPool: pool,
  });
}

test('searches beyond the size wait, and beyond the queue they are refused', async () => {
  const finish: (() => void)[] = [];
  const work = open(() => new Promise((resolve) => finish.push(() => resolve(new Uint8Array(0)))));
  const first = work.handle('shard/query', new Uint8Array(3), signal);
  const second = work.handle('shard/fetch', new Uint8Array(3), signal);
  await assert.rejects(async () => work.handle('shard/query', new Uint8Array(3), signal), { status: 429 });
  assert.deepEqual([finish.length, work.pool('search').active, work.pool('search').queue], [1, 1, 1]);
  finish[0]!();
  await first;
  await new Promise(setImmediate);
  finish[1]!();
  await second;
  assert.deepEqual({ ...work.pool('search') }, { active: 0, queue: 0, largest: 1, completed: 2, rejected: 1 });
});

test('failed messages give their place and their bytes back', async () => {
  const pressure = createIndexingPressure(100);
  const work = open(() => Promise.reject(new Error('no')), pressure);
  await assert.rejects(async () => work.handle('shard/bulk', new Uint8Array(7), signal));
  await assert.rejects(async () => work.handle('replication/replicate', new Uint8Array(9), signal));
  assert.deepEqual(
    [
      work.pool('write').active,
      work.pool('write').completed,
      pressure.primary.current,
      pressure.primary.total,
      pressure.replica.current,
      pressure.replica.total,
    ],
    [0, 1, 0, 7, 0, 9],
  );
});

test('a call that cannot be read is a failed message, not an error of who hands it in', async () => {
  await assert.rejects(open(async () => new Uint8Array(0)).handle('shard/call', new Uint8Array([0xff]), signal));
});

test(
  'a batch of another node is refused over the limit, one that ' + 'this node coordinates is not counted twice',
  async () => {
    const work = open(async () => new Uint8Array(0));
    await assert.rejects(async () => work.handle('shard/bulk', new Uint8Array(151), signal, { parentTask: 'n2:5' }), {
      type: 'es_rejected_execution_exception',
    });
    await work.handle('shard/bulk', new Uint8Array(151), signal, { parentTask: 'n1:5' });
  },
);

test('a batch that comes as it is takes its place and the bytes of its sources, until it is answered', async () => {
  const pressure = createIndexingPressure(100);
  const answers: (() => void)[] = [];
  const inner = withLocalHandler(async () => new Uint8Array(0), {
    actions: new Set(['shard/bulk', 'shard/query', 'shard/get']),
    handle: (_action, message) => new Promise((resolve) => answers.push(() => resolve(message))),
  });
  const { handle, pool: counts } = open(inner, pressure);
  assert.deepEqual([...handle.local!.actions], ['shard/bulk', 'shard/query', 'shard/fetch']);
  const batch = { ...shard.decodeBulkShardRequest(new Uint8Array(0)), sources: new Uint8Array(80) };
  const answer = handle.local!.handle('shard/bulk', batch, signal, { parentTask: 'n2:5' });
  assert.deepEqual([counts('write').active, pressure.primary.current], [1, 80]);
  await assert.rejects(handle.local!.handle('shard/bulk', batch, signal, { parentTask: 'n2:6' }), {
    type: 'es_rejected_execution_exception',
  });
  for (const answerNow of answers) answerNow();
  assert.equal(await answer, batch);
  assert.deepEqual([counts('write').active, pressure.primary.current], [0, 0]);
});

test('a search that comes as it is takes its turn with those that come as bytes', async () => {
  const finish: (() => void)[] = [];
  const inner = withLocalHandler(() => new Promise((resolve) => finish.push(() => resolve(new Uint8Array(0)))), {
    actions: new Set(['shard/query']),
    handle: (_action, message) => new Promise((resolve) => finish.push(() => resolve(message))),
  });
  const { handle, pool: counts } = open(inner);
  const first = handle('shard/query', new Uint8Array(3), signal);
  const message = {};
  const second = handle.local!.handle('shard/query', message, signal);
  await assert.rejects(handle.local!.handle('shard/query', message, signal), { status: 429 });
  assert.deepEqual([finish.length, counts('search').active, counts('search').queue], [1, 1, 1]);
  finish[0]!();
  await first;
  await new Promise(setImmediate);
  finish[1]!();
  assert.equal(await second, message);
});

test('calls count in the pools that their names have, others as management', async () => {
  const work = open(async () => new Uint8Array(0));
  for (const action of ['refresh', 'flush', 'force_merge', 'stats'])
    await work.handle('shard/call', call(action), signal);
  await work.handle('state/publish', new Uint8Array(0), signal);
  assert.deepEqual(
    ['refresh', 'flush', 'force_merge', 'management', 'search'].map((name) => work.pool(name).completed),
    [1, 1, 1, 1, 0],
  );
});

test('a search that was begun here takes its place however many of other nodes wait', async () => {
  const work = open(() => new Promise<Uint8Array>(() => undefined));
  const origin = (parentTask: string) => ({ nodeId: 'n1', parentTask });
  for (let i = 0; i < 2; i++) void work.handle('shard/query', new Uint8Array(0), signal, origin('n2:1'));
  await assert.rejects(work.handle('shard/query', new Uint8Array(0), signal, origin('n2:2')), {
    type: 'es_rejected_execution_exception',
  });
  const own = work.handle('shard/query', new Uint8Array(0), signal, origin('n1:1'));
  assert.equal(await Promise.race([own, new Promise((resolve) => setImmediate(() => resolve('waits')))]), 'waits');
  assert.deepEqual([work.pool('search').active, work.pool('search').queue, work.pool('search').rejected], [1, 2, 1]);
});
