import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SimilaritySettings } from '@shoal/mapping';
import { searchFixture } from '../../testing/search-fixture.js';

const DOCUMENTS = [
  'quick brown fox',
  'the quick quick quick lazy dog the brown the',
  'brown',
  'a b c d e f g h i j k l m n o p q r s t fox fox',
  'the the the the',
  'lazy dog dog',
];

const TFIDF: SimilaritySettings = {
  type: 'scripted',
  weightScript: {
    source: 'double idf = Math.log((field.docCount+1.0)/(term.docFreq+1.0)) + 1.0; return query.boost * idf;',
  },
  script: {
    source: 'double tf = Math.sqrt(doc.freq); double norm = 1/Math.sqrt(doc.length); return weight * tf * norm;',
  },
};
const COUNTS: SimilaritySettings = {
  type: 'scripted',
  weightScript: null,
  script: {
    source: 'return query.boost * doc.freq * field.sumDocFreq + field.sumTotalTermFreq * 1000 + term.totalTermFreq',
  },
};

const SIMILARITIES = new Map([
  ['t', TFIDF],
  ['c', COUNTS],
  ['n', TFIDF],
]);

/** Answers of OpenSearch 2.19.0. */
test('scripts score terms and phrases, and see all counts', async () => {
  const index = await searchFixture({
    mapping: { t: { type: 'text' }, c: { type: 'text' }, n: { type: 'text', norms: false } },
    documents: DOCUMENTS.map((text) => ({ t: text, c: text, n: text })),
    settings: { similarity: (field) => SIMILARITIES.get(field) ?? null },
  });
  const the = { query: 'the', boost: 2.5 };
  index.answers([
    [{ match: { t: 'quick' } }, { ids: ['1', '2'], scores: [1.06654, 1.06654] }],
    [{ match: { t: the } }, { ids: ['5', '2'], scores: [4.61824, 2.66634] }],
    [{ match_phrase: { t: 'brown fox' } }, { ids: ['1'], scores: [1.96698] }],
    [{ match: { c: 'quick' } }, { ids: ['2', '1'], scores: [42103, 42037] }],
    [{ match: { c: the } }, { ids: ['5', '2'], scores: [42337, 42254.5] }],
    [{ match_phrase: { c: 'brown fox' } }, { ids: ['1'], scores: [84072] }],
    // Without norms fields have the length 1.
    [{ match: { n: 'quick' } }, { ids: ['2', '1'], scores: [3.19961, 1.8473] }],
  ]);
});

test('a script that gives no score ends the search', async () => {
  const script = { source: 'return doc.freq > 1 && term.docFreq < 100 ? -1 : doc.freq' };
  const index = await searchFixture({
    mapping: { t: { type: 'text' } },
    documents: DOCUMENTS.map((text) => ({ t: text })),
    settings: { similarity: () => ({ type: 'scripted', script, weightScript: null }) },
  });
  assert.throws(() => index.search({ match: { t: 'the' } }), /Similarities must not produce negative scores, but got:/);
});
