import { test } from 'node:test';
import { analyzes } from '../testing/analysis-table.js';

test('trim drops white space around terms', () =>
  analyzes({ tokenizer: 'keyword', filter: ['trim'] }, [
    ['  a b  ', 'a b@0'],
    ['\t x \n', 'x@0'],
    ['y', 'y@0'],
  ]));
