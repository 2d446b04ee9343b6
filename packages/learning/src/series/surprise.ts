/**
 * Surprise of one deviation of a series: -log10 of the probability of a deviation as far out on its side, doubled for
 * two sides, judged by the past of the same deviation.
 */
import type { TailConstants } from './constants.js';
import { PART_AT, PART_FIELDS, type SeriesRecord } from './layout.js';
import { addSize, BINS, logTail, scaleCounts, UNIT } from './tail.kernel.js';

const OBSERVED = 1;
const TOTAL = 2;
const at = (r: SeriesRecord, part: number) => r.f + PART_AT + part * PART_FIELDS;
const sideAt = (r: SeriesRecord, part: number, isUp: boolean) => r.counters + (2 * part + (isUp ? 0 : 1)) * BINS;

/** Usual size of deviation `part`; 0 before the first one that is not zero. */
export const scaleOf = (r: SeriesRecord, part: number): number => r.floats[at(r, part)]!;

/** Surprise of `value`. `side`: 1 judges only high values, -1 only low ones, 0 both. */
export function surpriseOf(r: SeriesRecord, part: number, value: number, side: number, c: TailConstants): number {
  const p = at(r, part);
  const scale = r.floats[p]!;
  const total = r.floats[p + TOTAL]!;
  if (total < c.least || !(scale > 0) || (value >= 0 ? side < 0 : side > 0)) return 0;
  const z = Math.abs(value) / scale;
  if (z <= 0.25) return 0;
  return Math.max(0, -(logTail(r.words, sideAt(r, part, value >= 0), z, total, c) + Math.LN2) / Math.LN10);
}

/** Learns `value` with a weight of 0 to 1. `memory`: observations at which all counts are halved. */
export function learnDeviation(
  r: SeriesRecord,
  part: number,
  value: number,
  weight: number,
  memory: number,
  c: TailConstants,
): void {
  const p = at(r, part);
  const f = r.floats;
  const size = Math.abs(value);
  const before = f[p]!;
  const most = before > 0 && f[p + OBSERVED]! > 30 ? c.clip * before : Number.POSITIVE_INFINITY;
  const observed = ++f[p + OBSERVED]!;
  const scale = before + Math.max(1 / observed, c.scaleRate) * (Math.min(size, most) - before);
  f[p] = scale;
  if (!(scale > 0)) return;
  const units = Math.max(1, Math.round(weight * UNIT));
  const isFull = addSize(r.words, sideAt(r, part, value >= 0), size / scale, units);
  f[p + TOTAL] = f[p + TOTAL]! + units / UNIT;
  if (isFull || f[p + TOTAL]! > memory) keepShare(r, part, 0.5);
}

/** Forgets all but a share of the past of a deviation. */
export function keepShare(r: SeriesRecord, part: number, share: number): void {
  const left = scaleCounts(r.words, sideAt(r, part, true), share) + scaleCounts(r.words, sideAt(r, part, false), share);
  r.floats[at(r, part) + TOTAL] = left;
}

/** A better forecast took over: deviations are `ratio` times as large from now on. */
export function rescaleDeviation(r: SeriesRecord, part: number, ratio: number, observedMost: number): void {
  const p = at(r, part);
  r.floats[p] = r.floats[p]! * ratio;
  relearnScale(r, part, observedMost);
  if (ratio < 0.8) keepShare(r, part, 0.1);
}

/** Lets the scale of a deviation learn as fast as after `observedMost` observations. */
export function relearnScale(r: SeriesRecord, part: number, observedMost: number): void {
  const p = at(r, part) + OBSERVED;
  r.floats[p] = Math.min(r.floats[p]!, observedMost);
}
