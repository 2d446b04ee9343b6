import { test } from 'node:test';
import { analyzes, refuses } from '../testing/analysis-table.js';

test('dictionary_decompounder adds the words that a word is made of', () =>
  analyzes({ filter: [{ type: 'dictionary_decompounder', word_list: ['donau', 'dampf', 'schiff'] }] }, [
    ['donaudampfschiff', 'donaudampfschiff@0 donau@0 dampf@0 schiff@0'],
    ['dampf xyz', 'dampf@0 dampf@0 xyz@1'],
  ]));

test('dictionary_decompounder takes the longest parts of a length only', () =>
  analyzes(
    {
      filter: [
        {
          type: 'dictionary_decompounder',
          word_list: ['ab', 'abc', 'abcd'],
          only_longest_match: true,
          min_subword_size: 2,
          min_word_size: 4,
        },
      ],
    },
    [
      ['abcdx', 'abcdx@0 abcd@0'],
      ['abc', 'abc@0'],
    ],
  ));

test('dictionary_decompounder needs words', () =>
  refuses([
    [
      { filter: [{ type: 'dictionary_decompounder' }] },
      'illegal_argument_exception: word_list must be provided for ' +
        '[__anonymous__dictionary_decompounder], either as a path to a file, or directly',
    ],
  ]));
