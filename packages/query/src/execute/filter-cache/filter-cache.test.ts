import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Weight } from '../../matcher.js';
import type { Plan } from '../../plan.js';
import type { Searcher, SegmentView } from '../../searcher.js';
import { DocListMatcher } from '../matchers/bit-set-matcher.js';
import { cachedFilter } from './filter-cache.js';

const MAX_DOC = 10_000;

function searcherOf(): Searcher {
  const entries = new Map<string, unknown>();
  const cache = {
    get<T>(key: string, make: () => { readonly value: T }): T {
      if (!entries.has(key)) entries.set(key, make().value);
      return entries.get(key) as T;
    },
  };
  return { cache } as unknown as Searcher;
}

const segment = (version: string): SegmentView => ({ version, maxDoc: MAX_DOC }) as unknown as SegmentView;

/** A weight that matches these documents, and how often it was asked for a matcher. */
function weightOf(docs: readonly number[]): { readonly weight: Weight; asked(): number } {
  let asked = 0;
  return { weight: { matcher: () => (asked++, new DocListMatcher(Int32Array.from(docs), 0)) }, asked: () => asked };
}

function matches(plan: Plan, weight: Weight, searcher: Searcher, view: SegmentView): number[] {
  const docs = new Int32Array(MAX_DOC);
  const count = cachedFilter(plan, weight, searcher).matcher(view, false)!.window(0, 4096, docs, null);
  return [...docs.subarray(0, count)];
}

const termsPlan = (terms: readonly string[]): Plan => ({ kind: 'terms', field: 'f', terms, boost: 1 });
const rangePlan = (low: number, high: number): Plan => {
  const range: Plan = { kind: 'value', field: 'f', query: { kind: 'number', low, high }, boost: 1 };
  return { kind: 'bool', must: [], filter: [range], should: [], mustNot: [], minimumShouldMatch: 0, boost: 1 };
};

test('a costly filter is computed twice, its bits then answer', () => {
  const searcher = searcherOf();
  const { weight, asked } = weightOf([3, 5]);
  for (let i = 0; i < 6; i++) assert.deepEqual(matches(termsPlan(['a', 'b']), weight, searcher, segment('s1')), [3, 5]);
  assert.equal(asked(), 3);
});

test('one search of many segments is one use', () => {
  const searcher = searcherOf();
  const { weight, asked } = weightOf([1]);
  const filter = cachedFilter(termsPlan(['a']), weight, searcher);
  for (const version of ['s1', 's2', 's3', 's1', 's2', 's3']) filter.matcher(segment(version), false);
  assert.equal(asked(), 6);
});

test('a filter that many others were used after begins anew', () => {
  const searcher = searcherOf();
  const { weight, asked } = weightOf([1]);
  const use = (): number[] => matches(termsPlan(['rare']), weight, searcher, segment('s1'));
  for (let round = 0; round < 5; round++) {
    use();
    for (let i = 0; i < 300; i++)
      matches(termsPlan([`other ${round} ${i}`]), weightOf([2]).weight, searcher, segment('s1'));
  }
  assert.equal(asked(), 5);
});

test('bounds that JSON writes alike are told apart', () => {
  const searcher = searcherOf();
  const ranges: readonly (readonly [Plan, readonly number[]])[] = [
    [rangePlan(-Infinity, Infinity), [1, 2, 3]],
    [rangePlan(Infinity, Infinity), []],
    [rangePlan(-0, 0), [1]],
    [rangePlan(0, 0), [2]],
  ];
  for (let i = 0; i < 10; i++) {
    for (const [plan, docs] of ranges)
      assert.deepEqual(matches(plan, weightOf(docs).weight, searcher, segment('s1')), docs);
  }
});
