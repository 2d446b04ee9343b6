import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errors, toApiError } from '@shoal/errors';
import { emptyState } from '@shoal/state';
import { CALL } from '../fake-cluster.js';
import type { CoordinatorContext } from '../context.js';
import { copyRequest } from '../enrich/copy-request.js';
import { Progress } from './progress.js';
import { RETRIES_MAX, writePage } from './write-page.js';

/** A node that has no room for so many bulks, then no right to write; its pauses end at once. */
function fullNode(rejections: number): { readonly context: CoordinatorContext; readonly pauses: number[] } {
  let left = rejections;
  const pauses: number[] = [];
  const context = {
    cluster: { state: emptyState },
    takeWrite() {
      if (left-- > 0) throw errors.rejectedExecution('no room');
      throw errors.security('not allowed', { status: 403 });
    },
    checkWrite: () => undefined,
    apiError: toApiError,
    clock: {
      monotonic: () => 0,
      after(ms: number, callback: () => void) {
        pauses.push(ms);
        queueMicrotask(callback);
        return { cancel: () => undefined };
      },
    },
  } as unknown as CoordinatorContext;
  return { context, pauses };
}

const ACTIONS = [{ op: 'index', meta: { _index: 'to', _id: '1' }, source: { a: 1 } }] as const;
const write = (context: CoordinatorContext, progress: Progress): Promise<void> =>
  writePage(context, copyRequest(['from'], {}, 'to'), ACTIONS, progress, new Set(), CALL);

test('a bulk for which the node has no room is sent again later', async () => {
  const { context, pauses } = fullNode(3);
  const progress = new Progress('reindex', Infinity);
  await assert.rejects(write(context, progress), { reason: 'not allowed' });
  assert.deepEqual([progress.bulkRetries, pauses], [3, [500, 1000, 2000]]);
});

test('a node that never has room ends the call with its error', async () => {
  const { context } = fullNode(RETRIES_MAX + 1);
  const progress = new Progress('reindex', Infinity);
  await assert.rejects(write(context, progress), { reason: 'no room' });
  assert.equal(progress.bulkRetries, RETRIES_MAX);
});
