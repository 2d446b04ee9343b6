import { test } from 'node:test';
import { analyzes, refuses } from '../testing/analysis-table.js';

test('stemmer_override replaces words and keeps them from being stemmed', () =>
  analyzes(
    { filter: [{ type: 'stemmer_override', rules: ['running, runs => run', 'stemmer => stemmer'] }, 'porter_stem'] },
    [['running runs stemmer jumping', 'run@0 run@1 stemmer@2 jump@3']],
  ));

test('stemmer_override needs rules', () =>
  refuses([
    [
      { filter: [{ type: 'stemmer_override' }] },
      'illegal_argument_exception: stemmer override filter requires either `rules` or ' +
        '`rules_path` to be configured',
    ],
  ]));
