import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { IntervalRelation, IntervalTree } from './interval-tree.js';
import { intervalSource } from '../weights/intervals.js';
import { bySpan, NO_SPANS, type Span, type TermSource } from './position-lists.js';
import { RelatedIntervals } from './related-intervals.js';
import { spanSource } from '../weights/span.js';
import type { SpanTree } from './span-tree.js';
import { SpanWindow } from './span-window.js';

/** Terms of one text of words. */
function termsOf(text: string): TermSource {
  const words = text.split(' ');
  return (_field, term) => {
    const spans = words.flatMap((word, i) => (word === term ? [{ start: i, end: i + 1, width: 0 }] : []));
    return spans.length === 0 ? NO_SPANS : { cost: 1, next: (target) => target, spans: () => spans };
  };
}

const intervals = (tree: IntervalTree, text: string): string[] =>
  intervalSource(tree, termsOf(text))
    .spans(0)
    .map(({ start, end }) => text.split(' ').slice(start, end).join(' '));
const spans = (tree: SpanTree, text: string): string[] =>
  spanSource(tree, 't', termsOf(text))
    .spans(0)
    .map(({ start, end }) => text.split(' ').slice(start, end).join(' '));
const word = (term: string): IntervalTree => ({ kind: 'term', field: 't', term });
const spanOf = (term: string): SpanTree => ({ kind: 'term', term });

test('intervals are the shortest that match', () => {
  const text = 'a b a c b c';
  assert.deepEqual(intervals({ kind: 'ordered', sources: [word('a'), word('c')] }, text), ['a c']);
  assert.deepEqual(intervals({ kind: 'unordered', sources: [word('b'), word('a')] }, text), ['a b', 'b a', 'a c b']);
  assert.deepEqual(intervals({ kind: 'phrase', sources: [word('b'), word('c')] }, text), ['b c']);
  assert.deepEqual(
    intervals({ kind: 'maxGaps', gaps: 0, source: { kind: 'unordered', sources: [word('b'), word('a')] } }, text),
    ['a b', 'b a'],
  );
  assert.deepEqual(
    intervals(
      {
        kind: 'filter',
        relation: 'not_containing',
        source: { kind: 'unordered', sources: [word('b'), word('a')] },
        by: word('c'),
      },
      text,
    ),
    ['a b', 'b a'],
  );
  assert.deepEqual(
    intervals({ kind: 'or', sources: [word('c'), { kind: 'phrase', sources: [word('b'), word('c')] }] }, text),
    ['c', 'c'],
  );
});

test('spans keep within their slop, in order or not', () => {
  const text = 'x quick brown fox quick';
  assert.deepEqual(spans({ kind: 'near', clauses: [spanOf('quick'), spanOf('fox')], slop: 1, inOrder: true }, text), [
    'quick brown fox',
  ]);
  assert.deepEqual(spans({ kind: 'near', clauses: [spanOf('quick'), spanOf('fox')], slop: 0, inOrder: false }, text), [
    'fox quick',
  ]);
  assert.deepEqual(
    spans(
      { kind: 'near', clauses: [spanOf('quick'), { kind: 'gap', width: 1 }, spanOf('fox')], slop: 0, inOrder: true },
      text,
    ),
    ['quick brown fox'],
  );
  assert.deepEqual(spans({ kind: 'not', include: spanOf('quick'), exclude: spanOf('x'), pre: 0, post: 0 }, text), [
    'quick',
    'quick',
  ]);
  assert.deepEqual(spans({ kind: 'not', include: spanOf('quick'), exclude: spanOf('x'), pre: 1, post: 0 }, text), [
    'quick',
  ]);
  assert.deepEqual(spans({ kind: 'first', match: spanOf('quick'), end: 2 }, text), ['quick']);
});

/** Plain versions of the rules, as their definitions say them: for each interval, all others are looked at. */
const PLAIN: Readonly<Record<IntervalRelation, (a: Span, b: Span) => boolean>> = {
  before: (a, b) => a.end <= b.start,
  after: (a, b) => b.end <= a.start,
  containing: (a, b) => a.start <= b.start && b.end <= a.end,
  not_containing: (a, b) => a.start <= b.start && b.end <= a.end,
  contained_by: (a, b) => b.start <= a.start && a.end <= b.end,
  not_contained_by: (a, b) => b.start <= a.start && a.end <= b.end,
  overlapping: (a, b) => a.start < b.end && b.start < a.end,
  not_overlapping: (a, b) => a.start < b.end && b.start < a.end,
};
const spanLists = fc
  .array(fc.tuple(fc.nat(30), fc.integer({ min: 1, max: 5 })), { maxLength: 12 })
  .map((all): Span[] => all.map(([start, length]) => ({ start, end: start + length, width: 0 })).sort(bySpan));

test('intervals are filtered as if each were compared with each', () => {
  fc.assert(
    fc.property(spanLists, spanLists, (list, by) => {
      const related = new RelatedIntervals(by);
      for (const [relation, holds] of Object.entries(PLAIN) as [IntervalRelation, (a: Span, b: Span) => boolean][]) {
        const isNone = relation.startsWith('not_');
        for (const span of list)
          assert.equal(related.relate(relation, span), by.some((other) => holds(span, other)) !== isNone, relation);
      }
    }),
  );
});

test('a window moves on by the span that begins first, and ends where the farthest ended', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(3), fc.integer({ min: 1, max: 9 })), { maxLength: 30 }), (dealt) => {
      // No two spans begin together, so that one of them is the first.
      const lists = [0, 1, 2, 3].map((own) =>
        dealt.flatMap(([list, length], start): Span[] =>
          list === own ? [{ start, end: start + length, width: 0 }] : [],
        ),
      );
      fc.pre(lists.every((list) => list.length > 0));
      const window = new SpanWindow(lists);
      const left = lists.map((list) => [...list]);
      let end = 0;
      do {
        const current = left.map((list) => list[0]!);
        end = Math.max(end, ...current.map((span) => span.end));
        assert.deepEqual(
          [window.start, window.end, window.covered],
          [
            Math.min(...current.map(({ start }) => start)),
            end,
            current.reduce((sum, span) => sum + span.end - span.start, 0),
          ],
        );
        const first = current.reduce((least, span, i) => (bySpan(span, current[least]!) < 0 ? i : least), 0);
        left[first]!.shift();
        if (left[first]!.length === 0) assert.equal(window.advance(), false);
        else assert.equal(window.advance(), true);
      } while (left.every((list) => list.length > 0));
    }),
  );
});

test('the same term in hundreds of clauses takes time in proportion to the clauses', () => {
  const clauses = 300;
  const spans = 150;
  const text = 'a b '.repeat(spans).trim();
  let steps = 0;
  const counted: TermSource = (field, term) => {
    const source = termsOf(text)(field, term);
    const list = new Proxy([...source.spans(0)], {
      get: (target, key) => {
        if (typeof key === 'string' && key >= '0' && key <= ':') steps++;
        return Reflect.get(target, key) as unknown;
      },
    });
    return { ...source, spans: () => list };
  };
  const equal = Array.from({ length: clauses }, () => spanOf('a'));
  for (const inOrder of [true, false])
    spanSource({ kind: 'near', clauses: equal, slop: 10, inOrder }, 't', counted).spans(0);
  const words = equal.map(() => word('a'));
  for (const kind of ['ordered', 'unordered', 'phrase'] as const)
    intervalSource({ kind, sources: words }, counted).spans(0);
  // Five rules over lists of spans: each span is looked at some tens of times, as heaps and searches do.
  assert.ok(steps < 5 * clauses * spans * 60, String(steps));
});

test('clauses that have too many spans in a document together are refused', () => {
  const near = (clauses: number): SpanTree => ({
    kind: 'near',
    clauses: Array.from({ length: clauses }, () => spanOf('a')),
    slop: 10,
    inOrder: false,
  });
  const list = Array.from({ length: 1000 }, (_, i) => ({ start: i, end: i + 1, width: 0 }));
  const terms: TermSource = () => ({ cost: 1, next: (target) => target, spans: () => list });
  assert.equal(spanSource(near(200), 't', terms).spans(0).length, 200 * 999 + 1);
  assert.throws(() => spanSource(near(201), 't', terms).spans(0), {
    status: 400,
    reason: 'the clauses of [span_near] have [201000] spans in a document, more than the limit of [200000]',
  });
});
