import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeClock, seededRandom } from '@shoal/doors';
import { newCookie, readCookie, seal, unseal } from './seal.js';
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
const open = (more: { ofUserMax?: number } = {}) => {
  const clock = fakeClock();
  return { clock, store: openSessions({ ...SETTINGS, ...more }, { clock, random: seededRandom(7) }) };
};

test('a cookie finds its session, and no other text does', () => {
  const { store } = open();
  const cookie = store.create('anna', 'Basic x')!;
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

test('a session ends when idle, at the end of its life, and when it is ended', () => {
  const { clock, store } = open();
  const cookie = store.create('anna', 'a')!;
  for (let i = 0; i < 4; i++) {
    clock.advance(900);
    assert.ok(store.find(cookie, true), `use ${i}`);
  }
  clock.advance(1_000);
  assert.equal(store.find(cookie, true), null);
  const second = store.create('anna', 'a')!;
  for (let i = 0; i < 5; i++) {
    clock.advance(900);
    store.find(second, true);
  }
  clock.advance(600);
  assert.equal(store.find(second, true), null);
  const third = store.create('anna', 'a')!;
  store.end(store.find(third, true)!.id);
  assert.equal(store.find(third, true), null);
});

test('looking without use does not prolong a session', () => {
  const { clock, store } = open();
  const cookie = store.create('anna', 'a')!;
  clock.advance(600);
  assert.ok(store.find(cookie, false));
  clock.advance(600);
  assert.equal(store.find(cookie, false), null);
});

test('there are no more sessions than the limit, and ended ones are swept', () => {
  const { clock, store } = open();
  for (let i = 0; i < 3; i++) assert.ok(store.create(`u${i}`, 'a'));
  assert.equal(store.create('u4', 'a'), null);
  clock.advance(61_000);
  assert.equal(store.size, 0);
  assert.ok(store.create('u4', 'a'));
});

test('the oldest session of a user ends when there are too many of that user', () => {
  const { store } = open({ ofUserMax: 2 });
  const [first, second] = [store.create('anna', 'a')!, store.create('anna', 'a')!];
  const third = store.create('anna', 'a')!;
  assert.deepEqual(
    [first, second, third].map((cookie) => store.find(cookie, true) !== null),
    [false, true, true],
  );
});
