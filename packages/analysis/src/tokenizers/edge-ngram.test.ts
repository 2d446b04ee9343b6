import { test } from 'node:test';
import { cuts, refuses } from '../testing/analysis-table.js';

test('edge_ngram takes the beginnings of words', () =>
  cuts({ tokenizer: { type: 'edge_ngram', min_gram: 1, max_gram: 3, token_chars: ['letter'] } }, [
    ['abcd 1ef', 'a[0-1] ab[0-2] abc[0-3] e[6-7] ef[6-8]'],
  ]));

test('edge_ngram takes the beginning of the text by default', () =>
  cuts({ tokenizer: 'edge_ngram' }, [['ab cd', 'a[0-1] ab[0-2]']]));

test('edge_ngram refuses sizes that are none', () =>
  refuses([
    [
      { tokenizer: { type: 'edge_ngram', min_gram: 3, max_gram: 2 } },
      'illegal_argument_exception: minGram must not be greater than maxGram',
    ],
  ]));
