import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ByteReader, ByteWriter } from '@shoal/codec';
import { SERIES } from './constants.js';
import { wholeBounds } from './counts.js';
import { H, openRecord } from './layout.js';
import { outlookAt } from './outlook.js';
import { beginSeries, newJudgement, stepSeries } from './series-model.js';
import { seriesShape } from './shape.js';
import { SeriesSlab } from './slab.js';

const SPAN = 1800;
const DAY = 48;
const BUCKETS = 56 * DAY;
const SERIES_OF_EACH = 6;

/** Uniform and nearly normal numbers, the same ones for a seed. */
function drawsOf(seed: number) {
  let state = seed * 2 + 1;
  const next = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  for (let i = 0; i < 20; i++) next();
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  return { next, normal };
}
type Draws = ReturnType<typeof drawsOf>;

function poisson(mean: number, { next }: Draws): number {
  let count = 0;
  for (let p = next(); p > Math.exp(-mean); p *= next()) count++;
  return count;
}

const wave = (i: number) => Math.sin((2 * Math.PI * i) / DAY);
const isWeekend = (i: number) => Math.floor(i / DAY) % 7 > 4;
/** Buckets of a cycle, 0 for none, and the value of a bucket. */
const PROCESSES: Readonly<Record<string, readonly [cycle: number, value: (i: number, draw: Draws) => number]>> = {
  flat: [0, (_, { normal }) => 50 + 2 * normal()],
  trend: [0, (i, { normal }) => 100 + 0.05 * i + 3 * normal()],
  skewed: [0, (_, { normal }) => 120 * Math.exp(0.35 * normal())],
  day: [DAY, (i, { normal }) => 100 + 40 * wave(i) + 4 * normal()],
  trendDay: [DAY, (i, { normal }) => 100 + 0.04 * i + 25 * wave(i) + 3 * normal()],
  counts: [DAY, (i, draw) => poisson(20 * (1.3 + wave(i)), draw)],
  fewCounts: [DAY, (i, draw) => poisson(Math.max(0.3, 2.5 + 2.5 * wave(i)), draw)],
  week: [7 * DAY, (i, { normal }) => (isWeekend(i) ? 70 + 15 * wave(i) : 150 + 60 * wave(i)) + 6 * normal()],
};

/** Slab with one series that has learnt all but the last day. */
function learnt(values: readonly number[], isAmount: boolean): SeriesSlab {
  const slab = new SeriesSlab(seriesShape(SPAN), SERIES);
  slab.add();
  const out = newJudgement();
  values.slice(0, -DAY).forEach((v, i) => slab.judge(0, i * SPAN, v, 0, isAmount, out));
  return slab;
}

/** Share of the values of the last day within the bounds, and the error over that of repeating the last cycle. */
function judged(values: readonly number[], cycle: number, isAmount: boolean) {
  const slab = learnt(values, isAmount);
  const from = values.length - DAY;
  const step = cycle === 0 ? 1 : cycle;
  let [inside, error, naive] = [0, 0, 0];
  for (let i = from; i < values.length; i++) {
    const { value, lower, upper } = slab.outlookAt(0, i * SPAN, i - from + 1, isAmount)!;
    if (values[i]! >= lower && values[i]! <= upper) inside += 1 / DAY;
    error += Math.abs(values[i]! - value) / DAY;
  }
  for (let i = step; i < from; i++) naive += Math.abs(values[i]! - values[i - step]!) / (from - step);
  return { inside, scaled: error / naive };
}

const valuesOf = (name: string, seed: number) => {
  const draw = drawsOf(seed);
  return Array.from({ length: BUCKETS }, (_, i) => PROCESSES[name]![1](i, draw));
};

test('bounds of forecasts hold about 95 % of a day, and seasons err less than the last cycle repeated', () => {
  let all = 0;
  for (const [name, [cycle]] of Object.entries(PROCESSES)) {
    const list = Array.from({ length: SERIES_OF_EACH }, (_, seed) =>
      judged(valuesOf(name, seed + 1), cycle, name.toLowerCase().includes('counts')),
    );
    const mean = (of: (one: (typeof list)[number]) => number) =>
      list.reduce((sum, one) => sum + of(one), 0) / list.length;
    const [inside, scaled] = [mean((one) => one.inside), mean((one) => one.scaled)];
    all += inside / Object.keys(PROCESSES).length;
    assert.ok(inside > 0.87 && inside < 0.99, `${name}: ${inside} within the bounds`);
    assert.ok(cycle === 0 || scaled < 0.95, `${name}: scaled error ${scaled}`);
  }
  assert.ok(all > 0.92 && all < 0.975, `${all} of all values within the bounds`);
});

test('a trend goes on for a while, and bounds widen with the distance', () => {
  const slab = learnt(valuesOf('trend', 3), false);
  const at = (steps: number) => slab.outlookAt(0, (BUCKETS - DAY + steps - 1) * SPAN, steps, false)!;
  const expected = 100 + 0.05 * (BUCKETS - DAY + 7 * DAY);
  assert.ok(Math.abs(at(7 * DAY).value - expected) < 6, `${at(7 * DAY).value} for ${expected}`);
  const widths = [1, DAY, 7 * DAY, 60 * DAY].map((steps) => at(steps).upper - at(steps).lower);
  for (let i = 1; i < widths.length; i++) assert.ok(widths[i]! >= widths[i - 1]!, `${widths}`);
  assert.ok(widths[3]! > widths[0]!, `${widths}`);
});

test('few counts are forecast by their season though it is only now and then clearly better than none', () => {
  const scaled = Array.from({ length: 12 }, (_, k) => judged(valuesOf('fewCounts', 20 + k), DAY, true).scaled);
  const mean = scaled.reduce((sum, one) => sum + one / scaled.length, 0);
  // The median of the distribution that the counts are drawn from errs by 0.7 of the last cycle repeated.
  assert.ok(mean < 0.8, `${scaled}`);
});

test('counts are forecast as whole numbers that are not negative', () => {
  const slab = learnt(valuesOf('counts', 5), true);
  for (let steps = 1; steps <= 2 * DAY; steps++) {
    const { value, lower, upper } = slab.outlookAt(0, (BUCKETS - DAY + steps - 1) * SPAN, steps, true)!;
    assert.ok(
      [value, lower, upper].every((v) => Number.isInteger(v) && v >= 0),
      `${value} ${lower} ${upper}`,
    );
    assert.ok(lower <= value && value <= upper);
  }
});

test('bounds of Poisson counts are the sets nearest to 95 %', () => {
  assert.deepEqual(wholeBounds(0, 1), { lower: 0, median: 0, upper: 0 });
  assert.deepEqual(wholeBounds(0.3, 1), { lower: 0, median: 0, upper: 1 });
  const wide = wholeBounds(20, 4);
  const narrow = wholeBounds(20, 1);
  assert.ok(wide.upper > narrow.upper && wide.lower < narrow.lower);
});

/** Probability of a count between two bounds, summed from the logarithm of each. */
function heldBy(mean: number, dispersion: number, lower: number, upper: number): number {
  const size = mean / (dispersion - 1);
  let log = -size * Math.log(dispersion);
  let held = 0;
  for (let k = 0; k <= upper; k++) {
    if (k >= lower) held += Math.exp(log);
    log += Math.log(((k + size) * (1 - 1 / dispersion)) / (k + 1));
  }
  return held;
}

test('bounds of counts hold 95 % and half of the counts lie below the median, however wide they scatter', () => {
  for (const mean of [0.5, 7, 40, 99])
    for (const dispersion of [1.5, 5, 60, 500, 5000, 1e6]) {
      const { lower, median, upper } = wholeBounds(mean, dispersion);
      const text = `${mean} ${dispersion}: ${lower} ${median} ${upper}`;
      const atBounds = heldBy(mean, dispersion, lower, lower) + heldBy(mean, dispersion, upper, upper + 1);
      const held = heldBy(mean, dispersion, lower, upper);
      assert.ok(Math.abs(held - 0.95) <= atBounds || (upper === 0 && held > 0.95), `${text} hold ${held}`);
      assert.ok(heldBy(mean, dispersion, 0, median) >= 0.5 - 1e-9, text);
      assert.ok(median === 0 || heldBy(mean, dispersion, 0, median - 1) < 0.5, text);
    }
});

test('bounds of counts that scatter widely are found in a few microseconds', () => {
  const begun = process.cpuUsage();
  for (let i = 0; i < 10_000; i++) wholeBounds(99, 5000 + i);
  const { user, system } = process.cpuUsage(begun);
  assert.ok(user + system < 600_000, `${(user + system) / 10_000} us a call`);
});

test('a forecast survives writing and reading', () => {
  const slab = learnt(valuesOf('trendDay', 7), false);
  const out = new ByteWriter(65_536);
  slab.encode(out);
  const read = SeriesSlab.decode(seriesShape(SPAN), SERIES, new ByteReader(out.finish()));
  assert.deepEqual(read.outlookAt(0, BUCKETS * SPAN, 9, false), slab.outlookAt(0, BUCKETS * SPAN, 9, false));
});

/** A record with the seasons of `mask` that has learnt a day. */
function recordOf(mask: number) {
  const shape = seriesShape(SPAN);
  const form = shape.form(mask);
  const r = openRecord(form, new ArrayBuffer(form.bytes), 0);
  const values = valuesOf('day', 3);
  beginSeries(r, shape, 0, values.slice(0, 8));
  const out = newJudgement();
  values.forEach((v, i) => stepSeries(r, shape, i * SPAN, v, 0, false, SERIES, out));
  const forecast = (steps: number) => outlookAt(r, shape, (BUCKETS + steps - 1) * SPAN, steps, false, SERIES);
  return { r, forecast };
}

test('a record of an earlier version, which notes no season of forecasts, is forecast by the one in use', () => {
  const { r, forecast } = recordOf(7);
  assert.ok(r.floats[r.f + H.active]! > 0);
  const noted = [1, 12, 30].map(forecast);
  r.floats[r.f + H.flags] = 1;
  assert.deepEqual([1, 12, 30].map(forecast), noted);
});

test('a series whose season of forecasts was given up is forecast by its level', () => {
  const { r, forecast } = recordOf(0);
  const plain = [1, 12, 30].map(forecast);
  r.floats[r.f + H.flags] = 2 * 1 + 1;
  assert.deepEqual([1, 12, 30].map(forecast), plain);
});

test('a weekend is known as what it is beside a week, though days of work came before the first one', () => {
  const SPAN_S = 1800;
  const WEEK = 336;
  const slab = new SeriesSlab(seriesShape(SPAN_S), SERIES);
  const series = slab.add();
  const out = newJudgement();
  const usual = (i: number) => (i % WEEK >= 240 ? 70 : 150) + 20 * Math.sin((Math.PI * i) / 24);
  let state = 1;
  const noise = () => 12 * ((state = (state * 48_271) % 2_147_483_647) / 2_147_483_647 - 0.5);
  for (let i = 0; i < 5 * WEEK + 240; i++) slab.judge(series, i * SPAN_S, usual(i) + noise(), 0, false, out);
  let off = 0;
  for (let i = 5 * WEEK + 240, step = 1; step <= 48; i++, step++)
    off += (slab.outlookAt(series, i * SPAN_S, step, false)!.value - usual(i)) / 48;
  assert.ok(Math.abs(off) < 1, `${off}`);
});
