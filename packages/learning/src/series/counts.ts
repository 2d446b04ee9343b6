/** Bounds of counts. */

/** What the bounds should hold, and the largest count that is looked at. */
const WANTED = 0.95;
const MOST = 5000;
/** Probabilities of 0, 1, 2 and so on, made anew by each call. */
const table = new Float64Array(MOST + 1);

/**
 * Whole numbers in which about 95 % of counts lie whose mean is `mean` (below 500) and whose variance is `dispersion`
 * (at least 1) times that: Poisson or negative binomial. The most probable numbers are taken, and of the two sets
 * around 95 % the one that is nearer to it. The median errs least. No probability is made of a number above the bounds
 * but that of the next one: for means below 100 they are some hundreds, however large the dispersion is.
 */
export function wholeBounds(mean: number, dispersion: number): { lower: number; median: number; upper: number } {
  const scatter = Math.max(1, dispersion);
  // Panjer's recursion: the probability of k + 1 is that of k times (k * slope + base) / (k + 1).
  const [slope, base] = [(scatter - 1) / scatter, mean / scatter];
  const p = table;
  p[0] = firstOf(mean, scatter);
  let known = 0;
  const at = (k: number): number => {
    for (; known < k; known++) p[known + 1] = (p[known]! * (known * slope + base)) / (known + 1);
    return p[k]!;
  };
  let upper = 0;
  while (at(upper + 1) > p[upper]! && upper < MOST) upper++;
  let lower = upper;
  let held = p[lower]!;
  while (held < WANTED && (lower > 0 || upper < MOST)) {
    const above = upper < MOST ? at(upper + 1) : 0;
    const isDown = lower > 0 && p[lower - 1]! > above;
    const more = isDown ? p[lower - 1]! : above;
    if (held + more - WANTED > WANTED - held) break;
    if (isDown) lower--;
    else upper++;
    held += more;
  }
  let median = 0;
  for (let sum = p[0]!; sum < 0.5 && median < upper; ) sum += p[++median]!;
  return { lower, median, upper };
}

/** Probability of no count. */
function firstOf(mean: number, scatter: number): number {
  return Math.exp(scatter < 1 + 1e-6 ? -mean : (-mean / (scatter - 1)) * Math.log(scatter));
}
