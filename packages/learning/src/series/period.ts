/** Residuals below this share of the values are rounding errors. */
const ROUNDING = 1e-9;
/** Peaks of the autocorrelation below this are no period. */
const PEAK_LEAST = 0.5;

/**
 * Distance of the best peak of the autocorrelation of a detrended, clipped series of equally spaced values, refined by
 * a parabola through its neighbours; null if no peak is above 0.5. Periods are at least `shortest` values long, and at
 * most 1/2.2 of the series.
 */
export function findPeriod(series: Float64Array, shortest: number): number | null {
  const y = clippedResiduals(series);
  const n = y.length;
  let power = 0;
  for (const v of y) power += v * v;
  if (!(power > 0)) return null;
  const longest = Math.floor(n / 2.2);
  const r = new Float64Array(longest + 1);
  for (let lag = shortest; lag <= longest; lag++) {
    let sum = 0;
    for (let i = lag; i < n; i++) sum += y[i]! * y[i - lag]!;
    r[lag] = (sum / power) * (n / (n - lag));
  }
  let best = 0;
  let at = 0;
  for (let lag = shortest + 1; lag < longest; lag++) {
    if (r[lag]! <= r[lag - 1]! || r[lag]! < r[lag + 1]! || r[lag]! <= best + 0.03) continue;
    best = r[lag]!;
    at = lag;
  }
  if (best < PEAK_LEAST) return null;
  const curve = 2 * (r[at - 1]! - 2 * r[at]! + r[at + 1]!);
  return at + Math.max(-0.5, Math.min(0.5, curve === 0 ? 0 : (r[at - 1]! - r[at + 1]!) / curve));
}

/** Distances from a straight line by least squares, clipped at 1.5 times their 95th percentile. */
function clippedResiduals(series: Float64Array): Float64Array {
  const n = series.length;
  const middle = (n - 1) / 2;
  let mean = 0;
  for (const v of series) mean += v / n;
  let squares = 0;
  let products = 0;
  for (let i = 0; i < n; i++) {
    squares += (i - middle) ** 2;
    products += (i - middle) * (series[i]! - mean);
  }
  const slope = squares > 0 ? products / squares : 0;
  const flat = series.map((v, i) => v - mean - slope * (i - middle));
  const sizes = flat.map(Math.abs).sort();
  const limit = 1.5 * (sizes[Math.floor(0.95 * n)] ?? 0) || 1;
  // Residuals of a straight line are rounding errors, and those may look periodic.
  if ((sizes[n - 1] ?? 0) <= ROUNDING * (Math.abs(mean) + Math.abs(slope) * n)) return new Float64Array(n);
  return flat.map((v) => Math.max(-limit, Math.min(limit, v)));
}
