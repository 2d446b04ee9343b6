import { test } from 'node:test';
import { analyzes } from '../testing/analysis-table.js';

test('delimited_payload cuts the payload off', () =>
  analyzes({ tokenizer: 'whitespace', filter: ['delimited_payload'] }, [
    ['the|0 brown|10 fox a', 'the@0 brown@1 fox@2 a@3'],
  ]));

test('delimited_payload takes another delimiter', () =>
  analyzes({ tokenizer: 'whitespace', filter: [{ type: 'delimited_payload', delimiter: '+' }] }, [
    ['fox+2 a|1', 'fox@0 a|1@1'],
  ]));
