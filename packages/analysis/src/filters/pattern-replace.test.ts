import { test } from 'node:test';
import { analyzes, refuses } from '../testing/analysis-table.js';

test('pattern_replace replaces what the pattern matches', () =>
  analyzes({ filter: [{ type: 'pattern_replace', pattern: '(a)b', replacement: '$1-' }] }, [
    ['abab cab', 'a-a-@0 ca-@1'],
  ]));

test('pattern_replace may replace the first match only, and take flags', () =>
  analyzes(
    { filter: [{ type: 'pattern_replace', pattern: 'A', flags: 'CASE_INSENSITIVE', all: false, replacement: '' }] },
    [['aba AA', 'ba@0 A@1']],
  ));

test('pattern_replace needs a pattern that it can read', () =>
  refuses([
    [
      { filter: [{ type: 'pattern_replace' }] },
      'illegal_argument_exception: pattern is missing for [__anonymous__pattern_replace] ' +
        "token filter of type 'pattern_replace'",
    ],
  ]));
