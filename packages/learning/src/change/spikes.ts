import { normalTail, ofMany } from './distributions.js';

/** The most extreme values of a series, and how probable they are beside the others. */
export interface Spike {
  readonly kind: 'spike' | 'dip';
  readonly index: number;
  readonly p: number;
  /** The stretch that belongs to it. */
  readonly from: number;
  readonly to: number;
}

/** Longest spike: a share of the series. */
const LENGTH_SHARE = 0.05;
const LENGTH_MIN = 3;

function median(sorted: readonly number[]): number {
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

/** Values around an extreme one that are nearer to it than to the rest. */
function stretchOf(values: readonly number[], index: number, usual: number): [from: number, to: number] {
  const bound = Math.abs(values[index]! - usual) / 2;
  const sign = Math.sign(values[index]! - usual);
  const isFar = (i: number): boolean => sign * (values[i]! - usual) > bound;
  let from = index;
  let to = index + 1;
  while (from > 0 && isFar(from - 1)) from--;
  while (to < values.length && isFar(to)) to++;
  return [from, to];
}

/**
 * Probability of a value beyond `value` by the rest of the series: the larger one of a normal tail with a robust
 * spread and an exponential tail through the largest tenth, so that heavy tails make no spikes.
 */
function tailOf(value: number, sorted: readonly number[], sign: number): number {
  const n = sorted.length;
  const centre = median(sorted);
  const quartile = sorted[Math.floor(n * 0.75)]! - sorted[Math.floor(n * 0.25)]!;
  const mean = sorted.reduce((sum, one) => sum + one / n, 0);
  const deviation = Math.sqrt(sorted.reduce((sum, one) => sum + (one - mean) ** 2 / n, 0));
  const spread = Math.max(deviation, quartile / 1.349);
  const far = sign * (value - centre);
  if (spread === 0) return far > 0 ? 0 : 1;
  const count = Math.max(3, Math.floor(n / 10));
  const ordered = sign > 0 ? sorted : sorted.toReversed();
  const threshold = ordered[n - count - 1]!;
  const excess = ordered.slice(n - count).reduce((sum, one) => sum + (sign * (one - threshold)) / count, 0);
  const beyond = sign * (value - threshold);
  const exponential = excess > 0 ? (count / n) * Math.exp(-beyond / excess) : 0;
  return Math.max(normalTail(far / spread), Math.min(1, exponential));
}

function extremeOf(values: readonly number[], sign: 1 | -1): Spike | null {
  let index = 0;
  values.forEach((value, i) => {
    if (sign * value > sign * values[index]!) index = i;
  });
  const usual = median(values.toSorted((a, b) => a - b));
  const [from, to] = stretchOf(values, index, usual);
  if (to - from > Math.max(LENGTH_MIN, LENGTH_SHARE * values.length)) return null;
  const rest = values.filter((_, i) => i < from || i >= to).sort((a, b) => a - b);
  const p = ofMany(tailOf(values[index]!, rest, sign), values.length);
  return { kind: sign > 0 ? 'spike' : 'dip', index, p, from, to };
}

/** Returns the less probable one of the largest and the smallest value; null if neither stands alone. */
export function spikeOf(values: readonly number[]): Spike | null {
  const found = [extremeOf(values, 1), extremeOf(values, -1)].filter((one) => one !== null);
  return found.sort((a, b) => a.p - b.p)[0] ?? null;
}

/** The series with a spike replaced by the values beside it. */
export function withoutSpike(values: readonly number[], { from, to }: Spike): number[] {
  const left = values[from - 1] ?? values[to]!;
  const right = values[to] ?? left;
  return values.map((value, i) =>
    i < from || i >= to ? value : left + ((right - left) * (i - from + 1)) / (to - from + 1),
  );
}
