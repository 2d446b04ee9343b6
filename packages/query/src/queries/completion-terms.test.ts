import { test } from 'node:test';
import { searchFixture } from '../testing/search-fixture.js';

/** Ids and scores are those of Elasticsearch 8.12.0, for which the tokens of an input are one term. */
const index = await searchFixture({
  mapping: { t: { type: 'text' }, c: { type: 'completion' } },
  documents: [
    { c: [{ input: ['quick'], weight: 17 }, "o'neil green"] },
    { c: 'quick BROWN BROWN' },
    { c: ['lazy', 'lazy'] },
    { c: 'Fox' },
    { c: 'fox' },
    { c: "o'neil 2024 Fox" },
    { t: 'lazy' },
  ],
});

test('terms of completion fields are whole inputs, whatever their weights and forms', () =>
  index.answers([
    [{ term: { c: 'lazy' } }, { ids: ['3'], scores: [1.63606] }],
    [{ term: { c: 'fox' } }, { ids: ['4', '5'], scores: [1.09353, 1.09353] }],
    [{ terms: { c: ['lazy', 'quick', 'none'] } }, { ids: ['1', '3'], scores: [1, 1] }],
    [{ term: { c: 'neil' } }, { ids: [], scores: [] }],
    [{ term: { c: 'neil green' } }, { ids: [], scores: [] }],
    [{ terms: { c: ['Fox'] } }, { ids: [], scores: [] }],
  ]));

test('65,000 terms of a completion field are searched in parts, and find what few of them find', async () => {
  const many = Array.from({ length: 65_000 }, (_, i) => `none${i}`);
  many[100] = 'lazy';
  many[64_900] = 'quick';
  await index.answers([
    [{ terms: { c: many } }, { ids: ['1', '3'], scores: [1, 1] }],
    [{ terms: { c: many.slice(0, 1000), boost: 3 } }, { ids: ['3'], scores: [3] }],
    [{ terms: { c: many.slice(200, 5000) } }, { ids: [], scores: [] }],
  ]);
});

test('regular expressions of a query string with an analyzer search whole inputs', () =>
  index.finds([
    [{ query_string: { query: '/qu.*k/', fields: ['c'], analyzer: 'standard' } }, ['1']],
    [{ query_string: { query: '/qu.*k|fox/', fields: ['c'], analyzer: 'standard' } }, ['1', '4', '5']],
  ]));

const repeated = await searchFixture({
  mapping: { c: { type: 'completion' } },
  documents: [
    { c: '2024' },
    { c: ['fox', 'fox'] },
    { c: { input: ['fox', 'fox', 'fox run'], weight: 3 } },
    { c: [''] },
    { c: ['over the', '10'] },
    {},
    { c: ['fox', { input: 'fox', weight: 9 }] },
  ],
});

test('a document has an input once, and none of what analysis leaves nothing of', () =>
  repeated.answers([
    [{ match: { c: 'fox' } }, { ids: ['2', '7', '3'], scores: [0.388458, 0.388458, 0.286381] }],
    [{ span_term: { c: 'fox' } }, { ids: ['2', '7', '3'], scores: [0.388458, 0.388458, 0.286381] }],
    [{ term: { c: '' } }, { ids: [], scores: [] }],
    [{ match: { c: '2024' } }, { ids: [], scores: [] }],
    [{ exists: { field: 'c' } }, { ids: ['1', '2', '3', '4', '5', '7'], scores: [1, 1, 1, 1, 1, 1] }],
  ]));
