import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fuseRanks } from './fuse-ranks.js';
import type { ShardHits } from './shard-hits.js';

/** Hits of a shard: documents with their scores, best first. */
const hits = (target: number, ...list: readonly (readonly [doc: number, score: number])[]): ShardHits => ({
  target,
  docs: Int32Array.from(list, ([doc]) => doc),
  scores: Float32Array.from(list, ([, score]) => score),
  sortValues: null,
  collapseValues: null,
});

const fused = (sets: readonly (readonly ShardHits[])[], windowSize = 10, rankConstant = 60): string[] =>
  fuseRanks(sets, { windowSize, rankConstant }).map(({ hits: own, at }) => `${own.target}/${own.docs[at]}`);

test('a document that several sets have comes before those of one', () => {
  const sets = [[hits(0, [1, 9], [2, 8])], [hits(0, [3, 0.9], [2, 0.1])]];
  assert.deepEqual(fused(sets), ['0/2', '0/1', '0/3']);
});

test('places count over all shards, within the window', () => {
  const sets = [
    [hits(0, [1, 5], [2, 1]), hits(1, [1, 4], [2, 3])],
    [hits(0, [2, 7]), hits(1, [2, 8])],
  ];
  assert.deepEqual(fused(sets), ['1/2', '0/2', '0/1', '1/1']);
  assert.deepEqual(fused(sets, 1), ['0/1']);
});

test('equal scores: the first set that tells them apart, being in it before not, then shard and document', () => {
  const sets = [[hits(0, [1, 3], [2, 2])], [hits(0, [2, 3], [1, 2])]];
  assert.deepEqual(fused(sets), ['0/1', '0/2']);
  assert.deepEqual(fused([[hits(1, [1, 1])], [hits(0, [1, 1])]]), ['1/1', '0/1']);
});

test('a small constant favours the first places', () => {
  const set = (first: number): ShardHits[] => [hits(0, [first, 9], [first + 1, 8], [first + 2, 7], [9, 6])];
  const sets = [set(1), set(4)];
  assert.deepEqual(fused(sets, 10, 60)[0], '0/9');
  assert.deepEqual(fused(sets, 10, 1).slice(0, 3), ['0/1', '0/4', '0/9']);
});

test('a page of the fused list ends with the window', () => {
  const sets = [[hits(0, [1, 9], [2, 8], [3, 7]), hits(1, [1, 6])]];
  const page = (from: number, size: number, windowSize: number): string[] =>
    fuseRanks(sets, { windowSize, rankConstant: 60 }, { from, size }).map(
      ({ hits: own, at }) => `${own.target}/${own.docs[at]}`,
    );
  assert.deepEqual(page(1, 2, 10), ['0/2', '0/3']);
  assert.deepEqual(page(2, 5, 10), ['0/3', '1/1']);
  assert.deepEqual(page(2, 5, 3), ['0/3']);
  assert.deepEqual(page(4, 5, 10), []);
});
