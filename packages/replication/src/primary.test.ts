import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeClock, silentLog } from '@shoal/doors';
import { errors } from '@shoal/errors';
import type { ShardLog } from '@shoal/shard';
import { Primary, type ShardFailed } from './primary.js';

/** Creates the log of a copy with one operation that is synced. */
function logWithOneOperation(): ShardLog {
  const store = {
    isAlone: false,
    globalCheckpoint: -1,
    localCheckpoint: -1,
    onPersisted: null,
    epochs: [{ term: 1, firstSeqNo: 0 }],
    identity: { historyUuid: 'h' },
    peers: new Map(),
    head: () => ({ chainId: new Uint8Array(16), batch: 0, link: new Uint8Array(16) }),
    synced: async () => undefined,
    beginTerm: async () => undefined,
    acknowledged: async () => undefined,
    persistedSeqNo: () => 0,
    record: () => new Uint8Array(1),
    keepRecords: () => undefined,
  };
  const log = {
    store,
    maxSeqNo: 0,
    gate: null,
    leases: [],
    historyFloor: 0,
    refuseWrites: () => undefined,
    setGlobalCheckpoint: (seqNo: number) => void (store.globalCheckpoint = seqNo),
    setLeases: () => undefined,
  };
  return log as unknown as ShardLog;
}

test(
  'a write that waits for a copy whose node is gone is answered once the master has taken the copy out, without ' +
    'another write',
  async () => {
    const reports: ShardFailed[] = [];
    const primary = new Primary(
      {
        shard: { setPrimaryTerm: () => undefined, log: logWithOneOperation() },
        indexUuid: 'i',
        shardId: 0,
        allocationId: 'a',
        term: 1,
        clock: fakeClock(),
        events: silentLog,
        channel: () => ({ request: () => Promise.reject(errors.nodeNotConnected('gone')) }),
        shardFailed: async (report) => void reports.push(report),
        mustSync: () => true,
        leasePeriodMs: () => 12 * 3_600_000,
        mappingVersion: () => 1,
        lost: (error) => assert.fail(error.message),
      },
      { inSync: ['a', 'b'], copies: [{ allocationId: 'b', nodeId: 'n2' }], total: 2 },
    );
    await primary.start();
    let isAnswered = false;
    void primary.acknowledged(0).then(() => (isAnswered = true));
    await new Promise((resolve) => queueMicrotask(() => resolve(null)));
    assert.equal(isAnswered, false);
    primary.update({ inSync: ['a', 'b'], copies: [], total: 2 });
    for (let i = 0; i < 20; i++) await Promise.resolve();
    assert.deepEqual(
      reports.map(({ allocationId, markStale }) => [allocationId, markStale]),
      [['b', true]],
    );
    assert.equal(isAnswered, true);
  },
);
