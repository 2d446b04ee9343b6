import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Aggregator } from '../aggregation-type.js';
import { PartialQueue } from './sub-aggregators.js';

const still = { segment: () => undefined, reserve: () => undefined, collect: () => undefined };

/** A tree of aggregators, each with three buckets that ask for partial results of the level below. */
function level(queue: PartialQueue, depth: number): Aggregator[] {
  const below = depth === 0 ? [] : level(queue, depth - 1);
  return [{ ...still, partial: (bucket) => [bucket, [0, 1, 2].map((id) => queue.ask(below, id))] }];
}

const plain = (depth: number, bucket: number): unknown => [
  [bucket, [0, 1, 2].map((id) => (depth === 0 ? [] : plain(depth - 1, id)))],
];

test('partial results are made one in a step, in the order of the tree', () => {
  const queue = new PartialQueue();
  const result = queue.ask(level(queue, 4), 7);
  let steps = 0;
  while (queue.step()) steps++;
  assert.deepEqual(result, plain(4, 7));
  assert.ok(steps >= 1 + 3 + 9 + 27 + 81, `${steps} steps`);
});

test('what an order needs is made at once, and nothing else', () => {
  const queue = new PartialQueue();
  const waiting = queue.ask(level(queue, 1), 0);
  assert.deepEqual(queue.now(level(queue, 2), 5), plain(2, 5));
  assert.deepEqual(waiting, []);
  while (queue.step());
  assert.deepEqual(waiting, plain(1, 0));
});
