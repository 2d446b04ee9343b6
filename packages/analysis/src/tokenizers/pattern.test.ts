import { test } from 'node:test';
import { cuts } from '../testing/analysis-table.js';

test('pattern cuts where the pattern matches', () =>
  cuts({ tokenizer: 'pattern' }, [
    ["foo_bar's size", 'foo_bar[0-7] s[8-9] size[10-14]'],
    ['  a', 'a[2-3]'],
  ]));

test('pattern may take a group instead', () =>
  cuts({ tokenizer: { type: 'pattern', pattern: '"([^"]*)"', group: 1 } }, [['"a b", "c"', 'a b[1-4] c[8-9]']]));

test('simple_pattern takes what an expression of Lucene matches', () =>
  cuts({ tokenizer: { type: 'simple_pattern', pattern: '[0-9]{3}' } }, [
    ['fd-786-335-514-x', '786[3-6] 335[7-10] 514[11-14]'],
  ]));

test('simple_pattern_split cuts there', () =>
  cuts({ tokenizer: { type: 'simple_pattern_split', pattern: '_' } }, [
    ['an_underscored_phrase', 'an[0-2] underscored[3-14] phrase[15-21]'],
  ]));
