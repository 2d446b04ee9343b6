import { test } from 'node:test';
import { searchFixture } from '../testing/search-fixture.js';

const index = await searchFixture({
  mapping: { s: { type: 'sparse_vector' }, r: { type: 'rank_features' }, k: { type: 'keyword' } },
  documents: [
    { s: { fox: 2, dog: 0.5 }, r: { fox: 1 } },
    { s: { fox: 0.25, cat: 4 } },
    { s: { bird: 1 } },
    { k: 'fox' },
  ],
});

test('weighted_tokens adds up the weights of documents times those of the query', () =>
  index.answers([
    [{ weighted_tokens: { s: { tokens: { fox: 1, dog: 2, fish: 9 } } } }, { ids: ['1', '2'], scores: [3, 0.25] }],
    [
      { weighted_tokens: { s: { tokens: [{ fox: 1 }, { cat: 0.5 }], boost: 2 } } },
      { ids: ['2', '1'], scores: [4.5, 4] },
    ],
    [{ weighted_tokens: { r: { tokens: { fox: 3 } } } }, { ids: ['1'], scores: [3] }],
    [{ weighted_tokens: { s: { tokens: { fox: 0 } } } }, { ids: [], scores: [] }],
    [{ weighted_tokens: { nowhere: { tokens: { fox: 1 } } } }, { ids: [], scores: [] }],
  ]));

test('a token that is looked for as a term scores by its weight; several score alike', () =>
  index.answers([
    [{ term: { s: { value: 'fox', boost: 2 } } }, { ids: ['1', '2'], scores: [4, 0.5] }],
    [{ match: { s: 'fox' } }, { ids: ['1', '2'], scores: [2, 0.25] }],
    [{ match: { s: 'fox dog' } }, { ids: [], scores: [] }],
    [{ query_string: { query: 's:cat' } }, { ids: ['2'], scores: [4] }],
    [{ terms: { s: ['cat', 'dog'] } }, { ids: ['1', '2'], scores: [1, 1] }],
  ]));

test('exists finds documents with a sparse vector', () =>
  index.answers([[{ exists: { field: 's' } }, { ids: ['1', '2', '3'], scores: [1, 1, 1] }]]));

test('text_expansion takes given tokens', () =>
  index.answers([[{ text_expansion: { s: { tokens: { bird: 2 } } } }, { ids: ['3'], scores: [2] }]]));

test('what needs a model, other fields and weights below zero are refused', () =>
  index.refuses([
    [
      { weighted_tokens: { s: { tokens: Object.fromEntries(Array.from({ length: 1025 }, (_, i) => [`t${i}`, -1])) } } },
      'illegal_argument_exception: [weighted_tokens] has [1025] tokens, more than [1024]',
    ],
    [
      { text_expansion: { s: { model_id: 'elser', model_text: 'a fox' } } },
      'illegal_argument_exception: [text_expansion] [model_id] is not supported: no model can run that makes tokens ' +
        'of texts',
    ],
    [
      { weighted_tokens: { s: { tokens: { fox: 1 }, pruning_config: { tokens_freq_ratio_threshold: 0.5 } } } },
      'illegal_argument_exception: [tokens_freq_ratio_threshold] must be between [1] and [100], got 0.5',
    ],
    [
      { weighted_tokens: { s: { tokens: { fox: 1 }, pruning_config: { tokens_weight_threshold: 2 } } } },
      'illegal_argument_exception: [tokens_weight_threshold] must be between [0] and [1], got 2',
    ],
    [
      { weighted_tokens: { s: { tokens: { fox: 1 }, pruning_config: { ratio: 2 } } } },
      'parsing_exception: [pruning_config] unknown token [ratio]',
    ],
    [
      { weighted_tokens: { s: { tokens: { fox: -1 } } } },
      'illegal_argument_exception: [weighted_tokens] weight of [fox] must be a positive number but was [-1]',
    ],
    [{ weighted_tokens: { s: {} } }, 'parsing_exception: [weighted_tokens] requires [tokens] with at least one token'],
  ]));

const common = await searchFixture({
  mapping: { s: { type: 'sparse_vector' } },
  documents: Array.from({ length: 12 }, (_, i) => ({ s: { the: 1, [`rare${i}`]: 1, ...(i < 2 ? { fox: 2 } : {}) } })),
});

test('pruning leaves out tokens that many documents have and that weigh little', () => {
  const scored = (tokens: object, pruning: object): object => ({
    weighted_tokens: { s: { tokens, pruning_config: pruning } },
  });
  const ratio = { tokens_freq_ratio_threshold: 2, tokens_weight_threshold: 0.4 };
  const light = { the: 0.3, fox: 1, nowhere: 1 };
  const all = Array.from({ length: 12 }, (_, i) => String(i + 1));
  return common.answers([
    [scored(light, ratio), { ids: ['1', '2'], scores: [2, 2] }],
    [scored({ the: 0.5, fox: 1 }, ratio), { ids: all, scores: [2.5, 2.5, ...Array(10).fill(0.5)] }],
    [
      scored(light, { ...ratio, tokens_freq_ratio_threshold: 100 }),
      { ids: all, scores: [2.3, 2.3, ...Array(10).fill(0.3)] },
    ],
    [scored(light, { ...ratio, only_score_pruned_tokens: true }), { ids: all, scores: Array(12).fill(0.3) }],
    [{ weighted_tokens: { s: { tokens: { the: 1 }, pruning_config: {} } } }, { ids: all, scores: Array(12).fill(1) }],
  ]);
});

test('tokens of all, of many and of few documents add up however a segment lists their documents', async () => {
  const weightsOf = (i: number): Record<string, number> => ({
    every: 1 + (i % 7),
    ...(i % 3 === 0 ? { third: 2 } : {}),
    ...(i % 97 === 0 ? { rare: 64 } : {}),
  });
  const count = 1500;
  const many = await searchFixture({
    mapping: { s: { type: 'sparse_vector' } },
    documents: Array.from({ length: count }, (_, i) => ({ s: weightsOf(i) })),
  });
  const tokens: Record<string, number> = { every: 0.5, third: 1, rare: 0.25 };
  const expected = Array.from({ length: count }, (_, i) => ({
    id: String(i + 1),
    score: Object.entries(weightsOf(i)).reduce((sum, [token, weight]) => sum + weight * tokens[token]!, 0),
  }));
  // The sort is stable: equal scores stay in the order of documents.
  expected.sort((a, b) => b.score - a.score);
  many.answers([
    [
      { weighted_tokens: { s: { tokens } } },
      { ids: expected.map(({ id }) => id), scores: expected.map(({ score }) => score) },
    ],
  ]);
});
