import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createIndexingPressure } from './indexing-pressure.js';

test('writes of clients are refused at the limit, and taken again when others are done', () => {
  const pressure = createIndexingPressure(100);
  const release = pressure.takeCoordinating(60);
  assert.throws(() => pressure.takeCoordinating(50), {
    status: 429,
    message:
      'rejected execution of coordinating operation [coordinating_and_primary_bytes=60, replica_bytes=0, ' +
      'all_bytes=60, coordinating_operation_bytes=50, max_coordinating_and_primary_bytes=100]',
  });
  assert.throws(() => pressure.checkCoordinating(50), { status: 429 });
  pressure.checkCoordinating(40);
  release();
  pressure.takeCoordinating(50)();
  assert.deepEqual({ ...pressure.coordinating }, { current: 0, total: 110, rejections: 2 });
});

test('a write that is alone is taken however large it is, unless the limit is the word of a user', () => {
  const pressure = createIndexingPressure(100, { alone: true });
  const release = pressure.takeCoordinating(150);
  assert.throws(() => pressure.takeCoordinating(1), { status: 429 });
  assert.throws(() => pressure.takePrimary(1, false), { status: 429 });
  release();
  pressure.takePrimary(150, false)();
  pressure.takeCoordinating(1);
  assert.throws(() => pressure.takeCoordinating(100), { status: 429 });
  assert.throws(() => createIndexingPressure(100).takeCoordinating(150), { status: 429 });
});

test(
  'a primary whose coordinator is this node counts its bytes once, ' +
    'one of another node has half as much room again',
  () => {
    const pressure = createIndexingPressure(100);
    pressure.takeCoordinating(80);
    const local = pressure.takePrimary(80, true);
    assert.throws(
      () => pressure.takePrimary(71, false),
      /of primary operation \[coordinating_and_primary_bytes=80.*max_coordinating_and_primary_bytes=150\]/,
    );
    const remote = pressure.takePrimary(20, false);
    assert.throws(() => pressure.takeCoordinating(1), /coordinating_and_primary_bytes=100/);
    assert.equal(pressure.combined.current, 100);
    remote();
    local();
    assert.deepEqual({ ...pressure.combined }, { current: 80, total: 100, rejections: 2 });
    assert.equal(pressure.primary.current, 0);
  },
);

test(
  'a body that is announced is refused when what such bodies come to ' +
    'has no room, unless nothing else is worked on',
  () => {
    const pressure = createIndexingPressure(1000);
    for (let i = 0; i < 50; i++) pressure.takeCoordinating(30, 10)();
    pressure.checkAnnounced(900);
    const release = pressure.takeCoordinating(100, 33);
    pressure.checkAnnounced(290);
    assert.throws(() => pressure.checkAnnounced(310), { status: 429 });
    release();
    pressure.checkAnnounced(310);
  },
);

test('writes of replicas have half as much room again, and wait for it in order', async () => {
  const pressure = createIndexingPressure(100);
  pressure.takeCoordinating(100);
  const order: number[] = [];
  const first = await pressure.takeReplica(140);
  const later = [11, 120].map(async (bytes) => {
    const release = await pressure.takeReplica(bytes);
    order.push(bytes);
    return release;
  });
  await Promise.resolve();
  assert.deepEqual(order, []);
  first();
  await Promise.all(later);
  assert.deepEqual([order, pressure.replica.current], [[11, 120], 131]);
  const alone = createIndexingPressure(10);
  (await alone.takeReplica(1000))();
});
