import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeClock, type Log, seededRandom } from '@shoal/doors';
import { newCookie, readCookie, seal, unseal } from './seal.js';
import type { SessionRecord, SessionRecords } from './session-records.js';
import { openSessions } from './session-store.js';

const SETTINGS = {
  encryptionKey: 'k'.repeat(32),
  cookieName: 'sid',
  isCookieSecure: false,
  sameSite: 'Lax',
  idleMs: 1_000,
  lifespanMs: 5_000,
  ofUserMax: null,
  max: 3,
};
/** Each store draws other cookies. */
let seed = 7;
const NO_LOG: Log = { write: () => undefined } as never;
const open = (
  more: { ofUserMax?: number; idleMs?: number; lifespanMs?: number } = {},
  records: SessionRecords | null = null,
  clock = fakeClock(),
) => {
  const doors = { clock, random: seededRandom(seed++), log: NO_LOG, records };
  return { clock, store: openSessions({ ...SETTINGS, ...more }, doors) };
};

test('a cookie finds its session, and no other text does', async () => {
  const { store } = open();
  const cookie = (await store.create('anna', 'Basic x'))!;
  assert.deepEqual([store.find(cookie, true)?.username, store.find(cookie, true)?.authorization], ['anna', 'Basic x']);
  for (const text of [undefined, '', 'x', `${cookie}A`, cookie.slice(0, 42), newCookie(seededRandom(8))])
    assert.equal(store.find(text, true), null, text);
});

test('a record without its cookie, or with another secret half, or another server key, opens nothing', () => {
  const random = seededRandom(1);
  const cookie = readCookie(newCookie(random))!;
  const other = readCookie(newCookie(random))!;
  const key = random.bytes(32);
  const sealed = seal('secret', key, cookie, random);
  assert.equal(unseal(sealed, key, cookie), 'secret');
  assert.equal(unseal(sealed, key, { ...cookie, secret: other.secret }), null);
  assert.equal(unseal(sealed, random.bytes(32), cookie), null);
  sealed[sealed.length - 1]! ^= 1;
  assert.equal(unseal(sealed, key, cookie), null);
  assert.ok(!sealed.includes('secret'));
});

test('a session ends when idle, at the end of its life, and when it is ended', async () => {
  const { clock, store } = open();
  const cookie = (await store.create('anna', 'a'))!;
  for (let i = 0; i < 4; i++) {
    clock.advance(900);
    assert.ok(store.find(cookie, true), `use ${i}`);
  }
  clock.advance(1_000);
  assert.equal(store.find(cookie, true), null);
  const second = (await store.create('anna', 'a'))!;
  for (let i = 0; i < 5; i++) {
    clock.advance(900);
    store.find(second, true);
  }
  clock.advance(600);
  assert.equal(store.find(second, true), null);
  const third = (await store.create('anna', 'a'))!;
  await store.end(store.find(third, true)!.id);
  assert.equal(store.find(third, true), null);
});

test('looking without use does not prolong a session', async () => {
  const { clock, store } = open();
  const cookie = (await store.create('anna', 'a'))!;
  clock.advance(600);
  assert.ok(store.find(cookie, false));
  clock.advance(600);
  assert.equal(store.find(cookie, false), null);
});

test('there are no more sessions than the limit, and ended ones are swept', async () => {
  const { clock, store } = open();
  for (let i = 0; i < 3; i++) assert.ok(await store.create(`u${i}`, 'a'));
  assert.equal(await store.create('u4', 'a'), null);
  clock.advance(61_000);
  assert.equal(store.size, 0);
  assert.ok(await store.create('u4', 'a'));
});

test('the oldest session of a user ends when there are too many of that user', async () => {
  const { store } = open({ ofUserMax: 2 });
  const [first, second] = [(await store.create('anna', 'a'))!, (await store.create('anna', 'a'))!];
  const third = (await store.create('anna', 'a'))!;
  assert.deepEqual(
    [first, second, third].map((cookie) => store.find(cookie, true) !== null),
    [false, true, true],
  );
});

/** Records in memory that behave as those in the cluster. */
function heldRecords(): SessionRecords & { readonly held: Map<string, SessionRecord>; isDown: boolean } {
  const held = new Map<string, SessionRecord>();
  const up = (): void => {
    if (records.isDown) throw new Error('no host answers');
  };
  const records = {
    held,
    isDown: false,
    write: async (id: string, record: SessionRecord) => {
      up();
      held.set(id, { ...record });
    },
    read: async (id: string) => {
      up();
      const found = held.get(id);
      return found === undefined ? null : { ...found };
    },
    remove: async (ids: readonly string[]) => {
      up();
      for (const id of ids) held.delete(id);
    },
    ofUser: async (username: string) =>
      [...held].filter(([, record]) => record.username === username).map(([id]) => id),
    noteUse: async (uses: ReadonlyMap<string, number>) => {
      up();
      const kept = [...uses].filter(([id]) => held.has(id));
      for (const [id, used] of kept) held.get(id)!.usedAtMs = Math.max(held.get(id)!.usedAtMs, used);
      return new Map(kept.map(([id]) => [id, held.get(id)!.usedAtMs]));
    },
    sweep: async () => up(),
  };
  return records;
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('a session outlives its dashboard and holds for others with the key, until one of them ends it', async () => {
  const records = heldRecords();
  const long = { idleMs: 1_000_000, lifespanMs: 5_000_000 };
  const [one, clock] = [open(long, records).store, fakeClock()];
  const cookie = (await one.create('anna', 'Basic x'))!;
  const other = open(long, records, clock).store;
  assert.equal(other.find(cookie, true), null);
  await other.prepare(cookie);
  assert.equal(other.find(cookie, true)?.authorization, 'Basic x');
  assert.equal(other.prepare(cookie), null, 'it is known now');
  await one.end(one.find(cookie, true)!.id);
  clock.advance(60_000);
  await settled();
  assert.equal(other.find(cookie, true), null);
  assert.ok(![...records.held.values()].some(({ sealed }) => sealed.includes('Basic x')));
});

test('use at one dashboard prolongs the session at another', async () => {
  const records = heldRecords();
  const clock = fakeClock();
  const settings = { idleMs: 200_000, lifespanMs: 5_000_000 };
  const [one, other] = [open(settings, records, clock).store, open(settings, records, clock).store];
  const cookie = (await one.create('anna', 'a'))!;
  await other.prepare(cookie);
  for (let i = 0; i < 5; i++) {
    clock.advance(61_000);
    await settled();
    assert.ok(one.find(cookie, true), `use ${i}`);
  }
  await other.prepare(cookie);
  assert.ok(other.find(cookie, false));
});

test('a cluster that does not take the record leaves the session to its dashboard', async () => {
  const records = heldRecords();
  records.isDown = true;
  const { store, clock } = open({ idleMs: 1_000_000, lifespanMs: 5_000_000 }, records);
  const cookie = (await store.create('anna', 'a'))!;
  assert.equal(store.prepare(cookie), null);
  records.isDown = false;
  clock.advance(120_000);
  await settled();
  assert.ok(store.find(cookie, true));
  const stranger = newCookie(seededRandom(9));
  await store.prepare(stranger);
  assert.equal(store.prepare(stranger), null, 'a cookie without a record is not asked for again at once');
});

test('sessions of a user at all dashboards count', async () => {
  const records = heldRecords();
  const [one, other] = [open({ ofUserMax: 2 }, records).store, open({ ofUserMax: 2 }, records).store];
  const first = (await one.create('anna', 'a'))!;
  await other.create('anna', 'a');
  await other.create('anna', 'a');
  assert.equal(records.held.size, 2);
  assert.ok(!records.held.has(readCookie(first)!.recordId));
});
