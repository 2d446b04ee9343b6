import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fakeClock, memoryFiles } from '@shoal/doors';
import { emptyState, type ClusterState } from '@shoal/state';
import { DanglingIndices } from './dangling-indices.js';

const settle = async (): Promise<void> => {
  for (let i = 0; i < 20; i++) await nextTurn();
};

test('a failure to keep metadata is told once, until it succeeds again', async () => {
  const clock = fakeClock();
  const said: string[] = [];
  const files = memoryFiles();
  let isFull = true;
  const state = (): ClusterState => ({ ...emptyState(), masterNodeId: 'n1', indices: new Map() });
  const dangling = new DanglingIndices({
    dataPath: '/data',
    nodeId: 'n1',
    state,
    files: { ...files, list: async (folder) => (isFull ? Promise.reject(new Error('ENOSPC')) : files.list(folder)) },
    clock,
    log: { write: (_level, message) => said.push(message) },
  });
  dangling.start();
  const passes = async (seconds: number): Promise<void> => {
    for (let i = 0; i < seconds; i++) {
      await settle();
      clock.advance(1_000);
    }
    await settle();
  };
  await passes(5);
  assert.equal(said.length, 1);
  isFull = false;
  await passes(3);
  isFull = true;
  await passes(3);
  assert.equal(said.length, 2);
  dangling.close();
});
