/** Means of about half an hour of a series that still looks for a period that is neither a day nor a week. */
import { DAY_SECONDS } from './constants.js';
import {
  COARSE_AGE,
  COARSE_COUNT,
  COARSE_FIELDS,
  COARSE_LENGTH,
  COARSE_MAX,
  COARSE_NEXT,
  COARSE_SUM,
  type SeriesRecord,
} from './layout.js';
import { findPeriod } from './period.js';

const STEP_SECONDS = 1800;
/** Means before the first search, between two searches, and after which the search is given up. */
const LENGTH_LEAST = 336;
const SEARCH_EVERY = 168;
const AGE_MAX = 1344;
const SHORTEST = 4;
/** Periods that are whole days are candidates anyway; longer ones are not believed. */
const PERIOD_MAX_SECONDS = 40 * DAY_SECONDS;

/** Buckets of one mean. */
export const bucketsPerMean = (spanS: number): number => Math.max(1, Math.round(STEP_SECONDS / spanS));

const start = (r: SeriesRecord) => (r.byteAt + r.form.coarse) >> 2;

/** Adds a bucket; returns true if a search is due. */
export function addToRing(r: SeriesRecord, x: number, perMean: number): boolean {
  const f = r.floats;
  const c = start(r);
  f[c + COARSE_SUM] = f[c + COARSE_SUM]! + x;
  const count = ++f[c + COARSE_COUNT]!;
  if (count < perMean) return false;
  const next = f[c + COARSE_NEXT]!;
  f[c + COARSE_FIELDS + next] = f[c + COARSE_SUM]! / count;
  f[c + COARSE_SUM] = f[c + COARSE_COUNT] = 0;
  f[c + COARSE_NEXT] = (next + 1) % COARSE_MAX;
  f[c + COARSE_LENGTH] = Math.min(COARSE_MAX, f[c + COARSE_LENGTH]! + 1);
  const age = ++f[c + COARSE_AGE]!;
  return age >= LENGTH_LEAST && age % SEARCH_EVERY === 0;
}

/** True once no period has been found for four weeks of half hours. */
export const isRingOld = (r: SeriesRecord): boolean => r.floats[start(r) + COARSE_AGE]! >= AGE_MAX;

/** The means, oldest first. */
export function ringMeans(r: SeriesRecord): Float64Array {
  const c = start(r);
  const length = r.floats[c + COARSE_LENGTH]!;
  const first = r.floats[c + COARSE_NEXT]! - length + COARSE_MAX;
  return Float64Array.from({ length }, (_, i) => r.floats[c + COARSE_FIELDS + ((first + i) % COARSE_MAX)]!);
}

/** A period in means that the ring shows, or null. */
export function periodOf(means: Float64Array, stepSeconds: number): number | null {
  const lag = findPeriod(means, SHORTEST);
  const days = lag === null ? 0 : (lag * stepSeconds) / DAY_SECONDS;
  if (lag === null || Math.abs(days - Math.round(days)) < 0.03) return null;
  return lag * stepSeconds > PERIOD_MAX_SECONDS ? null : lag;
}
