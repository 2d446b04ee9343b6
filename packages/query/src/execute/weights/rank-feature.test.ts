import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memorySegment, mergeSegments, openSegment, WINDOW_DOCS } from '@shoal/segments';
import type { Matcher } from '../../matcher.js';
import { planQuery } from '../../plan-query.js';
import { parseContext } from '../../parse/parse-context.js';
import { parseQuery } from '../../parse/parse-query.js';
import type { Searcher, SegmentView } from '../../searcher.js';
import { FIXTURE_NOW_MS, memoryIndex } from '../../testing/memory-index.js';
import { createWeight } from '../weight.js';

const COUNT = 600;
const hasFox = (doc: number): boolean => doc % 3 === 0;
const foxOf = (doc: number): number => 1 + (doc % 8);

/** A searcher over one segment of the documents. */
async function searcherOver(field: object, documents: readonly object[]): Promise<Searcher> {
  const index = memoryIndex({ mapping: { s: field }, documents });
  return index.searcher([documents.map((_, doc) => doc)]);
}

function matcherOf(query: object, searcher: Searcher, segment: SegmentView): Matcher {
  const context = { searcher, now: () => FIXTURE_NOW_MS, nestedPath: null, innerHits: [] };
  const plan = planQuery(parseQuery(query, parseContext()), context);
  return createWeight(plan, searcher, { needsScores: true }).matcher(segment, true)!;
}

/** Documents and scores of all windows of `step` documents. */
function found(matcher: Matcher, count: number, step: number): [doc: number, score: number][] {
  const all: [doc: number, score: number][] = [];
  for (let from = 0; from < count; from += step) {
    const docs = new Int32Array(WINDOW_DOCS);
    const scores = new Float64Array(WINDOW_DOCS);
    const size = matcher.window(from, Math.min(count, from + step), docs, scores);
    for (let i = 0; i < size; i++) all.push([docs[i]!, scores[i]!]);
  }
  return all;
}

test('a range of few documents decodes no list of a window, and finds what a list finds', async () => {
  const documents = Array.from({ length: COUNT }, (_, doc) => (hasFox(doc) ? { s: foxOf(doc) } : {}));
  const searcher = await searcherOver({ type: 'rank_feature' }, documents);
  const [segment] = searcher.segments;
  let listed = 0;
  const numbers = segment!.reader.numbers.bind(segment!.reader);
  segment!.reader.numbers = (field) => {
    const column = numbers(field)!;
    const readPresent = column.readPresent!.bind(column);
    column.readPresent = (...given) => (listed++, readPresent(...given));
    return column;
  };
  const matcher = matcherOf({ rank_feature: { field: 's', linear: {}, boost: 2 } }, searcher, segment!);
  const expected = documents.flatMap((_, doc) => (hasFox(doc) ? [[doc, 2 * foxOf(doc)]] : []));
  for (const step of [1, 16, 255, 256, COUNT]) {
    listed = 0;
    assert.deepEqual(found(matcher, COUNT, step), expected, String(step));
    assert.equal(listed > 0, step >= 256, String(step));
  }
});

test('features in columns of an earlier build are found beside postings', async () => {
  const documents = Array.from({ length: 300 }, (_, doc) => ({ s: hasFox(doc) ? { fox: foxOf(doc) } : { dog: 1 } }));
  const before = await searcherOver(
    { properties: { fox: { type: 'double' }, dog: { type: 'double' } } },
    documents.slice(0, 150),
  );
  const searcher = await searcherOver({ type: 'rank_features' }, documents.slice(150));
  const inputs = [before, searcher].map(({ segments: [segment] }) => ({
    reader: segment!.reader,
    live: null,
    maxDoc: segment!.maxDoc,
  }));
  const memory = memorySegment();
  await mergeSegments(inputs, memory, {});
  const reader = await openSegment(memory.source('both'));
  const both = { ...searcher.segments[0]!, reader, maxDoc: 300, version: 'both' } as SegmentView;
  const tokens = { weighted_tokens: { s: { tokens: { fox: 2, none: 1 } } } };
  const expected = documents.flatMap((_, doc) => (hasFox(doc) ? [[doc, 2 * foxOf(doc)]] : []));
  const whole: Searcher = { ...searcher, segments: [both] };
  assert.deepEqual(found(matcherOf(tokens, whole, both), 300, WINDOW_DOCS), expected);
  const saturation = { rank_feature: { field: 's.fox', saturation: {} } };
  assert.equal(found(matcherOf(saturation, whole, both), 300, WINDOW_DOCS).length, 100);
});
