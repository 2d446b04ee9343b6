/** A point of a curve: shares of the strange and of the plain that have at least a score. */
export interface RocPoint {
  readonly truePositives: number;
  readonly falsePositives: number;
  readonly threshold: number;
}

/**
 * Area under the receiver operating characteristic (Hanley and McNeil 1982): how often a row of the class has a higher
 * score than one that is not; equal scores count half. NaN if one of both kinds is missing. `isClass`: 1 or 0.
 */
export function areaUnderRoc(scores: Float64Array, isClass: Uint8Array): { area: number; curve: RocPoint[] } {
  const order = Array.from(scores.keys()).sort((a, b) => scores[b]! - scores[a]!);
  const positives = isClass.reduce((sum, own) => sum + own, 0);
  const negatives = isClass.length - positives;
  const curve: RocPoint[] = [{ truePositives: 0, falsePositives: 0, threshold: 1 }];
  let [found, wrong, area] = [0, 0, 0];
  for (let at = 0; at < order.length; ) {
    const threshold = scores[order[at]!]!;
    const [foundBefore, wrongBefore] = [found, wrong];
    for (; at < order.length && scores[order[at]!] === threshold; at++)
      if (isClass[order[at]!] === 1) found++;
      else wrong++;
    area += ((wrong - wrongBefore) * (found + foundBefore)) / 2;
    curve.push({ truePositives: found / positives, falsePositives: wrong / negatives, threshold });
  }
  return { area: area / (positives * negatives), curve };
}
