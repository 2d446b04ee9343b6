/** Factors tried for the weight of a class, as powers of two. */
const STEPS = [1, 0.5, 0.25, 0.125, 0.0625];
const PASSES = 8;
const POWER_MOST = 8;

/**
 * Finds weights of classes with which the least recall of a class is highest, on predictions for rows that their models
 * were trained without: coordinate ascent over powers of two, in ever smaller steps. `probabilities[class][i]`.
 */
export function weightsForRecall(probabilities: readonly Float64Array[], targets: Float64Array): number[] {
  const classes = probabilities.length;
  const powers = new Float64Array(classes);
  let best = leastRecall(probabilities, targets, powers);
  for (const step of STEPS)
    for (let pass = 0; pass < PASSES; pass++) {
      let isBetter = false;
      for (let k = 0; k < classes; k++)
        for (const change of [step, -step]) {
          const tried = powers.slice();
          tried[k] = tried[k]! + change;
          if (Math.abs(tried[k]!) > POWER_MOST) continue;
          const found = leastRecall(probabilities, targets, tried);
          if (found <= best + 1e-9) continue;
          best = found;
          powers.set(tried);
          isBetter = true;
        }
      if (!isBetter) break;
    }
  const weights = Array.from(powers, (power) => 2 ** power);
  const most = Math.max(...weights);
  return weights.map((weight) => weight / most);
}

/** The least recall, and a little of the mean, so that steps which help another class count as well. */
function leastRecall(probabilities: readonly Float64Array[], targets: Float64Array, powers: Float64Array): number {
  const classes = probabilities.length;
  const factors = powers.map((power) => 2 ** power);
  const [hits, counts] = [new Float64Array(classes), new Float64Array(classes)];
  for (let i = 0; i < targets.length; i++) {
    let best = 0;
    for (let k = 1; k < classes; k++)
      if (probabilities[k]![i]! * factors[k]! > probabilities[best]![i]! * factors[best]!) best = k;
    const own = targets[i]!;
    counts[own]!++;
    if (best === own) hits[own]!++;
  }
  let [least, sum, seen] = [1, 0, 0];
  for (let k = 0; k < classes; k++) {
    if (counts[k] === 0) continue;
    const recall = hits[k]! / counts[k]!;
    least = Math.min(least, recall);
    sum += recall;
    seen++;
  }
  return least + 0.01 * (seen === 0 ? 0 : sum / seen);
}
