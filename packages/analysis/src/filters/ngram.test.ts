import { test } from 'node:test';
import { analyzes, refuses } from '../testing/analysis-table.js';

test('ngram takes all parts of terms', () =>
  analyzes({ filter: [{ type: 'ngram', min_gram: 1, max_gram: 2 }] }, [
    ['abc', 'a@0 ab@0 b@0 bc@0 c@0'],
    ['日本', '日@0 本@1'],
  ]));

test('ngram may keep the term', () =>
  analyzes({ filter: [{ type: 'ngram', min_gram: 2, max_gram: 2, preserve_original: true }] }, [
    ['abc a', 'ab@0 bc@0 abc@0 a@1'],
  ]));

test('ngram refuses sizes too far apart', () =>
  refuses([
    [
      { filter: [{ type: 'ngram', min_gram: 1, max_gram: 5 }] },
      'illegal_argument_exception: The difference between max_gram and min_gram in NGram ' +
        'Tokenizer must be less than or equal to: [1] but was [4]. This limit can be set by ' +
        'changing the [index.max_ngram_diff] index level setting.',
    ],
    [
      { filter: [{ type: 'ngram', min_gram: 3, max_gram: 2 }] },
      'illegal_argument_exception: minGram must not be greater than maxGram',
    ],
  ]));
