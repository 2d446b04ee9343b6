import { compareTerms } from '@shoal/values';
import { stringify } from '@shoal/json';
import { termFinder } from '../execute/dictionary/find-terms.js';
import { intervalSource } from '../execute/weights/intervals.js';
import { NOTHING, type Span, type TermSource } from '../execute/positions/position-lists.js';
import { spanSource } from '../execute/weights/span.js';
import { type SpanTree, spanTerms } from '../execute/positions/span-tree.js';
import type { IntervalTree } from '../execute/positions/interval-tree.js';
import { createWeight } from '../execute/weight.js';
import type { Plan } from '../plan.js';
import type { Searcher, SegmentView } from '../searcher.js';
import type { FieldText, FieldTokens } from './field-text.js';
import { phraseMatches } from './phrase-matches.js';
import type { TextMatch } from './text-match.js';

/** Where a highlighted field is looked at. */
export interface MatchPlace {
  readonly searcher: Searcher;
  readonly segment: SegmentView;
  readonly doc: number;
  /** Queries on these fields are answered from the text; all with `require_field_match: false`. */
  readonly isField: (field: string) => boolean;
}

/** Finds the matches of one plan; made once a request. Null: the plan does not match the document. */
export type Matching = (text: FieldText, place: MatchPlace) => readonly TextMatch[] | null;

const NO_MATCHES: readonly TextMatch[] = [];

/**
 * Matches of a plan in a field's text, as Lucene's `Weight.matches` finds them: only clauses that take part in the
 * document's match are marked, and phrases are marked as a whole.
 */
export function planMatching(plan: Plan): Matching {
  switch (plan.kind) {
    case 'named':
    case 'constant':
    case 'functionScore':
      return planMatching(plan.plan);
    case 'nested':
      return lenient(planMatching(plan.plan));
    case 'boosting':
      return planMatching(plan.positive);
    case 'bool':
      return boolMatching(plan);
    case 'disMax':
    case 'covering':
      return anyMatching(plan.plans.map(planMatching), 1);
    default:
      return leafMatching(plan);
  }
}

/** Conditions across nested objects are not looked at: what matches is marked. */
function lenient(matching: Matching): Matching {
  return (text, place) => matching(text, place) ?? NO_MATCHES;
}

function boolMatching(plan: Extract<Plan, { kind: 'bool' }>): Matching {
  const required = [...plan.must, ...plan.filter].map(planMatching);
  const optional = anyMatching(plan.should.map(planMatching), plan.minimumShouldMatch);
  const prohibited = plan.mustNot.map(planMatching);
  return (text, place) => {
    const found: TextMatch[] = [];
    for (const matching of required) {
      const matches = matching(text, place);
      if (!matches) return null;
      found.push(...matches);
    }
    if (prohibited.some((matching) => matching(text, place) !== null)) return null;
    const matches = optional(text, place);
    if (!matches) return null;
    return found.concat(matches);
  };
}

function anyMatching(clauses: readonly Matching[], minimum: number): Matching {
  return (text, place) => {
    const found: TextMatch[] = [];
    let count = 0;
    for (const matching of clauses) {
      const matches = matching(text, place);
      if (!matches) continue;
      count++;
      found.push(...matches);
    }
    return count >= minimum ? found : null;
  };
}

type Leaf = Exclude<
  Plan,
  { kind: 'named' | 'constant' | 'functionScore' | 'nested' | 'boosting' | 'bool' | 'disMax' | 'covering' }
>;

function leafMatching(plan: Leaf): Matching {
  const find = textFinder(plan);
  const whole = documentMatching(plan);
  if (plan.kind === 'combined') {
    const { terms, fields } = plan;
    return (text, place) =>
      fields.some(({ field }) => place.isField(field))
        ? (nonEmpty(termMatches(text.tokens, terms)) ?? whole(text, place))
        : whole(text, place);
  }
  if (!find || !('field' in plan)) return whole;
  const { field } = plan;
  return (text, place) => (place.isField(field) ? nonEmpty(find(text.tokens)) : whole(text, place));
}

const nonEmpty = (matches: readonly TextMatch[]): readonly TextMatch[] | null =>
  matches.length === 0 ? null : matches;

/** Whether the document matches at all, without marks. */
function documentMatching(plan: Plan): Matching {
  let weight: ReturnType<typeof createWeight> | null = null;
  return (_text, { searcher, segment, doc }) => {
    weight ??= createWeight(plan, searcher, { needsScores: false });
    const matcher = weight.matcher(segment, false);
    return matcher && matcher.filter(Int32Array.of(doc), 1, null) === 1 ? NO_MATCHES : null;
  };
}

type TextFinder = (tokens: FieldTokens) => TextMatch[];

/** Looks for a leaf's terms in a text; null for queries that have none. */
function textFinder(plan: Leaf): TextFinder | null {
  switch (plan.kind) {
    case 'term':
      return (tokens) => termMatches(tokens, [plan.term]);
    case 'synonym':
    case 'terms':
      return (tokens) => termMatches(tokens, plan.terms);
    case 'phrase':
      return (tokens) => phraseMatches(plan, tokens);
    case 'multiTerm': {
      const finder = termFinder(plan.match);
      const name = stringify(plan.match);
      return (tokens) => predicateMatches(tokens, (term) => finder.matches(term), name);
    }
    case 'value':
      return rangeFinder(plan);
    case 'span':
      return (tokens) =>
        within(tokens, treeTerms(plan.tree, plan.field), spanSource(plan.tree, plan.field, textTerms(tokens)).spans(0));
    case 'intervals':
      return (tokens) =>
        within(tokens, intervalTerms(plan.tree), intervalSource(plan.tree, textTerms(tokens)).spans(0));
    default:
      return null;
  }
}

/** Spans of terms in a text, as if it were document 0. */
function textTerms(tokens: FieldTokens): TermSource {
  return (_field, term) => {
    const places = tokens.byTerm.get(term);
    if (!places) return NOTHING;
    const spans = places.map((i) => ({ start: tokens.positions[i]!, end: tokens.positions[i]! + 1, width: 0 }));
    return { cost: 1, next: (target) => target, spans: () => spans };
  };
}

/** Occurrences of terms inside spans. */
function within(tokens: FieldTokens, terms: readonly string[], spans: readonly Span[]): TextMatch[] {
  const isInside = (i: number): boolean =>
    spans.some(({ start, end }) => start <= tokens.positions[i]! && tokens.positions[i]! < end);
  const found: TextMatch[] = [];
  for (const term of new Set(terms))
    for (const i of tokens.byTerm.get(term) ?? []) if (isInside(i)) found.push(matchOf(tokens, i, term));
  return found;
}

function treeTerms(tree: SpanTree, field: string): string[] {
  return spanTerms(tree, field).map(({ term }) => term);
}

function intervalTerms(tree: IntervalTree): string[] {
  switch (tree.kind) {
    case 'term':
      return [tree.term];
    case 'none':
      return [];
    case 'extend':
    case 'maxGaps':
    case 'filter':
      return intervalTerms(tree.source);
    default:
      return tree.sources.flatMap(intervalTerms);
  }
}

function termMatches(tokens: FieldTokens, terms: readonly string[]): TextMatch[] {
  const found: TextMatch[] = [];
  for (const term of terms) for (const i of tokens.byTerm.get(term) ?? []) found.push(matchOf(tokens, i, term));
  return found;
}

function matchOf(tokens: FieldTokens, i: number, term: string): TextMatch {
  return { start: tokens.startOffsets[i]!, end: tokens.endOffsets[i]!, term };
}

function predicateMatches(tokens: FieldTokens, accepts: (term: string) => boolean, name: string): TextMatch[] {
  const found: TextMatch[] = [];
  for (const [term, places] of tokens.byTerm)
    if (accepts(term)) for (const i of places) found.push(matchOf(tokens, i, name));
  return found;
}

/** Ranges of terms mark tokens within; ranges of numbers mark nothing. */
function rangeFinder(plan: Extract<Plan, { kind: 'value' }>): TextFinder | null {
  const { query } = plan;
  if (query.kind === 'term') return (tokens) => termMatches(tokens, [query.term]);
  if (query.kind !== 'terms') return null;
  const { low, high, includeLow, includeHigh } = query;
  const above = (term: string): boolean => low === null || compareTerms(term, low) >= (includeLow ? 0 : 1);
  const below = (term: string): boolean => high === null || compareTerms(term, high) <= (includeHigh ? 0 : -1);
  return (tokens) => predicateMatches(tokens, (term) => above(term) && below(term), stringify(query));
}
