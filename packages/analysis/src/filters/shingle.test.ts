import { test } from 'node:test';
import { analyzes, refuses } from '../testing/analysis-table.js';

test('shingle joins neighbouring terms', () =>
  analyzes({ filter: ['shingle'] }, [
    ['a b c', 'a@0 a b@0:2 b@1 b c@1:2 c@2'],
    ['a', 'a@0'],
  ]));

test('shingle fills gaps', () =>
  analyzes(
    {
      filter: [
        { type: 'stop', stopwords: ['b'] },
        { type: 'shingle', max_shingle_size: 3 },
      ],
    },
    [
      ['a b c', 'a@0 a _@0:2 a _ c@0:3 _ c@1:2 c@2'],
      ['a c b', 'a@0 a c@0:2 a c _@0:3 c@1 c _@1:2'],
    ],
  ));

test('shingle takes tokens at one position one after the other', () =>
  analyzes({ filter: ['shingle', { type: 'shingle' }] }, [
    ['a b c', 'a@0 a a b@0:2 a b@1 a b b@1:2 b@2 b b c@2:2 b c@3 b c c@3:2 c@4'],
  ]));

test('shingle without single terms ends after its last shingle', () =>
  analyzes({ filter: [{ type: 'shingle', output_unigrams: false }, 'shingle'] }, [
    ['a b c d', 'a b@0 a b b c@0:2 b c@1 b c c d@1:2 c d@2'],
  ]));

test('shingle may leave single terms out, with another separator', () =>
  analyzes(
    {
      filter: [{ type: 'shingle', output_unigrams: false, output_unigrams_if_no_shingles: true, token_separator: '+' }],
    },
    [
      ['a b c', 'a+b@0 b+c@1'],
      ['a', 'a@0'],
    ],
  ));

test('shingle refuses sizes that are none', () =>
  refuses([
    [
      { filter: [{ type: 'shingle', max_shingle_size: 1 }] },
      'illegal_argument_exception: Max shingle size must be >= 2',
    ],
    [
      { filter: [{ type: 'shingle', min_shingle_size: 1 }] },
      'illegal_argument_exception: Min shingle size must be >= 2',
    ],
    [
      { filter: [{ type: 'shingle', min_shingle_size: 3, max_shingle_size: 2 }] },
      'illegal_argument_exception: Min shingle size must be <= max shingle size',
    ],
    [
      { filter: [{ type: 'shingle', max_shingle_size: 9 }] },
      'illegal_argument_exception: In Shingle TokenFilter the difference between ' +
        'max_shingle_size and min_shingle_size (and +1 if outputting unigrams) must be less ' +
        'than or equal to: [3] but was [8]. This limit can be set by changing the ' +
        '[index.max_shingle_diff] index level setting.',
    ],
  ]));
