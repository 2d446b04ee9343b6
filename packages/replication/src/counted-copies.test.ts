import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeClock, silentLog } from '@shoal/doors';
import { errors } from '@shoal/errors';
import { replication } from '@shoal/protocol';
import type { ShardLog } from '@shoal/shard';
import { Primary, type PrimaryOptions } from './primary.js';
import { OUTCOME } from './wire.js';

const HEAD = { allocationId: 'a', chainId: new Uint8Array(16), batch: 1, link: new Uint8Array(16) };

/** Creates a log of ten synced operations, of which five are below the global checkpoint. */
function oldLog(): ShardLog {
  const store = {
    identity: { historyUuid: 'h' },
    epochs: [{ term: 1, firstSeqNo: 0 }],
    currentTerm: 1,
    globalCheckpoint: 4,
    localCheckpoint: 4,
    isAlone: false,
    onPersisted: null,
    synced: () => Promise.resolve(),
    acknowledged: () => Promise.resolve(),
    beginTerm: () => Promise.resolve(),
    persistedSeqNo: () => 9,
    head: () => HEAD,
    notePeer: () => undefined,
    peers: new Map(),
    record: () => Uint8Array.of(1),
    keepRecords: () => undefined,
  };
  return {
    store,
    maxSeqNo: 9,
    gate: null,
    leases: [],
    historyFloor: 0,
    refuseWrites: () => undefined,
    drained: () => Promise.resolve(),
    setLeases: () => undefined,
    setGlobalCheckpoint: (seqNo: number) => void (store.globalCheckpoint = seqNo),
  } as unknown as ShardLog;
}

interface Peer {
  answers: boolean;
  matchPoint: number;
  requests: number;
}

function primaryOf(log: ShardLog, peer: Peer, inSync: readonly string[]): Primary {
  const handle = async (action: string, payload: Uint8Array): Promise<Uint8Array> => {
    peer.requests++;
    if (action === 'replication/resync')
      return replication.encodeResyncAnswer({ matchPoint: peer.matchPoint, head: HEAD, seen: undefined });
    if (!peer.answers) return new Promise(() => undefined);
    const { previousSeqNo, records } = replication.decodeReplicateRequest(payload);
    const last = previousSeqNo + records.length;
    return replication.encodeReplicateAnswer({
      outcome: OUTCOME.taken,
      localCheckpoint: last,
      maxSeqNo: last,
      head: HEAD,
    });
  };
  const options: PrimaryOptions = {
    shard: { log, setPrimaryTerm: () => undefined },
    indexUuid: 'uuid',
    shardId: 0,
    allocationId: 'a',
    term: 2,
    clock: fakeClock(),
    events: silentLog,
    channel: () => ({ request: handle }),
    shardFailed: () => Promise.reject(errors.masterNotDiscovered('no master')),
    mustSync: () => true,
    leasePeriodMs: () => 12 * 3_600_000,
    mappingVersion: () => 1,
    lost: () => undefined,
  };
  return new Primary(options, { inSync: ['a', ...inSync], copies: [{ allocationId: 'b', nodeId: 'n' }], total: 2 });
}

async function soon(): Promise<void> {
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
}

/** Asserts that the primary does not count the copy `b`, which lacks operations. */
async function assertNotCounted(primary: Primary, peer: Peer): Promise<void> {
  let isCounted = false;
  const counted = primary.counted('b').then(() => (isCounted = true));
  await soon();
  assert.equal(isCounted, false);
  peer.answers = true;
  primary.stop(errors.illegalState('over'));
  await assert.rejects(counted);
}

test(
  'a copy counts once it has all that the primary had when its term ' +
    'began: the one before may have answered for it',
  async () => {
    const peer: Peer = { answers: false, matchPoint: 6, requests: 0 };
    const primary = primaryOf(oldLog(), peer, []);
    await primary.start();
    primary.track({ allocationId: 'b', nodeId: 'n' }, 7, 1);
    await assertNotCounted(primary, peer);
  },
);

test(
  'a copy counts once it has all that was written while there was no other copy: it may be answered for as soon as ' +
    'it is durable',
  async () => {
    const peer: Peer = { answers: false, matchPoint: 9, requests: 0 };
    const log = oldLog();
    const primary = primaryOf(log, peer, []);
    await primary.start();
    (log as { maxSeqNo: number }).maxSeqNo = 11;
    primary.track({ allocationId: 'b', nodeId: 'n' }, 10, 1);
    await assertNotCounted(primary, peer);
  },
);

test('a write that wants more copies than follow is refused before it happens', async () => {
  const primary = primaryOf(oldLog(), { answers: true, matchPoint: 9, requests: 0 }, []);
  await primary.start();
  primary.checkActive(1);
  assert.throws(() => primary.checkActive(2), { type: 'unavailable_shards_exception', status: 503 });
  primary.track({ allocationId: 'b', nodeId: 'n' }, 10, 1);
  await primary.counted('b');
  primary.checkActive(2);
  primary.stop(errors.illegalState('over'));
});

test(
  'an answer that no operation stands behind waits until the copies in sync have said that there is no newer ' +
    'primary',
  async () => {
    const peer: Peer = { answers: true, matchPoint: 9, requests: 0 };
    const primary = primaryOf(oldLog(), peer, ['b']);
    await primary.start();
    await soon();
    const before = peer.requests;
    await primary.acknowledged(9);
    assert.equal(peer.requests, before + 1);
    peer.answers = false;
    let isAnswered = false;
    const answered = primary.acknowledged(9).then(() => (isAnswered = true));
    await soon();
    assert.equal(isAnswered, false);
    primary.stop(errors.noLongerPrimaryShard('over'));
    await assert.rejects(answered);
  },
);

test('a copy that begins to recover anew counts once it has caught up again, not by what it had before', async () => {
  const peer: Peer = { answers: true, matchPoint: 9, requests: 0 };
  const primary = primaryOf(oldLog(), peer, []);
  const copy = { allocationId: 'b', nodeId: 'n' };
  await primary.start();
  primary.track(copy, 10, 1);
  await primary.counted('b');
  assert.throws(() => primary.startOver(copy, 1), { type: 'retry_on_primary_exception' });
  primary.startOver(copy, 2);
  assert.equal(primary.copies.successful, 1);
  [peer.answers, peer.matchPoint] = [false, -1];
  primary.track(copy, 0, 3);
  let isCounted = false;
  const counted = primary.counted('b').then(() => (isCounted = true));
  await soon();
  assert.equal(isCounted, false);
  primary.stop(errors.illegalState('over'));
  await assert.rejects(counted);
});

test('a request to be followed that came twice or late takes nothing from a copy that counts', async () => {
  const peer: Peer = { answers: true, matchPoint: 9, requests: 0 };
  const primary = primaryOf(oldLog(), peer, []);
  const copy = { allocationId: 'b', nodeId: 'n' };
  await primary.start();
  primary.track(copy, 10, 2);
  await primary.counted('b');
  for (const late of [2, 1]) primary.track(copy, 0, late);
  assert.throws(() => primary.startOver(copy, 1), { type: 'retry_on_primary_exception' });
  assert.equal(primary.copies.successful, 2);
  primary.update({ inSync: ['a', 'b'], copies: [copy], total: 2 });
  assert.throws(() => primary.startOver(copy, 3), { type: 'retry_on_primary_exception' });
  assert.equal(primary.copies.successful, 2);
  primary.stop(errors.illegalState('over'));
});
