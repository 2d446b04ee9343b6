import { test } from 'node:test';
import { cuts } from '../testing/analysis-table.js';

test('classic keeps acronyms, addresses, numbers and names with an apostrophe together', () =>
  cuts({ tokenizer: 'classic' }, [
    [
      "I.B.M. o'neil me@x.com www.a.b 3.5 AT&T",
      "I.B.M.[0-6] o'neil[7-13] me@x.com[14-22] www.a.b[23-30] 3.5[31-34] AT&T[35-39]",
    ],
    ['foo-bar2 foo-bar', 'foo-bar2[0-8] foo[9-12] bar[13-16]'],
  ]));
