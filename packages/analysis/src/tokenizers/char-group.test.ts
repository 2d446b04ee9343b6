import { test } from 'node:test';
import { cuts } from '../testing/analysis-table.js';

test('char_group cuts at characters and classes of them', () =>
  cuts({ tokenizer: { type: 'char_group', tokenize_on_chars: ['whitespace', '-', 'digit'] } }, [
    ['a-b c1d', 'a[0-1] b[2-3] c[4-5] d[6-7]'],
    ['--', ''],
  ]));
