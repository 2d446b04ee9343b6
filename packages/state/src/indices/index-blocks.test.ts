import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyState } from '../edit.js';
import type { ClusterBlock, ClusterState, IndexMetadata } from '../state.js';
import { checkClusterBlocks, checkIndexBlocks, indexBlock } from './index-blocks.js';

const INDEX = { name: 'a', uuid: 'a-uuid' } as IndexMetadata;

function block(id: number, description: string, indexUuid: string | null): ClusterBlock {
  return { id, description, retryable: false, levels: ['write'], indexUuid };
}

const FLOOD = block(12, 'disk usage exceeded', INDEX.uuid);
const withBlocks = (...blocks: ClusterBlock[]): ClusterState => ({ ...emptyState(), blocks });

test('several blocks of an index are one list, refused with 403 unless all are of the flood stage', () => {
  const both = withBlocks(FLOOD, block(8, 'index write (api)', INDEX.uuid));
  const error = indexBlock(both, INDEX, 'write');
  assert.deepEqual(
    [error?.status, error?.reason, error?.meta],
    [403, 'index [a] blocked by: [TOO_MANY_REQUESTS/12/disk usage exceeded, FORBIDDEN/8/index write (api)];', {}],
  );
  assert.equal(indexBlock(withBlocks(FLOOD), INDEX, 'write')?.status, 429);
});

test('all indices that are blocked are told', () => {
  const other = { name: 'b', uuid: 'b-uuid' } as IndexMetadata;
  const state = withBlocks(FLOOD, block(8, 'index write (api)', other.uuid));
  assert.throws(() => checkIndexBlocks(state, [INDEX, other], 'write'), {
    status: 403,
    reason:
      'index [a] blocked by: [TOO_MANY_REQUESTS/12/disk usage exceeded];' +
      'index [b] blocked by: [FORBIDDEN/8/index write (api)];',
  });
});

test('a block refuses the levels and the index that it names', () => {
  assert.equal(indexBlock(withBlocks(FLOOD), INDEX, 'read'), null);
  assert.equal(indexBlock(withBlocks(FLOOD), { ...INDEX, uuid: 'other' }, 'write'), null);
  assert.throws(() => checkIndexBlocks(withBlocks(FLOOD), [INDEX], 'write'), { status: 429 });
  checkClusterBlocks(withBlocks(FLOOD), 'write');
});

test('a block of the cluster comes before those of an index', () => {
  const state = withBlocks(FLOOD, block(2, 'no master', null));
  const error = { status: 503, reason: 'blocked by: [SERVICE_UNAVAILABLE/2/no master];' };
  assert.throws(() => checkClusterBlocks(state, 'write'), error);
  assert.throws(() => checkIndexBlocks(state, [INDEX], 'write'), error);
});
