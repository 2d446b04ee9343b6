/**
 * Whether `text` matches a pattern in which `*` matches any characters. Greedy, going back only to the last star; no
 * allocation.
 */
export function matchesWildcard(pattern: string, text: string): boolean {
  let p = 0;
  let t = 0;
  let star = -1;
  let resume = 0;
  while (t < text.length) {
    if (p < pattern.length && pattern[p] === '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.length && pattern[p] === text[t]) {
      p++;
      t++;
    } else if (star >= 0) {
      p = star + 1;
      t = ++resume;
    } else return false;
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}

/** Whether `text` matches one of the patterns. */
export function matchesAny(patterns: readonly string[], text: string): boolean {
  return patterns.some((pattern) => matchesWildcard(pattern, text));
}

/** Returns the names that match one of the patterns; `_all` and `*` match all. */
export function selectNames(names: Iterable<string>, patterns: readonly string[]): string[] {
  return [...names].filter((name) => patterns.some((pattern) => pattern === '_all' || matchesWildcard(pattern, name)));
}

/**
 * Whether some name matches both patterns. Two patterns with a `*` each overlap if what stands before their first `*`
 * agrees as far as both go, and what stands behind their last one too: the longer beginning, all text between stars,
 * and the longer end are a name that matches both.
 */
export function patternsOverlap(a: string, b: string): boolean {
  const [firstA, firstB] = [a.indexOf('*'), b.indexOf('*')];
  if (firstA === -1) return matchesWildcard(b, a);
  if (firstB === -1) return matchesWildcard(a, b);
  const start = Math.min(firstA, firstB);
  const end = Math.min(a.length - a.lastIndexOf('*'), b.length - b.lastIndexOf('*')) - 1;
  return a.slice(0, start) === b.slice(0, start) && a.slice(a.length - end) === b.slice(b.length - end);
}
