/**
 * A season: what is usual at each place of a period, around the average of a cycle, and how much it varies there. A
 * place moves by at most four times its usual deviation, unless that becomes usual: a holiday leaves no ghost, and a
 * new batch job is learnt within days.
 */
import { S, SEASON, type SeriesRecord } from './layout.js';
import { sizeCode, sizeOf } from './usual-size.js';

/** Where a season of a record lies: first float32 field, first uint16 of its deviations, first uint8 of its visits. */
interface SeasonAt {
  readonly f: Float32Array;
  readonly s: number;
  readonly size: number;
  readonly spreads: Uint16Array;
  readonly w: number;
  readonly visits: Uint8Array;
  readonly v: number;
}

/** In the place of the number of buckets in which a season was judged: its first cycle is not complete. */
const FIRST_CYCLE = -1;

/** Visits are counted up to this; rates are constant long before. */
const VISITS_MAX = 255;

function seasonAt(r: SeriesRecord, season: number): SeasonAt {
  const start = r.byteAt + r.form.seasons[season]!;
  const s = start >> 2;
  const size = r.floats[s + S.size]!;
  const w = start + 4 * (SEASON + size);
  return { f: r.floats, s, size, spreads: r.words, w: w >> 1, visits: r.bytes, v: w + 2 * size };
}

/** First float32 field of a season that the form of `r` has. */
export const seasonFields = (r: SeriesRecord, season: number): number => (r.byteAt + r.form.seasons[season]!) >> 2;

/** Begins a season of `size` places, without any knowledge. */
export function beginSeason(r: SeriesRecord, season: number, period: number, size: number, since: number): void {
  const s = seasonFields(r, season);
  r.floats[s + S.period] = period;
  r.floats[s + S.size] = size;
  r.floats[s + S.since] = since;
  r.floats[s + S.centre] = Number.NaN;
  r.floats[s + S.judged] = FIRST_CYCLE;
}

/** Whether the first cycle of a season is not complete. */
export const isInFirstCycle = (r: SeriesRecord, season: number): boolean =>
  r.floats[seasonFields(r, season) + S.judged] === FIRST_CYCLE;

/** Ends the first cycle: what its places were learnt around becomes the average of them. */
export function endFirstCycle(r: SeriesRecord, season: number): void {
  const { f, s, size, visits, v } = seasonAt(r, season);
  f[s + S.judged] = 0;
  let sum = 0;
  let known = 0;
  for (let i = 0; i < size; i++) {
    if (visits[v + i] === 0) continue;
    sum += f[s + SEASON + i]!;
    known++;
  }
  const mean = known > 0 ? sum / known : 0;
  f[s + S.centre] = f[s + S.centre]! + mean;
  for (let i = 0; i < size; i++) if (visits[v + i]! > 0) f[s + SEASON + i] = f[s + SEASON + i]! - mean;
}

/** Expected distance from the centre at place `x` (places.ts), NaN where nothing was seen. Smooth ones interpolate. */
export function expectedAt(r: SeriesRecord, season: number, x: number, isSmooth: boolean): number {
  const { f, s, size, visits, v } = seasonAt(r, season);
  const values = s + SEASON;
  if (!isSmooth) {
    const i = Math.min(size - 1, Math.floor(x));
    return visits[v + i] === 0 ? Number.NaN : f[values + i]!;
  }
  const i = Math.floor(x - 0.5);
  const share = x - 0.5 - i;
  const a = (i + size) % size;
  const b = (i + 1) % size;
  if (visits[v + a] === 0) return visits[v + b] === 0 ? Number.NaN : f[values + b]!;
  if (visits[v + b] === 0) return f[values + a]!;
  return f[values + a]! * (1 - share) + f[values + b]! * share;
}

/**
 * Expected distance from the centre at place `x` by quadratic splines, which average neighbours where places are as
 * short as buckets; 0 where nothing was seen.
 */
export function smoothAt(r: SeriesRecord, season: number, x: number): number {
  const { f, s, size, visits, v } = seasonAt(r, season);
  const i = Math.min(size - 1, Math.floor(x));
  const own = visits[v + i] === 0 ? Number.NaN : f[s + SEASON + i]!;
  const valueAt = (k: number) => (visits[v + k] === 0 ? own : f[s + SEASON + k]!);
  const before = valueAt((i + size - 1) % size);
  const after = valueAt((i + 1) % size);
  if (Number.isNaN(own)) return Number.isNaN(before) ? (Number.isNaN(after) ? 0 : after) : before;
  const u = x - i;
  return own + ((1 - u) ** 2 / 2) * (before - own) + (u ** 2 / 2) * (after - own);
}

/** Usual deviation at place `x` over the usual deviation anywhere: 0.3 to 4, drawn towards 1 by six visits' worth. */
export function spreadAt(r: SeriesRecord, season: number, x: number): number {
  const { f, s, size, spreads, w, visits, v } = seasonAt(r, season);
  const mean = f[s + S.spreadMean]!;
  if (!(mean > 0)) return 1;
  const i = Math.min(size - 1, Math.floor(x));
  const sides = sizeOf(spreads[w + ((i + size - 1) % size)]!) + sizeOf(spreads[w + ((i + 1) % size)]!);
  const around = (0.25 * sides + 0.5 * sizeOf(spreads[w + i]!)) / mean;
  const n = Math.min(30, visits[v + i]!);
  return Math.max(0.3, Math.min(4, (n * around + 6) / (n + 6)));
}

/**
 * Learns the value `x` of a bucket at a place (places.ts). `visitsPerCycle`: buckets that fall into a place in one
 * cycle. The centre moves by at most `centreLimit`, times `centreRate`.
 */
export function learnPlace(
  r: SeriesRecord,
  season: number,
  place: number,
  x: number,
  visitsPerCycle: number,
  rate: number,
  centreRate: number,
  centreLimit: number,
): void {
  const { f, s, size, spreads, w, visits, v } = seasonAt(r, season);
  const centreBefore = f[s + S.centre]!;
  const centre = Number.isNaN(centreBefore) ? x : centreBefore;
  f[s + S.centre] = centre + centreRate * Math.max(-centreLimit, Math.min(centreLimit, x - centre));
  const i = Math.min(size - 1, Math.floor(place));
  const value = s + SEASON + i;
  const spread = sizeOf(spreads[w + i]!);
  const n = visits[v + i]!;
  const off = x - f[s + S.centre]! - f[value]!;
  const isKnown = n >= Math.min(VISITS_MAX, 2 * visitsPerCycle);
  const mean = f[s + S.spreadMean]!;
  const usual = Math.max(spread, mean);
  const step = isKnown ? Math.max(-4 * usual, Math.min(4 * usual, off)) : off;
  f[value] = f[value]! + Math.max(1 / (n + 1), rate / visitsPerCycle) * step;
  if (n > 0) {
    const most = isKnown ? 8 * usual : Number.POSITIVE_INFINITY;
    spreads[w + i] = sizeCode(learnSpread(f, s, spread, n, off, most, rate / visitsPerCycle));
  }
  visits[v + i] = Math.min(VISITS_MAX, n + 1);
}

/** Returns the usual deviation of a place that was `spread` before; the one of all places is learnt with it. */
function learnSpread(
  f: Float32Array,
  s: number,
  spread: number,
  visits: number,
  off: number,
  most: number,
  rate: number,
): number {
  const size = Math.abs(off);
  const seen = Math.min(size, most);
  const speed = (size > 4 * spread ? 0.6 : 0.3) * rate;
  const mean = f[s + S.spreadMean]!;
  const count = ++f[s + S.spreadCount]!;
  f[s + S.spreadMean] = mean + Math.max(1 / count, 0.001) * (Math.min(seen, mean > 0 ? 6 * mean : seen) - mean);
  return spread + Math.max(1 / (visits + 1), speed) * (seen - spread);
}

/** A jump of the level: the centre follows, so that the season stays what it was. */
export function moveCentre(r: SeriesRecord, season: number, jump: number): void {
  const s = seasonFields(r, season);
  r.floats[s + S.centre] = r.floats[s + S.centre]! + jump;
}
