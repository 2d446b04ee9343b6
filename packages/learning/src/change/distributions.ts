/**
 * Tails of distributions that tests of change need. Log-gamma by Lanczos' approximation (g = 7, nine terms), the
 * incomplete beta function by its continued fraction (Lentz' method), the error function's complement by the continued
 * fraction and series of Abramowitz and Stegun 7.1.
 */

const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
] as const;

/** Logarithm of the gamma function of a positive number. */
export function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  const t = x + 6.5;
  let sum: number = LANCZOS[0];
  for (let i = 1; i < LANCZOS.length; i++) sum += LANCZOS[i]! / (x + i - 1);
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(sum);
}

const TINY = 1e-300;
const away = (x: number): number => (Math.abs(x) < TINY ? TINY : x);

function betaFraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = 1 / away(1 - ((a + b) * x) / (a + 1));
  let result = d;
  for (let m = 1; m <= 300; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away(1 + even * d);
    c = away(1 + even / c);
    result *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away(1 + odd * d);
    c = away(1 + odd / c);
    const step = d * c;
    result *= step;
    if (Math.abs(step - 1) < 1e-15) break;
  }
  return result;
}

/** Regularised incomplete beta function: the share of a beta distribution below `x`. */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  return x < (a + 1) / (a + b + 2) ? (front * betaFraction(x, a, b)) / a : 1 - (front * betaFraction(1 - x, b, a)) / b;
}

/** Probability of a value above `f` in an F distribution. */
export function fTail(f: number, top: number, bottom: number): number {
  if (!(f > 0)) return 1;
  if (f === Number.POSITIVE_INFINITY) return 0;
  return incompleteBeta(bottom / (bottom + top * f), bottom / 2, top / 2);
}

/** Probability of a value above `z` in a standard normal distribution. */
export function normalTail(z: number): number {
  if (z < 0) return 1 - normalTail(-z);
  const x = z / Math.SQRT2;
  return x < 2 ? (1 - errorSeries(x)) / 2 : errorFraction(x) / 2;
}

function errorSeries(x: number): number {
  let term = x;
  let sum = x;
  for (let n = 1; Math.abs(term) > 1e-17 * Math.abs(sum); n++) {
    term *= (-x * x) / n;
    sum += term / (2 * n + 1);
  }
  return (2 / Math.sqrt(Math.PI)) * sum;
}

function errorFraction(x: number): number {
  let fraction = 0;
  for (let n = 60; n > 0; n--) fraction = n / 2 / (x + fraction);
  return Math.exp(-x * x) / Math.sqrt(Math.PI) / (x + fraction);
}

/**
 * Probability that two samples of one distribution differ by more than `distance` in their cumulative shares
 * (Kolmogorov and Smirnov; `size` is n · m / (n + m), with Stephens' correction for small samples).
 */
export function kolmogorovTail(distance: number, size: number): number {
  const root = Math.sqrt(size);
  const lambda = (root + 0.12 + 0.11 / root) * distance;
  if (lambda < 0.2) return 1;
  let sum = 0;
  for (let k = 1; k <= 100; k++) {
    const term = 2 * Math.exp(-2 * k * k * lambda * lambda) * (k % 2 === 1 ? 1 : -1);
    sum += term;
    if (Math.abs(term) < 1e-17) break;
  }
  return Math.min(1, Math.max(0, sum));
}

/** Probability that the least of `count` independent tests is at most `p`. */
export const ofMany = (p: number, count: number): number => -Math.expm1(count * Math.log1p(-Math.min(p, 1 - 1e-16)));
