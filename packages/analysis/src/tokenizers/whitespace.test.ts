import { test } from 'node:test';
import { cuts } from '../testing/analysis-table.js';

test('whitespace cuts at white space only', () =>
  cuts({ tokenizer: 'whitespace' }, [
    ['Foo-bar  baz\tx\n', 'Foo-bar[0-7] baz[9-12] x[13-14]'],
    ['', ''],
  ]));

test('whitespace cuts tokens that are longer than the limit', () =>
  cuts({ tokenizer: { type: 'whitespace', max_token_length: 3 } }, [
    ['abcdefgh ij', 'abc[0-3] def[3-6] gh[6-8] ij[9-11]'],
  ]));
