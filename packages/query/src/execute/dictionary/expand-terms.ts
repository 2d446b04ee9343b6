import { errors } from '@shoal/errors';
import { compareTerms } from '@shoal/codec';
import type { TermMatch } from '../../plan.js';
import type { Searcher } from '../../searcher.js';
import { termFinder } from './find-terms.js';

/**
 * Terms of a field over all segments that a predicate accepts, in term order. Throws illegal_argument_exception, naming
 * `what`, when there are more than `max`.
 */
export function expandTerms(field: string, match: TermMatch, searcher: Searcher, max: number, what: string): string[] {
  const finder = termFinder(match);
  const found = new Set<string>();
  for (const segment of searcher.segments) {
    const terms = segment.reader.terms(field);
    if (!terms) continue;
    for (const ordinal of finder.find(searcher, segment, field, terms)) {
      found.add(terms.term(ordinal));
      if (found.size > max) throw errors.refusedState(`Automaton [${what}] expanded to too many terms (limit ${max})`);
    }
  }
  return [...found].sort(compareTerms);
}
