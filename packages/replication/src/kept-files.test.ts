import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Channel, fakeClock, memoryFiles, memoryStores, seededRandom, silentLog } from '@shoal/doors';
import { recovery } from '@shoal/protocol';
import type { Shard } from '@shoal/shard';
import { createBlockCache, openShardStore, type SegmentDraft, type ShardStore } from '@shoal/store';
import { fillStore } from './fill-store.js';
import { keptOf, newFilling, ownSegments } from './filling.js';
import type { Primary } from './primary.js';
import { newProgress } from './recovery-progress.js';
import { RecoverySource } from './recovery-source.js';

const world = (seed: number) => ({
  stores: memoryStores(),
  files: memoryFiles(),
  clock: fakeClock(),
  random: seededRandom(seed),
  log: silentLog,
  cache: createBlockCache(1 << 20),
  path: 'copy',
});
type World = ReturnType<typeof world>;

const openCopy = (doors: World, allocationId: string, more: object = {}): Promise<ShardStore> =>
  openShardStore({ ...doors, identity: { allocationId, historyUuid: 'h' }, isAlone: false, ...more });

function append(store: ShardStore, from: number, to: number, primaryTerm = 1, source = '{}'): void {
  for (let seqNo = from; seqNo < to; seqNo++) {
    store.append({
      kind: 'index',
      seqNo,
      primaryTerm,
      version: 1,
      id: `${seqNo}`,
      routing: null,
      autoId: false,
      created: true,
      opId: null,
      atMs: 0,
      ignored: [],
      source: Buffer.from(source),
    });
  }
}

async function writeSegment(store: ShardStore, segment: number, fill: number): Promise<SegmentDraft> {
  const writer = store.writer(segment);
  for (let i = 0; i < 3; i++) await writer.write('part', new Uint8Array(1000).fill(fill));
  return { segment, maxDoc: 5, deletedDocs: 0, live: null, ...(await writer.finish()) };
}

async function commit(store: ShardStore, segments: readonly SegmentDraft[], maxSeqNo: number): Promise<void> {
  await store.synced();
  store.setGlobalCheckpoint(maxSeqNo);
  await store.writeCommit({
    segments,
    maxSeqNo,
    primaryTerm: store.currentTerm,
    nextSegment: 9,
    superseded: [],
    tombstones: [],
    leases: [],
    retriesFrom: -1,
    historyFloor: maxSeqNo + 1,
  });
}

/** The primary's side over a store; what it was asked for. */
function serving(store: ShardStore, term: number) {
  const asked: string[] = [];
  const log = {
    store,
    maxSeqNo: store.persistedSeqNo(),
    historyFloor: store.persistedSeqNo() + 1,
    pin: () => ({ commit: store.commit!, release: () => undefined }),
  };
  const source = new RecoverySource({
    shard: { flushChanges: async () => undefined, log } as unknown as Shard,
    primary: { term, startOver: () => undefined, retain: () => undefined } as unknown as Primary,
    clock: fakeClock(),
    isAssigned: () => true,
  });
  const channel: Channel = {
    async request(action, payload) {
      if (action === 'recovery/chunk') {
        const request = recovery.decodeChunksRequest(payload);
        asked.push(`segment ${request.segment}`);
        return recovery.encodeChunksAnswer(source.chunks(request));
      }
      const answer = await source.operations(recovery.decodeOperationsRequest(payload));
      asked.push(`operations ${new Float64Array(new Uint8Array(answer.seqNos).buffer).join(' ')}`);
      return recovery.encodeOperationsAnswer(answer);
    },
  };
  return { source, channel, asked };
}

const asks = (copy: ShardStore, primaryTerm: number): recovery.StartRequest => ({
  indexUuid: 'u',
  shard: 0,
  primaryTerm,
  allocationId: 'a2',
  nodeId: 'n',
  historyUuid: copy.identity.historyUuid,
  epochs: [...copy.epochs],
  maxSeqNo: copy.persistedSeqNo(),
  head: undefined,
  seen: undefined,
  filesOnly: false,
  segments: ownSegments(copy),
  attempt: 1,
});

/** Recovers a copy from files as a shard copy does it; what was asked for, and how far it says it is. */
async function recover(doors: World, copy: ShardStore, primary: ShardStore, term: number) {
  const { source, channel, asked } = serving(primary, term);
  const answer = recovery.decodeStartAnswer(
    recovery.encodeStartAnswer(
      await source.start(recovery.decodeStartRequest(recovery.encodeStartRequest(asks(copy, term)))),
    ),
  );
  await copy.close();
  const kept = keptOf(copy, answer)!;
  const progress = newProgress('PEER', 0);
  const store = await openCopy(doors, 'a2', {
    keeps: { segments: [...kept.segments.keys()], operationsBelow: kept.ownBelow },
  });
  await fillStore(newFilling(store, 'p/1', kept), answer.commit!, {
    indexUuid: 'u',
    shard: 0,
    recoveryId: answer.recoveryId,
    source: channel,
    limit: async () => undefined,
    progress,
  });
  await store.close();
  source.close();
  return { asked, progress, opened: await openCopy(doors, 'a2') };
}

async function recordsOf(store: ShardStore, maxSeqNo: number): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const [seqNo, record] of store.records(0, maxSeqNo))
    found.push([seqNo, Buffer.from(record).toString('hex')]);
  return found;
}

async function sameAs(copy: ShardStore, primary: ShardStore, maxSeqNo: number): Promise<void> {
  assert.deepEqual(
    copy.commit?.segments.map(({ segment, rootHash }) => [segment, [...rootHash]]),
    primary.commit?.segments.map(({ segment, rootHash }) => [segment, [...rootHash]]),
  );
  for (const { segment, rootHash } of primary.commit!.segments) {
    const [ours, theirs] = [copy.segment(segment, rootHash), primary.segment(segment, rootHash)];
    for (let i = 0; i < theirs.chunkCount('part'); i++)
      assert.equal(Buffer.compare(ours.chunk('part', i), theirs.chunk('part', i)), 0);
    ours.release();
    theirs.release();
  }
  assert.deepEqual(await recordsOf(copy, maxSeqNo), await recordsOf(primary, maxSeqNo));
}

/** A primary with two segments and operations 0 to 9, and a copy that was filled from it. */
async function pair() {
  const [theirs, ours] = [world(1), world(2)];
  const primary = await openCopy(theirs, 'p');
  append(primary, 0, 10);
  await commit(primary, [await writeSegment(primary, 1, 1), await writeSegment(primary, 2, 2)], 9);
  const empty = await openCopy(ours, 'a1');
  append(empty, 0, 1);
  await empty.synced();
  const { opened, progress } = await recover(ours, empty, primary, 1);
  return { ours, primary, copy: opened, progress };
}

test('a copy that was away is sent neither segments nor operations that it has already', async () => {
  const { ours, primary, copy, progress: first } = await pair();
  await sameAs(copy, primary, 9);
  assert.deepEqual(
    [first.totalFiles, first.reusedFiles, first.recoveredFiles, first.recoveredBytes + first.reusedBytes],
    [2, 0, 2, first.totalBytes],
  );
  append(primary, 10, 12);
  const before = primary.commit!.segments.map((segment): SegmentDraft => ({ ...segment, live: null }));
  await commit(primary, [...before, await writeSegment(primary, 3, 3)], 11);
  const { asked, progress, opened } = await recover(ours, copy, primary, 1);
  assert.deepEqual(asked, ['segment 3', 'operations ', 'operations 10 11']);
  assert.deepEqual([progress.totalFiles, progress.reusedFiles, progress.recoveredFiles], [3, 2, 1]);
  assert.equal(progress.reusedBytes + progress.recoveredBytes, progress.totalBytes);
  assert.ok(progress.reusedBytes > 6000 && progress.recoveredBytes < 4000);
  await sameAs(opened, primary, 11);
});

test(
  'a segment of the same number, parts and sizes that a copy made by itself is copied, and so is what it wrote in ' +
    'another term',
  async () => {
    const { ours, primary, copy } = await pair();
    append(copy, 10, 14, 2, '{"a":1}');
    const before = copy.commit!.segments.map((segment): SegmentDraft => ({ ...segment, live: null }));
    await commit(copy, [before[1]!, await writeSegment(copy, 3, 3)], 13);
    await primary.beginTerm(3);
    append(primary, 10, 12, 3, '{"a":1}');
    await commit(
      primary,
      [...primary.commit!.segments.map((segment) => ({ ...segment, live: null })), await writeSegment(primary, 3, 3)],
      11,
    );
    const { asked, opened } = await recover(ours, copy, primary, 3);
    assert.deepEqual(asked, ['segment 1', 'segment 3', 'operations ', 'operations 10 11']);
    await sameAs(opened, primary, 11);
  },
);

test(
  'operations that the primary has removed since go from the copy ' + 'too, and those that the copy removed come back',
  async () => {
    const { ours, primary, copy } = await pair();
    await primary.trim([2, 3]);
    await copy.trim([3, 7]);
    append(primary, 10, 11);
    await commit(primary, [await writeSegment(primary, 4, 4)], 10);
    const { asked, opened } = await recover(ours, copy, primary, 1);
    assert.deepEqual(asked, ['segment 4', 'operations 7', 'operations 10']);
    await sameAs(opened, primary, 10);
  },
);
