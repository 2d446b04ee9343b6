/** Heaps over parallel arrays, the worst entry at the root. Ties go to the smaller document. */

/** Whether entry a (score, doc) is worse than b. */
function isWorse(scoreA: number, docA: number, scoreB: number, docB: number): boolean {
  return scoreA < scoreB || (scoreA === scoreB && docA > docB);
}

/** Moves the entry at the root down to its place. */
export function siftDownScores(scores: Float64Array, docs: Int32Array, size: number, from: number): void {
  const score = scores[from]!;
  const doc = docs[from]!;
  let at = from;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= size) break;
    if (child + 1 < size && isWorse(scores[child + 1]!, docs[child + 1]!, scores[child]!, docs[child]!)) child++;
    if (!isWorse(scores[child]!, docs[child]!, score, doc)) break;
    scores[at] = scores[child]!;
    docs[at] = docs[child]!;
    at = child;
  }
  scores[at] = score;
  docs[at] = doc;
}

/** Moves the last entry up to its place. */
export function siftUpScores(scores: Float64Array, docs: Int32Array, from: number): void {
  const score = scores[from]!;
  const doc = docs[from]!;
  let at = from;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!isWorse(score, doc, scores[parent]!, docs[parent]!)) break;
    scores[at] = scores[parent]!;
    docs[at] = docs[parent]!;
    at = parent;
  }
  scores[at] = score;
  docs[at] = doc;
}

/** Offers documents to a heap of `capacity` entries; returns its new size. Documents ascend, also over calls. */
export function offerScores(
  docs: Int32Array,
  scores: Float64Array,
  count: number,
  base: number,
  heapScores: Float64Array,
  heapDocs: Int32Array,
  size: number,
  capacity: number,
): number {
  let i = 0;
  let held = size;
  for (; i < count && held < capacity; i++) {
    heapScores[held] = scores[i]!;
    heapDocs[held] = base + docs[i]!;
    siftUpScores(heapScores, heapDocs, held++);
  }
  if (held === 0) return 0;
  let worst = heapScores[0]!;
  for (; i < count; i++) {
    if (!(scores[i]! > worst)) continue;
    heapScores[0] = scores[i]!;
    heapDocs[0] = base + docs[i]!;
    siftDownScores(heapScores, heapDocs, held, 0);
    worst = heapScores[0]!;
  }
  return held;
}
