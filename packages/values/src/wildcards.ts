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
