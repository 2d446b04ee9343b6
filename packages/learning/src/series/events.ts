/**
 * What became of earlier surprises of a series: how often events of a size came, how many alarms there were, whether
 * one goes on. A surprise that this series shows every day is none; a second alarm soon after a first one must be
 * clearly larger.
 */
import type { EventConstants } from './constants.js';
import { EVENT_SIZES, H, type SeriesRecord } from './layout.js';

/** Counters of sizes are kept in this share of one event, so that they can fade. */
const SIZE_UNIT = 256;
/** Buckets between two fadings. */
const FADE_EVERY = 64;
/** No event is remembered: far enough that no bucket belongs to it. */
export const LONG_AGO = -1e9;

const binOf = (surprise: number) => Math.min(EVENT_SIZES - 1, Math.floor(surprise * 4));

export function beginEvents(r: SeriesRecord): void {
  r.floats[r.f + H.eventLast] = LONG_AGO;
  r.floats[r.f + H.alarmAt] = LONG_AGO;
}

/** Surprise of bucket `n` beside the events before it; `fused` is the surprise of the bucket alone. */
export function judgeEvent(r: SeriesRecord, fused: number, n: number, c: EventConstants): number {
  const f = r.floats;
  const h = r.f;
  const isSame = n - f[h + H.eventLast]! < c.gap;
  const length = Math.min(f[h + H.eventLength]! + 1, c.memory);
  f[h + H.eventLength] = length;
  const ranked = rankedSurprise(r, fused, isSame, length, c);
  const excess = Math.min(8, excessSurprise(r, fused, length, c.low));
  let surprise = c.rank * ranked + (1 - c.rank) * excess;
  rememberEvent(r, fused, isSame, n, c);
  const alarms = f[h + H.alarms]! * (1 - 1 / c.alarmMemory);
  f[h + H.alarms] = alarms;
  surprise -= c.alarmWeight * Math.log10(1 + alarms);
  const isHeld = n - f[h + H.alarmAt]! < Math.max(20, c.hold * n);
  if (isHeld && surprise < f[h + H.alarmSize]! + c.margin) return Math.max(0, surprise * c.held);
  if (surprise > c.alarm) {
    f[h + H.alarms] = alarms + 1;
    f[h + H.alarmAt] = n;
    f[h + H.alarmSize] = surprise;
  }
  return Math.max(0, surprise);
}

/** Counts events of the size of `surprise` as if there had been `times` more of them; less if it is negative. */
export function countEvents(r: SeriesRecord, surprise: number, times: number): void {
  addSize(r, surprise, times * SIZE_UNIT);
}

/** Surprise of the rank of this event among the earlier ones. */
function rankedSurprise(r: SeriesRecord, fused: number, isSame: boolean, length: number, c: EventConstants): number {
  const f = r.floats;
  let asLarge = 0;
  for (let i = binOf(fused); i < EVENT_SIZES; i++) asLarge += r.words[r.sizes + i]!;
  asLarge /= SIZE_UNIT;
  if (isSame && f[r.f + H.eventPeak]! >= 0.8 * fused) asLarge = Math.max(0, asLarge - 1);
  const rank = c.rankWeight * Math.log10(asLarge + 1);
  const rarity = c.rarity - rank + c.lengthWeight * Math.log10((length + 1) / 1000);
  const largest = f[r.f + H.eventLargest]!;
  const beyond = fused > largest ? Math.min(3, c.beyond * (fused - largest)) : 0;
  return Math.min(fused, rarity + beyond);
}

/** Rate of events times the share of them that would be as large, their sizes taken as exponential. */
function excessSurprise(r: SeriesRecord, fused: number, length: number, low: number): number {
  const nominal = 1 / Math.LN10;
  const count = r.floats[r.f + H.eventCount]!;
  const mean = Math.max((r.floats[r.f + H.eventExcess]! + 8 * nominal) / (count + 8), 0.8 * nominal);
  const rate = -Math.log10(Math.min(1, (count + 4) / (length + 200)));
  return fused <= low ? (fused * rate) / low : rate + (fused - low) / (mean * Math.LN10);
}

function rememberEvent(r: SeriesRecord, fused: number, isSame: boolean, n: number, c: EventConstants): void {
  const f = r.floats;
  const h = r.f;
  if (fused > c.low) {
    const over = (v: number) => Math.min(v, c.low + 2.5) - c.low;
    const peak = f[h + H.eventPeak]!;
    const isKnown = isSame && peak > c.low;
    if (!isKnown) f[h + H.eventCount] = f[h + H.eventCount]! + 1;
    if (!isKnown || fused > peak) {
      f[h + H.eventExcess] = f[h + H.eventExcess]! + over(fused) - (isKnown ? over(peak) : 0);
      if (isKnown) addSize(r, peak, -SIZE_UNIT);
      addSize(r, fused, SIZE_UNIT);
      f[h + H.eventPeak] = fused;
    }
    f[h + H.eventLast] = n;
    f[h + H.eventLargest] = Math.max(f[h + H.eventLargest]!, fused);
  }
  if ((n | 0) % FADE_EVERY === FADE_EVERY - 1 && n > c.memory) fade(r, Math.exp(-FADE_EVERY / c.memory));
}

function addSize(r: SeriesRecord, surprise: number, units: number): void {
  const i = r.sizes + binOf(surprise);
  r.words[i] = Math.max(0, Math.min(0xffff, r.words[i]! + units));
}

function fade(r: SeriesRecord, keep: number): void {
  for (let i = r.sizes; i < r.sizes + EVENT_SIZES; i++) r.words[i] = Math.round(r.words[i]! * keep);
  for (const field of [H.eventExcess, H.eventCount]) r.floats[r.f + field] = r.floats[r.f + field]! * keep;
}
