import { compareTerms } from '@shoal/codec';
import { termFinder } from '../../execute/dictionary/find-terms.js';
import { editDistance } from '../../automata/levenshtein.js';
import type { Plan, TermMatch } from '../../plan.js';
import { kindOf } from '../../plans/catalogue.js';
import type { Searcher } from '../../searcher.js';

/** A term or a phrase that the vector highlighter looks for. */
export interface FlatPhrase {
  readonly field: string;
  /** One term, or the terms of a phrase in order. */
  readonly terms: readonly string[];
  readonly slop: number;
  readonly boost: number;
}

/** Limit on the terms that a prefix or a pattern stands for. */
const EXPANSIONS_MAX = 1024;
/** A phrase with more alternatives is shown as single terms. */
const PHRASE_TERMS_MAX = 16;

/**
 * Returns the terms and phrases of all clauses of a plan but prohibited ones, each once, in the order of the query:
 * after Lucene's FieldQuery. Spans and intervals have none.
 */
export function flatPhrases(plan: Plan, searcher: Searcher): FlatPhrase[] {
  const found = new Map<string, FlatPhrase>();
  const add = (phrase: FlatPhrase): void => {
    const key = JSON.stringify([phrase.field, phrase.terms, phrase.slop, phrase.boost]);
    if (!found.has(key)) found.set(key, phrase);
  };
  flatten(plan, 1, searcher, add);
  return [...found.values()];
}

function flatten(plan: Plan, outer: number, searcher: Searcher, add: (phrase: FlatPhrase) => void): void {
  const boost = outer * ('boost' in plan ? plan.boost : 1);
  const term = (field: string, text: string, own = boost): void => add({ field, terms: [text], slop: 0, boost: own });
  const parts = kindOf(plan).highlightedParts?.(plan);
  if (parts !== undefined) for (const part of parts) flatten(part, boost, searcher, add);
  else if (plan.kind === 'term') term(plan.field, plan.term);
  else if (plan.kind === 'synonym' || plan.kind === 'terms') for (const text of plan.terms) term(plan.field, text);
  else if (plan.kind === 'combined')
    for (const { field } of plan.fields) for (const text of plan.terms) term(field, text);
  else if (plan.kind === 'multiTerm')
    for (const text of expanded(plan.field, plan.match, EXPANSIONS_MAX, searcher))
      term(plan.field, text, boost * likeness(plan.match, text));
  else if (plan.kind === 'phrase') flattenPhrase(plan, boost, searcher, add);
}

function flattenPhrase(
  { field, terms, slop, prefixLast, maxExpansions }: Extract<Plan, { kind: 'phrase' }>,
  boost: number,
  searcher: Searcher,
  add: (phrase: FlatPhrase) => void,
): void {
  const alternatives = terms.map(({ terms: own }, i) => {
    if (!prefixLast || i < terms.length - 1) return own;
    const matches = own.map((prefix): TermMatch => ({ kind: 'prefix', prefix, caseInsensitive: false }));
    return matches.flatMap((match) => expanded(field, match, maxExpansions, searcher));
  });
  const isPlain = alternatives.every((own) => own.length === 1);
  const count = alternatives.reduce((sum, own) => sum + own.length, 0);
  if (!isPlain && count > PHRASE_TERMS_MAX)
    for (const text of alternatives.flat()) add({ field, terms: [text], slop: 0, boost });
  else for (const phrase of combinations(alternatives)) add({ field, terms: phrase, slop, boost });
}

function combinations(alternatives: readonly (readonly string[])[]): string[][] {
  return alternatives.reduce<string[][]>((all, own) => all.flatMap((left) => own.map((term) => [...left, term])), [[]]);
}

/** Returns the terms of the shard's index that match, ascending; of fuzzy terms the most similar ones. */
function expanded(field: string, match: TermMatch, max: number, searcher: Searcher): string[] {
  const finder = termFinder(match);
  const found = new Set<string>();
  for (const segment of searcher.segments) {
    const terms = segment.reader.terms(field);
    if (terms === null) continue;
    for (const ordinal of finder.find(searcher, segment, field, terms)) found.add(terms.term(ordinal));
  }
  const best = [...found].sort((a, b) => likeness(match, b) - likeness(match, a) || compareTerms(a, b));
  return best.slice(0, match.kind === 'fuzzy' ? match.maxExpansions : max).sort(compareTerms);
}

/** Returns the boost of a term that a fuzzy term stands for; 1 for other patterns. */
function likeness(match: TermMatch, text: string): number {
  if (match.kind !== 'fuzzy' || match.term === text) return 1;
  const length = Math.min([...match.term].length, [...text].length);
  return Math.fround(1 - Math.fround(editDistance(match.term, text, match.transpositions) / length));
}
