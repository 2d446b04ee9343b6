import { test } from 'node:test';
import { cuts, refuses } from '../testing/analysis-table.js';

test('mapping replaces the longest texts first, and keeps places', () =>
  cuts(
    { tokenizer: 'whitespace', char_filter: [{ type: 'mapping', mappings: [':) => happy', ':)) => glad', '٠ => 0'] }] },
    [['a :) b :)) ٠c', 'a[0-1] happy[2-4] b[5-6] glad[7-10] 0c[11-13]']],
  ));

test('mapping refuses rules that are none', () =>
  refuses([
    [
      { tokenizer: 'keyword', char_filter: [{ type: 'mapping' }] },
      'illegal_argument_exception: mapping requires either `mappings` or `mappings_path` to ' + 'be configured',
    ],
    [
      { tokenizer: 'keyword', char_filter: [{ type: 'mapping', mappings: ['a => b', 'a => c'] }] },
      'illegal_argument_exception: match "a" was already added',
    ],
  ]));
