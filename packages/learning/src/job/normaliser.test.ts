import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Normaliser, type ResultKind } from './normaliser.js';
import { scoreOf } from './score.js';

const RECORD: ResultKind = { type: 'record', partition: 'a' };
const worth = (one: Normaliser, rarity: number, kind = RECORD): number => one.scoreOf(kind, rarity, scoreOf(rarity));

test('the first results are worth what they score, however few buckets there were', () => {
  const one = new Normaliser();
  one.note(RECORD, 4, 20);
  assert.deepEqual(one.review(32), []);
  assert.equal(worth(one, 4), scoreOf(4));
});

test('results are worth less as rarer ones of their partition come; others are not touched', () => {
  const one = new Normaliser();
  one.note(RECORD, 4, 100);
  for (let i = 0; i < 20; i++) one.note(RECORD, 6, 200 + i);
  const moves = one.review(1000);
  assert.ok(moves.length > 0);
  assert.ok(moves.every(({ kind }) => kind === RECORD || kind.type === 'record'));
  // Twenty of a thousand buckets are rarer: the 98th percentile lies between the anchors of 20 and 50.
  assert.equal(worth(one, 4), 35);
  assert.equal(worth(one, 6), scoreOf(6));
  assert.equal(worth(one, 4, { type: 'record', partition: 'b' }), scoreOf(4));
  const moved = moves.find((m) => scoreOf(4) >= m.initialFrom && (m.initialTo === null || scoreOf(4) < m.initialTo))!;
  assert.equal(moved.score, 35);
});

test('scores that would move by less than one stay, and rarer results are never worth less', () => {
  const one = new Normaliser();
  for (let i = 0; i < 30; i++) one.note(RECORD, 1.6 + ((i * 7919) % 50) / 10, 100 + i);
  one.review(1000);
  assert.deepEqual(one.review(1001), []);
  one.review(5000);
  let before = 0;
  for (let rarity = 1.5; rarity < 18; rarity += 0.05) {
    const now = worth(one, rarity);
    assert.ok(now >= before - 1e-9, `${rarity}`);
    before = now;
  }
});

test('a normaliser that was kept goes on as it was', () => {
  const one = new Normaliser();
  for (let i = 0; i < 60; i++) {
    one.note({ type: 'record', partition: `p${i % 3}` }, 1.6 + ((i * 7919) % 50) / 10, i);
    one.note({ type: 'influencer', field: 'host' }, 2 + (i % 4), i);
    one.note({ type: 'bucket' }, 3, i);
  }
  one.review(64);
  const two = new Normaliser();
  two.restore(JSON.parse(JSON.stringify(one.toJson())));
  assert.deepEqual(two.toJson(), one.toJson());
  assert.deepEqual(two.review(2000), one.review(2000));
});
