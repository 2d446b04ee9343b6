import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TermsReader } from '@shoal/segments';
import type { TermMatch } from '../../plan.js';
import type { Searcher, SegmentView } from '../../searcher.js';
import { cachedTermFinder } from './cached-terms.js';

const TERMS = ['apple', 'apply', 'banana', 'bandana', 'cherry'];
const regexp = (pattern: string): TermMatch => ({
  kind: 'regexp',
  pattern,
  flags: 0,
  caseInsensitive: false,
  maxDeterminizedStates: 1000,
});

/** A segment's terms in order, and how often its dictionary was read. */
function sealedTerms(list: readonly string[]): { readonly terms: TermsReader; walks(): number } {
  let walks = 0;
  const cursor = (): object => {
    walks++;
    const at = {
      ordinal: -1,
      term: '',
      next: () => (at.ordinal++, (at.term = list[at.ordinal] ?? ''), at.ordinal < list.length),
    };
    return at;
  };
  return { terms: { termCount: list.length, cursor, isInMemory: false } as unknown as TermsReader, walks: () => walks };
}

function searcherWith(forgets: (key: string) => boolean = () => false): Searcher {
  const entries = new Map<string, unknown>();
  const cache = {
    get<T>(key: string, make: () => { readonly value: T }): T {
      if (!entries.has(key) || forgets(key)) entries.set(key, make().value);
      return entries.get(key) as T;
    },
  };
  return { cache } as unknown as Searcher;
}

const segment = (id: string): SegmentView => ({ reader: { id } }) as unknown as SegmentView;

test('a predicate finds the same terms however often it is asked, and in the end without reading them', () => {
  // The text of the dictionary is forgotten each time, so that reading it again is seen.
  const searcher = searcherWith((key) => key.startsWith('dictionary|'));
  const { terms, walks } = sealedTerms(TERMS);
  const ask = (): number[] => [
    ...cachedTermFinder(regexp('ap.*|b.*a'), searcher).find(searcher, segment('s1'), 'f', terms),
  ];
  for (let i = 0; i < 6; i++) assert.deepEqual(ask(), [0, 1, 2, 3]);
  assert.equal(walks(), 3);
});

test('segments, fields and predicates are told apart', () => {
  const searcher = searcherWith();
  const first = sealedTerms(TERMS).terms;
  const second = sealedTerms(['avocado', 'zebra']).terms;
  for (let i = 0; i < 5; i++) {
    const finder = cachedTermFinder(regexp('[a-b].*'), searcher);
    assert.deepEqual([...finder.find(searcher, segment('s1'), 'f', first)], [0, 1, 2, 3]);
    assert.deepEqual([...finder.find(searcher, segment('s2'), 'f', second)], [0]);
    assert.deepEqual([...finder.find(searcher, segment('s1'), 'g', second)], [0]);
    assert.deepEqual([...cachedTermFinder(regexp('c.*'), searcher).find(searcher, segment('s1'), 'f', first)], [4]);
  }
});

test('a predicate at fault is refused each time, without a segment too', () => {
  const searcher = searcherWith();
  for (let i = 0; i < 5; i++) assert.throws(() => cachedTermFinder(regexp('a('), searcher));
});
