import { test } from 'node:test';
import { cuts, refuses } from '../testing/analysis-table.js';

test('pattern_replace replaces what the pattern matches before the text is cut', () =>
  cuts({ char_filter: [{ type: 'pattern_replace', pattern: '(\\d+)-(\\d+)', replacement: '$1_$2' }] }, [
    ['call 123-456-789 now', 'call[0-4] 123_456[5-12] 789[13-16] now[17-20]'],
  ]));

test('pattern_replace needs a pattern', () =>
  refuses([
    [
      { tokenizer: 'keyword', char_filter: [{ type: 'pattern_replace' }] },
      'illegal_argument_exception: pattern is missing for [__anonymous__pattern_replace] ' +
        "char filter of type 'pattern_replace'",
    ],
  ]));
