import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeValue } from '@shoal/codec';
import { type Channel, fakeClock, memoryFiles, memoryStores, seededRandom, silentLog } from '@shoal/doors';
import { recovery } from '@shoal/protocol';
import { createBlockCache, openShardStore } from '@shoal/store';
import { fillStore } from './fill-store.js';
import { newFilling } from './filling.js';
import { newProgress } from './recovery-progress.js';

const CHUNK = new Uint8Array(1000).fill(7);

async function newStore(folder: string) {
  const doors = {
    stores: memoryStores(),
    files: memoryFiles(),
    clock: fakeClock(),
    random: seededRandom(1),
    log: silentLog,
    cache: createBlockCache(1 << 20),
    path: folder,
  };
  return { doors, store: await openShardStore({ ...doors, identity: { allocationId: 'a', historyUuid: 'h' } }) };
}

/**
 * Creates a primary with segments of one part of three chunks, and operations 0 to 9. It fails at request number
 * `cutAt`.
 */
async function primaryOf(segments: readonly number[], cutAt: number) {
  const { store } = await newStore('primary');
  const asked: string[] = [];
  const described: recovery.Segment[] = [];
  for (const number of segments) {
    const writer = store.writer(number);
    for (let i = 0; i < 3; i++) await writer.write('part', CHUNK);
    const { rootHash } = await writer.finish();
    described.push({
      number,
      maxDoc: 5,
      deletedDocs: 0,
      rootHash,
      held: false,
      madeBy: store.identity.chainId,
      parts: [{ name: 'part', chunks: 3, bytes: 3000 }],
    });
  }
  for (let seqNo = 0; seqNo < 10; seqNo++) {
    store.append({
      kind: 'index',
      seqNo,
      primaryTerm: 1,
      version: 1,
      id: `${seqNo}`,
      routing: null,
      autoId: false,
      created: true,
      opId: null,
      atMs: 0,
      ignored: [],
      source: Buffer.from('{}'),
    });
  }
  await store.synced();
  const limits = { cutAt };
  const source: Channel = {
    async request(action, payload) {
      if (asked.length === limits.cutAt) throw new Error('cut off');
      if (action === 'recovery/chunk') {
        const { segment, first } = recovery.decodeChunksRequest(payload);
        asked.push(`${segment}/${first}`);
        return recovery.encodeChunksAnswer({ chunks: [CHUNK] });
      }
      const { from } = recovery.decodeOperationsRequest(payload);
      asked.push(`from ${from}`);
      const seqNos = Array.from({ length: 5 }, (_, i) => from + i);
      return recovery.encodeOperationsAnswer({
        seqNos: new Uint8Array(Float64Array.from(seqNos).buffer),
        records: seqNos.map((seqNo) => store.record(seqNo)!),
        next: from + 5 < 10 ? from + 5 : -1,
        held: new Uint8Array(0),
      });
    },
  };
  const commit: recovery.CommitInfo = {
    maxSeqNo: 9,
    primaryTerm: 1,
    nextSegment: 9,
    historyFloor: 10,
    epochs: [{ term: 1, firstSeqNo: 0 }],
    tombstones: encodeValue([]),
    retriesFrom: -1,
    segments: described,
  };
  return { asked, limits, source, commit };
}

const optionsOf = (source: Channel) => ({
  indexUuid: 'u',
  shard: 0,
  recoveryId: 'r',
  source,
  limit: async () => undefined,
  progress: newProgress('PEER', 0),
});

for (const [cutAt, again] of [
  [4, ['2/0', '2/1', '2/2', 'from 0', 'from 5']],
  [7, ['from 5']],
] as const) {
  test(
    `files that were cut off after ${cutAt} answers go on behind ` + 'the last whole segment and the last operations',
    async () => {
      const { asked, limits, source, commit } = await primaryOf([1, 2], cutAt);
      const { doors, store } = await newStore('copy');
      const filling = newFilling(store, 'p/1', null);
      await assert.rejects(fillStore(filling, commit, optionsOf(source)), { message: 'cut off' });
      const before = asked.length;
      limits.cutAt = Number.POSITIVE_INFINITY;
      await fillStore(filling, commit, optionsOf(source));
      assert.deepEqual(asked.slice(before), again);
      await store.close();
      const opened = await openShardStore(doors);
      assert.deepEqual(
        [opened.commit?.maxSeqNo, opened.commit?.segments.map(({ segment }) => segment), opened.recoveredSeqNo],
        [9, [1, 2], 9],
      );
      for (let seqNo = 0; seqNo < 10; seqNo++) assert.equal(opened.operation(seqNo)?.id, `${seqNo}`);
      for (const { segment, rootHash } of opened.commit!.segments)
        assert.equal(Buffer.compare(opened.segment(segment, rootHash).chunk('part', 2), CHUNK), 0);
    },
  );
}

test(
  'a segment that is another one by now is copied, and one ' + 'that the primary no longer has does not stay',
  async () => {
    const first = await primaryOf([1, 2], 7);
    const { doors, store } = await newStore('copy');
    const filling = newFilling(store, 'p/1', null);
    await assert.rejects(fillStore(filling, first.commit, optionsOf(first.source)), { message: 'cut off' });
    const later = await primaryOf([2, 3], Number.POSITIVE_INFINITY);
    await fillStore(filling, later.commit, optionsOf(later.source));
    assert.deepEqual(later.asked, ['3/0', '3/1', '3/2', 'from 5']);
    await store.close();
    const opened = await openShardStore(doors);
    assert.deepEqual(
      opened.commit?.segments.map(({ segment }) => segment),
      [2, 3],
    );
    assert.throws(() => opened.segment(1, null), { message: /manifest of segment \[_1\] is missing/ });
  },
);
