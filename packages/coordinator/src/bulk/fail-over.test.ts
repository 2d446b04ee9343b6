import assert from 'node:assert/strict';
import test from 'node:test';
import { errors } from '@shoal/errors';
import { errorMessage, shard as messages } from '@shoal/protocol';
import { CALL, fakeCoordinator, type FakeShards, jsonOf, stateWith } from '../fake-cluster.js';
import type { BulkRequest } from './bulk-request.js';

const ON_N1 = stateWith([{ name: 'h', shards: [['n1', 'n2']] }]);
const ON_N2 = { ...stateWith([{ name: 'h', shards: [['n2', 'n1']] }]), version: 2 };

function request(lines: string, change: Partial<BulkRequest> = {}): BulkRequest {
  return {
    body: Buffer.from(lines),
    index: 'h',
    routing: null,
    pipeline: null,
    requireAlias: null,
    updateSource: undefined,
    listsPipelines: false,
    allowType: false,
    refresh: 'none',
    timeoutMs: 1_000,
    waitForActiveShards: null,
    ...change,
  };
}

const TWO = '{"index":{"_id":"1"}}\n{}\n{"index":{"_id":"2"}}\n{}\n';
const done = (seqNo: number): messages.WriteResult => ({
  outcome: 0,
  version: 1,
  seqNo,
  primaryTerm: 1,
  error: undefined,
  get: undefined,
});
const failed = (error: unknown): messages.WriteResult => ({
  ...done(0),
  outcome: 5,
  error: errorMessage(error),
});
const acknowledged = (bulk: messages.BulkShardRequest): messages.BulkShardResponse => ({
  items: bulk.items.map((_, i) => done(i)),
  forcedRefresh: false,
});

interface Sent {
  readonly nodeId: string;
  readonly bulk: messages.BulkShardRequest;
}

/** Node n1 answers as told and then the primary is on n2, which takes everything. */
function moving(onFirst: (bulk: messages.BulkShardRequest) => messages.BulkShardResponse): {
  sent: Sent[];
  coordinator: ReturnType<typeof fakeCoordinator>;
} {
  const sent: Sent[] = [];
  const shards: FakeShards = {
    bulk: (bulk, nodeId) => {
      sent.push({ nodeId, bulk });
      if (nodeId === 'n2') return acknowledged(bulk);
      coordinator.apply(ON_N2);
      return onFirst(bulk);
    },
  };
  const coordinator = fakeCoordinator(ON_N1, shards);
  return { sent, coordinator };
}

const fails = (error: Error) => (): never => {
  throw error;
};
const countersOf = ({ bulk }: Sent): unknown[] => [bulk.coordinator, ...bulk.items.map((item) => item.opCounter)];

test('a batch follows its primary under the same names, said to be a repetition', async () => {
  const { sent, coordinator } = moving(fails(errors.nodeDisconnected('[n1] disconnected')));
  const answer = jsonOf(await coordinator.bulk(request(TWO), CALL)) as { errors: boolean };
  assert.equal(answer.errors, false);
  assert.deepEqual(
    sent.map(({ nodeId, bulk }) => [nodeId, bulk.retry ?? false]),
    [
      ['n1', false],
      ['n2', true],
    ],
  );
  assert.deepEqual(countersOf(sent[0]!), ['start-1', 0, 1]);
  assert.deepEqual(countersOf(sent[1]!), countersOf(sent[0]!));
});

test('what never left this node is no repetition', async () => {
  const { sent, coordinator } = moving(fails(errors.nodeNotConnected('[n1] Node not connected')));
  await coordinator.bulk(request(TWO), CALL);
  assert.deepEqual(
    sent.map(({ bulk }) => bulk.retry ?? false),
    [false, false],
  );
});

for (const error of [
  errors.nodeClosed(null),
  errors.shardNotFound(null),
  errors.stalePrimaryTerm(null),
  errors.wrongShardCopy(null),
  errors.noLongerPrimaryShard(null),
  errors.retryOnPrimary(null),
  errors.unavailableShards('x'),
]) {
  test(`after ${error.type} a batch is sent again`, async () => {
    const { sent, coordinator } = moving(fails(error));
    await coordinator.bulk(request(TWO), CALL);
    assert.deepEqual(
      sent.map(({ nodeId }) => nodeId),
      ['n1', 'n2'],
    );
  });
}

test('a primary that stops being one between two writes gets none of the answer', async () => {
  const { sent, coordinator } = moving(() => ({
    items: [done(7), failed(errors.retryOnPrimary('over'))],
    forcedRefresh: false,
  }));
  const answer = jsonOf(await coordinator.bulk(request(TWO), CALL)) as { errors: boolean };
  assert.equal(answer.errors, false);
  assert.equal(sent[1]!.bulk.retry, true);
  assert.equal(sent[1]!.bulk.items.length, 2);
});

test('names are never given twice', async () => {
  const { sent, coordinator } = moving(acknowledged);
  await coordinator.bulk(request(TWO), CALL);
  await coordinator.bulk(request(TWO), CALL);
  assert.deepEqual(
    sent.flatMap((one) => countersOf(one).slice(1)),
    [0, 1, 2, 3],
  );
});

test('what is wrong with the batch is not sent again', async () => {
  const { sent, coordinator } = moving(fails(errors.circuitBreaking('too much')));
  const answer = jsonOf(await coordinator.bulk(request(TWO), CALL)) as { items: { index: { status: number } }[] };
  assert.deepEqual(
    answer.items.map((item) => item.index.status),
    [429, 429],
  );
  assert.equal(sent.length, 1);
});

test('when the time is over the shard counts as unavailable, and only its writes fail', async () => {
  const state = stateWith([{ name: 'h', shards: [['n1'], ['n2']] }]);
  const coordinator = fakeCoordinator(state, {
    bulk: (bulk, nodeId) =>
      nodeId === 'n1' ? fails(errors.nodeDisconnected('[n1] disconnected'))() : acknowledged(bulk),
  });
  const lines = Array.from({ length: 10 }, (_, i) => `{"index":{"_id":"${i}"}}\n{}\n`).join('');
  const answer = jsonOf(await coordinator.bulk(request(lines), CALL)) as {
    items: { index: { status: number; error?: { type: string; reason: string } } }[];
  };
  const lost = answer.items.filter((item) => item.index.status !== 201);
  assert.ok(lost.length > 0 && lost.length < 10);
  for (const { index } of lost) assert.equal(index.status, 503);
  assert.equal(lost[0]!.index.error!.type, 'unavailable_shards_exception');
  assert.equal(
    lost[0]!.index.error!.reason,
    `[h][0] Timeout: [1s], request: [BulkShardRequest [[h][0]] containing [${lost.length}] requests]`,
  );
});

test('a batch that waits for copies tells the primary how many', async () => {
  const { sent, coordinator } = moving(acknowledged);
  await coordinator.bulk(request(TWO, { waitForActiveShards: 'all' }), CALL);
  assert.equal(sent[0]!.bulk.waitForActive, 2);
});

test('_shards counts the copies as the primary does', async () => {
  const response = { copiesTotal: 3, copiesSuccessful: 2 };
  const coordinator = fakeCoordinator(ON_N1, { bulk: (bulk) => ({ ...acknowledged(bulk), ...response }) });
  const answer = jsonOf(await coordinator.bulk(request(TWO), CALL)) as { items: { index: { _shards: unknown } }[] };
  assert.deepEqual(answer.items[0]!.index._shards, { total: 3, successful: 2, failed: 0 });
});

test('a batch is not tried again for ever on a node that closes', async () => {
  const coordinator = fakeCoordinator(ON_N1, { bulk: fails(errors.nodeNotConnected('[n1] Node not connected')) });
  coordinator.closeCluster();
  const { items } = jsonOf(await coordinator.bulk(request(TWO), CALL)) as { items: { index: { status: number } }[] };
  assert.deepEqual(
    items.map(({ index }) => index.status),
    [503, 503],
  );
});
