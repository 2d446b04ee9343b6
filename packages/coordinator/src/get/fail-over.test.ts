import assert from 'node:assert/strict';
import test from 'node:test';
import { errors } from '@shoal/errors';
import type { shard as messages } from '@shoal/protocol';
import { CALL, failure, fakeCoordinator, jsonOf, stateWith } from '../fake-cluster.js';
import type { GetDocumentRequest } from './get-request.js';

const OPTIONS = { routing: null, source: true, storedFields: null, version: null, versionType: 'internal' } as const;
const REQUEST: GetDocumentRequest = {
  ...OPTIONS,
  index: 'h',
  id: '1',
  realtime: true,
  refresh: false,
  preference: null,
  bareSource: false,
};
const STATE = stateWith([{ name: 'h', shards: [['n2', 'n1', 'n3']] }]);
const FOUND: messages.GetResult = {
  found: true,
  version: 4,
  seqNo: 5,
  primaryTerm: 1,
  ignored: [],
  routing: undefined,
  source: Buffer.from('{}'),
  fields: undefined,
  error: undefined,
};

/** Copies on these nodes fail; the others answer. */
function cluster(failing: Readonly<Record<string, Error>>): {
  asked: string[];
  coordinator: ReturnType<typeof fakeCoordinator>;
} {
  const asked: string[] = [];
  const coordinator = fakeCoordinator(STATE, {
    get: (get, nodeId) => {
      asked.push(nodeId);
      if (failing[nodeId]) throw failing[nodeId];
      return { items: get.items.map(() => FOUND) };
    },
  });
  return { asked, coordinator };
}

test('the copy of this node is asked first', async () => {
  const { asked, coordinator } = cluster({});
  await coordinator.get(REQUEST, CALL);
  assert.deepEqual(asked, ['n1']);
});

for (const error of [
  errors.nodeDisconnected(null),
  errors.nodeNotConnected(null),
  errors.shardNotFound(null),
  errors.corruption('bad checksum'),
  errors.noShardAvailable(null),
]) {
  test(`after ${error.type} another copy is asked`, async () => {
    const { asked, coordinator } = cluster({ n1: error, n2: error });
    assert.equal((await coordinator.get(REQUEST, CALL)).status, 200);
    assert.deepEqual(asked, ['n1', 'n2', 'n3']);
    const many = jsonOf(
      await coordinator.multiGet(
        { index: 'h', body: { ids: ['1', '2'] }, realtime: true, refresh: false, preference: null, defaults: OPTIONS },
        CALL,
      ),
    );
    assert.deepEqual(
      (many as { docs: { found: boolean }[] }).docs.map((doc) => doc.found),
      [true, true],
    );
  });
}

test('what is wrong with the request is asked once', async () => {
  const { asked, coordinator } = cluster({ n1: errors.illegalArgument('no') });
  assert.equal((await failure(() => coordinator.get(REQUEST, CALL))).reason, 'no');
  assert.deepEqual(asked, ['n1']);
});

test('without a copy that can be reached the document is not available', async () => {
  const gone = errors.nodeDisconnected(null);
  const { coordinator } = cluster({ n1: gone, n2: gone, n3: gone });
  assert.deepEqual(await failure(() => coordinator.get(REQUEST, CALL)), {
    status: 503,
    type: 'no_shard_available_action_exception',
    reason: 'No shard available for [get [h][1]: routing [null]]',
  });
});

test('a copy that is broken is told of when no other is left', async () => {
  const { coordinator } = cluster({
    n1: errors.nodeDisconnected(null),
    n2: errors.nodeDisconnected(null),
    n3: errors.corruption('bad checksum'),
  });
  assert.equal((await failure(() => coordinator.get(REQUEST, CALL))).type, 'corrupt_index_exception');
});
