import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryIndex } from '../testing/memory-index.js';
import { readStoredQuery } from './stored-query.js';

const index = memoryIndex({
  mapping: {
    t: { type: 'text' },
    k: { type: 'keyword' },
    column: { type: 'keyword', index: false },
    n: { type: 'long' },
    o: { type: 'nested', properties: { k: { type: 'keyword' } } },
  },
  documents: [],
});
const searcher = await index.searcher([]);

/** Queries, and the terms of which a document must have one; `any` for none that are known. */
const TERMS: readonly (readonly [query: object, terms: string])[] = [
  [{ match: { t: 'red fox' } }, 't:red t:fox'],
  [{ match: { t: { query: 'red yellow', operator: 'and' } } }, 't:yellow'],
  [{ match_phrase: { t: 'a yellow fox' } }, 't:yellow'],
  [{ match_phrase_prefix: { t: 'red fo' } }, 't:red'],
  [{ terms: { k: ['x', 'y'] } }, 'k:x k:y'],
  [{ nested: { path: 'o', query: { term: { 'o.k': 'x' } } } }, 'o.k:x'],
  [{ bool: { filter: [{ terms: { k: ['x', 'y'] } }, { term: { t: 'z' } }] } }, 't:z'],
  [{ bool: { must: [{ prefix: { k: 'p' } }], should: [{ term: { k: 'x' } }] } }, 'any'],
  [{ bool: { must: [{ prefix: { k: 'p' } }], should: [{ term: { k: 'x' } }], minimum_should_match: 1 } }, 'k:x'],
  [{ bool: { should: [{ term: { k: 'x' } }, { term: { t: 'y' } }] } }, 'k:x t:y'],
  [{ bool: { should: [{ term: { k: 'x' } }, { match_all: {} }] } }, 'any'],
  [{ bool: { must_not: [{ term: { k: 'x' } }] } }, 'any'],
  [{ constant_score: { filter: { term: { k: 'x' } } } }, 'k:x'],
  [{ dis_max: { queries: [{ term: { k: 'x' } }, { term: { t: 'y' } }] } }, 'k:x t:y'],
  [{ function_score: { query: { term: { k: 'x' } }, weight: 2 } }, 'k:x'],
  [{ boosting: { positive: { term: { k: 'x' } }, negative: { term: { k: 'y' } }, negative_boost: 0.5 } }, 'k:x'],
  [{ combined_fields: { query: 'red', fields: ['t'] } }, 't:red'],
  [{ term: { column: 'x' } }, 'any'],
  [{ wildcard: { k: 'x*' } }, 'any'],
  [{ exists: { field: 'k' } }, 'any'],
  [{ match_none: {} }, ''],
];

for (const [query, terms] of TERMS)
  test(`${JSON.stringify(query)} requires: ${terms}`, () => {
    const found = readStoredQuery(query, searcher);
    assert.equal(found.map((term) => (term === '' ? 'any' : term.replace('\0', ':'))).join(' '), terms);
  });

test('a range of numbers requires blocks of numbers, at most two of each size', () => {
  const found = readStoredQuery({ range: { n: { gte: 10, lt: 1000 } } }, searcher);
  assert.ok(found.length > 1 && found.length < 40, `${found.length}`);
  assert.ok(found.every((term) => term.startsWith('n\0')));
  assert.equal(readStoredQuery({ term: { n: 5 } }, searcher).length, 1);
});
