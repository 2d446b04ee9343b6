/**
 * Two operating states: a series that switches between two levels (a pump that is on or off) is judged by its distance
 * from the nearer one. A histogram of the values is split by Otsu's threshold (1979) from time to time; the states are
 * in use while distances within them are small beside distances from the common mean.
 */
import { H, type SeriesRecord, STATE_BINS as BINS } from './layout.js';

/** Buckets between two looks at the histogram, and values that it needs. */
const EVERY = 64;
const VALUES_LEAST = 300;
/** Share of the values that the rarer state must have. */
const SHARE_LEAST = 0.08;
/** Values at which the histogram forgets half, and what a counter holds. */
const VALUES_MAX = 3000;
const COUNTER_MAX = 255;
/** Share of a deviation that the level of a state learns, of at most a tenth of the distance of the states. */
const RATE = 0.02;

/** Sets the range of the histogram from the first values: the double of theirs, around their middle. */
export function beginStates(r: SeriesRecord, least: number, most: number): void {
  const range = most > least ? most - least : 1;
  r.floats[r.f + H.stateLow] = least - range / 2;
  r.floats[r.f + H.stateWidth] = (2 * range) / BINS;
}

/** Distance of `x` from the nearer state, or NaN if the series has no states. */
export function distanceFromState(r: SeriesRecord, x: number): number {
  const f = r.floats;
  if (f[r.f + H.stateOn] === 0) return Number.NaN;
  const first = x - f[r.f + H.stateFirst]!;
  const second = x - f[r.f + H.stateSecond]!;
  return Math.abs(first) < Math.abs(second) ? first : second;
}

/** Learns the value of a bucket. `gain`: error within the states over the error without, below which they are used. */
export function learnState(r: SeriesRecord, x: number, gain: number): void {
  const f = r.floats;
  addValue(r, x);
  if ((f[r.f + H.count]! | 0) % EVERY === 0 && f[r.f + H.stateTotal]! >= VALUES_LEAST) judgeStates(r, gain);
  if (f[r.f + H.stateOn] === 0) return;
  const first = r.f + H.stateFirst;
  const second = r.f + H.stateSecond;
  const near = Math.abs(x - f[first]!) < Math.abs(x - f[second]!) ? first : second;
  const most = 0.1 * Math.abs(f[first]! - f[second]!);
  f[near] = f[near]! + RATE * Math.max(-most, Math.min(most, x - f[near]!));
}

function addValue(r: SeriesRecord, x: number): void {
  const f = r.floats;
  let bin = Math.floor((x - f[r.f + H.stateLow]!) / f[r.f + H.stateWidth]!);
  for (let i = 0; (bin < 0 || bin >= BINS) && i < 60; i++) {
    widen(r, bin < 0);
    bin = Math.floor((x - f[r.f + H.stateLow]!) / f[r.f + H.stateWidth]!);
  }
  if (!(bin >= 0 && bin < BINS)) return;
  const i = r.states + bin;
  f[r.f + H.stateTotal] = f[r.f + H.stateTotal]! + 1;
  r.bytes[i] = r.bytes[i]! + 1;
  if (r.bytes[i]! < COUNTER_MAX && f[r.f + H.stateTotal]! <= VALUES_MAX) return;
  let total = 0;
  for (let k = r.states; k < r.states + BINS; k++) total += r.bytes[k] = r.bytes[k]! >> 1;
  f[r.f + H.stateTotal] = total;
}

/** Doubles the range of the histogram downwards or upwards: two counters become one. */
function widen(r: SeriesRecord, isDown: boolean): void {
  const f = r.floats;
  const width = f[r.f + H.stateWidth]!;
  const old = r.bytes.slice(r.states, r.states + BINS);
  r.bytes.fill(0, r.states, r.states + BINS);
  const shift = isDown ? BINS / 2 : 0;
  for (let k = 0; k < BINS; k++) {
    const i = r.states + (k >> 1) + shift;
    r.bytes[i] = Math.min(COUNTER_MAX - 1, r.bytes[i]! + old[k]!);
  }
  if (isDown) f[r.f + H.stateLow] = f[r.f + H.stateLow]! - width * BINS;
  f[r.f + H.stateWidth] = 2 * width;
}

function judgeStates(r: SeriesRecord, gain: number): void {
  const f = r.floats;
  const at = otsuThreshold(r.bytes, r.states);
  const low = at < 0 ? null : moments(r.bytes, r.states, 0, at + 1);
  const high = at < 0 ? null : moments(r.bytes, r.states, at + 1, BINS);
  const all = moments(r.bytes, r.states, 0, BINS);
  const within = low && high ? (low.distances + high.distances) / all.count : Number.POSITIVE_INFINITY;
  const share = low && high ? Math.min(low.count, high.count) / all.count : 0;
  const isOn = within > 0 && within < (gain * all.distances) / all.count && share > SHARE_LEAST;
  if (isOn && f[r.f + H.stateOn] === 0) {
    const value = (m: { mean: number }) => f[r.f + H.stateLow]! + (m.mean + 0.5) * f[r.f + H.stateWidth]!;
    f[r.f + H.stateFirst] = value(low!);
    f[r.f + H.stateSecond] = value(high!);
  }
  f[r.f + H.stateOn] = isOn ? 1 : 0;
}

/** Last counter of the lower class of the split with the greatest variance between classes; -1 if there is none. */
function otsuThreshold(counts: Uint8Array, start: number): number {
  const all = moments(counts, start, 0, BINS);
  let n = 0;
  let sum = 0;
  let best = 0;
  let at = -1;
  for (let k = 0; k < BINS - 1; k++) {
    n += counts[start + k]!;
    sum += counts[start + k]! * k;
    if (n === 0 || n === all.count) continue;
    const rest = all.count - n;
    const between = (sum / n - (all.mean * all.count - sum) / rest) ** 2 * n * rest;
    if (between <= best * (1 + 1e-12)) continue;
    best = between;
    at = k;
  }
  return at;
}

/** Count, mean place and summed distances from the mean of counters [from, to). */
function moments(counts: Uint8Array, start: number, from: number, to: number) {
  let count = 0;
  let sum = 0;
  for (let k = from; k < to; k++) {
    count += counts[start + k]!;
    sum += counts[start + k]! * k;
  }
  const mean = count > 0 ? sum / count : 0;
  let distances = 0;
  for (let k = from; k < to; k++) distances += counts[start + k]! * Math.abs(k - mean);
  return { count, mean, distances };
}
