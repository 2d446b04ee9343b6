/** Levenshtein distance of two strings, by dynamic programming with one row of the matrix. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + change));
    }
    row = next;
  }
  return row[b.length]!;
}

/** Limit of the length of an unknown name: longer ones get no suggestions, as the work grows with its square. */
const NAME_LENGTH_MAX = 256;

/**
 * Suggests the candidates that are similar to `unknown`, most similar first. Similarity is 1 minus the Levenshtein
 * distance divided by the longer length, as in Lucene's LevenshteinDistance; it must exceed `threshold`.
 */
export function suggestNames(unknown: string, candidates: Iterable<string>, threshold = 0.5): string[] {
  if (unknown.length > NAME_LENGTH_MAX) return [];
  const scored: { name: string; similarity: number }[] = [];
  for (const name of candidates) {
    const similarity = 1 - editDistance(unknown, name) / Math.max(unknown.length, name.length, 1);
    if (similarity > threshold) scored.push({ name, similarity });
  }
  return scored.sort((x, y) => y.similarity - x.similarity || compareNames(x.name, y.name)).map((s) => s.name);
}

const compareNames = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Returns ` did you mean [a]?` or ` did you mean any of [a, b]?` of similar candidates; an empty text for none. */
export function didYouMean(unknown: string, candidates: Iterable<string>): string {
  const near = suggestNames(unknown, candidates);
  if (near.length === 0) return '';
  return near.length === 1 ? ` did you mean [${near[0]}]?` : ` did you mean any of [${near.join(', ')}]?`;
}
