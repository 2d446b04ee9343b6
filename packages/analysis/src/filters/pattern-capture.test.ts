import { test } from 'node:test';
import { analyzes, refuses } from '../testing/analysis-table.js';

test('pattern_capture adds what groups match', () =>
  analyzes({ tokenizer: 'keyword', filter: [{ type: 'pattern_capture', patterns: ['([a-z]+)(\\d+)', '@(.+)'] }] }, [
    ['abc123@example.com', 'abc123@example.com@0 abc@0 123@0 example.com@0'],
    ['none', 'none@0'],
  ]));

test('pattern_capture may leave the term itself out', () =>
  analyzes(
    { tokenizer: 'keyword', filter: [{ type: 'pattern_capture', patterns: ['(\\d+)'], preserve_original: false }] },
    [
      ['a1b22', '1@0 22@0'],
      ['none', 'none@0'],
    ],
  ));

test('pattern_capture needs patterns', () =>
  refuses([
    [
      { filter: [{ type: 'pattern_capture' }] },
      "illegal_argument_exception: required setting 'patterns' is missing for token filter " +
        '[__anonymous__pattern_capture]',
    ],
  ]));
