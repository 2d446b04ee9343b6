import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '@shoal/doors';
import { errors } from '@shoal/errors';
import type { JsonObject } from '@shoal/json';
import type { MlDocuments, WriteCondition } from '../documents/ml-documents.js';
import { CheckpointStore, firstCheckpoint, type KeptGeneration } from './checkpoint-store.js';
import { packState, unpackState } from './packed-state.js';

/** Documents in a map, with sequence numbers and conditions. */
function documentStore() {
  const kept = new Map<string, { source: JsonObject; seqNo: number }>();
  let seqNo = 0;
  /** Removals that go well before one fails. */
  const removals = { most: Number.POSITIVE_INFINITY };
  const documents = {
    get: async (_: string, id: string) => {
      const found = kept.get(id);
      return found === undefined ? null : { id, primaryTerm: 1, ...found };
    },
    put: async (_: string, id: string, source: JsonObject, condition: WriteCondition) => {
      const found = kept.get(id);
      const holds =
        condition === null || (condition === 'new' ? found === undefined : found?.seqNo === condition.seqNo);
      if (!holds) throw errors.versionConflict(`[${id}]: version conflict`);
      kept.set(id, { source, seqNo: ++seqNo });
      return { id, source, seqNo, primaryTerm: 1 };
    },
    remove: async (_: string, id: string) => {
      if (removals.most-- <= 0) throw errors.status('no copy', { status: 503 });
      kept.delete(id);
    },
  } as unknown as MlDocuments;
  return { kept, removals, store: new CheckpointStore(documents) };
}

const bytes = (text: string): Uint8Array => Buffer.from(text);
const packed = (text: string): readonly Uint8Array[] => packState((out) => out.raw(bytes(text)));
/** Inflates a state that is kept. */
async function stateOf(store: CheckpointStore, state: KeptGeneration): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of store.packedState('j', state)) pieces.push(piece);
  return Buffer.from(unpackState(pieces)).toString();
}

/** An assignment of the job that was first run by the assignment 1. */
const owner = (allocationId: number) => ({ allocationId, born: 1 });
const CONFLICT = { type: 'version_conflict_engine_exception' };

test('what an earlier owner writes behind the seal of a later one is refused, however late it comes', async () => {
  const { store, kept } = documentStore();
  await store.claim('j', 1);
  await store.writeJournal('j', owner(1), 0, bytes('a'));
  const later = await store.claim('j', 2);
  assert.equal(Buffer.from((await store.readJournal('j', owner(2), 0))!).toString(), 'a');
  assert.equal(await store.sealJournal('j', owner(2), 1), true);
  await assert.rejects(store.writeJournal('j', owner(1), 1, bytes('late')), CONFLICT);
  await store.writeJournal('j', owner(2), 2, bytes('b'));
  const next = { ...firstCheckpoint, journal: 3, seals: [1] };
  const saved = await store.commit('j', later, packed('state'), next);
  // The checkpoint has all pieces: they go, the seal stays.
  await assert.rejects(store.writeJournal('j', owner(1), 1, bytes('later still')), CONFLICT);
  assert.equal(await store.readJournal('j', owner(2), 2), null);
  assert.equal((await store.readJournal('j', owner(2), 1))!.length, 0);
  await store.commit('j', saved, packed('state'), { ...next, seals: [] });
  assert.equal(await store.readJournal('j', owner(2), 1), null);
  await store.remove('j');
  assert.deepEqual([...kept.keys()], []);
});

test('a piece that came before the seal is read first; one whose answer was lost is written over', async () => {
  const { store } = documentStore();
  await store.writeJournal('j', owner(1), 0, bytes('lost answer'));
  await store.writeJournal('j', owner(1), 0, bytes('again'));
  assert.equal(await store.sealJournal('j', owner(2), 0), false);
  assert.equal(Buffer.from((await store.readJournal('j', owner(2), 0))!).toString(), 'again');
  await assert.rejects(store.writeJournal('j', owner(0), 0, bytes('of an earlier owner')), CONFLICT);
});

test('a removal that ended on its way leaves no piece that a later one does not find', async () => {
  const { store, kept, removals } = documentStore();
  await store.claim('j', 1);
  for (let piece = 0; piece < 4; piece++) await store.writeJournal('j', owner(1), piece, bytes(`${piece}`));
  removals.most = 2;
  await assert.rejects(store.remove('j'), { status: 503 });
  removals.most = Number.POSITIVE_INFINITY;
  await store.remove('j');
  assert.deepEqual([...kept.keys()], []);
});

test('a job that goes back has no more of its journal, and no write of before comes after', async () => {
  const { store, kept } = documentStore();
  await store.claim('j', 1);
  for (let piece = 0; piece < 2; piece++) await store.writeJournal('j', owner(1), piece, bytes(`${piece}`));
  const { checkpoint } = await store.dropJournal('j', await store.claim('j', 2));
  assert.deepEqual([checkpoint.journal, checkpoint.seals], [3, [2]]);
  assert.equal(await store.readJournal('j', owner(2), 3), null);
  await assert.rejects(store.writeJournal('j', owner(1), 2, bytes('hung')), CONFLICT);
  assert.deepEqual([...kept.keys()], ['j_checkpoint', 'j_journal_1#2']);
});

test('a write that hangs past a reset is refused, and nothing but the seal stays of what was reset', async () => {
  const { store, kept } = documentStore();
  const stored = await store.claim('j', 1);
  await store.writeJournal('j', owner(1), 0, bytes('a'));
  await store.commit('j', stored, packed('state'), { ...firstCheckpoint, journal: 1 });
  await store.reset('j', await store.claim('j', 2));
  await assert.rejects(store.writeJournal('j', owner(1), 1, bytes('hung')), CONFLICT);
  assert.deepEqual([...kept.keys()], ['j_checkpoint', 'j_journal_1#1']);
  const { checkpoint } = (await store.load('j'))!;
  assert.deepEqual(checkpoint, { ...firstCheckpoint, journal: 2, seals: [1] });
  await store.remove('j');
  assert.deepEqual([...kept.keys()], []);
});

test('pieces that a node left which died after their checkpoint are gone once the job is claimed again', async () => {
  for (const isReset of [false, true]) {
    const { store, kept, removals } = documentStore();
    const stored = await store.claim('j', 1);
    assert.equal(await store.sealJournal('j', owner(1), 0), true);
    for (let piece = 1; piece < 5; piece++) await store.writeJournal('j', owner(1), piece, bytes(`${piece}`));
    removals.most = 2;
    const next = { ...firstCheckpoint, journal: 5, seals: [0] };
    await assert.rejects(store.commit('j', stored, packed('state'), next), { status: 503 });
    assert.equal(await store.readJournal('j', owner(2), 2), null);
    assert.notEqual(await store.readJournal('j', owner(2), 3), null);
    removals.most = Number.POSITIVE_INFINITY;
    if (isReset) await store.remove('j');
    else await store.claim('j', 2);
    assert.deepEqual(
      [...kept.keys()].filter((id) => id.includes('journal')),
      isReset ? [] : ['j_journal_1#0'],
    );
  }
});

test('what an owner of a deleted job writes late is not in the job of the same id that was put since', async () => {
  const { store } = documentStore();
  const first = await store.claim('j', 1);
  await store.remove('j');
  await store.writeJournal('j', first, 0, bytes('hung'));
  const second = await store.claim('j', 5);
  assert.equal(await store.sealJournal('j', second, 0), true);
  await store.writeJournal('j', second, 1, bytes('posted'));
  await store.writeJournal('j', first, 2, bytes('hung longer'));
  assert.equal(Buffer.from((await store.readJournal('j', second, 1))!).toString(), 'posted');
  assert.equal(await store.readJournal('j', second, 2), null);
  const { checkpoint } = await store.commit('j', second, packed('of the second'), { ...firstCheckpoint, journal: 2 });
  await assert.rejects(store.commit('j', first, packed('of the first'), firstCheckpoint), CONFLICT);
  assert.equal(await stateOf(store, checkpoint.state!), 'of the second');
  assert.equal((await store.load('j'))!.born, 5);
});

test('parts of a state that was not committed are of no other state, and go at the next claim', async () => {
  const { store, kept } = documentStore();
  const early = await store.claim('j', 1);
  const late = await store.claim('j', 2);
  const { checkpoint } = await store.commit('j', late, packed('of the later owner'), firstCheckpoint);
  await assert.rejects(store.commit('j', early, packed('of the earlier owner'), firstCheckpoint), CONFLICT);
  assert.equal(await stateOf(store, checkpoint.state!), 'of the later owner');
  kept.set('j_model_state_2_2#0', { source: {}, seqNo: 100 });
  kept.set('j_model_state_2_2#1', { source: {}, seqNo: 101 });
  await store.claim('j', 3);
  assert.deepEqual(
    [...kept.keys()].filter((id) => id.includes('_state_2_')),
    [],
  );
});

test('pieces of a state come back as they were packed, whatever documents they lie in', async () => {
  const { store, kept } = documentStore();
  const random = seededRandom(7);
  const pieces = [10, 700_000, 1, 384 * 1024, 0, 50_000].map((length) => random.bytes(length));
  const stored = await store.claim('j', 1);
  const { checkpoint } = await store.commit('j', stored, pieces, firstCheckpoint);
  const { pieces: lengths, ...earlier } = checkpoint.state!;
  assert.deepEqual(
    lengths,
    pieces.map(({ length }) => length),
  );
  const read = async (state: KeptGeneration): Promise<Uint8Array[]> => {
    const found: Uint8Array[] = [];
    for await (const piece of store.packedState('j', state)) found.push(new Uint8Array(piece));
    return found;
  };
  assert.deepEqual(
    await read(checkpoint.state!),
    pieces.map((piece) => new Uint8Array(piece)),
  );
  assert.deepEqual(await read(earlier), [new Uint8Array(Buffer.concat(pieces))], 'of an earlier version');
  kept.delete('j_model_state_1_1#2');
  await assert.rejects(read(checkpoint.state!), { type: 'resource_not_found_exception' });
});
