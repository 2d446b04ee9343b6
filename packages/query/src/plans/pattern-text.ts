import type { TermMatch } from '../plan.js';

/** Returns a predicate on terms in Lucene's notation: `fo*`, `/b.n/`, `brwn~1`. */
export function patternText(match: TermMatch): string {
  switch (match.kind) {
    case 'prefix':
      return `${match.prefix}*`;
    case 'inputs':
      return `(${match.analysed.join(' ')})`;
    case 'wildcard':
      return match.pattern;
    case 'regexp':
      return `/${match.pattern}/`;
    case 'fuzzy':
      return `${match.term}~${match.maxEdits}`;
  }
}
