/**
 * Histograms of the sizes of a deviation, and the probability of one as large. A side has 22 counters of z = size /
 * scale: [0, 0.5), [0.5, 0.71), [0.71, 1), quarter octaves from 1 to 16, then 16 to 32, 32 to 64 and all above. The
 * upper part is continued by the geometric mean of a Pareto and an exponential tail fitted to what lies above an edge
 * (peaks over threshold: Pickands 1975), with a prior of some exceedances.
 */
import type { TailConstants } from './constants.js';

export const BINS = 22;
/** One observation in a counter; weights below one are rounded to multiples of 1/UNIT. */
export const UNIT = 8;
/** A counter that reaches this makes its tail halve all counters. */
export const COUNTER_FULL = 65_000;

const EDGES = Float64Array.from({ length: BINS + 1 }, (_, i) =>
  i === 0 ? 0.25 : i === 1 ? 0.5 : i === 2 ? Math.SQRT1_2 : i <= 19 ? 2 ** ((i - 3) / 4) : 16 * 2 ** (i - 19),
);
const MIDDLES = Float64Array.from({ length: BINS }, (_, i) => Math.sqrt(EDGES[i]! * EDGES[i + 1]!));
const LOG_EDGES = EDGES.map(Math.log);
const LOG_MIDDLES = MIDDLES.map(Math.log);

/** Number of the counter of a size of `z` scales. */
export function binOf(z: number): number {
  if (z < 1) return z < 0.5 ? 0 : z < Math.SQRT1_2 ? 1 : 2;
  // Most sizes are a few edges above 1: comparisons cost less than a logarithm.
  let i = 3;
  while (i < BINS - 1 && z >= EDGES[i + 1]!) i++;
  return i;
}

/** Adds `weight` / UNIT observations of `z` scales to the side at `at`; returns true if all must be halved. */
export function addSize(counts: Uint16Array, at: number, z: number, weight: number): boolean {
  const i = at + binOf(z);
  counts[i] = Math.min(0xffff, counts[i]! + weight);
  return counts[i]! >= COUNTER_FULL;
}

/** Multiplies the counters of one side by `share`; returns how many observations are left. */
export function scaleCounts(counts: Uint16Array, at: number, share: number): number {
  let sum = 0;
  for (let i = at; i < at + BINS; i++) sum += counts[i] = Math.round(counts[i]! * share);
  return sum / UNIT;
}

/** Natural logarithm of the probability of a size of at least `z` scales on one side, of `total` on both sides. */
export function logTail(counts: Uint16Array, at: number, z: number, total: number, c: TailConstants): number {
  const wanted = Math.max(c.edgeCount, c.edgeShare * total) * UNIT;
  const bin = binOf(z);
  let larger = 0;
  for (let i = at + bin + 1; i < at + BINS; i++) larger += counts[i]!;
  let above = larger;
  let edge = bin + 1;
  while (edge > 0 && above < wanted) above += counts[at + --edge]!;
  if (edge <= bin && z > EDGES[edge]!) return fittedTail(counts, at, edge, above / UNIT, z, total, c);
  const width = LOG_EDGES[bin + 1]! - LOG_EDGES[bin]!;
  const share = (LOG_EDGES[bin + 1]! - Math.log(z)) / width;
  const sum = counts[at + bin]! * Math.max(0, Math.min(1, share)) + larger;
  return Math.log(Math.min(1, (sum / UNIT + 0.5) / (total + 1)));
}

function fittedTail(
  counts: Uint16Array,
  at: number,
  edge: number,
  above: number,
  z: number,
  total: number,
  c: TailConstants,
): number {
  const low = EDGES[edge]!;
  let logs = 0;
  let excess = 0;
  for (let i = edge; i < BINS; i++) {
    logs += counts[at + i]! * (LOG_MIDDLES[i]! - LOG_EDGES[edge]!);
    excess += counts[at + i]! * (MIDDLES[i]! - low);
  }
  const weight = above + c.shapeWeight;
  const shape = (logs / UNIT + c.shapeWeight * c.shape) / weight;
  const mean = (excess / UNIT + c.shapeWeight * c.shape * low) / weight;
  const pareto = -(Math.log(z) - LOG_EDGES[edge]!) / shape;
  const exponential = Math.max(-(z - low) / mean, 3 * pareto);
  return Math.log((above + 0.5) / (total + 1)) + c.pareto * pareto + (1 - c.pareto) * exponential;
}
