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
