import { test } from 'node:test';
import { cuts } from '../testing/analysis-table.js';

test('letter takes runs of letters', () =>
  cuts({ tokenizer: 'letter' }, [
    ["dog's foo_bar x2y", 'dog[0-3] s[4-5] foo[6-9] bar[10-13] x[14-15] y[16-17]'],
    ['Ünï 日本', 'Ünï[0-3] 日本[4-6]'],
  ]));
