/**
 * One series of a detector: surprise of each bucket, by the best of several forecasts. Five deviations from the
 * forecast are judged by their own past (surprise.ts), joined, and compared with the events that the series had before
 * (events.ts). Each value is judged before it is learnt.
 */
import { CHANGE, LEVEL, PARTS, PLAIN, type SeriesConstants, WINDOW, WINDOW_MEAN, WINDOW_SPREAD } from './constants.js';
import { beginEvents, judgeEvent } from './events.js';
import { FIRST_TIME, H, ORIGIN, RING_STEPS, S, type SeriesRecord, UNIT_OF_VALUES } from './layout.js';
import { jumpOutlook, learnOutlook, learnTrend, noteBroken } from './outlook.js';
import { placeAt } from './places.js';
import {
  beginSeason,
  endFirstCycle,
  expectedAt,
  isInFirstCycle,
  learnPlace,
  moveCentre,
  seasonFields,
  spreadAt,
} from './season.js';
import { chooseSeason, isSeasonReady, learnErrors } from './seasons.js';
import { hasSeason, type SeriesShape } from './shape.js';
import { beginStates, distanceFromState, learnState } from './states.js';
import { learnDeviation, relearnScale, rescaleDeviation, scaleOf, surpriseOf } from './surprise.js';

/** Values further from the origin than this many units are judged as if they were there. */
const VALUE_MAX = 1e15;
/** Rates of the usual spread of a window and of the dispersion of counts. */
const SPREAD_RATE = 0.002;
const DISPERSION_RATE = 0.002;

/** Result of a step, and its scratch; one object serves all series of a job. */
export interface Judgement {
  /** -log10 of the probability of the bucket beside all events of the series before it, and of the bucket alone. */
  surprise: number;
  fused: number;
  /** What was expected. */
  typical: number;
  /** Surprise of each deviation. */
  readonly surprises: Float64Array;
  readonly deviations: Float64Array;
  /** Expectation of each season, NaN where it has none, and whether it may be used. */
  readonly expected: Float64Array;
  readonly isReady: Uint8Array;
  /** Change and distance from the slow level in units of the values, and what they are multiplied by to be judged. */
  change: number;
  level: number;
  quiet: number;
  spread: number;
  /** What the bucket changed in the model, and by how much the level jumped in units of the values. */
  event: SeriesEvent;
  jump: number;
}

/** A change of the model of a series: `season` took over, `noSeason` gave it up, `shift` moved its level. */
export type SeriesEvent = 'none' | 'season' | 'noSeason' | 'shift';

export const newJudgement = (): Judgement => ({
  surprise: 0,
  fused: 0,
  typical: 0,
  surprises: new Float64Array(PARTS),
  deviations: new Float64Array(PARTS),
  expected: new Float64Array(4),
  isReady: new Uint8Array(4),
  change: 0,
  level: 0,
  quiet: 1,
  spread: 0,
  event: 'none',
  jump: 0,
});

/** Begins a record of zeros, from the first values of the series. `time`: seconds of the first bucket. */
export function beginSeries(r: SeriesRecord, shape: SeriesShape, time: number, values: readonly number[]): void {
  const sorted = values.toSorted((a, b) => a - b);
  const least = sorted[0]!;
  const most = sorted[sorted.length - 1]!;
  const origin = sorted[sorted.length >> 1]!;
  const size = most > least ? most / 4 - least / 4 : Math.abs(origin);
  r.doubles[r.d + ORIGIN] = origin;
  r.doubles[r.d + UNIT_OF_VALUES] = size > 0 ? 2 ** Math.max(-1000, Math.floor(Math.log2(size))) : 1;
  r.doubles[r.d + FIRST_TIME] = time;
  r.floats[r.f + H.least] = unitsFromZero(r, 0);
  beginEvents(r);
  beginStates(r, unitsOf(r, least), unitsOf(r, most));
  shape.candidates.forEach((c, i) => {
    if (hasSeason(r.form, i)) beginSeason(r, i, c.period, c.size, 0);
  });
}

/** A value as the record keeps it: less the origin, in units, clipped. */
export function unitsOf(r: SeriesRecord, value: number): number {
  const x = (value - r.doubles[r.d + ORIGIN]!) / r.doubles[r.d + UNIT_OF_VALUES]!;
  return Math.max(-VALUE_MAX, Math.min(VALUE_MAX, x));
}

/** A value in units, as its distance from zero. */
const unitsFromZero = (r: SeriesRecord, x: number) => x + r.doubles[r.d + ORIGIN]! / r.doubles[r.d + UNIT_OF_VALUES]!;

/**
 * Judges and learns one bucket; buckets come in order. `side`: 1 only high values count, -1 only low ones, 0 both.
 * `isAmount`: values are counts or sums, which vary more the larger they are.
 */
export function stepSeries(
  r: SeriesRecord,
  shape: SeriesShape,
  time: number,
  value: number,
  side: number,
  isAmount: boolean,
  c: SeriesConstants,
  out: Judgement,
): void {
  const x = unitsOf(r, value);
  const n = r.floats[r.f + H.count]!;
  out.event = 'none';
  switchSeason(r, shape, time, n, c, out);
  forecast(r, shape, time, x, n, isAmount, c, out);
  judgeWindow(r, n, out);
  const { deviations, surprises } = out;
  let sum = 0;
  for (let part = 0; part < PARTS; part++) {
    // Noise or silence has no side, so one-sided functions do not report it.
    const isJudged = part !== WINDOW_SPREAD || side === 0;
    surprises[part] = isJudged ? c.weights[part]! * surpriseOf(r, part, deviations[part]!, side, c.tail) : 0;
    sum += surprises[part]! * surprises[part]!;
  }
  out.fused = c.share * Math.sqrt(sum);
  out.surprise = judgeEvent(r, out.fused, n, c.events);
  for (let part = 0; part < PARTS; part++) {
    const isWindow = part === WINDOW_MEAN || part === WINDOW_SPREAD;
    const weight = isWindow && surprises[part]! > c.windowFrom ? c.windowWeight : out.fused > 3 ? c.outlierWeight : 1;
    learnDeviation(r, part, deviations[part]!, weight, part === PLAIN ? Infinity : c.tail.memory, c.tail);
  }
  if (!Number.isInteger(value)) noteBroken(r);
  learnOutlook(r, shape, time, x, c);
  learnLevels(r, shape, time, x, n, c, out);
  r.floats[r.f + H.count] = n + 1;
}

/** The forecast that errs least takes over; tails of the deviations shrink or grow with the error. */
function switchSeason(
  r: SeriesRecord,
  shape: SeriesShape,
  time: number,
  n: number,
  c: SeriesConstants,
  out: Judgement,
): void {
  const f = r.floats;
  for (let i = 0; i < shape.candidates.length; i++) {
    const { isSmooth } = shape.candidates[i]!;
    const isThere = hasSeason(r.form, i);
    const expected = isThere ? expectedAt(r, i, placeAt(r, shape.starts, i, time), isSmooth) : Number.NaN;
    out.expected[i] = expected;
    out.isReady[i] = !Number.isNaN(expected) && isSeasonReady(r, i, time, c.cycles) ? 1 : 0;
  }
  const active = f[r.f + H.active]!;
  const best = n > 10 ? chooseSeason(r, shape, c.gain, out.isReady) : 0;
  if (best === active) return;
  const to = best === 0 ? -1 : seasonFields(r, best - 1);
  const from = active === 0 ? -1 : seasonFields(r, active - 1);
  const before = from < 0 ? f[to + S.plainError]! : f[from + S.error]!;
  const after = to < 0 ? f[from + S.plainError]! : f[to + S.error]!;
  const ratio = before > 0 && after > 0 ? after / before : 1;
  relearnScale(r, CHANGE, 100);
  for (const part of [LEVEL, WINDOW_MEAN]) rescaleDeviation(r, part, ratio, 200);
  f[r.f + H.fast] = f[r.f + H.last]! - (to < 0 ? 0 : f[to + S.previous]!);
  f[r.f + H.slow] = to < 0 ? f[r.f + H.plainLevel]! : f[to + S.level]!;
  f[r.f + H.active] = best;
  out.event = best === 0 ? 'noSeason' : 'season';
}

/** Deviations of `x` from the forecast. */
function forecast(
  r: SeriesRecord,
  shape: SeriesShape,
  time: number,
  x: number,
  n: number,
  isAmount: boolean,
  c: SeriesConstants,
  out: Judgement,
): void {
  const f = r.floats;
  const h = r.f;
  const active = f[h + H.active]!;
  const expected = active === 0 ? 0 : out.expected[active - 1]!;
  const season = Number.isNaN(expected) ? 0 : expected;
  if (n === 0) {
    f[h + H.fast] = f[h + H.slow] = x - season;
    f[h + H.median] = x;
  }
  const typical = season + f[h + H.fast]!;
  out.typical = r.doubles[r.d + ORIGIN]! + typical * r.doubles[r.d + UNIT_OF_VALUES]!;
  out.change = x - typical;
  out.level = x - season - f[h + H.slow]!;
  out.quiet =
    active === 0 ? 1 : 1 / spreadAt(r, active - 1, placeAt(r, shape.starts, active - 1, time)) ** c.spreadPower;
  let change = out.change * out.quiet;
  let level = out.level * out.quiet;
  const dispersion = f[h + H.dispersion]!;
  const state = active === 0 ? distanceFromState(r, x) : Number.NaN;
  if (isAmount && n > 24 && dispersion > 0 && f[h + H.least]! >= 0) {
    const zero = unitsFromZero(r, 0);
    const root = (v: number) => 2 * Math.sqrt(Math.max(0, zero + v) / dispersion + 0.375);
    change = root(x) - root(typical);
    level = root(x) - root(season + f[h + H.slow]!);
  } else if (!Number.isNaN(state)) change = level = state;
  out.deviations[CHANGE] = change;
  out.deviations[LEVEL] = level;
  out.deviations[PLAIN] = x - f[h + H.median]!;
}

/** Mean and spread of the last buckets, from the rings of deviations in scales. */
function judgeWindow(r: SeriesRecord, n: number, out: Judgement): void {
  const at = r.ring + ((n | 0) % WINDOW);
  r.shorts[at] = ringSteps(out.deviations[LEVEL]!, scaleOf(r, LEVEL));
  r.shorts[at + WINDOW] = ringSteps(out.deviations[CHANGE]!, scaleOf(r, CHANGE));
  const size = Math.min(WINDOW, n + 1);
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < size; i++) {
    sum += r.shorts[r.ring + i]!;
    squares += r.shorts[r.ring + WINDOW + i]! ** 2;
  }
  const spread = Math.sqrt(squares / size) / RING_STEPS;
  out.spread = Math.log((spread + 0.02) / 1.25);
  out.deviations[WINDOW_MEAN] = sum / size / RING_STEPS;
  out.deviations[WINDOW_SPREAD] = out.spread - r.floats[r.f + H.spreadMean]!;
}

const ringSteps = (deviation: number, scale: number): number =>
  scale > 0 ? Math.max(-32_767, Math.min(32_767, Math.round((deviation / scale) * RING_STEPS))) : 0;

const within = (v: number, limit: number) => Math.max(-limit, Math.min(limit, v));
const limitOf = (r: SeriesRecord, part: number, scales: number) =>
  scaleOf(r, part) > 0 ? scales * scaleOf(r, part) : Number.POSITIVE_INFINITY;

function learnLevels(
  r: SeriesRecord,
  shape: SeriesShape,
  time: number,
  x: number,
  n: number,
  c: SeriesConstants,
  out: Judgement,
): void {
  const f = r.floats;
  const h = r.f;
  const rate = (least: number) => Math.max(1 / (n + 1), least);
  f[h + H.least] = n === 0 ? unitsFromZero(r, x) : Math.min(f[h + H.least]!, unitsFromZero(r, x));
  learnDispersion(r, x, out);
  if (f[h + H.active] === 0) learnState(r, x, c.stateGain);
  jumpLevels(r, out, c);
  f[h + H.spreadMean] = f[h + H.spreadMean]! + rate(SPREAD_RATE) * (out.spread - f[h + H.spreadMean]!);
  f[h + H.fast] = f[h + H.fast]! + rate(c.fast) * out.change;
  const most = limitOf(r, LEVEL, c.clip) / out.quiet;
  const moved = rate(c.slow) * within(out.level, most);
  f[h + H.slow] = f[h + H.slow]! + moved;
  learnTrend(r, moved);
  const far = within(x - f[h + H.median]!, limitOf(r, PLAIN, 3));
  f[h + H.median] = f[h + H.median]! + rate(c.medianRate) * far;
  learnErrors(r, shape, x, n, rate(c.slow), limitOf(r, PLAIN, 20), out.expected, out.isReady);
  for (let i = 0; i < shape.candidates.length; i++) {
    if (!hasSeason(r.form, i)) continue;
    const s = seasonFields(r, i);
    const period = f[s + S.period]!;
    const visits = Math.max(1, period / f[s + S.size]! / shape.spanS);
    const isFirst = isInFirstCycle(r, i);
    const centreRate = isFirst ? 0 : rate((c.centreRate * shape.spanS) / period);
    learnPlace(r, i, placeAt(r, shape.starts, i, time), x, visits, c.profileRate, centreRate, limitOf(r, PLAIN, 5));
    const since = r.doubles[r.d + FIRST_TIME]! + f[s + S.since]!;
    if (isFirst && time + shape.spanS - since >= period) endFirstCycle(r, i);
  }
  f[h + H.last] = x;
}

/** Variance over mean of amounts; single values count for at most twelve times the usual. */
function learnDispersion(r: SeriesRecord, x: number, out: Judgement): void {
  const f = r.floats;
  const mean = unitsFromZero(r, x - out.level);
  if (!(mean > 0)) return;
  const count = ++f[r.f + H.dispersionCount]!;
  const before = f[r.f + H.dispersion]!;
  const seen = out.level ** 2 / mean;
  const most = before > 0 && count > 30 ? 12 * before : Number.POSITIVE_INFINITY;
  f[r.f + H.dispersion] = before + Math.max(1 / count, DISPERSION_RATE) * (Math.min(seen, most) - before);
}

/** A change that lasts: after `runLength` buckets far out on one side, levels and centres of seasons jump. */
function jumpLevels(r: SeriesRecord, out: Judgement, c: SeriesConstants): void {
  const f = r.floats;
  const deviation = out.deviations[LEVEL]!;
  const isFar = scaleOf(r, LEVEL) > 0 && Math.abs(deviation) > c.runScale * scaleOf(r, LEVEL);
  const run = f[r.f + H.run]!;
  const isLonger = isFar && run * deviation > 0;
  f[r.f + H.run] = isFar ? (isLonger ? run : 0) + Math.sign(deviation) : 0;
  f[r.f + H.runSum] = isFar ? (isLonger ? f[r.f + H.runSum]! : 0) + out.level : 0;
  if (Math.abs(f[r.f + H.run]!) < c.runLength || f[r.f + H.stateOn] === 1) return;
  const jump = f[r.f + H.runSum]! / Math.abs(f[r.f + H.run]!);
  out.event = 'shift';
  out.jump = jump * r.doubles[r.d + UNIT_OF_VALUES]!;
  f[r.f + H.slow] = f[r.f + H.slow]! + jump;
  jumpOutlook(r, jump);
  f[r.f + H.plainLevel] = f[r.f + H.plainLevel]! + jump;
  for (let i = 0; i < r.form.seasons.length; i++) {
    if (!hasSeason(r.form, i)) continue;
    const s = seasonFields(r, i);
    // The weekend of a week that is not known yet is no shift of the week.
    if (out.isReady[i] === 0) continue;
    f[s + S.level] = f[s + S.level]! + jump;
    moveCentre(r, i, jump);
  }
  f[r.f + H.run] = f[r.f + H.runSum] = 0;
  r.shorts.fill(0, r.ring, r.ring + WINDOW);
}

/** Usual size of a change from one bucket to the next, in units of the values. */
export function usualChange(r: SeriesRecord): number {
  return scaleOf(r, CHANGE) * r.doubles[r.d + UNIT_OF_VALUES]!;
}

/** Value that the next bucket is compared with: the fast level and the season in use. */
export function nextValue(r: SeriesRecord, shape: SeriesShape, time: number): number {
  const active = r.floats[r.f + H.active]!;
  const season =
    active === 0
      ? 0
      : expectedAt(r, active - 1, placeAt(r, shape.starts, active - 1, time), shape.candidates[active - 1]!.isSmooth);
  const x = r.floats[r.f + H.fast]! + (Number.isNaN(season) ? 0 : season);
  return r.doubles[r.d + ORIGIN]! + x * r.doubles[r.d + UNIT_OF_VALUES]!;
}

/** Whether the series has a few fixed levels, so that what lies between them is unusual. */
export const hasStates = (r: SeriesRecord): boolean => r.floats[r.f + H.stateOn] === 1;
