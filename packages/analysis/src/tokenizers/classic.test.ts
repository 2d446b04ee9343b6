import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cuts, tokensOf } from '../testing/analysis-table.js';

test('classic keeps acronyms, addresses, numbers and names with an apostrophe together', () =>
  cuts({ tokenizer: 'classic' }, [
    [
      "I.B.M. o'neil me@x.com www.a.b 3.5 AT&T",
      "I.B.M.[0-6] o'neil[7-13] me@x.com[14-22] www.a.b[23-30] 3.5[31-34] AT&T[35-39]",
    ],
    ['foo-bar2 foo-bar', 'foo-bar2[0-8] foo[9-12] bar[13-16]'],
  ]));

test('classic takes the longest token, numbers if every other part has a digit, and cuts Chinese and Japanese', () =>
  cuts({ tokenizer: 'classic' }, [
    ['3.5-x a-b-1', '3.5-x[0-5] a[6-7] b-1[8-11]'],
    ['a_1_b_2 x1-y-z2', 'a_1_b_2[0-7] x1-y-z2[8-15]'],
    ['日本語op ひx', '日[0-1] 本[1-2] 語[2-3] op[3-5] ひ[6-7] x[7-8]'],
    ["don't5 a@b c@d.e", "don't[0-5] 5[5-6] a@b[7-10] c@d.e[11-16]"],
    ['www.example.com. end', 'www.example.com[0-16] end[17-20]'],
  ]));

test('classic follows each chain of parts once', () => {
  const chain = 'a_'.repeat(200_000);
  assert.equal(tokensOf({ tokenizer: 'classic' }, chain).split(' ').length, 200_000);
});
