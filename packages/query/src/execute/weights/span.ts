import { errors } from '@shoal/errors';
import type { Weight } from '../../matcher.js';
import { DocMatcher } from '../matchers/doc-matcher.js';
import type { PlanOf } from '../plan-of.js';
import {
  allOf,
  anyOf,
  bySpan,
  NO_SPANS,
  segmentTerms,
  type Span,
  type SpanSource,
  type TermSource,
} from '../positions/position-lists.js';
import { scoreOf, type TermScorer, termScorer } from '../similarity.js';
import { distinctTerms, type SpanTree } from '../positions/span-tree.js';
import { SpanWindow } from '../positions/span-window.js';
import type { SegmentView } from '../../searcher.js';
import type { WeightContext } from '../weight-context.js';

/** Weight of spans in one field, scored like a sloppy phrase of all their terms. */
export function spanWeight(plan: PlanOf<'span'>, context: WeightContext): Weight {
  const { tree } = plan;
  const scorer = context.needsScores ? spanScorer(plan, tree, context) : null;
  return {
    matcher: (segment) => {
      const source = spanSource(tree, plan.field, segmentTerms(segment.reader));
      const norms = segment.reader.norms(plan.field);
      return source.cost === 0
        ? null
        : new DocMatcher({
            cost: source.cost,
            next: (target) => source.next(target),
            score: (doc) => scoreSpans(source.spans(doc), scorer, norms?.get(doc) ?? 1),
          });
    },
  };
}

/** Returns the scorer of spans: that of all their terms that some document has; null when no document has the field. */
export function spanScorer(
  plan: PlanOf<'span'>,
  tree: SpanTree,
  { statistics, boost }: WeightContext,
): TermScorer | null {
  const field = statistics.field(plan.field);
  if (field === null) return null;
  const found = distinctTerms(tree, plan.field).filter((term) => statistics.docFreq(term.field, term.term) > 0);
  let idf = 0;
  for (const term of found) idf += statistics.idf(term.field, term.term);
  return termScorer(Math.fround(boost * plan.boost), Math.fround(idf), field, () =>
    found.map((term) => statistics.counts(term.field, term.term)),
  );
}

function scoreSpans(spans: readonly Span[], scorer: TermScorer | null, norm: number): number {
  if (spans.length === 0) return -1;
  return scorer === null ? 0 : scoreOf(scorer, frequencyOf(spans), norm);
}

function frequencyOf(spans: readonly Span[]): number {
  let freq = 0;
  for (const { width } of spans) freq = Math.fround(freq + Math.fround(1 / (1 + width)));
  return freq;
}

/** Returns the sloppy frequency of spans in a document, 0 if there are none. */
export function spanFrequency({ tree, field }: PlanOf<'span'>, { reader }: SegmentView, doc: number): number {
  const source = spanSource(tree, field, segmentTerms(reader));
  return source.cost === 0 || source.next(doc) !== doc ? 0 : frequencyOf(source.spans(doc));
}

/** Returns the spans of a tree; `terms` gives those of single terms. */
export function spanSource(tree: SpanTree, field: string, terms: TermSource): SpanSource {
  const inner = (child: SpanTree): SpanSource => spanSource(child, field, terms);
  switch (tree.kind) {
    case 'term':
      return terms(field, tree.term);
    case 'gap':
      return { cost: 0, next: (target) => target, spans: () => [] };
    case 'field':
      return spanSource(tree.tree, tree.field, terms);
    case 'or': {
      const sources = tree.clauses.map(inner);
      return anyOf(sources, (doc) => sources.flatMap((source) => source.spans(doc)).sort(bySpan));
    }
    case 'near':
      return nearSource(tree, inner);
    case 'not': {
      const include = inner(tree.include);
      if (isEmpty(include)) return NO_SPANS;
      const exclude = inner(tree.exclude);
      return {
        ...passing(include),
        spans: (doc) =>
          without(include.spans(doc), exclude.next(doc) === doc ? exclude.spans(doc) : [], tree.pre, tree.post),
      };
    }
    case 'first': {
      const match = inner(tree.match);
      return { ...passing(match), spans: (doc) => match.spans(doc).filter(({ end }) => end <= tree.end) };
    }
    case 'containing':
    case 'within': {
      const big = inner(tree.big);
      return isEmpty(big) ? NO_SPANS : containment(tree.kind, big, inner(tree.little));
    }
  }
}

/** Whether a segment has no spans of a source: clauses behind it are then not looked up, as in Lucene. */
const isEmpty = ({ cost }: SpanSource): boolean => cost === 0;

const passing = (source: SpanSource): Pick<SpanSource, 'cost' | 'next'> => ({
  cost: source.cost,
  next: (target) => source.next(target),
});

/** Drops the spans near which an excluded one lies. Both lists are read once, in the steps of Lucene's SpanNotQuery. */
function without(spans: readonly Span[], excluded: readonly Span[], pre: number, post: number): Span[] {
  let at = 0;
  return spans.filter((span) => {
    while (at < excluded.length && excluded[at]!.end <= span.start - pre) at++;
    return at === excluded.length || excluded[at]!.start - post >= span.end;
  });
}

/** Both lists are read once, in the steps of Lucene's SpanContainingQuery and SpanWithinQuery. */
function containment(kind: 'containing' | 'within', big: SpanSource, little: SpanSource): SpanSource {
  return allOf([big, little], (doc) => {
    const [bigs, littles] = [big.spans(doc), little.spans(doc)];
    return kind === 'containing' ? bigsAround(bigs, littles) : littlesInside(littles, bigs);
  });
}

function bigsAround(bigs: readonly Span[], littles: readonly Span[]): Span[] {
  let at = 0;
  return bigs.filter((big) => {
    while (at < littles.length && littles[at]!.start < big.start) at++;
    return at < littles.length && littles[at]!.end <= big.end;
  });
}

function littlesInside(littles: readonly Span[], bigs: readonly Span[]): Span[] {
  let at = 0;
  return littles.filter((little) => {
    while (at < bigs.length && bigs[at]!.end < little.end) at++;
    return at < bigs.length && bigs[at]!.start <= little.start;
  });
}

/** Spans of all clauses of a `span_near` that are looked through in a document: that is done at a stretch. */
const NEAR_SPANS_MAX = 200_000;

function checkSpans(lists: readonly (readonly Span[])[]): void {
  const count = lists.reduce((sum, list) => sum + list.length, 0);
  if (count > NEAR_SPANS_MAX)
    throw errors.illegalArgument(
      `the clauses of [span_near] have [${count}] spans in a document, more than the limit of [${NEAR_SPANS_MAX}]`,
    );
}

/** Equal clauses have equal spans, which are computed once for a document. */
function nearSource(tree: Extract<SpanTree, { kind: 'near' }>, inner: (child: SpanTree) => SpanSource): SpanSource {
  const gaps = tree.clauses.map((clause) => (clause.kind === 'gap' ? clause.width : 0));
  const keys = tree.clauses.map((clause) => JSON.stringify(clause));
  const distinct = new Map(tree.clauses.map((clause, i) => [keys[i]!, clause]));
  const sources = new Map<string, SpanSource>();
  const real: SpanSource[] = [];
  for (const [key, clause] of distinct) {
    const source = inner(clause);
    sources.set(key, source);
    if (clause.kind === 'gap') continue;
    if (isEmpty(source)) return NO_SPANS;
    real.push(source);
  }
  return allOf(real, (doc) => {
    const found = new Map([...sources].map(([key, source]) => [key, source.spans(doc)]));
    const lists = keys.map((key) => found.get(key)!);
    checkSpans(lists);
    return tree.inOrder ? orderedNear(lists, gaps, tree.clauses, tree.slop) : unorderedNear(lists, tree.slop);
  });
}

/**
 * Returns, for each span of the first clause, the nearest spans of the other clauses that follow in order, if the gaps
 * between them sum up to at most the slop. No list is gone back in, as in Lucene's NearSpansOrdered.
 */
function orderedNear(
  lists: readonly (readonly Span[])[],
  gaps: readonly number[],
  clauses: readonly SpanTree[],
  slop: number,
): Span[] {
  const found: Span[] = [];
  const at = new Int32Array(lists.length);
  for (const first of lists[0]!) {
    let end = first.end;
    let width = 0;
    for (let i = 1; i < lists.length; i++) {
      if (clauses[i]!.kind === 'gap') {
        end += gaps[i]!;
        continue;
      }
      const list = lists[i]!;
      while (at[i]! < list.length && list[at[i]!]!.start < end) at[i]!++;
      if (at[i] === list.length) return found;
      const next = list[at[i]!]!;
      width += next.start - end;
      end = next.end;
    }
    if (width <= slop) found.push({ start: first.start, end, width });
  }
  return found;
}

/**
 * Returns the windows that hold one span of each clause, with gaps of at most the slop. The earliest span is advanced
 * after each window. `width` is the whole length of the window, as in Lucene.
 */
function unorderedNear(lists: readonly (readonly Span[])[], slop: number): Span[] {
  const found: Span[] = [];
  if (lists.some((list) => list.length === 0)) return found;
  const window = new SpanWindow(lists);
  do {
    const { start, end, covered } = window;
    if (end - start - covered <= slop) found.push({ start, end, width: end - start });
  } while (window.advance());
  return found;
}
