import type { TermsReader } from '@shoal/segments';
import { compareTerms } from '@shoal/codec';
import { editDistance } from '../../automata/levenshtein.js';
import type { Matcher, Weight } from '../../matcher.js';
import type { Plan, TermMatch } from '../../plan.js';
import type { VisitTerm } from '../../plans/plan-kind.js';
import type { Searcher, SegmentView } from '../../searcher.js';
import { withConstantScore } from './constant.js';
import type { TermFinder } from '../dictionary/term-finder.js';
import { cachedTermFinder } from '../dictionary/cached-terms.js';
import { searchableTerms } from '../dictionary/searchable-terms.js';
import { OrdinalRangeMatcher } from '../matchers/ordinal-matcher.js';
import type { PlanOf } from '../plan-of.js';
import type { TermCounts } from '../similarity.js';
import type { SlowPart, WeightContext } from '../weight-context.js';

type MultiTerm = PlanOf<'multiTerm'>;

/** Weight of documents with any term that matches a predicate; scored by the rewrite method. */
export function multiTermWeight(plan: MultiTerm, context: WeightContext): Weight {
  if (hasConstantScore(plan, context)) return constantUnion(plan, context);
  if (context.slowParts === undefined) return context.weight(rewrittenTerms(plan, context), context);
  return lazyWeight(plan, context, context.slowParts);
}

/** Returns a weight that looks for the terms when a segment is prepared, or its first matcher is made. */
function lazyWeight(plan: MultiTerm, context: WeightContext, slowParts: SlowPart[]): Weight {
  cachedTermFinder(plan.match, context.searcher);
  let weight: Weight | null = null;
  const own = (): Weight => (weight ??= context.weight(rewrittenTerms(plan, context), context));
  slowParts.push(() => void own());
  return { matcher: (segment, needsScores) => own().matcher(segment, needsScores) };
}

/** Returns whether matches score the boost: by the rewrite method, or because only a column has the field's terms. */
export function hasConstantScore(
  { field, rewrite }: MultiTerm,
  { searcher }: Pick<WeightContext, 'searcher'>,
): boolean {
  if (rewrite.startsWith('constant_score')) return true;
  const layout = searcher.mapping.field(field)?.layout ?? null;
  return layout !== null && layout.terms === null;
}

function constantUnion(plan: MultiTerm, context: WeightContext): Weight {
  const finder = cachedTermFinder(plan.match, context.searcher);
  /** Matcher of a segment that was prepared; a matcher goes forward only, so it is handed out once. */
  let ready: { readonly segment: SegmentView; readonly matcher: Matcher | null } | null = null;
  context.slowParts?.push((segment) => {
    ready = { segment, matcher: segmentUnion(plan.field, finder, segment, context) };
  });
  const unscored: Weight = {
    matcher: (segment) => {
      const prepared = ready;
      ready = null;
      return prepared?.segment === segment ? prepared.matcher : segmentUnion(plan.field, finder, segment, context);
    },
  };
  return withConstantScore(unscored, Math.fround(context.boost * plan.boost));
}

function segmentUnion(
  field: string,
  finder: TermFinder,
  segment: SegmentView,
  { searcher }: WeightContext,
): Matcher | null {
  const terms = searchableTerms(segment.reader, field);
  if (terms === null) return null;
  const ordinals = finder.find(searcher, segment, field, terms.dictionary);
  return ordinalRange(field, ordinals, segment) ?? terms.union(ordinals, segment.maxDoc);
}

/**
 * Neighbouring terms are matched by comparing the column's ordinals if there are at least maxDoc / RANGE_SHARE of them;
 * fewer terms are cheaper through their postings.
 */
const RANGE_SHARE = 50;

/**
 * Returns a matcher over a range of ordinals if the terms are neighbours and the field is single-valued; null when the
 * terms are few or scattered.
 */
function ordinalRange(field: string, ordinals: Int32Array, { reader, maxDoc }: SegmentView): Matcher | null {
  const count = ordinals.length;
  if (count * RANGE_SHARE < maxDoc || ordinals[count - 1]! - ordinals[0]! !== count - 1) return null;
  const column = reader.ordinals(field);
  if (column === null || !column.isSingleValued || column.ranks() !== null) return null;
  return new OrdinalRangeMatcher(column, ordinals[0]!, ordinals[count - 1]!, maxDoc);
}

interface FoundTerm {
  readonly term: string;
  readonly boost: number;
  docFreq: number;
  totalTermFreq: number;
}

/**
 * Returns the plan of a scored rewrite method: a boolean of the best terms, with blended frequencies for
 * `top_terms_blended_freqs_N`.
 */
export function rewrittenTerms(plan: MultiTerm, context: WeightContext): Plan {
  const { found, isConstant, blended } = scoredTerms(plan, context);
  if (found.length === 0) return { kind: 'none', reason: 'empty BooleanQuery' };
  const { statistics } = context;
  const countsOf = ({ term }: FoundTerm): TermCounts | null =>
    blended === null ? null : (statistics.shared(plan.field, term) ?? blended);
  return {
    kind: 'bool',
    must: [],
    filter: [],
    should: found.map((one) => termClause(plan.field, one, isConstant, countsOf(one))),
    mustNot: [],
    minimumShouldMatch: 1,
    boost: plan.boost,
  };
}

interface ScoredTerms {
  readonly found: readonly FoundTerm[];
  readonly isConstant: boolean;
  /** Counts of this shard that all terms are scored by; null if each has its own. */
  readonly blended: TermCounts | null;
}

function scoredTerms(plan: MultiTerm, context: Pick<WeightContext, 'searcher'>): ScoredTerms {
  const top = /^top_terms(_boost|_blended_freqs)?_(\d+)$/.exec(plan.rewrite);
  const sizeMax = top === null ? context.searcher.settings.maxClauseCount : Number(top[2]);
  const found = bestTerms(foundTerms(plan, context), sizeMax);
  const isBlended = top?.[1] === '_blended_freqs' && found.length > 0;
  return { found, isConstant: top?.[1] === '_boost', blended: isBlended ? blendedCounts(found) : null };
}

/** Visits the terms that the rewrite method scores, with the counts that it scores them by. */
export function visitRewrittenTerms(plan: MultiTerm, visit: VisitTerm, searcher: Searcher): void {
  if (hasConstantScore(plan, { searcher })) return;
  const { found, isConstant, blended } = scoredTerms(plan, { searcher });
  if (!isConstant) for (const { term } of found) visit(plan.field, term, blended ?? undefined);
}

/** Counts that all terms are scored by: those of Lucene's BlendedTermQuery. */
function blendedCounts(found: readonly FoundTerm[]): TermCounts {
  return {
    docFreq: Math.max(...found.map((one) => one.docFreq)),
    totalTermFreq: found.reduce((sum, one) => sum + one.totalTermFreq, 0),
  };
}

function termClause(field: string, { term, boost }: FoundTerm, isConstant: boolean, counts: TermCounts | null): Plan {
  const plan: Plan = {
    kind: 'term',
    field,
    term,
    boost: isConstant ? 1 : boost,
    ...counts,
  };
  return isConstant ? { kind: 'constant', plan, boost } : plan;
}

/** Returns the terms with the highest boosts; ties in term order. */
function bestTerms(found: readonly FoundTerm[], sizeMax: number): FoundTerm[] {
  return [...found].sort((a, b) => b.boost - a.boost || compareTerms(a.term, b.term)).slice(0, sizeMax);
}

function foundTerms(plan: MultiTerm, { searcher }: Pick<WeightContext, 'searcher'>): FoundTerm[] {
  const finder = cachedTermFinder(plan.match, searcher);
  const found = new Map<string, FoundTerm>();
  for (const segment of searcher.segments) {
    const terms = segment.reader.terms(plan.field);
    if (terms !== null) addTerms(terms, finder.find(searcher, segment, plan.field, terms), plan.match, found);
  }
  return [...found.values()];
}

function addTerms(terms: TermsReader, ordinals: Int32Array, match: TermMatch, into: Map<string, FoundTerm>): void {
  for (const ordinal of ordinals) {
    const term = terms.term(ordinal);
    const known = into.get(term);
    if (known === undefined)
      into.set(term, {
        term,
        boost: similarity(match, term),
        docFreq: terms.docFreq(ordinal),
        totalTermFreq: terms.totalTermFreq(ordinal),
      });
    else {
      known.docFreq += terms.docFreq(ordinal);
      known.totalTermFreq += terms.totalTermFreq(ordinal);
    }
  }
}

/**
 * Returns 1 - edits / length of the shorter text, as a float and at least 0 (Lucene's FuzzyTermsEnum); 1 for predicates
 * other than fuzzy.
 */
function similarity(match: TermMatch, term: string): number {
  if (match.kind !== 'fuzzy') return 1;
  const edits = editDistance(match.term, term, match.transpositions);
  if (edits === 0) return 1;
  const shorter = Math.min([...term].length, [...match.term].length);
  return Math.max(0, Math.fround(1 - Math.fround(edits / shorter)));
}

/** Returns the terms of a searcher that match the predicate, in term order, at most `sizeMax`. */
export function expandTerms(plan: MultiTerm, context: WeightContext, sizeMax: number): string[] {
  return foundTerms(plan, context)
    .map((one) => one.term)
    .sort(compareTerms)
    .slice(0, sizeMax);
}
