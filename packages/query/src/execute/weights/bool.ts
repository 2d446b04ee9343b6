import type { Matcher, Weight } from '../../matcher.js';
import type { SegmentView } from '../../searcher.js';
import { AllMatcher } from '../matchers/bit-set-matcher.js';
import {
  ConjunctionMatcher,
  DisjunctionMatcher,
  ExclusionMatcher,
  RequiredOptionalMatcher,
} from '../matchers/bool-matchers.js';
import { ConstantMatcher } from './constant.js';
import type { Scratch } from '../scratch.js';
import type { PlanOf } from '../plan-of.js';
import { asFilter, type WeightContext, within } from '../weight-context.js';

interface Clauses {
  readonly must: readonly Weight[];
  readonly filter: readonly Weight[];
  readonly should: readonly Weight[];
  readonly mustNot: readonly Weight[];
  readonly minimum: number;
  readonly scratch: Scratch | undefined;
}

/** Returns the weight of a boolean plan: conjunction, disjunction, exclusion and optional clauses. */
export function boolWeight(plan: PlanOf<'bool'>, context: WeightContext): Weight {
  const scoring = within(context, plan.boost);
  const filtering = asFilter(context);
  const clauses: Clauses = {
    must: plan.must.map((clause) => context.weight(clause, scoring)),
    filter: plan.filter.map((clause) => context.weight(clause, filtering)),
    should: plan.should.map((clause) => context.weight(clause, scoring)),
    mustNot: plan.mustNot.map((clause) => context.weight(clause, filtering)),
    minimum: plan.minimumShouldMatch,
    scratch: context.scratch,
  };
  return {
    matcher: (segment, needsScores) => boolMatcher(clauses, segment, needsScores),
    count: (segment) => countOf(clauses, segment),
  };
}

/** Returns the number of matches if the boolean consists of one clause only; else -1. */
function countOf({ must, filter, should, mustNot, minimum }: Clauses, segment: SegmentView): number {
  if (minimum > should.length) return 0;
  if (mustNot.length > 0) return -1;
  const required = [...must, ...filter];
  if (required.length === 1 && minimum === 0) return required[0]!.count?.(segment) ?? -1;
  if (required.length === 0 && should.length === 1 && minimum === 1) return should[0]!.count?.(segment) ?? -1;
  return -1;
}

function boolMatcher(clauses: Clauses, segment: SegmentView, needsScores: boolean): Matcher | null {
  const positive = positiveMatcher(clauses, segment, needsScores);
  if (positive === null) return null;
  const excluded = matchersOf(clauses.mustNot, segment, false);
  if (excluded.length === 0) return positive;
  return new ExclusionMatcher(
    positive,
    excluded.length === 1 ? excluded[0]! : new DisjunctionMatcher(excluded, 1, clauses.scratch),
    clauses.scratch,
  );
}

function positiveMatcher(clauses: Clauses, segment: SegmentView, needsScores: boolean): Matcher | null {
  const optional = optionalMatcher(clauses, segment, needsScores);
  const must = allOf(clauses.must, segment, needsScores);
  const filter = allOf(clauses.filter, segment, false);
  if (must === null || filter === null || (optional === null && clauses.minimum > 0)) return null;
  const scoring = optional !== null && clauses.minimum > 0 ? [...must, optional] : must;
  const required = conjunction(scoring, filter, segment, needsScores);
  if (optional === null || clauses.minimum > 0 || !needsScores) return required;
  return new RequiredOptionalMatcher(required, optional, clauses.scratch);
}

function conjunction(
  scoring: readonly Matcher[],
  filter: readonly Matcher[],
  segment: SegmentView,
  needsScores: boolean,
): Matcher {
  if (scoring.length === 1 && filter.length === 0) return scoring[0]!;
  if (scoring.length + filter.length === 0) return new AllMatcher(segment.maxDoc, 0);
  if (scoring.length > 0) return new ConjunctionMatcher(scoring, filter);
  const unscored = filter.length === 1 ? filter[0]! : new ConjunctionMatcher([], filter);
  return needsScores ? new ConstantMatcher(unscored, 0) : unscored;
}

/** Returns the matchers of all weights, or null when one of them matches nothing in the segment. */
function allOf(weights: readonly Weight[], segment: SegmentView, needsScores: boolean): Matcher[] | null {
  const matchers: Matcher[] = [];
  for (const weight of weights) {
    const matcher = weight.matcher(segment, needsScores);
    if (matcher === null) return null;
    matchers.push(matcher);
  }
  return matchers;
}

function matchersOf(weights: readonly Weight[], segment: SegmentView, needsScores: boolean): Matcher[] {
  const matchers: Matcher[] = [];
  for (const weight of weights) {
    const matcher = weight.matcher(segment, needsScores);
    if (matcher !== null) matchers.push(matcher);
  }
  return matchers;
}

function optionalMatcher(
  { should, minimum, scratch }: Clauses,
  segment: SegmentView,
  needsScores: boolean,
): Matcher | null {
  if (should.length === 0 || (minimum === 0 && !needsScores)) return null;
  const matchers = matchersOf(should, segment, needsScores);
  if (matchers.length < Math.max(1, minimum)) return null;
  if (matchers.length === 1) return matchers[0]!;
  if (minimum === matchers.length) return new ConjunctionMatcher(matchers, []);
  return new DisjunctionMatcher(matchers, minimum, scratch);
}
