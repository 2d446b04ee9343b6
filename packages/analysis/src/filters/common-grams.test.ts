import { test } from 'node:test';
import { analyzes, refuses } from '../testing/analysis-table.js';

test('common_grams joins common words with their neighbours', () =>
  analyzes({ filter: [{ type: 'common_grams', common_words: ['the', 'of'] }] }, [
    ['the king of spain', 'the@0 the_king@0:2 king@1 king_of@1:2 of@2 of_spain@2:2 spain@3'],
    ['king spain', 'king@0 spain@1'],
    ['of the', 'of@0 of_the@0:2 the@1'],
  ]));

test('common_grams for queries drops the words that it joined', () =>
  analyzes({ filter: [{ type: 'common_grams', common_words: ['the', 'of'], query_mode: true }] }, [
    ['the king of spain', 'the_king@0 king_of@1 of_spain@2'],
    ['king spain', 'king@0 spain@1'],
  ]));

test('common_grams may ignore case', () =>
  analyzes({ filter: [{ type: 'common_grams', common_words: ['the'], ignore_case: true }] }, [
    ['The King', 'The@0 The_King@0:2 King@1'],
  ]));

test('common_grams needs words', () =>
  refuses([
    [
      { filter: [{ type: 'common_grams' }] },
      'illegal_argument_exception: missing or empty [common_words] or [common_words_path] ' +
        'configuration for common_grams token filter',
    ],
  ]));
