import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '@shoal/testing';
import { SERIES } from './constants.js';
import { type Judgement, newJudgement } from './series-model.js';
import { seriesShape } from './shape.js';
import { SeriesSlab } from './slab.js';

const SPAN = 900;
const DAY = 86_400;
/** Reproducible noise with a mean of 0 and a deviation of about 1. */
function noise(seed: number): () => number {
  let state = seed * 2 + 1;
  const draw = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  return () => draw() + draw() + draw() + draw() - 2;
}

/** Surprises of one series of values, a bucket each. */
function surprises(values: readonly number[], side = 0, isAmount = false): number[] {
  const slab = new SeriesSlab(seriesShape(SPAN), SERIES);
  const series = slab.add();
  const out = newJudgement();
  return values.map((value, i) => {
    slab.judge(series, i * SPAN, value, side, isAmount, out);
    return out.surprise;
  });
}

const daily = (i: number) => 40 * Math.sin((2 * Math.PI * i * SPAN) / DAY);

test('a spike among noise is the most surprising bucket, and noise alone is not surprising', () => {
  const next = noise(7);
  const values = Array.from({ length: 2000 }, (_, i) => 50 + next() + (i === 1500 ? 12 : 0));
  const found = surprises(values);
  assert.equal(found.indexOf(Math.max(...found)), 1500);
  assert.ok(found[1500]! > 4, `${found[1500]}`);
  assert.ok(found.filter((s) => s > 2.5).length < 12);
});

test('a value that is usual at noon is surprising at midnight once the day is known', () => {
  const next = noise(3);
  const values = Array.from({ length: 1500 }, (_, i) => 100 + daily(i) + next() + (i === 1416 ? 45 : 0));
  const slab = new SeriesSlab(seriesShape(SPAN), SERIES);
  const series = slab.add();
  const out = newJudgement();
  const found = values.map((value, i) => {
    slab.judge(series, i * SPAN, value, 0, false, out);
    return out.surprise;
  });
  assert.equal(slab.periodOf(series), DAY);
  assert.equal(found.indexOf(Math.max(...found.slice(600))), 1416);
});

test('a period of 36 hours is found and used', () => {
  const next = noise(5);
  const slab = new SeriesSlab(seriesShape(600), SERIES);
  const series = slab.add();
  const out = newJudgement();
  for (let i = 0; i < 4000; i++) {
    const t = i * 600;
    slab.judge(series, t, 20 + 60 * ((t % (1.5 * DAY)) / (1.5 * DAY)) + next(), 0, false, out);
  }
  const period = slab.periodOf(series);
  assert.ok(Math.abs(period - 1.5 * DAY) < 600, `${period}`);
});

test('a value between two states is surprising, a switch from one to the other is not', () => {
  const next = noise(11);
  let state = 30;
  const values = Array.from({ length: 3000 }, () => (state = next() > 1.35 ? 100 - state : state) + next());
  values[2500] = 50;
  const found = surprises(values);
  assert.equal(found.indexOf(Math.max(...found.slice(1500))), 2500);
});

test('one side is judged only', () => {
  const next = noise(13);
  const values = Array.from({ length: 1000 }, (_, i) => 50 + next() + (i === 800 ? 15 : i === 900 ? -15 : 0));
  const high = surprises(values, 1);
  const low = surprises(values, -1);
  assert.ok(high[800]! > 3 && low[800]! < 1, `${high[800]} ${low[800]}`);
  assert.ok(low[900]! > 2 && high[900]! < 1.5, `${low[900]} ${high[900]}`);
});

test('multiplying all values by a power of two changes no surprise, whatever their size', () => {
  const next = noise(17);
  const values = Array.from({ length: 900 }, (_, i) => 10 + daily(i) / 9 + next() + (i === 700 ? 9 : 0));
  const plain = surprises(values);
  fc.assert(
    fc.property(fc.integer({ min: -200, max: 200 }), (power) => {
      assert.deepEqual(surprises(values.map((v) => v * 2 ** power)), plain);
    }),
    { numRuns: runs(5) },
  );
});

test('adding a constant changes no surprise of a mean', () => {
  const next = noise(19);
  const values = Array.from({ length: 900 }, (_, i) => Math.round(64 * (3 * next() + daily(i) / 9)) / 64);
  assert.deepEqual(surprises(values.map((v) => v + 4096)), surprises(values));
});

test('no value makes a result that is not a number', () => {
  const odd = [0, -0, 1e308, -1e308, 5e-324, 1, -1, 1e-300, 1e15, 42];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...odd), { minLength: 1, maxLength: 400 }), fc.boolean(), (values, amount) => {
      for (const s of surprises(values, 0, amount)) assert.ok(Number.isFinite(s) && s >= 0, `${s}`);
    }),
    { numRuns: runs(30) },
  );
  const constant = surprises(new Array(500).fill(7));
  assert.equal(Math.max(...constant), 0);
});

test('what a bucket is judged by does not depend on later buckets', () => {
  const next = noise(23);
  const values = Array.from({ length: 600 }, () => next());
  assert.deepEqual(surprises(values).slice(0, 400), surprises(values.slice(0, 400)));
});

test('series of one slab do not touch each other, and places of removed series are used again', () => {
  const values = (seed: number) => {
    const next = noise(seed);
    return Array.from({ length: 500 }, (_, i) => 10 * seed + daily(i) / seed + next());
  };
  const slab = new SeriesSlab(seriesShape(SPAN), SERIES);
  const all = Array.from({ length: 20 }, () => slab.add());
  const found: number[][] = all.map(() => []);
  const out: Judgement = newJudgement();
  let most = 0;
  for (let i = 0; i < 500; i++) {
    most = Math.max(most, slab.bytes);
    for (const series of all) {
      slab.judge(series, i * SPAN, values(series + 1)[i]!, 0, false, out);
      found[series]!.push(out.surprise);
    }
  }
  for (const series of [0, 7, 19]) assert.deepEqual(found[series], surprises(values(series + 1)));
  for (const series of all) slab.remove(series);
  for (let k = 0; k < 20; k++) {
    const series = slab.add();
    for (let i = 0; i < 20; i++) slab.judge(series, i * SPAN, i, 0, false, out);
  }
  assert.ok(slab.bytes <= most, `${slab.bytes} after ${most}`);
  for (let series = 20; series < 40; series++) slab.remove(series);
  assert.ok(slab.bytes < 1000, `${slab.bytes} without a series`);
});

test('a series takes 160 bytes at first, and less than 0.8 KiB once it is known to have no season', () => {
  const slab = new SeriesSlab(seriesShape(SPAN), SERIES);
  const all = Array.from({ length: 1028 }, () => slab.add());
  const out = newJudgement();
  for (const series of all) slab.judge(series, 0, 1, 0, false, out);
  assert.ok(slab.bytes <= 1028 * 160 + 2048 * 5 + 64 * 160, `${slab.bytes}`);
  const one = new SeriesSlab(seriesShape(SPAN), SERIES);
  const next = noise(29);
  const series = one.add();
  for (let i = 0; i < 96 * 90; i++) one.judge(series, i * SPAN, next(), 0, false, out);
  assert.equal(one.recordBytes(series) <= 820, true, `${one.recordBytes(series)}`);
});

test('a series looks for another period only while it has no season, and again once it has lost one', () => {
  const next = noise(11);
  const slab = new SeriesSlab(seriesShape(SPAN), SERIES);
  const series = slab.add();
  const out = newJudgement();
  const events: string[] = [];
  const judge = (from: number, to: number, value: (i: number) => number): void => {
    for (let i = from; i < to; i++) {
      slab.judge(series, i * SPAN, value(i), 0, false, out);
      if (out.event !== 'none') events.push(out.event);
    }
  };
  judge(0, 150, (i) => 100 + daily(i) + next());
  const before = slab.recordBytes(series);
  judge(150, 700, (i) => 100 + daily(i) + next());
  assert.equal(slab.periodOf(series), DAY);
  assert.ok(before - slab.recordBytes(series) >= 2048, `${before} to ${slab.recordBytes(series)} bytes`);
  events.length = 0;
  judge(700, 2400, (i) => 100 + 40 * Math.sin((2 * Math.PI * i * SPAN) / (1.5 * DAY)) + next());
  assert.ok(events.includes('noSeason'));
  assert.equal(Math.round((10 * slab.periodOf(series)) / DAY), 15);
});
