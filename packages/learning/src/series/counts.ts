/** Bounds of counts. */

/** What the bounds should hold, and where the sum of probabilities ends. */
const WANTED = 0.95;
const ALL = 0.9999;
const MOST = 5000;

/**
 * Whole numbers in which about 95 % of counts lie whose mean is `mean` and whose variance is `dispersion` (at least 1)
 * times that: Poisson or negative binomial. The most probable numbers are taken, and of the two sets around 95 % the
 * one that is nearer to it. The median errs least.
 */
export function wholeBounds(mean: number, dispersion: number): { lower: number; median: number; upper: number } {
  const p = probabilities(mean, Math.max(1, dispersion));
  let lower = p.indexOf(Math.max(...p));
  let upper = lower;
  let held = p[lower]!;
  while (held < WANTED && (lower > 0 || upper < p.length - 1)) {
    const isDown = lower > 0 && p[lower - 1]! > (p[upper + 1] ?? 0);
    const more = isDown ? p[lower - 1]! : (p[upper + 1] ?? 0);
    if (held + more - WANTED > WANTED - held) break;
    if (isDown) lower--;
    else upper++;
    held += more;
  }
  let median = 0;
  for (let sum = p[0]!; sum < 0.5 && median < p.length - 1; ) sum += p[++median]!;
  return { lower, median, upper };
}

/** Probabilities of 0, 1, 2 and so on, until there is next to nothing left. */
function probabilities(mean: number, dispersion: number): number[] {
  const isPoisson = dispersion < 1 + 1e-6;
  const size = mean / (dispersion - 1);
  const p = [Math.exp(isPoisson ? -mean : -size * Math.log(dispersion))];
  const share = (dispersion - 1) / dispersion;
  for (let k = 0, sum = p[0]!; sum < ALL && k < MOST; k++) {
    p.push((p[k]! * (isPoisson ? mean : (k + size) * share)) / (k + 1));
    sum += p[k + 1]!;
  }
  return p;
}
