import { test } from 'node:test';
import { analyzes, refuses } from '../testing/analysis-table.js';

test('keep keeps the words that it is given', () =>
  analyzes({ filter: [{ type: 'keep', keep_words: ['one', 'Two'] }] }, [
    ['one two three', 'one@0'],
    ['One Two', 'Two@1'],
  ]));

test('keep may ignore case', () =>
  analyzes({ filter: [{ type: 'keep', keep_words: ['one', 'Two'], keep_words_case: true }] }, [
    ['One two three', 'One@0 two@1'],
  ]));

test('keep needs words', () =>
  refuses([
    [
      { filter: [{ type: 'keep' }] },
      'illegal_argument_exception: keep requires either `keep_words` or `keep_words_path` to ' + 'be configured',
    ],
  ]));
