import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SERIES } from '../series/constants.js';
import { newJudgement } from '../series/series-model.js';
import { seriesShape } from '../series/shape.js';
import { SeriesSlab } from '../series/slab.js';
import { rarestOf, rarityOf, scoreOf } from './score.js';

const SPAN = 900;
const SERIES_OF_EACH = 16;
const BUCKETS = 3000;
/** Buckets in which a series learns what is usual; they count too, but nothing is judged in the first of them. */
const FIRST = 200;

/** Numbers in [0, 1), always the same ones for a seed (mulberry32). */
function draws(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const normal = (draw: () => number): number => Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());

function poisson(mean: number, draw: () => number): number {
  let count = 0;
  for (let p = draw(); p > Math.exp(-mean); p *= draw()) count++;
  return count;
}

const day = (i: number): number => Math.sin((2 * Math.PI * i * SPAN) / 86_400);
const PROCESSES: readonly ((i: number, draw: () => number) => number)[] = [
  (_, draw) => 50 + normal(draw),
  (i, draw) => 100 + 40 * day(i) + 3 * normal(draw),
  (i, draw) => poisson(20 * (1.3 + day(i)), draw),
  (_, draw) => Math.exp(3 + 0.6 * normal(draw)),
];

function quietScores(): number[] {
  const scores: number[] = [];
  const out = newJudgement();
  PROCESSES.forEach((value, kind) => {
    for (let seed = 0; seed < SERIES_OF_EACH; seed++) {
      const draw = draws(1000 * kind + seed + 1);
      const slab = new SeriesSlab(seriesShape(SPAN), SERIES);
      const series = slab.add();
      for (let i = 0; i < BUCKETS; i++) {
        slab.judge(series, i * SPAN, value(i, draw), 0, kind === 2, out);
        if (i >= FIRST) scores.push(scoreOf(rarityOf(out.surprise)));
      }
    }
  });
  return scores;
}

test('in 64 quiet series scores of 25, 50, 75 and 90 are as frequent as promised, within a factor of two', () => {
  const scores = quietScores();
  for (const [score, promised] of [
    [25, 500],
    [50, 2000],
    [75, 10_000],
    [90, 50_000],
  ] as const) {
    const found = scores.filter((one) => one >= score).length;
    const expected = scores.length / promised;
    assert.ok(found <= 2 * expected + 1 && found >= expected / 2 - 1, `${score}: ${found} for ${expected}`);
  }
});

test('scores rise with rarity and stay between 0 and 100', () => {
  let last = -1;
  for (let rarity = 0; rarity < 400; rarity += 0.25) {
    const score = scoreOf(rarity);
    assert.ok(score >= last && score >= 0 && score <= 100);
    last = score;
  }
  assert.equal(scoreOf(1), 0);
  assert.equal(scoreOf(4), 75);
});

test('one strange series of a thousand is less strange than one of one', () => {
  assert.ok(Math.abs(rarestOf(4, 1) - 4) < 1e-9);
  assert.ok(Math.abs(rarestOf(6, 1000) - 3) < 0.01);
  assert.equal(rarestOf(0, 1000), 0);
});
