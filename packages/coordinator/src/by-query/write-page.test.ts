import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errors, toApiError } from '@shoal/errors';
import { fakeClock } from '@shoal/doors';
import { answerers, shard as messages } from '@shoal/protocol';
import { type ClusterState, emptyState } from '@shoal/state';
import { createOperationIds } from '../bulk/operation-ids.js';
import { CALL, stateWith } from '../fake-cluster.js';
import type { CoordinatorContext } from '../context.js';
import { takeTurns } from '../turns.js';
import { copyRequest } from '../enrich/copy-request.js';
import type { Action } from './actions.js';
import { Progress } from './progress.js';
import { SourceText } from './source-reader.js';
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
      lane: () => async () => undefined,
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
const callOf = (context: CoordinatorContext): Parameters<typeof writePage>[0] => ({
  context,
  request: copyRequest(['from'], {}, 'to'),
  turns: takeTurns(context.clock, CALL.signal),
  call: CALL,
});
const write = (context: CoordinatorContext, progress: Progress): Promise<void> =>
  writePage(callOf(context), ACTIONS, progress, new Set());

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

test('the thread is given back while the operations of a page are made', async () => {
  const { context } = fullNode(0);
  let [nowMs, yields] = [0, 0];
  const clock = { ...context.clock, monotonic: () => nowMs++, lane: () => async () => void yields++ };
  const actions = Array<Action>(100).fill(ACTIONS[0]);
  const progress = new Progress('reindex', Infinity);
  const writing = writePage(callOf({ ...context, clock }), actions, progress, new Set());
  await assert.rejects(writing, { reason: 'not allowed' });
  assert.ok(yields >= 10, `${yields} turns for 100 documents of a millisecond each`);
});

const withIndex = stateWith([{ name: 'to', shards: [['n1']] }]);

/** A node that creates all documents that reach it; `takeWrite` has room or throws, pipelines always throw. */
function writingNode(takeWrite: () => () => void, state: () => ClusterState = () => withIndex): CoordinatorContext {
  const done = { outcome: 0, version: 1, seqNo: 0, primaryTerm: 1, error: undefined, get: undefined };
  const { bulk } = messages.methods;
  const answers = answerers<Pick<messages.ShardHandlers, 'bulk'>>(
    { bulk },
    { bulk: ({ items }) => ({ items: items.map(() => done), forcedRefresh: false }) },
  );
  return {
    cluster: { state },
    channel: () => ({
      request: async (action: string, payload: Uint8Array) => answers.get(action)!(payload, CALL.signal),
    }),
    localNodeId: 'n1',
    clock: fakeClock(),
    tasks: { callerOf: () => undefined },
    operationIds: createOperationIds('start-1'),
    ingest: { run: () => Promise.reject(errors.nodeDisconnected('[n2] disconnected')) },
    takeWrite,
    apiError: toApiError,
  } as unknown as CoordinatorContext;
}

/** A document that fills a piece. */
const LARGE = new SourceText(Buffer.from(`{"a":"${'x'.repeat(8 * 2 ** 20)}"}`));
const large = (pipelines: readonly (string | undefined)[]): readonly Action[] =>
  pipelines.map((pipeline, i) => ({
    op: 'index',
    meta: { _index: 'to', _id: `${i}`, pipeline },
    source: LARGE,
  }));

test('what is written of a page is counted when a later piece of it throws', async () => {
  let taken = 0;
  const context = writingNode(() => {
    if (++taken > 2) throw errors.security('not allowed', { status: 403 });
    return () => undefined;
  });
  const progress = new Progress('reindex', Infinity);
  const written = new Set<string>();
  const actions = large([undefined, undefined, undefined]);
  const run = writePage(callOf(context), actions, progress, written);
  await assert.rejects(run, { reason: 'not allowed' });
  assert.deepEqual([progress.created, [...written]], [2, ['to']]);
});

test('a node of pipelines that dies behind a written piece fails the documents of its piece only', async () => {
  const context = writingNode(() => () => undefined);
  const run = async (pipelines: readonly (string | undefined)[]): Promise<Progress> => {
    const progress = new Progress('reindex', Infinity);
    await writePage(callOf(context), large(pipelines), progress, new Set());
    return progress;
  };
  const { created, failures } = await run([undefined, 'p', undefined]);
  assert.deepEqual(
    [created, failures.map(({ id, cause }) => [id, (cause as { type: string }).type])],
    [2, [['1', 'node_disconnected_exception']]],
  );
  await assert.rejects(run(['p', undefined]), { type: 'node_disconnected_exception' });
});

test('a block of all writes behind a written piece fails the documents of its piece only', async () => {
  const readOnly: ClusterState['blocks'][number] = {
    id: 6,
    description: 'cluster read-only (api)',
    retryable: false,
    levels: ['write'],
    indexUuid: null,
  };
  const run = async (piecesBefore: number): Promise<Progress> => {
    let taken = 0;
    const blocked = { ...withIndex, blocks: [readOnly] };
    const context = writingNode(
      () => {
        taken++;
        return () => undefined;
      },
      () => (taken >= piecesBefore ? blocked : withIndex),
    );
    const progress = new Progress('reindex', Infinity);
    const actions = large([undefined, undefined, undefined]);
    await writePage(callOf(context), actions, progress, new Set());
    return progress;
  };
  const { failures, status } = await run(1);
  const told = failures.map(({ id, cause, status: own }) => [id, (cause as { type: string }).type, own]);
  assert.deepEqual(told.slice(-2), [
    ['1', 'cluster_block_exception', 403],
    ['2', 'cluster_block_exception', 403],
  ]);
  assert.equal(status, 403);
  await assert.rejects(run(0), { type: 'cluster_block_exception' });
});
