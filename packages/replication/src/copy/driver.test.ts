import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errors } from '@shoal/errors';
import type { CopyOptions } from './copy-options.js';
import type { CopyView } from './copy-view.js';
import { ShardCopy } from './driver.js';

const REPLICA: CopyView = {
  indexUuid: 'u',
  shard: 0,
  allocationId: 'a',
  isPrimary: false,
  isStarted: false,
  takesOver: false,
  isForced: false,
  recoverySource: 'PEER',
  term: 1,
  group: { inSync: ['p'], copies: [{ allocationId: 'p', nodeId: 'n' }], total: 2 },
  primaryNodeId: null,
};

test('a copy whose effects throw before work begins fails, and can be closed', async () => {
  let tell: (error: unknown) => void = () => undefined;
  const failed = new Promise((resolve) => (tell = resolve));
  const options = {
    clock: { now: () => 0, monotonic: () => 0, after: () => ({ cancel: () => undefined }) },
    events: {
      write: () => {
        throw errors.illegalState('the log is full');
      },
    },
    nodeId: 'here',
    open: () => Promise.reject(errors.corruption('a damaged file')),
    destroy: () => Promise.resolve(),
    onShard: () => undefined,
    readersGone: async () => undefined,
    failed: tell,
  };
  const copy = new ShardCopy(options as unknown as CopyOptions, REPLICA);
  assert.equal(((await failed) as Error).message, 'the log is full');
  const late = new Promise((resolve) => setTimeout(() => resolve('still open'), 1_000).unref());
  assert.equal(await Promise.race([copy.close().then(() => 'closed'), late]), 'closed');
});
