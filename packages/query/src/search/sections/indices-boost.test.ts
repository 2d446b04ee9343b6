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
      [
        { indices_boost: ['a'] },
        'parsing_exception: Expected [START_OBJECT] in [indices_boost] but found [VALUE_STRING]',
      ],
      [{ indices_boost: [{ a: 'much' }] }, 'number_format_exception: For input string: "much"'],
      [{ indices_boost: { a: 1 } }, 'parsing_exception: Unknown key for a START_OBJECT in [indices_boost].'],
    ],
  ));
