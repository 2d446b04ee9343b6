import { matchesWildcard } from '@shoal/values';

/**
 * Names that match patterns, in their order. A pattern with a leading `-` removes what earlier patterns matched, with
 * or without a wildcard before it: names of aliases cannot begin so.
 */
export function selectAliases(names: readonly string[], patterns: readonly string[]): string[] {
  return names.filter((name) =>
    patterns.reduce((selected, pattern) => {
      if (pattern.startsWith('-')) return selected && !matchesWildcard(pattern.slice(1), name);
      return selected || pattern === '_all' || matchesWildcard(pattern, name);
    }, false),
  );
}

/**
 * Literal names of `patterns` that were not found, sorted, except those that a later exclusion removes. Unlike for
 * what is selected, a leading `-` excludes only behind a wildcard; before it, it is taken for a name. `_all` is no
 * wildcard.
 */
export function missingAliases(patterns: readonly string[], found: ReadonlySet<string>): string[] {
  const wildcard = patterns.findIndex((pattern) => pattern.includes('*'));
  const first = wildcard === -1 ? patterns.length : wildcard;
  const missing = patterns.filter((pattern, i) => {
    if (pattern === '_all' || pattern.includes('*') || found.has(pattern)) return false;
    if (i > first && pattern.startsWith('-')) return false;
    const later = patterns.slice(Math.max(i + 1, first)).filter((one) => one.startsWith('-'));
    return !later.some((one) => one === '-_all' || matchesWildcard(one.slice(1), pattern));
  });
  return [...new Set(missing)].sort();
}
