/** The competition of the seasons of a series: the one whose slow forecast errs least is used, or none. */
import { DAY_SECONDS } from './constants.js';
import { FIRST_TIME, H, S, type SeriesRecord } from './layout.js';
import { seasonFields } from './season.js';
import { hasSeason, type SeriesShape } from './shape.js';

/** A season that does not err clearly less than the best one so far does not replace it. */
const CLEARLY = 0.95;

/** True once enough cycles have been seen. */
export function isSeasonReady(r: SeriesRecord, season: number, time: number, cycles: number): boolean {
  const s = seasonFields(r, season);
  const since = r.doubles[r.d + FIRST_TIME]! + r.floats[s + S.since]!;
  return time - since >= cycles * r.floats[s + S.period]!;
}

/** Number + 1 of the season to use, 0 for none. */
export function chooseSeason(r: SeriesRecord, shape: SeriesShape, gain: number, isReady: Uint8Array): number {
  const f = r.floats;
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < shape.candidates.length; i++) {
    if (isReady[i] === 0) continue;
    const s = seasonFields(r, i);
    const error = f[s + S.error]!;
    if (f[s + S.judged]! <= DAY_SECONDS / shape.spanS || error >= gain * f[s + S.plainError]!) continue;
    if (best !== 0 && error >= CLEARLY * least) continue;
    best = i + 1;
    least = error;
  }
  return best;
}

/** Learns how far the slow forecast of each season, and of none, was from `x`. Distances are clipped at `most`. */
export function learnErrors(
  r: SeriesRecord,
  shape: SeriesShape,
  x: number,
  n: number,
  rate: number,
  most: number,
  expected: Float64Array,
  isReady: Uint8Array,
): void {
  const f = r.floats;
  const judging = Math.min(0.05, shape.spanS / (4 * DAY_SECONDS));
  const level = r.f + H.plainLevel;
  const off = x - f[level]!;
  const plain = Math.min(Math.abs(off), most);
  f[level] = f[level]! + rate * clip(off, n, most);
  for (let i = 0; i < shape.candidates.length; i++) {
    if (!hasSeason(r.form, i)) continue;
    const s = seasonFields(r, i);
    const season = Number.isNaN(expected[i]!) ? 0 : expected[i]!;
    const distance = x - season - f[s + S.level]!;
    if (isReady[i] === 1) {
      const share = Math.max(1 / ++f[s + S.judged]!, judging);
      f[s + S.error] = f[s + S.error]! + share * (Math.min(Math.abs(distance), most) - f[s + S.error]!);
      f[s + S.plainError] = f[s + S.plainError]! + share * (plain - f[s + S.plainError]!);
    }
    f[s + S.level] = f[s + S.level]! + rate * clip(distance, n, most);
    f[s + S.previous] = season;
  }
}

const clip = (v: number, n: number, most: number) => (n === 0 ? v : Math.max(-most, Math.min(most, v)));
