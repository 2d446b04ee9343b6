import { compareTerms } from '@shoal/codec';
import type { FieldType } from '@shoal/mapping';
import { INPUT_SEPARATOR } from '../execute/dictionary/find-inputs.js';
import { termFinder } from '../execute/dictionary/find-terms.js';
import { countTerm } from '../execute/statistics.js';
import type { Plan } from '../plan.js';
import { constantPlan, nonePlan } from '../plan-query.js';
import { prefixPlan } from '../queries/prefix.js';
import type { Searcher } from '../searcher.js';
import type { TextPosition } from './text-positions.js';

/** Whether a field holds inputs for completion: the tokens of an input are one term. */
export function isCompletion(type: FieldType): boolean {
  return type.typeName === 'completion';
}

/** Terms of one input, which differ by weight and by the input as given; with more of them matches are not scored. */
const TERMS_MAX = 256;

/**
 * Returns the plan of a text in a completion field: it matches inputs that are analysed to the same tokens, and scores
 * them as the one term that they are in 8.12.
 */
export function completionPlan(type: FieldType, positions: readonly TextPosition[], searcher: Searcher): Plan {
  const separator = hasSeparators(type) ? ' ' : '';
  return analysedPlan(type, positions.map(({ terms }) => terms[0]).join(separator), searcher);
}

/** Whether the tokens of an input are apart in its term. */
export const hasSeparators = (type: FieldType): boolean => type.toJson(true)['preserve_separators'] !== false;

/** Returns the plan of one exact term of a completion field. Tokens are separated by a character of no text in 8.12. */
export function completionTermPlan(type: FieldType, term: string, searcher: Searcher): Plan {
  if (hasSeparators(type) && term.includes(' ')) return nonePlan(`no value of [${type.name}] matches`);
  return analysedPlan(type, term, searcher);
}

/** Terms that are looked up at a stretch, and found by one clause. */
const TERMS_AT_ONCE = 1024;

/**
 * Returns the plan of any of many exact terms of a completion field, constant score. Nothing is looked up until it
 * runs: then a part of the terms after the other, between which the thread may be given back.
 */
export function completionTermsPlan(type: FieldType, terms: readonly string[]): Plan {
  const hasSpaces = !hasSeparators(type);
  const analysed = [...new Set(terms)].filter((term) => hasSpaces || !term.includes(' ')).sort(compareTerms);
  if (analysed.length === 0) return nonePlan(`no value of [${type.name}] matches`);
  const should: Plan[] = [];
  for (let from = 0; from < analysed.length; from += TERMS_AT_ONCE) {
    const match = { kind: 'inputs', analysed: analysed.slice(from, from + TERMS_AT_ONCE) } as const;
    should.push({ kind: 'multiTerm', field: type.name, match, rewrite: 'constant_score', boost: 1 });
  }
  if (should.length === 1) return should[0]!;
  return constantPlan({ kind: 'bool', must: [], filter: [], should, mustNot: [], minimumShouldMatch: 1, boost: 1 });
}

/** Returns the plan of inputs that are analysed to `analysed`. */
function analysedPlan(type: FieldType, analysed: string, searcher: Searcher): Plan {
  const prefix = analysed + INPUT_SEPARATOR;
  const terms = termsOf(type.name, prefix, searcher);
  if (terms.length === 0 || terms.length > TERMS_MAX) return prefixPlan(type.name, prefix);
  const docFreq = terms.reduce((sum, term) => sum + countTerm(searcher, type.name, term), 0);
  const plans = terms.map(
    (term): Plan => ({
      ...{ kind: 'term', field: type.name, term, boost: 1 },
      ...(terms.length === 1 ? {} : { docFreq, totalTermFreq: docFreq }),
    }),
  );
  return plans.length === 1 ? plans[0]! : { kind: 'disMax', plans, tieBreaker: 0, boost: 1 };
}

/** The terms of a field with a prefix, one more than `TERMS_MAX` at most. */
function termsOf(field: string, prefix: string, searcher: Searcher): string[] {
  const finder = termFinder({ kind: 'prefix', prefix, caseInsensitive: false });
  const found = new Set<string>();
  for (const segment of searcher.segments) {
    const terms = segment.reader.terms(field);
    if (terms === null) continue;
    for (const ordinal of finder.find(searcher, segment, field, terms)) {
      found.add(terms.term(ordinal));
      if (found.size > TERMS_MAX) return [...found];
    }
  }
  return [...found].sort(compareTerms);
}
