import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeClock, silentLog } from '@shoal/doors';
import { replication } from '@shoal/protocol';
import type { PeerHead } from '@shoal/store';
import { CopyStream } from './copy-stream.js';
import { Replica, type ReplicaShard } from './replica.js';

const headOf = (allocationId: string, batch: number): PeerHead => ({
  allocationId,
  chainId: new Uint8Array(16).fill(allocationId.charCodeAt(0)),
  batch,
  link: new Uint8Array(16),
});

/**
 * Creates the log of a copy that has seen another's log up to a batch. Records the heads with which it was compared.
 */
function copyThatSaw(own: string, other: PeerHead) {
  const compared: number[] = [];
  const store = {
    identity: { historyUuid: 'h' },
    epochs: [{ term: 1, firstSeqNo: 0 }],
    currentTerm: 1,
    globalCheckpoint: 3,
    localCheckpoint: 3,
    peers: new Map([[other.allocationId, other]]),
    seenOf: (head: PeerHead) => (Buffer.compare(head.chainId, other.chainId) === 0 ? other : undefined),
    checkSeen: ({ batch }: PeerHead) => void compared.push(batch),
    notePeer: () => undefined,
    head: () => headOf(own, 7),
    persistedSeqNo: () => 3,
    synced: async () => undefined,
  };
  const log = { store, maxSeqNo: 3, gate: null, refuseWrites: () => undefined, setGlobalCheckpoint: () => undefined };
  return { log: log as unknown as ReplicaShard['log'], compared };
}

test('at a resync each copy compares its log with what the other one has seen of it', async () => {
  const primary = copyThatSaw('a', headOf('b', 5));
  const copy = copyThatSaw('b', headOf('a', 4));
  const replica = new Replica(
    { log: copy.log, refresh: () => undefined, nextRefresh: async () => undefined },
    { allocationId: 'b', mappingVersion: () => 1 },
  );
  let resynced: () => void = () => undefined;
  const done = new Promise<void>((resolve) => (resynced = resolve));
  const stream = new CopyStream({
    log: primary.log,
    clock: fakeClock(),
    events: silentLog,
    ref: { indexUuid: 'u', shard: 0, allocationId: 'b', primaryTerm: 1 },
    nodeId: 'n',
    attempt: 1,
    asked: () => 0,
    mustSync: () => true,
    mappingVersion: () => 1,
    channel: () => ({
      request: async (_action, payload) =>
        replication.encodeResyncAnswer(await replica.resync(replication.decodeResyncRequest(payload))),
    }),
    progressed: resynced,
    failed: (error) => assert.fail(error.message),
    superseded: (error) => assert.fail(error.message),
  });
  stream.start();
  await done;
  stream.stop();
  assert.deepEqual([primary.compared, copy.compared], [[4], [5]]);
});

test('operations that were parsed under a newer mapping wait until it is here', async () => {
  const { log } = copyThatSaw('b', headOf('a', 4));
  const received: number[] = [];
  const taking = Object.assign(log, { receive: async (first: number) => void received.push(first) });
  let own = 1;
  const replica = new Replica(
    { log: taking, refresh: () => undefined, nextRefresh: async () => undefined },
    { allocationId: 'b', mappingVersion: () => own },
  );
  const copy = { indexUuid: 'u', shard: 0, allocationId: 'b', primaryTerm: 1 };
  await replica.resync({
    copy,
    historyUuid: 'h',
    epochs: [{ term: 1, firstSeqNo: 0 }],
    maxSeqNo: 3,
    globalCheckpoint: 3,
    head: undefined,
    seen: undefined,
  });
  const request = {
    copy,
    previousSeqNo: 3,
    previousTerm: 1,
    globalCheckpoint: 3,
    head: undefined,
    sync: true,
    mappingVersion: 2,
  };
  await assert.rejects(replica.replicate({ ...request, records: [Uint8Array.of(1)] }), {
    type: 'retry_on_replica_exception',
  });
  await replica.replicate({ ...request, records: [] });
  own = 2;
  await replica.replicate({ ...request, records: [Uint8Array.of(1)] });
  assert.deepEqual(received, [4]);
});
