import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type KeyValueStore, type KeyValueStores, seededRandom } from '@shoal/doors';
import { isApiError } from '@shoal/errors';
import { runs } from '@shoal/testing';
import { copyOfShard, openTestShard, type TestWrite } from './test-shard.js';

const DAMAGES = runs(50);
const EVERYTHING = { gte: Uint8Array.of(0), lt: Uint8Array.of(0xff) };

async function entriesOf(stores: KeyValueStores): Promise<(readonly [Uint8Array, Uint8Array])[]> {
  const entries: (readonly [Uint8Array, Uint8Array])[] = [];
  for await (const entry of (await stores.open('shard/db')).entries(EVERYTHING)) entries.push(entry);
  return entries;
}

/**
 * Damages one entry of a store: flips a bit of its value, cuts it, or removes the key. This is what a LevelDB with a
 * bad table or log leaves.
 */
async function damage(store: KeyValueStore, key: Uint8Array, value: Uint8Array, random: () => number): Promise<string> {
  const name = `${String.fromCharCode(key[0]!)} ${Buffer.from(key).toString('hex')}`;
  const kind = random();
  if (kind < 0.3) {
    await store.batch([{ type: 'del', key }], { sync: true });
    return `removed ${name}`;
  }
  const changed = kind < 0.8 ? value.slice() : value.slice(0, Math.floor(random() * value.length));
  if (kind < 0.8) changed[Math.floor(random() * changed.length)]! ^= 1 << Math.floor(random() * 8);
  await store.batch([{ type: 'put', key, value: changed }], { sync: true });
  return `changed ${name}`;
}

test('a damaged store answers rightly or fails; it never has fewer documents without a word', async () => {
  const random = seededRandom(11);
  const shard = await openTestShard({ bufferBytesMax: 50_000 });
  const expected = new Map<string, unknown>();
  for (let round = 0; round < 12; round++) {
    const writes = Array.from({ length: 25 }, (_, i): TestWrite => {
      const id = `${Math.floor(random.next() * 120)}`;
      return random.next() < 0.15 ? { op: 'delete', id } : { op: 'index', id, source: { round, i } };
    });
    await shard.write(writes);
    for (const { op, id, source } of writes) {
      if (op === 'delete') expected.delete(id);
      else expected.set(id, source);
    }
    if (round === 4 || round === 8) await shard.shard.flush();
  }
  const outcomes = { right: 0, failed: 0 };
  for (let i = 0; i < DAMAGES; i++) {
    const { stores, files } = await copyOfShard(shard.stores, shard.files);
    const entries = await entriesOf(stores);
    const [key, value] = entries[Math.floor(random.next() * entries.length)]!;
    const what = await damage(await stores.open('shard/db'), key, value, random.next);
    try {
      const opened = await openTestShard({ stores, files });
      opened.shard.refresh();
      assert.deepEqual(new Map([...opened.visible()].sort()), new Map([...expected].sort()), what);
      outcomes.right++;
    } catch (error) {
      assert.ok(isApiError(error) && error.type === 'corrupt_index_exception', `${what}: ${String(error)}`);
      assert.notEqual(await files.read('shard/marker'), null, `${what} left no marker`);
      outcomes.failed++;
    }
  }
  assert.ok(outcomes.failed > DAMAGES / 3, JSON.stringify(outcomes));
});

test('damage that a search finds ends the shard: everything later fails, and the master can be told', async () => {
  const shard = await openTestShard({ mapping: { properties: { k: { type: 'keyword' } } } });
  await shard.write(Array.from({ length: 50 }, (_, i) => ({ op: 'index', id: `${i}`, source: { k: `term ${i}` } })));
  const again = await shard.reopen('close');
  const store = await again.stores.open('shard/db');
  for (const [key, value] of await entriesOf(again.stores)) {
    if (key[0] === 0x6f) await damage(store, key, value, () => 0.5);
  }
  assert.throws(() => again.visible(), { type: 'corrupt_index_exception' });
  assert.equal(again.failures.length, 1);
  await assert.rejects(again.get('1'), { type: 'corrupt_index_exception' });
  await assert.rejects(again.write([{ op: 'index', id: 'x', source: { k: 'y' } }]), {
    type: 'corrupt_index_exception',
  });
  await again.shard.close();
  assert.match(String(await again.files.read('shard/marker')), /operation/);
});
