import { test } from 'node:test';
import { searchFixture } from '../testing/search-fixture.js';

const index = await searchFixture({
  mapping: {
    c: { type: 'dense_vector', dims: 2 },
    u: { type: 'dense_vector', dims: 2, index: false },
    b: { type: 'dense_vector', dims: 2, element_type: 'byte', similarity: 'l2_norm' },
    k: { type: 'keyword' },
  },
  documents: [{ c: [3, 4], u: [3, 4], b: [3, 4] }, { c: [0, 2], u: [6, 8], b: [-6, 0] }, { k: 'none' }],
});

const scored = (source: string, query: object = { exists: { field: 'c' } }): object => ({
  script_score: { query, script: { source, params: { q: [3, 4], other: [1, 0.5], short: [1] } } },
});

test('scripts compare a vector with those of documents, indexed or not, as they were given', () =>
  index.answers([
    [scored("cosineSimilarity(params.q, 'c') + 1"), { ids: ['1', '2'], scores: [2, 1.8] }],
    [scored("dotProduct(params.q, 'c')"), { ids: ['1', '2'], scores: [25, 8] }],
    [scored("1 / (1 + l2norm(params.q, 'c'))"), { ids: ['1', '2'], scores: [1, 0.217129] }],
    [scored("l1norm(params.q, 'u')"), { ids: ['2', '1'], scores: [7, 0] }],
    [scored("dotProduct([1, 0.5], 'u')"), { ids: ['2', '1'], scores: [10, 5] }],
    [scored("cosineSimilarity(params.q, 'b') + 1"), { ids: ['1', '2'], scores: [2, 0.4] }],
    [
      scored("doc['c'].size() == 0 ? 9 : doc['c'].magnitude", { match_all: {} }),
      { ids: ['3', '1', '2'], scores: [9, 5, 2] },
    ],
    [scored("doc['u'].vectorValue[1]"), { ids: ['2', '1'], scores: [8, 4] }],
  ]));

test('vectors that cannot be compared fail the script with 8.12’s words', () => {
  const caused = (source: string, query?: object): string => {
    try {
      index.search(scored(source, query));
    } catch (error) {
      for (let cause = error as { causedBy?: unknown; reason?: string }; ; cause = cause.causedBy as typeof cause)
        if (cause.causedBy === undefined) return cause.reason ?? '';
    }
    return 'no error';
  };
  for (const [source, query, reason] of [
    [
      "dotProduct(params.short, 'c')",
      undefined,
      'The query vector has a different number of dimensions [1] than the document vectors [2].',
    ],
    ["dotProduct(params.q, 'c')", { match_all: {} }, "A document doesn't have a value for a vector field!"],
    [
      "dotProduct(params.other, 'b')",
      undefined,
      'element_type [byte] vectors only support non-decimal values but found decimal value [0.5] at dim [1];',
    ],
    ["dotProduct(params.q, 'k')", undefined, 'field [k] of type [keyword] has no vectors'],
    ["dotProduct(params.q, 'x')", undefined, 'No field found for [x] in mapping'],
    ["dotProduct('abc', 'c')", undefined, 'the query vector is no list of numbers'],
  ] as const)
    if (caused(source, query) !== reason) throw new Error(`${source}: ${caused(source, query)}`);
});
