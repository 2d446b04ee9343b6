import { test } from 'node:test';
import { searchFixture } from '../testing/search-fixture.js';

/** Answers, plan texts and errors are those of Elasticsearch 8.12.0. */
const index = await searchFixture({
  mapping: { k: { type: 'keyword' }, need: { type: 'long' }, t: { type: 'text' } },
  documents: [{ k: ['a', 'b', 'c'], need: 2 }, { k: ['a', 'b'], need: 1 }, { k: ['c'], need: 2 }, { k: ['a', 'c'] }],
});

test('terms_set finds documents with as many of the terms as their own field says', () =>
  index.answers([
    [
      { terms_set: { k: { terms: ['a', 'c'], minimum_should_match_field: 'need' } } },
      { ids: ['1', '2'], scores: [0.896783, 0.448391] },
    ],
    [
      { terms_set: { k: { terms: ['b'], minimum_should_match_field: 'need', boost: 2 } } },
      { ids: ['2'], scores: [1.74277] },
    ],
    [{ terms_set: { k: { terms: [], minimum_should_match_field: 'need' } } }, { ids: [], scores: [] }],
  ]));

test('a script says how many of the terms a document needs', () =>
  index.answers([
    [
      { terms_set: { k: { terms: ['a', 'c'], minimum_should_match_script: 'params.num_terms' } } },
      { ids: ['1', '4'], scores: [0.896783, 0.896783] },
    ],
    [
      {
        terms_set: {
          k: {
            terms: ['a', 'c'],
            minimum_should_match_script: {
              source: 'Math.max(params.num_terms, doc[params.field].size())',
              params: { field: 'k' },
            },
          },
        },
      },
      { ids: ['4'], scores: [0.896783] },
    ],
    [
      { terms_set: { k: { terms: ['a', 'c'], minimum_should_match_script: 'params.num_terms - 0.1' } } },
      { ids: ['1', '4', '2', '3'], scores: [0.896783, 0.896783, 0.448391, 0.448391] },
    ],
    [
      {
        terms_set: {
          k: {
            terms: ['b', 'c'],
            minimum_should_match_script: {
              source: "doc['need'].size() == 0 ? params.m : doc['need'].value",
              params: { m: 9 },
            },
          },
        },
      },
      { ids: ['1', '2'], scores: [1.31978, 0.871385] },
    ],
  ]));

test('terms_set needs the field with the number', () =>
  index.refuses([
    [
      { terms_set: { k: { terms: ['a'] } } },
      'query_shard_exception: failed to create query: No minimum should match has been specified ' +
        '<- illegal_state_exception: No minimum should match has been specified',
    ],
    [
      { terms_set: { k: { terms: ['a'], minimum_should_match_field: 'nowhere' } } },
      'query_shard_exception: failed to find minimum_should_match field [nowhere]',
    ],
    [
      { terms_set: { k: { terms: ['a'], size: 1, minimum_should_match_field: 'need' } } },
      'parsing_exception: [terms_set] query does not support [size]',
    ],
    [{ terms_set: {} }, 'parsing_exception: [terms_set] unknown token [END_OBJECT]'],
  ]));

test('terms_set takes an array of single values', () =>
  index.refuses([
    [
      { terms_set: { k: { terms: 'a', minimum_should_match_field: 'n' } } },
      'parsing_exception: [terms_set] query does not support [terms]',
    ],
    [
      { terms_set: { k: { terms: [['a']], minimum_should_match_field: 'n' } } },
      'parsing_exception: [terms_set] unknown token [END_ARRAY] after [terms]',
    ],
    [
      { terms_set: { k: { terms: ['a', null], minimum_should_match_field: 'n' } } },
      'parsing_exception: No value specified for terms query',
    ],
    [{ terms_set: { k: 3 } }, 'parsing_exception: [terms_set] unknown token [VALUE_NUMBER]'],
  ]));

const decimals = await searchFixture({
  mapping: { k: { type: 'keyword' }, m: { type: 'float' } },
  documents: [
    { k: 'a', m: 1.5 },
    { k: 'a', m: 0.5 },
    { k: 'a', m: 2 },
  ],
});

test('a decimal minimum counts as the whole number below', () =>
  decimals.finds([[{ terms_set: { k: { terms: ['a'], minimum_should_match_field: 'm' } } }, ['1', '2']]]));
