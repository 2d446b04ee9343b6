import { test } from 'node:test';
import { analyzes } from '../testing/analysis-table.js';

test('keyword_repeat gives each term twice, of which one is not stemmed', () =>
  analyzes({ filter: ['keyword_repeat', 'porter_stem'] }, [['jumping fox', 'jumping@0 jump@0 fox@1 fox@1']]));

test('keyword_repeat with remove_duplicates gives unchanged terms once', () =>
  analyzes({ filter: ['keyword_repeat', 'porter_stem', 'remove_duplicates'] }, [
    ['jumping fox', 'jumping@0 jump@0 fox@1'],
  ]));
