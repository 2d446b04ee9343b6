import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTermFilter, scoredTerms } from './term-filter.js';

const COUNTS = [
  { term: 'fox', termFreq: 1, docFreq: 1 },
  { term: 'quick', termFreq: 1, docFreq: 3 },
  { term: 'the', termFreq: 2, docFreq: 3 },
];
const kept = (filter: Readonly<Record<string, unknown>>): string[] => [
  ...scoredTerms(COUNTS, 3, parseTermFilter(filter)).keys(),
];

test('terms that say most about a document come first', () => {
  assert.deepEqual(kept({}), ['the', 'fox', 'quick']);
  assert.deepEqual(kept({ max_num_terms: 1 }), ['the']);
  assert.equal(scoredTerms(COUNTS, 3, parseTermFilter({})).get('the'), 2);
});

test('terms are kept by their frequencies and lengths', () => {
  assert.deepEqual(kept({ min_term_freq: 2 }), ['the']);
  assert.deepEqual(kept({ max_term_freq: 1 }), ['fox', 'quick']);
  assert.deepEqual(kept({ min_doc_freq: 2 }), ['the', 'quick']);
  assert.deepEqual(kept({ max_doc_freq: 2 }), ['fox']);
  assert.deepEqual(kept({ min_word_length: 4 }), ['quick']);
  assert.deepEqual(kept({ max_word_length: 3 }), ['the', 'fox']);
});

test('options that the filter does not know are refused', () => {
  const pattern = /the field \[a\] is not valid for filter parameter for term vector request/;
  assert.throws(() => parseTermFilter({ a: 1 }), pattern);
  assert.throws(() => parseTermFilter({ max_num_terms: 'x' }), /For input string: "x"/);
});
