import { test } from 'node:test';
import { analyzes, refuses } from '../testing/analysis-table.js';

const under = (source: string, filter: readonly string[], before: readonly string[] = []) => ({
  filter: [...before, { type: 'condition', filter, script: { source } }],
});

test('condition filters the tokens that its script is true for', () => {
  analyzes(under('three letters', ['uppercase', 'reverse']), [['a fox and all', 'a@0 XOF@1 DNA@2 LLA@3']]);
  analyzes(under('all', ['stop']), [['the a b', 'b@2']]);
});

/** Tokens of OpenSearch 2.19.0. */
test('condition filters neighbours together, as a text of their own', () => {
  const shingles = under('but the third', ['shingle']);
  analyzes(shingles, [['a b c d e', 'a@0 a b@0:2 b@1 c@2 d@3 d e@3:2 e@4']]);
  analyzes(under('from the third', ['shingle']), [['a b c d e', 'a@0 b@1 c@2 c d@2:2 d@3 d e@3:2 e@4']]);
});

test('condition keeps gaps inside and behind what it filters', () => {
  analyzes(under('not at 4', ['stop', 'shingle']), [['x the b the q c', 'x@0 x _@0:2 _ b@1:2 b@2 b _@2:2 q@4 c@5']]);
  analyzes(under('up to the second', ['stop']), [
    ['the the b c', 'b@2 c@3'],
    ['x the', 'x@0'],
  ]);
  analyzes(under('behind a gap, or late', ['shingle'], ['stop']), [
    ['x the b c d e', 'x@0 _ b@1:2 b@2 c@3 d@4 d e@4:2 e@5'],
  ]);
});

test('condition needs filters that there are', () =>
  refuses([
    [
      under('all', []),
      'illegal_argument_exception: Empty list of filters provided to tokenfilter [__anonymous__condition]',
    ],
    [
      under('all', ['nope']),
      'illegal_argument_exception: ScriptedConditionTokenFilter [__anonymous__condition] refers to undefined token ' +
        'filter [nope]',
    ],
  ]));
