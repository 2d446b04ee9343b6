import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeClock } from '@shoal/doors';
import type { ShardRouting } from '@shoal/state';
import { callCopies } from './call-copies.js';

const copiesOn = (nodeId: string, count: number): { copy: ShardRouting }[] =>
  Array.from({ length: count }, (_, shard) => ({ copy: { nodeId, shard } as ShardRouting }));

test('few copies of a node are called at once, and each node has calls of its own', async () => {
  const underWay = new Map<string, number>();
  const most = new Map<string, number>();
  let called = 0;
  await callCopies({ clock: fakeClock() }, [...copiesOn('n1', 100), ...copiesOn('n2', 3)], async ({ copy }) => {
    const node = copy.nodeId!;
    const now = (underWay.get(node) ?? 0) + 1;
    underWay.set(node, now);
    most.set(node, Math.max(now, most.get(node) ?? 0));
    await new Promise(setImmediate);
    underWay.set(node, underWay.get(node)! - 1);
    called++;
  });
  assert.equal(called, 103);
  assert.deepEqual(Object.fromEntries(most), { n1: 16, n2: 3 });
});

test('a node that does not answer holds no calls to others', async () => {
  const answered: string[] = [];
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const all = callCopies({ clock: fakeClock() }, [...copiesOn('n1', 40), ...copiesOn('n2', 40)], async ({ copy }) => {
    if (copy.nodeId === 'n1') await held;
    answered.push(copy.nodeId!);
  });
  await new Promise(setImmediate);
  assert.deepEqual(answered, Array<string>(40).fill('n2'));
  release();
  await all;
  assert.equal(answered.length, 80);
});

test('the thread is given back between calls that take long', async () => {
  const clock = fakeClock();
  let turns = 0;
  const counting = { ...clock, lane: () => async () => void turns++ };
  await callCopies({ clock: counting }, copiesOn('n1', 50), async () => void clock.advance(2));
  assert.ok(turns >= 16, `${turns} turns`);
});
