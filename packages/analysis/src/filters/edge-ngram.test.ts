import { test } from 'node:test';
import { analyzes, refuses } from '../testing/analysis-table.js';

test('edge_ngram takes the beginnings of terms', () =>
  analyzes({ filter: [{ type: 'edge_ngram', min_gram: 2, max_gram: 3 }] }, [
    ['abcd a ab', 'ab@0 abc@0 ab@2'],
    ['日本語', ''],
  ]));

test('edge_ngram may take the ends, and keep the term', () =>
  analyzes({ filter: [{ type: 'edge_ngram', min_gram: 2, max_gram: 3, side: 'back', preserve_original: true }] }, [
    ['abcd a', 'cd@0 bcd@0 abcd@0 a@1'],
  ]));

test('edge_ngram refuses sizes that are none', () =>
  refuses([
    [
      { filter: [{ type: 'edge_ngram', min_gram: 3, max_gram: 2 }] },
      'illegal_argument_exception: minGram must not be greater than maxGram',
    ],
    [
      { filter: [{ type: 'edge_ngram', min_gram: 0 }] },
      'illegal_argument_exception: minGram must be greater than zero',
    ],
    [{ filter: [{ type: 'edge_ngram', side: 'top' }] }, 'illegal_argument_exception: invalid side: top'],
  ]));
