import { test } from 'node:test';
import { cuts } from '../testing/analysis-table.js';

test('lowercase takes runs of letters in lower case', () =>
  cuts({ tokenizer: 'lowercase' }, [
    ["Dog's FOO_bar", 'dog[0-3] s[4-5] foo[6-9] bar[10-13]'],
    ['ÜN', 'ün[0-2]'],
  ]));
