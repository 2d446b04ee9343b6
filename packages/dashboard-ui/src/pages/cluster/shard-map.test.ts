import assert from 'node:assert/strict';
import { test } from 'node:test';
import { copyName, shardMap, type ShardRow } from './shard-map.js';

const row = (index: string, prirep: string, node: string | null, state = 'STARTED') =>
  ({ index, shard: '0', prirep, node, state }) as ShardRow;

test('copies are ordered by index and node, and those without a node come last', () => {
  const { nodes, indices } = shardMap([
    row('b', 'p', 'n2'),
    row('b', 'r', null, 'UNASSIGNED'),
    row('a', 'p', 'n1 -> 10.0.0.2 xyz n2', 'RELOCATING'),
  ]);
  assert.deepEqual(nodes, ['n1', 'n2', null]);
  assert.deepEqual(
    indices.map(({ index, byNode }) => [index, [...byNode].map(([node, copies]) => [node, copies.map(copyName)])]),
    [
      [
        'b',
        [
          ['n2', ['b 0 primary started']],
          [null, ['b 0 replica unassigned']],
        ],
      ],
      ['a', [['n1', ['a 0 primary relocating']]]],
    ],
  );
  assert.deepEqual(shardMap([]), { nodes: [], indices: [] });
});
