import { matchesWildcard } from '@shoal/values';

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
