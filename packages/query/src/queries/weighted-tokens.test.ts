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

test('exists finds documents with a sparse vector', () =>
  index.answers([[{ exists: { field: 's' } }, { ids: ['1', '2', '3'], scores: [1, 1, 1] }]]));

test('text_expansion takes given tokens', () =>
  index.answers([[{ text_expansion: { s: { tokens: { bird: 2 } } } }, { ids: ['3'], scores: [2] }]]));

test('what needs a model, other fields and weights below zero are refused', () =>
  index.refuses([
    [
      { text_expansion: { s: { model_id: 'elser', model_text: 'a fox' } } },
      'illegal_argument_exception: [text_expansion] [model_id] is not supported: no model can run that makes tokens ' +
        'of texts',
    ],
    [
      { weighted_tokens: { s: { tokens: { fox: 1 }, pruning_config: {} } } },
      'illegal_argument_exception: [weighted_tokens] [pruning_config] is not supported',
    ],
    [
      { weighted_tokens: { s: { tokens: { fox: -1 } } } },
      'illegal_argument_exception: [weighted_tokens] weight of [fox] must be a positive number but was [-1]',
    ],
    [{ weighted_tokens: { s: {} } }, 'parsing_exception: [weighted_tokens] requires [tokens] with at least one token'],
  ]));
