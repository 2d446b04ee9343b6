/**
 * Window bit sets: bit i of `words` stands for document base + i. Loops that compact documents write each document and
 * advance by 0 or 1 without a branch, because the branch could not be predicted.
 */

/** Writes the documents of set bits, ascending, and clears the bits. Returns how many. */
export function drainDocs(words: Int32Array, wordCount: number, base: number, docs: Int32Array): number {
  let n = 0;
  for (let w = 0; w < wordCount; w++) {
    let word = words[w]!;
    if (word === 0) continue;
    words[w] = 0;
    const at = base + (w << 5);
    while (word !== 0) {
      docs[n++] = at + 31 - Math.clz32(word & -word);
      word &= word - 1;
    }
  }
  return n;
}

/** Writes documents and their sums, and clears both. `sums` stay doubles. Returns how many. */
export function drainSums(
  words: Int32Array,
  wordCount: number,
  base: number,
  sums: Float64Array,
  docs: Int32Array,
  scores: Float64Array,
): number {
  let n = 0;
  for (let w = 0; w < wordCount; w++) {
    let word = words[w]!;
    if (word === 0) continue;
    words[w] = 0;
    const offset = w << 5;
    while (word !== 0) {
      const at = offset + 31 - Math.clz32(word & -word);
      docs[n] = base + at;
      scores[n++] = sums[at]!;
      sums[at] = 0;
      word &= word - 1;
    }
  }
  return n;
}

/**
 * Drops documents counted fewer than `minimum` times and clears all counts. `scores` may be null. Returns how many
 * remain.
 */
export function keepCounted(
  docs: Int32Array,
  count: number,
  base: number,
  counts: Uint8Array,
  minimum: number,
  scores: Float64Array | null,
): number {
  let n = 0;
  for (let i = 0; i < count; i++) {
    const at = docs[i]! - base;
    const enough = counts[at]! >= minimum;
    counts[at] = 0;
    if (!enough) continue;
    docs[n] = docs[i]!;
    if (scores !== null) scores[n] = scores[i]!;
    n++;
  }
  return n;
}

/** Writes the documents of [from, to) whose bit is set in a segment-wide bit set. Returns how many. */
export function bitsToDocs(words: Int32Array, from: number, to: number, docs: Int32Array): number {
  let n = 0;
  const last = (to - 1) >>> 5;
  for (let w = from >>> 5; w <= last; w++) {
    let word = words[w]!;
    if (word === 0) continue;
    const at = w << 5;
    if (at < from) word &= -1 << (from - at);
    if (to - at < 32) word &= (1 << (to - at)) - 1;
    while (word !== 0) {
      docs[n++] = at + 31 - Math.clz32(word & -word);
      word &= word - 1;
    }
  }
  return n;
}

/** Copies bits [from, to) of a segment-wide set into a window's words (bit 0 = from). */
export function orBits(words: Int32Array, from: number, to: number, into: Int32Array): void {
  const last = (to - 1) >>> 5;
  for (let w = from >>> 5; w <= last; w++) {
    let word = words[w]!;
    if (word === 0) continue;
    const at = w << 5;
    if (at < from) word &= -1 << (from - at);
    if (to - at < 32) word &= (1 << (to - at)) - 1;
    while (word !== 0) {
      const bit = at + 31 - Math.clz32(word & -word) - from;
      into[bit >> 5]! |= 1 << bit;
      word &= word - 1;
    }
  }
}

/** Keeps documents whose bit equals `wanted` (1 or 0). Returns how many remain. */
export function keepBits(
  words: Int32Array,
  docs: Int32Array,
  count: number,
  scores: Float64Array | null,
  wanted: number,
): number {
  let n = 0;
  for (let i = 0; i < count; i++) {
    const doc = docs[i]!;
    docs[n] = doc;
    if (scores !== null) scores[n] = scores[i]!;
    n += ((words[doc >>> 5]! >>> (doc & 31)) & 1) ^ wanted ^ 1;
  }
  return n;
}

/** Drops documents of the first list that are in the second; both ascend. Returns how many remain. */
export function subtractDocs(
  docs: Int32Array,
  count: number,
  scores: Float64Array | null,
  drop: Int32Array,
  dropCount: number,
): number {
  let n = 0;
  let d = 0;
  for (let i = 0; i < count; i++) {
    const doc = docs[i]!;
    while (d < dropCount && drop[d]! < doc) d++;
    if (d < dropCount && drop[d] === doc) continue;
    docs[n] = doc;
    if (scores !== null) scores[n] = scores[i]!;
    n++;
  }
  return n;
}

/** Adds the scores of the second list to those documents of the first list that are in both; both ascend. */
export function addMatching(
  docs: Int32Array,
  count: number,
  scores: Float64Array,
  added: Int32Array,
  addedScores: Float64Array,
  addedCount: number,
): void {
  let a = 0;
  for (let i = 0; i < count && a < addedCount; i++) {
    const doc = docs[i]!;
    while (a < addedCount && added[a]! < doc) a++;
    if (a < addedCount && added[a] === doc) scores[i]! += addedScores[a]!;
  }
}

/** Rounds scores to floats. */
export function roundScores(scores: Float64Array, count: number): void {
  for (let i = 0; i < count; i++) scores[i] = Math.fround(scores[i]!);
}

/** Drops documents whose score plus `rest` is less than `minimum`. Returns how many remain. */
export function keepCompetitive(
  docs: Int32Array,
  scores: Float64Array,
  count: number,
  rest: number,
  minimum: number,
): number {
  let n = 0;
  for (let i = 0; i < count; i++) {
    const score = scores[i]!;
    if (score + rest < minimum) continue;
    docs[n] = docs[i]!;
    scores[n++] = score;
  }
  return n;
}

/** Writes the documents from … to - 1; returns how many. */
export function fillRange(docs: Int32Array, from: number, to: number): number {
  for (let doc = from, i = 0; doc < to; doc++, i++) docs[i] = doc;
  return to - from;
}

/** Keeps documents whose value lies in [low, high]; NaN never does. Returns how many remain. */
export function keepInRange(
  docs: Int32Array,
  count: number,
  values: Float64Array,
  low: number,
  high: number,
  scores: Float64Array | null,
): number {
  let n = 0;
  for (let i = 0; i < count; i++) {
    const value = values[i]!;
    docs[n] = docs[i]!;
    if (scores !== null) scores[n] = scores[i]!;
    n += Number(value >= low) & Number(value <= high);
  }
  return n;
}

/** Returns how many of the first `count` values lie in [low, high]. */
export function countInRange(values: Float64Array, count: number, low: number, high: number): number {
  let n = 0;
  for (let i = 0; i < count; i++) {
    const value = values[i]!;
    n += Number(value >= low) & Number(value <= high);
  }
  return n;
}

/**
 * Writes the documents of a window whose value lies in [low, high]; `values[0]` is the value of `from`. Returns how
 * many.
 */
export function rangeToDocs(
  values: Float64Array,
  from: number,
  to: number,
  low: number,
  high: number,
  docs: Int32Array,
): number {
  let n = 0;
  for (let i = 0, doc = from; doc < to; i++, doc++) {
    const value = values[i]!;
    docs[n] = doc;
    n += Number(value >= low) & Number(value <= high);
  }
  return n;
}

/**
 * Writes the documents of a window whose ordinal lies in [low, high]; `values[0]` is the ordinal of `from`. Returns how
 * many.
 */
export function ordinalsToDocs(
  values: Int32Array,
  from: number,
  to: number,
  low: number,
  high: number,
  docs: Int32Array,
): number {
  let n = 0;
  for (let i = 0, doc = from; doc < to; i++, doc++) {
    const value = values[i]!;
    docs[n] = doc;
    n += Number(value >= low) & Number(value <= high);
  }
  return n;
}

/** Keeps documents whose ordinal lies in [low, high]. Returns how many remain. */
export function keepOrdinals(
  docs: Int32Array,
  count: number,
  values: Int32Array,
  low: number,
  high: number,
  scores: Float64Array | null,
): number {
  let n = 0;
  for (let i = 0; i < count; i++) {
    const value = values[i]!;
    docs[n] = docs[i]!;
    if (scores !== null) scores[n] = scores[i]!;
    n += Number(value >= low) & Number(value <= high);
  }
  return n;
}

/** Adds a constant to the first `count` scores. */
export function addConstant(scores: Float64Array, count: number, score: number): void {
  for (let i = 0; i < count; i++) scores[i]! += score;
}
