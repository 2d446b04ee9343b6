import { test } from 'node:test';
import { sectionTable } from '../../testing/section-table.js';

test('boosts are pairs of a pattern and a number, in order', () =>
  sectionTable(
    'indicesBoost',
    [
      [{}, []],
      [
        { indices_boost: [{ 'a*': 2 }, { b: '1.5', c: 3 }] },
        [
          ['a*', 2],
          ['b', 1.5],
          ['c', 3],
        ],
      ],
    ],
    [
      [{ indices_boost: ['a'] }, 'parsing_exception: Expected [START_OBJECT] in [null] but found [VALUE_STRING]'],
      [{ indices_boost: [{ a: 'much' }] }, 'number_format_exception: For input string: "much"'],
      [
        { indices_boost: Array.from({ length: 10_001 }, (_, i) => ({ [`i${i}`]: 1 })) },
        'illegal_argument_exception: Trying to boost too many indices. Must be less than or equal to: [10000] but ' +
          'was [10001]',
      ],
      [{ indices_boost: { a: 1 } }, 'parsing_exception: Unknown key for a START_OBJECT in [indices_boost].'],
    ],
  ));
