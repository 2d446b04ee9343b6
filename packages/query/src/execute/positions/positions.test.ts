import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IntervalTree } from './interval-tree.js';
import { intervalSource } from '../weights/intervals.js';
import { NO_SPANS, type TermSource } from './position-lists.js';
import { spanSource } from '../weights/span.js';
import type { SpanTree } from './span-tree.js';

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
