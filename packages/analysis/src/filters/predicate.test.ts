import { test } from 'node:test';
import { analyzes, refuses } from '../testing/analysis-table.js';

const keeping = (source: string, before: readonly unknown[] = []) => ({
  filter: [...before, { type: 'predicate_token_filter', script: { source } }],
});

test('predicate_token_filter keeps the tokens that its script is true for, and gaps for the others', () => {
  analyzes(keeping('three letters'), [['the quick fox of ant', 'the@0 fox@2 ant@4']]);
  analyzes(keeping('behind a gap', ['stop']), [['the quick brown a fox jumps', 'quick@1 fox@4']]);
  analyzes(keeping('keyword', [{ type: 'keyword_marker', keywords: ['b'] }]), [['a b c', 'b@1']]);
});

test('predicate_token_filter needs a script', () =>
  refuses([
    [
      { filter: [{ type: 'predicate_token_filter' }] },
      'illegal_argument_exception: no script of tokenfilter [__anonymous__predicate_token_filter]',
    ],
    [
      { filter: ['predicate_token_filter'] },
      "illegal_argument_exception: Analysis settings required - can't instantiate analysis factory",
    ],
  ]));
