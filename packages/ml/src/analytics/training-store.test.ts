import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { errors } from '@shoal/errors';
import type { JsonObject } from '@shoal/json';
import type { MlDocuments } from '../documents/ml-documents.js';
import { removeTraining, TrainingStore } from './training-store.js';

const ID = 'prices';
const GOES_ON = new AbortController().signal;

/** Documents with their sequence numbers; `removalsMost` deletions, then none succeeds. */
class Kept implements Pick<MlDocuments, 'get' | 'put' | 'remove'> {
  readonly sources = new Map<string, { source: JsonObject; seqNo: number }>();
  removalsMost = Number.POSITIVE_INFINITY;
  #seqNo = 0;

  get: MlDocuments['get'] = async (_, id) => {
    const found = this.sources.get(id);
    return found === undefined ? null : { id, primaryTerm: 1, ...found };
  };

  put: MlDocuments['put'] = async (_, id, source, condition) => {
    const known = this.sources.get(id);
    const holds = condition === null || (condition === 'new' ? known === undefined : condition.seqNo === known?.seqNo);
    if (!holds) throw errors.versionConflict(id);
    this.sources.set(id, { source, seqNo: ++this.#seqNo });
    return { id, source, seqNo: this.#seqNo, primaryTerm: 1 };
  };

  remove: MlDocuments['remove'] = async (_, id) => {
    if (this.removalsMost-- <= 0) throw errors.status('no shard', { status: 503 });
    this.sources.delete(id);
  };
}

const storeOf = (kept: Kept, allocationId: number, startedMs = 1000, signal = GOES_ON): TrainingStore =>
  new TrainingStore(kept, ID, { startedMs, allocationId }, signal);

/** Batches that a run reads, as texts. */
async function readBy(store: TrainingStore): Promise<string[]> {
  const texts: string[] = [];
  for (let next = await store.next(); next !== null; next = await store.next()) {
    texts.push(Buffer.from(next).toString());
    store.take();
  }
  return texts;
}

test('a later run reads what earlier ones have kept, and keeps its own after it', async () => {
  const kept = new Kept();
  for (const text of ['one', 'two']) await storeWith(kept, 4, text);
  await storeWith(kept, 9, 'three');
  assert.deepEqual(await readBy(storeOf(kept, 11)), ['one', 'two', 'three']);
  const large = randomBytes(1_000_000).toString('hex');
  await storeWith(kept, 11, large);
  assert.deepEqual((await readBy(storeOf(kept, 12)))[3], large);
  await storeOf(kept, 12).clear();
  assert.equal(kept.sources.size, 0);
});

async function storeWith(kept: Kept, allocationId: number, text: string): Promise<void> {
  const store = storeOf(kept, allocationId);
  await readBy(store);
  assert.equal(await store.keep(Buffer.from(text)), true);
}

test('a batch of another start, and one of an earlier run after a later one, are not read', async () => {
  const kept = new Kept();
  const late = storeOf(kept, 4);
  await late.keep(Buffer.from('one'));
  assert.deepEqual(await readBy(storeOf(kept, 9, 2000)), []);
  await storeWith(kept, 9, 'two');
  // Its place is taken by a later run.
  assert.equal(await late.keep(Buffer.from('late')), false);
  assert.deepEqual(await readBy(storeOf(kept, 10)), ['one', 'two']);
  kept.sources.set(`data_frame_analytics-${ID}-training#2#0`, {
    source: { ...kept.sources.get(`data_frame_analytics-${ID}-training#0#0`)!.source },
    seqNo: 99,
  });
  assert.deepEqual(await readBy(storeOf(kept, 10)), ['one', 'two']);
});

test('a run that has ended keeps what it trained until then, and deletes nothing', async () => {
  const kept = new Kept();
  const end = new AbortController();
  const store = storeOf(kept, 4, 1000, end.signal);
  await store.keep(Buffer.from('one'));
  end.abort();
  assert.equal(await store.keep(Buffer.from('two')), true);
  await store.clear();
  assert.deepEqual(await readBy(storeOf(kept, 5)), ['one', 'two']);
  await storeWith(kept, 5, 'three');
  assert.equal(await store.keep(Buffer.from('late')), false);
  assert.deepEqual(await readBy(storeOf(kept, 6)), ['one', 'two', 'three']);
});

test('a damaged batch ends the reading; one that was not taken is read again', async () => {
  const kept = new Kept();
  for (const text of ['one', 'two']) await storeWith(kept, 4, text);
  const store = storeOf(kept, 5);
  assert.equal(String(await store.next()), 'one');
  assert.equal(String(await store.next()), 'one');
  for (const broken of [{ data: 'AAAA' }, { parts: -1 }, { parts: 1e9 }, { parts: 'x' }]) {
    const id = `data_frame_analytics-${ID}-training#1#0`;
    const whole = kept.sources.get(id)!;
    kept.sources.set(id, { ...whole, source: { ...whole.source, ...broken } });
    assert.deepEqual(await readBy(storeOf(kept, 5)), ['one']);
    kept.sources.set(id, whole);
  }
});

test('what a crash leaves of a deletion is found by the next one', async () => {
  const kept = new Kept();
  for (const text of ['one', 'two', randomBytes(800_000).toString('hex')]) await storeWith(kept, 4, text);
  const most = kept.sources.size;
  for (let removals = 1; removals < most; removals++) {
    const copy = new Kept();
    for (const [id, one] of kept.sources) copy.sources.set(id, one);
    copy.removalsMost = removals;
    await assert.rejects(storeOf(copy, 5).clear());
    copy.removalsMost = Number.POSITIVE_INFINITY;
    await removeTraining(copy, ID, null, GOES_ON);
    assert.equal(copy.sources.size, 0, `after ${removals}`);
  }
});
