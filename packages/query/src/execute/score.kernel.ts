/**
 * BM25 over postings. The arithmetic is Lucene 9's in 32-bit floats: weight - weight / (1 + freq * inverseNorm[norm]).
 * Rounding a double product or quotient of floats once gives the float operation's result.
 */

/** Scores postings [start, end) into `out`, from index `at` on. `norms` is indexed by document. */
export function scorePostings(
  docs: Int32Array,
  freqs: Int32Array,
  start: number,
  end: number,
  norms: Uint8Array,
  cache: Float32Array,
  weight: number,
  out: Float64Array,
  at: number,
): void {
  for (let i = start, o = at; i < end; i++, o++) {
    const tf = Math.fround(1 + Math.fround(freqs[i]! * cache[norms[docs[i]!]!]!));
    out[o] = Math.fround(weight - Math.fround(weight / tf));
  }
}

/** Same as `scorePostings` for a field without norms: every document has length 1. */
export function scorePostingsFlat(
  freqs: Int32Array,
  start: number,
  end: number,
  inverseNorm: number,
  weight: number,
  out: Float64Array,
  at: number,
): void {
  for (let i = start, o = at; i < end; i++, o++) {
    const tf = Math.fround(1 + Math.fround(freqs[i]! * inverseNorm));
    out[o] = Math.fround(weight - Math.fround(weight / tf));
  }
}

/**
 * Replaces the frequencies in `scores` (fractions for sloppy phrases) by scores. Without norms every document has
 * length 1.
 */
export function scoreFreqs(
  docs: Int32Array,
  count: number,
  norms: Uint8Array | null,
  cache: Float32Array,
  weight: number,
  scores: Float64Array,
): void {
  for (let i = 0; i < count; i++) {
    const tf = Math.fround(1 + Math.fround(Math.fround(scores[i]!) * cache[norms === null ? 1 : norms[docs[i]!]!]!));
    scores[i] = Math.fround(weight - Math.fround(weight / tf));
  }
}

/** Adds the scores of postings [start, end) to `sums[doc - base]` and sets the documents' bits. */
export function sumPostings(
  docs: Int32Array,
  freqs: Int32Array,
  start: number,
  end: number,
  base: number,
  norms: Uint8Array,
  cache: Float32Array,
  weight: number,
  sums: Float64Array,
  words: Int32Array,
): void {
  for (let i = start; i < end; i++) {
    const doc = docs[i]!;
    const at = doc - base;
    const tf = Math.fround(1 + Math.fround(freqs[i]! * cache[norms[doc]!]!));
    sums[at]! += Math.fround(weight - Math.fround(weight / tf));
    words[at >> 5]! |= 1 << at;
  }
}

/** Adds a constant to `sums[doc - base]` for postings [start, end) and sets the documents' bits. */
export function sumConstant(
  docs: Int32Array,
  start: number,
  end: number,
  base: number,
  score: number,
  sums: Float64Array,
  words: Int32Array,
): void {
  for (let i = start; i < end; i++) {
    const at = docs[i]! - base;
    sums[at]! += score;
    words[at >> 5]! |= 1 << at;
  }
}

/** Adds `scores[i]` to `sums[doc - base]` for `docs[0 … count)` and sets the documents' bits. */
export function sumScores(
  docs: Int32Array,
  scores: Float64Array,
  count: number,
  base: number,
  sums: Float64Array,
  words: Int32Array,
): void {
  for (let i = 0; i < count; i++) {
    const at = docs[i]! - base;
    sums[at]! += scores[i]!;
    words[at >> 5]! |= 1 << at;
  }
}

/** Sets the bits of the documents of postings [start, end). */
export function markPostings(docs: Int32Array, start: number, end: number, base: number, words: Int32Array): void {
  for (let i = start; i < end; i++) {
    const at = docs[i]! - base;
    words[at >> 5]! |= 1 << at;
  }
}

/** Adds 1 to `counts[doc - base]` for postings [start, end). */
export function countPostings(docs: Int32Array, start: number, end: number, base: number, counts: Uint8Array): void {
  for (let i = start; i < end; i++) {
    const at = docs[i]! - base;
    if (counts[at]! < 255) counts[at]!++;
  }
}

/** Returns the first index in [from, to) with docs[i] >= target, or `to`. Gallops, then bisects. */
export function gallop(docs: Int32Array, from: number, to: number, target: number): number {
  let step = 1;
  let low = from;
  let high = from;
  while (high < to && docs[high]! < target) {
    low = high + 1;
    high += step;
    step <<= 1;
  }
  if (high > to) high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (docs[middle]! < target) low = middle + 1;
    else high = middle;
  }
  return low;
}
