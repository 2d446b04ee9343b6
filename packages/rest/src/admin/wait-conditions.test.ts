import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClusterHealth } from '@shoal/state';
import { meetsConditions, parseNodeCount, parseStatus, type WaitConditions } from './wait-conditions.js';

const YELLOW = { status: 'yellow', active: 3, relocating: 0, initializing: 1, unassigned: 0, numberOfNodes: 2 };
const NONE: WaitConditions = { status: null, noRelocating: false, noInitializing: false, activeShards: 0, nodes: null };

const isMet = (conditions: Partial<WaitConditions>): boolean =>
  meetsConditions(YELLOW as unknown as ClusterHealth, { ...NONE, ...conditions });

test('a wanted status is met by itself and by better ones', () => {
  assert.deepEqual(
    ['green', 'yellow', 'red'].map((text) => isMet({ status: parseStatus(text) })),
    [false, true, true],
  );
});

test('shards and nodes are counted', () => {
  assert.deepEqual([isMet({ noInitializing: true }), isMet({ noRelocating: true })], [false, true]);
  assert.deepEqual(
    [isMet({ activeShards: 'all' }), isMet({ activeShards: 3 }), isMet({ activeShards: 4 })],
    [false, true, false],
  );
  assert.deepEqual(
    ['2', '>=3', 'le(2)'].map((text) => isMet({ nodes: parseNodeCount(text) })),
    [true, false, true],
  );
});
