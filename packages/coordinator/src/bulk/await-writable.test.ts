import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ClusterBlock, type ClusterState, emptyState } from '@shoal/state';
import type { CoordinatorContext } from '../context.js';
import { awaitWritable } from './await-writable.js';

const block = (retryable: boolean): ClusterBlock => ({
  id: 2,
  description: retryable ? 'no master' : 'read-only',
  retryable,
  levels: ['write'],
  indexUuid: null,
});

/** A cluster whose state changes to `next` while somebody waits; null: never. */
function clusterOf(first: ClusterState, next: ClusterState | null): CoordinatorContext['cluster'] {
  let state = first;
  const waitFor = (condition: (state: ClusterState) => boolean): Promise<boolean> => {
    state = next ?? state;
    return Promise.resolve(condition(state));
  };
  return { state: () => state, waitFor } as unknown as CoordinatorContext['cluster'];
}

const open = emptyState();
const withoutMaster = { ...open, blocks: [block(true)] };

test('a write waits for the next master', async () => {
  await awaitWritable({ cluster: clusterOf(withoutMaster, open) }, 1000);
});

test('a write is refused when none comes in time, and at once if somebody has to lift the block', async () => {
  const refused = { type: 'cluster_block_exception' };
  await assert.rejects(awaitWritable({ cluster: clusterOf(withoutMaster, null) }, 1000), refused);
  const readOnly = { ...open, blocks: [block(false)] };
  await assert.rejects(awaitWritable({ cluster: clusterOf(readOnly, open) }, 1000), refused);
});
