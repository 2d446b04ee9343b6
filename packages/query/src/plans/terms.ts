import { termsOfField } from '../percolate/required-terms.js';
import { formatIp } from '@shoal/values';
import type { PlanOf } from '../execute/plan-of.js';
import { termsWeight } from '../execute/weights/terms.js';
import { termMatches } from '../highlight/text-terms.js';
import { hasTerm, isNestedField } from './field-facts.js';
import type { PlanKind } from './plan-kind.js';

/** The eight groups of an address of version 6, as Java prints it. */
function fullAddress(text: string): string {
  const [head = '', tail] = text.split('::');
  if (tail === undefined) return text;
  const groups = (part: string): string[] => part.split(':').filter((group) => group !== '');
  const [before, after] = [groups(head), groups(tail)];
  return [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after].join(':');
}

/** Any of many terms, with a constant score. */
export const termsKind: PlanKind<PlanOf<'terms'>> = {
  requiredTerms: ({ field, terms }, requirements) => termsOfField(field, terms, requirements),
  luceneName: 'TermInSetQuery',
  weight: termsWeight,
  describe({ field, terms }, { mapping }) {
    const type = mapping?.field(field);
    const distinct = [...new Set(terms)].sort();
    if (type?.valueKind !== 'ip') return `${field}:(${distinct.join(' ')})`;
    return `${field}:{${distinct.map((term) => fullAddress(formatIp(term))).join(' ')}}`;
  },
  // Lucene searches addresses by points, of which 8.12 does not know whose they are.
  mayMatchNested: ({ field }, mapping) => mapping.field(field)?.valueKind === 'ip' || isNestedField(field, mapping),
  canMatch: ({ field, terms }, searcher) => terms.some((term) => hasTerm(searcher, field, term)),
  textFinder: ({ field, terms }) => ({ fields: [field], find: (tokens) => termMatches(tokens, terms) }),
};
