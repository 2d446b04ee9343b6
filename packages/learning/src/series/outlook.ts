/**
 * What a series will be further than the next bucket. Once a day the slow level is noted (an anchor), and until the
 * next one each bucket shows how far a forecast made then is off. A trend and none compete by these errors. Bounds are
 * quantiles of them (stochastic approximation: Robbins and Monro 1951), so they hold whatever the form of the noise;
 * beyond a day their variance grows as it did within the day, at least by the drift of the level (local level model:
 * Harvey 1989, 2.3).
 */
import { DAY_SECONDS, type SeriesConstants } from './constants.js';
import { wholeBounds } from './counts.js';
import { H, ORIGIN, S, type SeriesRecord, UNIT_OF_VALUES } from './layout.js';
import { placeAt } from './places.js';
import { expectedAt, seasonFields, smoothAt, spreadAt } from './season.js';
import { hasSeason, type SeriesShape } from './shape.js';

/** What is expected of a bucket, and bounds in which 95 % of such values lie, in units of the values. */
export interface Outlook {
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
}

/** Rate of the trend, and what is left of it after a day. */
const TREND_RATE = 0.002;
const DAMPING = 0.98;
/** A trend is used while forecasts with it err less than those without, by this share of the usual error. */
const CLEARLY = 0.05;
/** Last bucket that is near an anchor, and buckets between two anchors. */
const NEAR = 24;
const ANCHOR_LEAST = 48;
const ANCHOR_MOST = 288;
/** Anchors over which errors are averaged. */
const ANCHORS = 14;
/** Usual errors in which 97.5 % of normal ones lie on one side, the rate of the quantiles, and their tails. */
const NORMAL = 1.96 * Math.sqrt(Math.PI / 2);
const QUANTILE_RATE = 0.05;
const TAIL = 0.025;
/** Errors count for at most so many usual ones. */
const CLIP = 8;
/** Errors at a day over those near the anchor that may be chance. */
const CHANCE = 1.1;
/** Counts below this have bounds of whole numbers. */
const WHOLE_MOST = 100;

const anchorBuckets = (shape: SeriesShape) =>
  Math.max(ANCHOR_LEAST, Math.min(ANCHOR_MOST, Math.round(DAY_SECONDS / shape.spanS)));

/** The season of forecasts as it was noted last, numbered as `active`; 0 in records of earlier versions. */
const notedSeason = (r: SeriesRecord): number => r.floats[r.f + H.flags]! >> 1;

/**
 * Season of forecasts, numbered as `active`: the one in use, or the one that was, until it errs more than none or is
 * given up. Few counts vary so much that a season is only now and then clearly better than none.
 */
function forecastSeason(r: SeriesRecord): number {
  const active = r.floats[r.f + H.active]!;
  if (active !== 0) return active;
  const noted = notedSeason(r);
  return noted !== 0 && hasSeason(r.form, noted - 1) ? noted : 0;
}

/** Whether a value of the series was not whole. */
const isBroken = (r: SeriesRecord): boolean => (r.floats[r.f + H.flags]! & 1) === 1;

/** Notes that a value was not whole. */
export function noteBroken(r: SeriesRecord): void {
  r.floats[r.f + H.flags] = r.floats[r.f + H.flags]! | 1;
}

/** The season that forecasts go on with. */
function nextSeason(r: SeriesRecord): number {
  const season = forecastSeason(r);
  if (season === r.floats[r.f + H.active]!) return season;
  const s = seasonFields(r, season - 1);
  return r.floats[s + S.error]! <= r.floats[s + S.plainError]! ? season : 0;
}

/** Slow level of the value less the season of forecasts. */
function levelOf(r: SeriesRecord): number {
  const season = forecastSeason(r);
  const isInUse = season === r.floats[r.f + H.active]!;
  return isInUse ? r.floats[r.f + H.slow]! : r.floats[seasonFields(r, season - 1) + S.level]!;
}

/** The season at the middle of the bucket at `time`: there lie, on average, the buckets that its places learnt. */
function seasonOf(r: SeriesRecord, shape: SeriesShape, time: number): number {
  const season = forecastSeason(r);
  if (season === 0) return 0;
  const { isSmooth } = shape.candidates[season - 1]!;
  if (isSmooth) {
    const middle = placeAt(r, shape.middles, season - 1, time + shape.spanS / 2);
    return smoothAt(r, season - 1, middle);
  }
  const expected = expectedAt(r, season - 1, placeAt(r, shape.starts, season - 1, time), false);
  return Number.isNaN(expected) ? 0 : expected;
}

/** Usual deviation at `time` over that of the series. */
function spreadOf(r: SeriesRecord, shape: SeriesShape, time: number): number {
  const season = forecastSeason(r);
  return season === 0 ? 1 : spreadAt(r, season - 1, placeAt(r, shape.starts, season - 1, time));
}

/** Buckets by which the slow level is behind a trend. */
const delayOf = (c: SeriesConstants) => 1 / c.slow - 1;

/** Goes on with another season if that is due: errors are learnt anew. */
function followSeason(r: SeriesRecord): void {
  const season = nextSeason(r);
  if (season === notedSeason(r)) return;
  r.floats[r.f + H.flags] = 2 * season + (isBroken(r) ? 1 : 0);
  r.floats[r.f + H.anchorsFrom] = r.floats[r.f + H.count]!;
  r.floats[r.f + H.anchorLevel] = levelOf(r);
}

/** Notes that the levels jumped. */
export function jumpOutlook(r: SeriesRecord, jump: number): void {
  r.floats[r.f + H.anchorLevel] = r.floats[r.f + H.anchorLevel]! + jump;
}

/** Learns the value of a bucket, before the levels do. */
export function learnOutlook(r: SeriesRecord, shape: SeriesShape, time: number, x: number, c: SeriesConstants): void {
  followSeason(r);
  const f = r.floats;
  const seen = f[r.f + H.count]! - f[r.f + H.anchorsFrom]!;
  const period = anchorBuckets(shape);
  const age = (seen | 0) % period;
  if (age === 0) f[r.f + H.anchorLevel] = levelOf(r);
  const off = x - seasonOf(r, shape, time) - f[r.f + H.anchorLevel]!;
  learnError(r, off, spreadOf(r, shape, time), age + 1, seen / period, period, c);
}

/** Learns the trend from how much a bucket moved the slow level. */
export function learnTrend(r: SeriesRecord, moved: number): void {
  const at = r.f + H.trend;
  const rate = Math.max(1 / (r.floats[r.f + H.count]! + 1), TREND_RATE);
  r.floats[at] = r.floats[at]! + rate * (moved - r.floats[at]!);
}

/** Learns how far a bucket is from the forecast of the anchor `age` buckets ago. */
function learnError(
  r: SeriesRecord,
  off: number,
  spread: number,
  age: number,
  anchors: number,
  period: number,
  c: SeriesConstants,
): void {
  const f = r.floats;
  const h = r.f;
  const isNear = age <= NEAR;
  const buckets = isNear ? NEAR : period - NEAR;
  const rate = Math.max(1 / (anchors * buckets + 1), 1 / (ANCHORS * buckets));
  const at = h + (isNear ? H.errorNear : H.errorFar);
  const width = f[at]!;
  const most = anchors > 1 && width > 0 ? CLIP * width : Number.POSITIVE_INFINITY;
  const flat = off / spread;
  const trended = (off - f[h + H.trend]! * (delayOf(c) + age)) / spread;
  const sizeOf = (error: number) => Math.min(Math.abs(error), most);
  if (!isNear) f[h + H.trendGain] = f[h + H.trendGain]! + rate * (sizeOf(flat) - sizeOf(trended) - f[h + H.trendGain]!);
  const error = hasTrend(r) ? trended : flat;
  f[at] = width + rate * (sizeOf(error) - width);
  if (anchors < 1 || !(width > 0)) return;
  learnQuantile(f, h + H.above, error / width);
  learnQuantile(f, h + H.below, -error / width);
}

/** Moves a quantile, kept as its distance from the one of normal errors. */
function learnQuantile(f: Float32Array, at: number, error: number): void {
  const isAbove = error > NORMAL + f[at]!;
  f[at] = Math.max(-NORMAL, f[at]! + QUANTILE_RATE * ((isAbove ? 1 : 0) - TAIL));
}

/** Whether forecasts with the trend erred clearly less than those without. */
const hasTrend = (r: SeriesRecord): boolean => r.floats[r.f + H.trendGain]! > CLEARLY * r.floats[r.f + H.errorFar]!;

/** Usual error of a forecast of `steps` buckets, over the spread at its place. */
function errorAt(r: SeriesRecord, shape: SeriesShape, steps: number, c: SeriesConstants): number {
  const near = r.floats[r.f + H.errorNear]!;
  const far = Math.max(near, r.floats[r.f + H.errorFar]!);
  const period = anchorBuckets(shape);
  const middle = NEAR / 2;
  const end = (NEAR + period) / 2;
  if (steps <= end) {
    const share = Math.max(0, (steps - middle) / (end - middle));
    return Math.sqrt(near ** 2 + share * (far ** 2 - near ** 2));
  }
  const grown = (far ** 2 - (CHANCE * near) ** 2) / (end - middle);
  return Math.sqrt(far ** 2 + (steps - end) * Math.max(grown, (c.slow * near) ** 2));
}

/** Forecast of the bucket at `time`, `steps` buckets after the last one. */
export function outlookAt(
  r: SeriesRecord,
  shape: SeriesShape,
  time: number,
  steps: number,
  isAmount: boolean,
  c: SeriesConstants,
): Outlook {
  const f = r.floats;
  const h = r.f;
  const unit = r.doubles[r.d + UNIT_OF_VALUES]!;
  const trend = hasTrend(r) ? f[h + H.trend]! : 0;
  const kept = DAMPING ** (shape.spanS / DAY_SECONDS);
  const steady = (kept * (1 - kept ** steps)) / (1 - kept);
  const x = levelOf(r) + trend * (delayOf(c) + steady) + seasonOf(r, shape, time);
  const value = r.doubles[r.d + ORIGIN]! + x * unit;
  const width = errorAt(r, shape, steps, c);
  if (isAmount && !isBroken(r) && value < WHOLE_MOST) {
    const first = errorAt(r, shape, 1, c);
    const growth = first > 0 ? (width / first) ** 2 : 1;
    const { lower, median, upper } = wholeBounds(Math.max(0, value), Math.max(1, f[h + H.dispersion]! * unit) * growth);
    return { value: median, lower, upper };
  }
  const size = width * spreadOf(r, shape, time) * unit;
  // A series that was never negative stays so.
  const least = f[h + H.least]! >= 0 ? 0 : Number.NEGATIVE_INFINITY;
  return {
    value: Math.max(least, value),
    lower: Math.max(least, value - size * (NORMAL + f[h + H.below]!)),
    upper: Math.max(least, value + size * (NORMAL + f[h + H.above]!)),
  };
}
