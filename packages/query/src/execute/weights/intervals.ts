import { IntervalValue } from '@shoal/script';
import type { Weight } from '../../matcher.js';
import { DocMatcher } from '../matchers/doc-matcher.js';
import { type IntervalRelation, type IntervalTree, minimalLength } from '../positions/interval-tree.js';
import type { PlanOf } from '../plan-of.js';
import {
  allOf,
  anyOf,
  bySpan,
  coveredBy,
  firstFrom,
  NO_SPANS,
  segmentTerms,
  type Span,
  type SpanSource,
  type TermSource,
} from '../positions/position-lists.js';
import { RelatedIntervals } from '../positions/related-intervals.js';
import { SpanWindow } from '../positions/span-window.js';
import type { SegmentView } from '../../searcher.js';
import { compiled, type SearchScript } from '../../scripts/segment-script.js';
import type { WeightContext } from '../weight-context.js';

/**
 * Weight of documents with intervals of a rule. The score is boost · f / (f + 1), f the sum of 1 / (length - minimal
 * length + 1). See Clarke, Cormack, Burkowski: "An Algebra for Structured Text Search", and Lucene's IntervalQuery.
 */
export function intervalsWeight(plan: PlanOf<'intervals'>, context: WeightContext): Weight {
  const { tree } = plan;
  const boost = Math.fround(context.boost * plan.boost);
  const shortest = minimalLength(tree);
  return {
    matcher: (segment) => {
      const source = intervalSource(tree, segmentTerms(segment.reader));
      return source.cost === 0
        ? null
        : new DocMatcher({
            cost: source.cost,
            next: (target) => source.next(target),
            score: (doc) => scoreIntervals(source.spans(doc), shortest, boost),
          });
    },
  };
}

function scoreIntervals(intervals: readonly Span[], shortest: number, boost: number): number {
  if (intervals.length === 0) return -1;
  return saturation(frequencyOf(intervals, shortest), boost);
}

/** Score of a sloppy frequency. */
export function saturation(freq: number, boost: number): number {
  const rest = Math.fround(1 / Math.fround(1 + freq));
  return Math.fround(boost * Math.fround(1 - rest));
}

function frequencyOf(intervals: readonly Span[], shortest: number): number {
  let freq = 0;
  for (const { start, end } of intervals)
    freq = Math.fround(freq + Math.fround(1 / Math.max(1, end - start - shortest + 1)));
  return freq;
}

/** Returns the sloppy frequency of a rule in a document, 0 if it does not match. */
export function intervalFrequency({ tree }: PlanOf<'intervals'>, { reader }: SegmentView, doc: number): number {
  const source = intervalSource(tree, segmentTerms(reader));
  if (source.cost === 0 || source.next(doc) !== doc) return 0;
  return frequencyOf(source.spans(doc), minimalLength(tree));
}

/** Returns the minimal intervals of a tree; `terms` gives those of single terms. */
export function intervalSource(tree: IntervalTree, terms: TermSource): SpanSource {
  const inner = (child: IntervalTree): SpanSource => intervalSource(child, terms);
  switch (tree.kind) {
    case 'term':
      return terms(tree.field, tree.term);
    case 'none':
      return NO_SPANS;
    case 'or': {
      const sources = tree.sources.map(inner);
      return anyOf(sources, (doc) => minimal(sources.flatMap((source) => [...source.spans(doc)])));
    }
    case 'extend':
      return mapSpans(inner(tree.source), (spans) =>
        spans.map((span) => ({ ...span, start: Math.max(0, span.start - tree.before) })),
      );
    case 'maxGaps':
      return mapSpans(inner(tree.source), (spans) => spans.filter(({ width }) => width <= tree.gaps));
    case 'repeat':
      return mapSpans(inner(tree.source), (spans) => repeated(spans, tree.count));
    case 'script':
      return scriptSource(tree.script, inner(tree.source));
    case 'filter':
      return filterSource(tree.relation, inner(tree.source), inner(tree.by));
    default:
      return combineSources(tree.kind, tree.sources.map(inner));
  }
}

function mapSpans(source: SpanSource, change: (spans: readonly Span[]) => readonly Span[]): SpanSource {
  return { cost: source.cost, next: (target) => source.next(target), spans: (doc) => change(source.spans(doc)) };
}

/** Returns the intervals that contain no other one. */
function minimal(spans: readonly Span[]): Span[] {
  const sorted = [...spans].sort((a, b) => a.end - b.end || b.start - a.start || a.width - b.width);
  const kept: Span[] = [];
  for (const span of sorted) if (kept.length === 0 || kept.at(-1)!.start < span.start) kept.push(span);
  return kept.sort(bySpan);
}

const COMBINE = { phrase: phraseOf, ordered: orderedOf, unordered: unorderedOf } as const;

function combineSources(kind: keyof typeof COMBINE, sources: readonly SpanSource[]): SpanSource {
  return allOf(sources, (doc) => COMBINE[kind](sources.map((source) => source.spans(doc))));
}

function phraseOf(lists: readonly (readonly Span[])[]): Span[] {
  let left: readonly Span[] = lists[0]!;
  for (const right of lists.slice(1)) {
    const joined: Span[] = [];
    for (const a of left)
      for (let i = firstFrom(right, a.end); i < right.length && right[i]!.start === a.end; i++)
        joined.push({ start: a.start, end: right[i]!.end, width: a.width + right[i]!.width });
    left = joined;
  }
  return minimal(left);
}

/** Returns, for each interval, the stretch from it to the end of the `count`th one counted from it. */
function repeated(spans: readonly Span[], count: number): Span[] {
  const found: Span[] = [];
  let covered = 0;
  for (let i = 0; i < spans.length; i++) {
    covered += coveredBy(spans[i]!);
    if (i >= count) covered -= coveredBy(spans[i - count]!);
    if (i < count - 1) continue;
    const { start } = spans[i - count + 1]!;
    const { end } = spans[i]!;
    found.push({ start, end, width: end - start - covered, covered });
  }
  return found;
}

function orderedOf(lists: readonly (readonly Span[])[]): Span[] {
  let left: readonly Span[] = lists[0]!.map((span) => ({ ...span, covered: coveredBy(span) }));
  for (const right of lists.slice(1)) {
    const joined: Span[] = [];
    for (const a of left) {
      const b = right[firstFrom(right, a.end)];
      if (b) joined.push({ start: a.start, end: b.end, width: 0, covered: coveredBy(a) + coveredBy(b) });
    }
    left = minimal(joined);
  }
  return left.map(({ start, end, covered }) => ({ start, end, width: end - start - covered! }));
}

function unorderedOf(lists: readonly (readonly Span[])[]): Span[] {
  if (lists.some((list) => list.length === 0)) return [];
  const found: Span[] = [];
  const window = new SpanWindow(lists);
  do {
    const { start, end, covered } = window;
    found.push({ start, end, width: Math.max(0, end - start - covered) });
  } while (window.advance());
  return minimal(found);
}

function scriptSource(script: SearchScript, source: SpanSource): SpanSource {
  const bound = compiled(script);
  return mapSpans(source, (spans) =>
    spans.filter(({ start, end, width }) => bound.call([new IntervalValue(start, end - 1, width)]) === true),
  );
}

function filterSource(relation: IntervalRelation, source: SpanSource, by: SpanSource): SpanSource {
  const spans = (doc: number): readonly Span[] => {
    const others = new RelatedIntervals(by.next(doc) === doc ? by.spans(doc) : []);
    return source.spans(doc).filter((span) => others.relate(relation, span));
  };
  return relation.startsWith('not_') ? { ...mapSpans(source, (list) => list), spans } : allOf([source, by], spans);
}
