/** Compacts documents that score at least `minScore`, and their scores; returns how many remain. */
export function keepMinScore(minScore: number, docs: Int32Array, scores: Float64Array, count: number): number {
  let kept = 0;
  for (let i = 0; i < count; i++) {
    if (scores[i]! < minScore) continue;
    docs[kept] = docs[i]!;
    scores[kept++] = scores[i]!;
  }
  return kept;
}
