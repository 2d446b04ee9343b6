import { test } from 'node:test';
import { cuts } from '../testing/analysis-table.js';

test('first_line_with_letters keeps one line', () =>
  cuts({ tokenizer: 'whitespace', char_filter: ['first_line_with_letters'] }, [
    ['--\n 12\nat last\nmore', 'at[7-9] last[10-14]'],
    ['one line', 'one[0-3] line[4-8]'],
    ['12\n34', ''],
  ]));

test('first_non_blank_line keeps one line', () =>
  cuts({ tokenizer: 'whitespace', char_filter: ['first_non_blank_line'] }, [['   \n12 x\nmore', '12[4-6] x[7-8]']]));
