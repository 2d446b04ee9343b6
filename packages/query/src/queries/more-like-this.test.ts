import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchFixture } from '../testing/search-fixture.js';

/** Answers, plan texts and errors are those of Elasticsearch 8.12.0. */
const index = await searchFixture({
  mapping: { t: { type: 'text' }, u: { type: 'text' }, n: { type: 'long' } },
  documents: [
    { t: 'search engines rank pages', u: 'x' },
    { t: 'engines of cars and engines of planes' },
    { t: 'rank pages by links' },
    { t: 'cooking for two', u: 'search engines' },
    { t: 'search pages' },
  ],
});

test('more_like_this finds documents that share the words of a text', () =>
  index.finds([
    [{ more_like_this: { fields: ['t'], like: 'search engines', min_term_freq: 1, min_doc_freq: 1 } }, ['1', '2', '5']],
    [
      {
        more_like_this: {
          fields: ['t'],
          like: 'rank pages',
          min_term_freq: 1,
          min_doc_freq: 1,
          minimum_should_match: '100%',
        },
      },
      ['1', '3'],
    ],
    [{ more_like_this: { fields: ['t'], like: 'engines', min_term_freq: 1, min_doc_freq: 3 } }, []],
    [{ more_like_this: { fields: ['t'], like: 'engines engines', min_term_freq: 2, min_doc_freq: 1 } }, ['1', '2']],
    [
      {
        more_like_this: { fields: ['t'], like: 'search engines', unlike: 'engines', min_term_freq: 1, min_doc_freq: 1 },
      },
      ['1', '5'],
    ],
    [
      {
        more_like_this: {
          fields: ['t'],
          like: 'search engines',
          stop_words: ['search'],
          min_term_freq: 1,
          min_doc_freq: 1,
        },
      },
      ['1', '2'],
    ],
  ]));

test('more_like_this leaves out the documents that it is given, unless told to include them', () =>
  index.finds([
    [{ more_like_this: { fields: ['t'], like: { _id: '1' }, min_term_freq: 1, min_doc_freq: 1 } }, ['2', '3', '5']],
    [
      { more_like_this: { fields: ['t'], like: [{ _id: '1' }], include: true, min_term_freq: 1, min_doc_freq: 1 } },
      ['1', '2', '3', '5'],
    ],
    [{ more_like_this: { fields: ['t'], like: { doc: { t: 'links' } }, min_term_freq: 1, min_doc_freq: 1 } }, ['3']],
  ]));

test('more_like_this refuses to be without texts and fields of other types', () =>
  index.refuses([
    [{ more_like_this: { fields: ['t'] } }, "parsing_exception: more_like_this requires 'like' to be specified"],
    [
      { more_like_this: { fields: ['n'], like: 'a', fail_on_unsupported_field: true } },
      'query_shard_exception: failed to create query: more_like_this only supports text/keyword ' +
        'fields: [n] <- illegal_argument_exception: more_like_this only supports text/keyword ' +
        'fields: [n]',
    ],
    [
      { more_like_this: { fields: [], like: 'a' } },
      "parsing_exception: more_like_this requires 'fields' to be non-empty",
    ],
    [
      { more_like_this: { fields: ['t'], like: { fields: ['t'] } } },
      'parse_exception: failed to parse More Like This item. neither [id] nor [doc] is specified!',
    ],
    [{ more_like_this: { like: 'a', size: 1 } }, 'parsing_exception: [mlt] query does not support [size]'],
  ]));

test('more_like_this of texts that take long to analyse is refused', () =>
  index.refuses([
    [
      { more_like_this: { fields: ['t'], like: ['a '.repeat(600_000), 'b '.repeat(600_000)] } },
      'query_shard_exception: failed to create query: The length of the texts of [more_like_this] exceeds the ' +
        'allowed maximum of [2000000] <- ' +
        'illegal_argument_exception: The length of the texts of [more_like_this] exceeds the allowed maximum of ' +
        '[2000000]',
    ],
  ]));

test('boost_terms is the boost of the least telling word, and more telling words get more', async () => {
  const letters = await searchFixture({
    mapping: { t: { type: 'text' } },
    documents: ['a b c d', 'a b c', 'a b', 'a a e', 'f g h x*y'].map((t) => ({ t })),
  });
  const base = { fields: ['t'], min_term_freq: 1, min_doc_freq: 1, minimum_should_match: 0 };
  const { plan } = letters.search({ more_like_this: { ...base, like: 'a b c d' } });
  assert.equal(plan, 't:a t:b t:c t:d');
  letters.answers([
    [
      { more_like_this: { ...base, like: 'a b c d e', boost_terms: 2 } },
      { ids: ['1', '4', '2', '3'], scores: [8.66036, 5.98836, 4.58491, 2.23295] },
    ],
    [
      { more_like_this: { ...base, like: 'a a a b c d e', boost_terms: 1.5, max_query_terms: 3 } },
      { ids: ['4', '1', '3', '2'], scores: [3.22174, 2.61966, 0.877081, 0.766214] },
    ],
    [
      { more_like_this: { ...base, like: 'a', boost_terms: 3 } },
      { ids: ['4', '3', '2', '1'], scores: [1.2273, 1.03788, 0.906684, 0.804936] },
    ],
  ]);
});
