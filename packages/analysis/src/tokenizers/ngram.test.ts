import { test } from 'node:test';
import { cuts, refuses } from '../testing/analysis-table.js';

test('ngram takes all parts of the text', () =>
  cuts({ tokenizer: { type: 'ngram', min_gram: 2, max_gram: 3 } }, [
    ['abcd', 'ab[0-2] abc[0-3] bc[1-3] bcd[1-4] cd[2-4]'],
  ]));

test('ngram keeps to characters of classes', () =>
  cuts(
    {
      tokenizer: {
        type: 'ngram',
        min_gram: 1,
        max_gram: 2,
        token_chars: ['letter', 'custom'],
        custom_token_chars: '+',
      },
    },
    [['a+ b1', 'a[0-1] a+[0-2] +[1-2] b[3-4]']],
  ));

test('ngram refuses sizes too far apart', () =>
  refuses([
    [
      { tokenizer: { type: 'ngram', min_gram: 1, max_gram: 5 } },
      'illegal_argument_exception: The difference between max_gram and min_gram in NGram ' +
        'Tokenizer must be less than or equal to: [1] but was [4]. This limit can be set by ' +
        'changing the [index.max_ngram_diff] index level setting.',
    ],
    [
      { tokenizer: { type: 'ngram', min_gram: 0, max_gram: 1 } },
      'illegal_argument_exception: minGram must be greater than zero',
    ],
  ]));
