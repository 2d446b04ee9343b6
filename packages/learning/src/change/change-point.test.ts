import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededDraws } from '../trees/draws.js';
import { type Change, changePoint } from './change-point.js';
import { fTail, incompleteBeta, kolmogorovTail, logGamma, normalTail } from './distributions.js';

const near = (a: number, b: number, relative = 1e-9): void =>
  assert.ok(Math.abs(a - b) <= relative * Math.abs(b), `${a} != ${b}`);

test('tails are those of published tables', () => {
  near(logGamma(0.5), Math.log(Math.sqrt(Math.PI)));
  near(logGamma(11), Math.log(3_628_800));
  near(incompleteBeta(0.3, 2, 3), 0.3483);
  near(fTail(4.9646, 1, 10), 0.05, 1e-4);
  near(fTail(3.3258, 5, 10), 0.05, 1e-3);
  near(normalTail(1.96), 0.024997895, 1e-7);
  near(normalTail(5), 2.866515719e-7, 1e-8);
  near(normalTail(-1), 0.841344746, 1e-8);
  near(kolmogorovTail(1.3581 / (Math.sqrt(1e6) + 0.12), 1e6), 0.05, 1e-3);
});

/** Standard normal numbers of a seed. */
function noiseOf(seed: number): () => number {
  const draw = seededDraws(seed);
  return () => Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());
}

const series = (seed: number, length: number, shape: (i: number, noise: number) => number): number[] => {
  const noise = noiseOf(seed);
  return Array.from({ length }, (_, i) => shape(i, noise()));
};

const SEEDS = Array.from({ length: 40 }, (_, i) => i + 1);
const rateOf = (shape: (i: number, noise: number) => number, isRight: (change: Change) => boolean): number =>
  SEEDS.filter((seed) => isRight(changePoint(series(seed, 100, shape)))).length / SEEDS.length;
const isAt = (change: Change, kind: Change['kind'], index: number, slack: number): boolean =>
  change.kind === kind && 'index' in change && Math.abs(change.index - index) <= slack;

test('noise and constants are stationary, a line is a trend', () => {
  assert.ok(
    rateOf(
      (_, e) => 10 + e,
      ({ kind }) => kind === 'stationary',
    ) >= 0.85,
  );
  assert.equal(changePoint(new Array<number>(50).fill(3)).kind, 'stationary');
  assert.equal(changePoint(new Array<number>(50).fill(0)).kind, 'stationary');
  assert.ok(
    rateOf(
      (i, e) => 0.1 * i + e,
      (one) => one.kind === 'non_stationary' && one.isRising,
    ) >= 0.85,
  );
});

test('spikes, dips, steps, changes of trend and of distribution are told with their place', () => {
  assert.ok(
    rateOf(
      (i, e) => e + (i === 60 ? 9 : 0),
      (one) => isAt(one, 'spike', 60, 0),
    ) >= 0.85,
  );
  assert.ok(
    rateOf(
      (i, e) => e - (i === 60 ? 9 : 0),
      (one) => isAt(one, 'dip', 60, 0),
    ) >= 0.85,
  );
  assert.ok(
    rateOf(
      (i, e) => e + (i >= 40 ? 4 : 0),
      (one) => isAt(one, 'step_change', 40, 1),
    ) >= 0.85,
  );
  assert.ok(
    rateOf(
      (i, e) => e + 0.3 * Math.max(0, i - 50),
      (one) => isAt(one, 'trend_change', 50, 6),
    ) >= 0.85,
  );
  assert.ok(
    rateOf(
      (i, e) => e * (i >= 50 ? 12 : 1),
      (one) => isAt(one, 'distribution_change', 50, 12),
    ) >= 0.6,
  );
});

test('a spike without noise is one of probability 0, and few or endless values tell nothing', () => {
  const flat = new Array<number>(30).fill(5);
  assert.deepEqual(changePoint(flat.with(12, 80)), { kind: 'spike', p: 0, index: 12 });
  assert.deepEqual(changePoint(flat.slice(0, 21)), { kind: 'indeterminable' });
  assert.deepEqual(changePoint(flat.with(0, Number.POSITIVE_INFINITY)), { kind: 'indeterminable' });
  assert.equal(changePoint(flat.map((_, i) => (i % 2 === 0 ? 1e308 : -1e308))).kind, 'stationary');
});
