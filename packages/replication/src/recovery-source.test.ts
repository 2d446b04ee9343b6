import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeClock } from '@shoal/doors';
import type { recovery } from '@shoal/protocol';
import type { PinnedCommit, Shard } from '@shoal/shard';
import type { Primary } from './primary.js';
import { RecoverySource } from './recovery-source.js';

test('as long as a copy takes files it is promised what comes after them', async () => {
  const kept: [nodeId: string, from: number][] = [];
  const commit = {
    maxSeqNo: 9,
    primaryTerm: 1,
    nextSegment: 0,
    epochs: [],
    tombstones: [],
    retriesFrom: 0,
    segments: [],
  } as unknown as PinnedCommit['commit'];
  const store = { identity: { historyUuid: 'h' }, async *records() {} };
  const shard = {
    flushChanges: async () => undefined,
    log: { store, historyFloor: 0, maxSeqNo: 20, pin: () => ({ commit, release: () => undefined }) },
  } as unknown as Shard;
  const primary = {
    term: 1,
    startOver: () => undefined,
    retain: (nodeId: string, from: number) => void kept.push([nodeId, from]),
  } as unknown as Primary;
  const source = new RecoverySource({ shard, primary, clock: fakeClock(), isAssigned: () => true });
  const { recoveryId } = await source.start({
    allocationId: 'a',
    nodeId: 'n',
    primaryTerm: 1,
    filesOnly: true,
    segments: [] as recovery.OwnSegment[],
  } as recovery.StartRequest);
  assert.deepEqual(kept, [['n', 10]]);
  await source.operations({
    recoveryId,
    from: 0,
    bytesMax: 1,
    known: new Uint8Array(0),
    knownBelow: 0,
  } as recovery.OperationsRequest);
  assert.deepEqual(kept, [
    ['n', 10],
    ['n', 10],
  ]);
  source.close();
});
