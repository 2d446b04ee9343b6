import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerOf } from '../../testing/recorded-scripts.js';

/** Scripts and the texts of their results, or of the causes of their errors, as OpenSearch 2.19 answers them. */
const ROWS: readonly (readonly [source: string, answer: string])[] = [
  [
    'Math.abs(1); params.a; return 1',
    'illegal_argument_exception: not a statement: result of dot operator [.] not used',
  ],
  [
    'params.a ? 1 : 2; return 3',
    'illegal_argument_exception: not a statement: result not used from conditional operation [?:]',
  ],
  ['params.a ?: 2; return 3', 'illegal_argument_exception: not a statement: result not used from elvis operation [?:]'],
  ['def l = [1]; l[0]; return 3', 'illegal_argument_exception: not a statement: result of brace operator not used'],
  ['[1]; return 2', 'illegal_argument_exception: not a statement: result not used from list initializer'],
  ['[:]; return 2', 'illegal_argument_exception: not a statement: result not used from map initializer'],
  [
    '-params.a; return 1',
    'illegal_argument_exception: not a statement: result not used from subtraction operation [-]',
  ],
  ['!true; return 1', 'illegal_argument_exception: not a statement: result not used from boolean not operation [!]'],
  ["'a'; return 1", 'illegal_argument_exception: not a statement: string constant [a] not used'],
  ['null; return 1', 'illegal_argument_exception: not a statement: null constant not used'],
  ['params; return 1', 'illegal_argument_exception: not a statement: variable [params] not used'],
  ['new int[] {1}; return 1', 'illegal_argument_exception: not a statement: result not used from new array'],
  ['/a/; return 2', 'illegal_argument_exception: not a statement: regex constant [a] with flags [] not used'],
  [
    'def x = 1; x + 1; return 2',
    'illegal_argument_exception: not a statement: result not used from addition operation [+]',
  ],
  ['new int[1]; return 2', 'illegal_argument_exception: not a statement: result not used from new array'],
  ['params?.a; return 2', 'illegal_argument_exception: not a statement: result of dot operator [.] not used'],
  ['Math.PI; return 2', 'illegal_argument_exception: not a statement: result of dot operator [.] not used'],
];

test('what stands as a statement and does nothing is told by its kind', () => {
  for (const [source, expected] of ROWS) assert.equal(answerOf(source), expected, source);
});
